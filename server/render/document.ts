// Answers of the document APIs.

import {
  RawJson,
  type DeleteResult,
  type GetResult,
  type IndexResult,
  type JsonOutput,
  type UpdateResult,
} from '../../engine/index';

/** The answer to an index or create. */
export function indexBody(result: IndexResult): JsonOutput {
  const { index, type, id, version, created } = result;
  return { _index: index, _type: type, _id: id, _version: version, created };
}

/** The answer to a delete. */
export function deleteBody(result: DeleteResult): JsonOutput {
  const { found, index, type, id, version } = result;
  return { found, _index: index, _type: type, _id: id, _version: version };
}

/** The answer to an update: no `created`, and a `get` section when fields were asked for. */
export function updateBody(result: UpdateResult): JsonOutput {
  const { index, type, id, version, get } = result;
  return {
    _index: index,
    _type: type,
    _id: id,
    _version: version,
    get: get === undefined ? undefined : { found: get.found, ...content(get) },
  };
}

/**
 * The answer to a get.
 *
 * @param missingType what a miss prints as `_type`
 */
export function getBody(result: GetResult, missingType: string | null = result.type): JsonOutput {
  const { index, type, id, found, version } = result;
  if (!found) return { _index: index, _type: missingType, _id: id, found };
  const { _source, fields } = content(result);
  return { _index: index, _type: type, _id: id, _version: version, found, _source, fields };
}

function content(result: GetResult): {
  readonly _source: JsonOutput | undefined;
  readonly fields: JsonOutput | undefined;
} {
  return {
    _source: result.source === undefined ? undefined : new RawJson(result.source),
    fields: result.fields,
  };
}
