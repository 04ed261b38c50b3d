// Entries of a completion field as terms of a dictionary: what is typed, then how it is ranked and shown.
//
//   key 0x00 cost surface [0x1F payload] flag
//
// Entries therefore stand in the order of their keys, and those of one key by weight, the heaviest first:
// the order in which the reference shows entries of equal weight.

import type { CompletionEntry } from '../../mapping/index';

export const MAX_WEIGHT = 0x7fffffff;
/** Ends the key. */
export const KEY_END = 0x00;
const PAYLOAD_SEPARATOR = '\u001f';
/** Stands for the cost of entries without a weight: it sorts before all costs. */
const NO_COST = '--------';
const COST_DIGITS = NO_COST.length;
const FIRST = 'a';
const LATER = 'b';
const FIRST_CODE = FIRST.charCodeAt(0);
const NO_COST_CODE = NO_COST.charCodeAt(0);

/** The term of an entry. */
export function encodeEntry({ key, surface, weight, payload, isFirst }: CompletionEntry): string {
  const cost =
    weight === null ? NO_COST : (MAX_WEIGHT - weight).toString(16).padStart(COST_DIGITS, '0');
  const shown = payload === null ? surface : surface + PAYLOAD_SEPARATOR + payload;
  return `${key}\0${cost}${shown}${isFirst ? FIRST : LATER}`;
}

/** What is shown of an entry. */
export interface ShownEntry {
  readonly key: string;
  readonly surface: string;
  readonly payload: string | null;
}

/** What the term of an entry says of what is shown. */
export function decodeShown(term: string): ShownEntry {
  const end = term.indexOf('\0');
  const shown = term.slice(end + 1 + COST_DIGITS, -1);
  const separator = shown.indexOf(PAYLOAD_SEPARATOR);
  return {
    key: term.slice(0, end),
    surface: separator < 0 ? shown : shown.slice(0, separator),
    payload: separator < 0 ? null : shown.slice(separator + 1),
  };
}

/** Where the key of an entry ends in its bytes [from .. to). */
export function keyEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] !== KEY_END) at++;
  return at;
}

/** The weight of the entry whose key ends at `end`; -1: it has none of its own. */
export function weightAt(bytes: Uint8Array, end: number): number {
  if (bytes[end + 1] === NO_COST_CODE) return -1;
  let cost = 0;
  for (let at = end + 1; at <= end + COST_DIGITS; at++) {
    const code = bytes[at]!;
    cost = cost * 16 + (code < 0x3a ? code - 0x30 : code - 0x57);
  }
  return MAX_WEIGHT - cost;
}

/** Whether the entry whose bytes end at `to` is the first of its documents with its key. */
export function isFirstAt(bytes: Uint8Array, to: number): boolean {
  return bytes[to - 1] === FIRST_CODE;
}
