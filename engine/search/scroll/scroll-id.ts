// The ids of scrolls. A client gives back what it got, in a path, a query string or a body, so an id has
// letters, digits, `-` and `_` only, and does not grow with the number of shards. What it says of the scroll
// is enough to answer when the scroll is gone.

import { EngineError, illegalArgument } from '../../errors';

/** How pages are made: those of a scan, or of a search whose shards give one page together, or one each. */
export type ScrollKind = 'scan' | 'together' | 'each';

/** What an id says. */
export interface ScrollId {
  readonly kind: ScrollKind;
  /** Which scroll; empty: none of this node. */
  readonly key: string;
  /** How often shards of a scan had come to their end before the id was made. */
  readonly revision: number;
  /** Contexts that it stands for, by the numbers that errors name. */
  readonly contexts: readonly number[];
  /** All matches; 0 where the reference does not tell. */
  readonly total: number;
}

/** Types of ids, and what the reference calls them. */
const LETTERS: Readonly<Record<ScrollKind, string>> = { scan: 's', together: 'q', each: 'f' };
const KINDS: ReadonlyMap<string, ScrollKind> = new Map([
  ['s', 'scan'],
  ['q', 'together'],
  ['f', 'each'],
]);
const REFERENCE_KINDS: ReadonlyMap<string, ScrollKind> = new Map([
  ['scan', 'scan'],
  ['queryThenFetch', 'together'],
  ['queryAndFetch', 'each'],
]);

/** Contexts that an id of a scroll that is gone has named one by one. */
const MAX_NAMED = 1000;
/** Longer texts are no ids: those of the reference have some 40 characters for each shard. */
const MAX_LENGTH = 1024 * 1024;
const URL_SAFE = /^[\w+/=\s-]*$/;

/** The text of an id. Contexts stand in it as the first one and their number. */
export function encodeScrollId(
  id: Omit<ScrollId, 'contexts'>,
  first: number,
  count: number,
): string {
  const { kind, key, revision, total } = id;
  const text = [LETTERS[kind], key, revision, first, count, total].join(';');
  return Buffer.from(text).toString('base64url');
}

/**
 * @param anyType what is well formed and of no known type is an id of no scroll
 * @throws EngineError 400 for what is no id, with the texts of the reference
 */
export function decodeScrollId(text: string, anyType = false): ScrollId {
  const parts = decoded(text).split(';');
  if (parts.length < 2) throw malformed(text);
  const [type = ''] = parts;
  const kind = KINDS.get(type);
  if (kind !== undefined) return ownId(kind, parts, text);
  const referenceKind = REFERENCE_KINDS.get(type);
  if (referenceKind !== undefined) return referenceId(referenceKind, parts, text);
  if (anyType) return { kind: 'each', key: '', revision: 0, contexts: [], total: 0 };
  throw illegalArgument(`Scroll id type [${type}] unrecognized`);
}

function ownId(kind: ScrollKind, parts: readonly string[], text: string): ScrollId {
  const [, key = '', ...rest] = parts;
  const numbers = rest.map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : -1));
  const [revision = -1, first = -1, count = -1, total = -1] = numbers;
  if (numbers.length !== 4 || numbers.includes(-1)) throw malformed(text);
  const contexts = Array.from({ length: Math.min(count, MAX_NAMED) }, (_, i) => first + i);
  return { kind, key, revision, contexts, total };
}

/** An id of the reference, or of another node: well formed, and of no scroll that there is. */
function referenceId(kind: ScrollKind, parts: readonly string[], text: string): ScrollId {
  const count = Number(parts[1]);
  if (!/^\d{1,6}$/.test(parts[1] ?? '') || parts.length < count + 2) throw malformed(text);
  const contexts = parts.slice(2, 2 + Math.min(count, MAX_NAMED)).map((context) => {
    const number = /^(\d{1,15}):/.exec(context)?.[1];
    if (number === undefined) throw malformed(text);
    return Number(number);
  });
  const total = /^total_hits:(\d{1,15})$/.exec(parts[count + 3] ?? '')?.[1];
  return { kind, key: '', revision: 0, contexts, total: Number(total ?? 0) };
}

/** compat: white space is passed over, and the first character that is not base64 is named. */
function decoded(text: string): string {
  if (text === '') throw malformed('');
  if (text.length > MAX_LENGTH) throw malformed(`${text.slice(0, 100)}…`);
  if (text.length < 4) {
    const message = `Base64-encoded string must have at least four characters, but length specified was ${text.length}`;
    throw undecodable(new EngineError('IllegalArgumentException', message));
  }
  if (!URL_SAFE.test(text)) {
    const place = text.search(/[^\w+/=\s-]/);
    const message = `Bad Base64 input character decimal ${text.charCodeAt(place) & 255} in array position ${place}`;
    throw undecodable(new EngineError('IOException', message));
  }
  return Buffer.from(text, 'base64').toString('latin1');
}

function undecodable(cause: EngineError): EngineError {
  return illegalArgument('Failed to decode scrollId', cause);
}

function malformed(text: string): EngineError {
  return illegalArgument(`Malformed scrollId [${text}]`);
}
