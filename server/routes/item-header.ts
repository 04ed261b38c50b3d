// What multi-searches and multi-percolations have in common: items of a header line and a line of source,
// each with its own outcome (reference server).

import {
  decodeUtf8,
  EngineError,
  illegalArgument,
  isJsonObject,
  JsonNumber,
  parseJson,
  Slices,
  splitCommas,
  writeJson,
  type JsonObject,
  type JsonValue,
} from '../../engine/index';
import { errorBody, itemError } from '../render/index';
import { Params, type ApiRequest } from '../request/index';
import { assertJsonLines, LINE_FEED } from './json-lines';

/** One request of several; its source is not looked at yet. */
export interface Item<Header> {
  readonly header: Header;
  readonly source: Buffer;
}

/** Items between two looks at the clock, unless headers are long. */
const ITEMS_PER_LOOK = 64;
const LONG_HEADER = 16_384;
/** An item may be five bytes long, and takes a hundred times as much until it is answered. */
const MAX_ITEMS = 200_000;
const ITEM_BYTES = 1024;
/** Names and values of a header, which may name 10,000 indices. */
const MAX_HEADER_VALUES = 20_000;

/**
 * Reads all headers, in slices.
 *
 * @param readHeader takes null for a line that is no object
 * @param memory of the request, which holds them
 * @throws EngineError for what fails the whole request, more items than a request may have included
 */
export async function readItems<Header>(
  body: Buffer,
  readHeader: (members: JsonObject | null) => Header,
  memory: ApiRequest['memory'],
): Promise<Item<Header>[]> {
  const slices = new Slices(1);
  assertJsonLines(body);
  const items: Item<Header>[] = [];
  // compat: a line feed at the very beginning is skipped; later on an empty line is a header that says
  // nothing.
  let from = body[0] === LINE_FEED ? 1 : 0;
  for (;;) {
    const headerEnd = body.indexOf(LINE_FEED, from);
    if (headerEnd < 0) return items;
    const looks = items.length % ITEMS_PER_LOOK === 0 || headerEnd - from > LONG_HEADER;
    if (looks && slices.isOver()) await slices.next();
    const text = decodeUtf8(body.subarray(from, headerEnd));
    const members = text.trim() === '' ? null : parseJson(text, undefined, MAX_HEADER_VALUES);
    const header = readHeader(isJsonObject(members) ? members : null);
    const sourceEnd = body.indexOf(LINE_FEED, headerEnd + 1);
    // compat: a last line without its end is not there.
    if (sourceEnd < 0) return items;
    if (items.length >= MAX_ITEMS) {
      throw illegalArgument(`request has more than [${MAX_ITEMS}] items`);
    }
    items.push({ header, source: body.subarray(headerEnd + 1, sourceEnd) });
    if (items.length % ITEMS_PER_LOOK === 0) memory?.grow(ITEMS_PER_LOOK * ITEM_BYTES);
    from = sourceEnd + 1;
  }
}

/**
 * The answer to one item, or what kept it from having one.
 *
 * @param failsAll which of its errors fail the whole request, next to a lack of memory
 * @throws EngineError these
 */
export async function answerOf(
  answer: Promise<readonly Buffer[]>,
  failsAll: (error: EngineError) => boolean = () => false,
): Promise<readonly Buffer[]> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof EngineError) || failsAll(error)) throw error;
    // What is done so far holds the memory that is lacking.
    if (error.wireName === 'CircuitBreakingException' && error.status === 503) throw error;
    return [Buffer.from(writeJson(errorBody(itemError(error))))];
  }
}

/** The options of a header under the names that URL parameters have. */
export function optionsOf(members: JsonObject): Params {
  const values = new Map<string, string>();
  for (const [name, alias] of [
    ['ignore_unavailable', 'ignoreUnavailable'],
    ['allow_no_indices', 'allowNoIndices'],
    ['expand_wildcards', 'expandWildcards'],
  ] as const) {
    const value = members.get(members.has(name) ? name : alias) ?? null;
    const text = Array.isArray(value) ? value.map(textOf).join(',') : textOf(value);
    if (text !== undefined) values.set(name, text);
  }
  return new Params(values);
}

/**
 * A list, or a text with commas.
 *
 * @throws EngineError for null, on which the reference fails
 */
export function nameList(value: JsonValue, what: string): readonly string[] {
  if (!Array.isArray(value)) {
    const text = textOf(value);
    if (text !== undefined) return splitCommas(text);
    throw new EngineError(
      'NullPointerException',
      'Cannot invoke "Object.toString()" because "node" is null',
    );
  }
  return value.map((element, i) => {
    const text = textOf(element);
    if (text === undefined) throw illegalArgument(`${what}[${i}] must not be null`);
    return text;
  });
}

/** The text of a value; undefined for null. */
export function textOf(value: JsonValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') return value;
  return value instanceof JsonNumber ? value.text : writeJson(value);
}
