// Bodies that are one JSON object, for changes of metadata.

import {
  decodeUtf8,
  EngineError,
  JsonSyntaxError,
  parseJsonObject,
  SEARCH_BODY,
  startsWithObject,
  type JsonObject,
  type JsonValue,
} from '../../engine/index';

/**
 * Names, values and ends of objects and lists that a body of metadata may have, which is read in one go: what
 * takes some 100 ms. Documents and bulk requests are read piece by piece.
 */
const MAX_VALUES = 500_000;
/** The same of a multi-get or of the header of a search, which come more often. */
export const MAX_READ_VALUES = SEARCH_BODY.values;
/** Levels of such a body. */
const MAX_DEPTH = 250;

/**
 * The object of a body; an empty one for a body of nothing but white space.
 *
 * @param problem what is said about broken JSON
 * @throws EngineError 400
 */
export function jsonObjectBody(body: Buffer, problem: string): JsonObject {
  try {
    const text = decodeUtf8(body);
    return text.trim() === ''
      ? new Map<string, JsonValue>()
      : parseJsonObject(text, MAX_DEPTH, MAX_VALUES);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new EngineError('ElasticsearchParseException', problem, { cause: error });
  }
}

/**
 * The object of a body that must be there.
 *
 * @throws EngineError 400 for a body that is no object, 500 for broken JSON
 */
export function requiredObjectBody(body: Buffer): JsonObject {
  const text = decodeUtf8(body);
  if (!startsWithObject(text)) {
    throw new EngineError('ElasticsearchParseException', 'Failed to derive xcontent');
  }
  return parseJsonObject(text, MAX_DEPTH, MAX_VALUES);
}
