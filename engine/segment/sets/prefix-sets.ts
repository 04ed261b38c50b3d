// Sets of documents that stand next to each other in some order, such as those with a number in a range.
//
// Of a few places along the order the set of all documents before it is kept ("marks"). The documents between
// two places are then the difference of two marks, mended by the documents between each place and its
// nearest mark. So a set costs a pass over its words and a small share of the order, whatever is in it.

import { Bitset } from '../contract/bitset';

/** Marks of an order: they take 2 bytes a document. */
const MARKS = 16;
/** Slices up to this share of the order are taken document by document. */
const SMALL_SHARE = 2 * MARKS;

/** An order in which each document stands at most once, with its marks. */
interface MarkedOrder {
  readonly docs: Uint32Array;
  readonly docCount: number;
  /** Mark after mark, as {@link markOrder} makes them; asked for only where they are of use. */
  marks(): Uint32Array;
}

/** The sets of the first 1/16, 2/16 .. 16/16 documents of an order, one after the other. */
export function markOrder(docs: Uint32Array, docCount: number): Uint32Array {
  const width = wordsFor(docCount);
  const marks = new Uint32Array(MARKS * width);
  const set = new Uint32Array(width);
  for (let mark = 1; mark <= MARKS; mark++) {
    toggle(set, docs, placeOf(mark - 1, docs.length), placeOf(mark, docs.length));
    marks.set(set, (mark - 1) * width);
  }
  return marks;
}

/** The documents at the places first .. end - 1 of an order. */
export function docsBetween(order: MarkedOrder, first: number, end: number): Bitset {
  const { docs, docCount } = order;
  const { length } = docs;
  const words = new Uint32Array(wordsFor(docCount));
  const from = nearestMark(first, length);
  const to = nearestMark(end, length);
  if (from === to || (end - first) * SMALL_SHARE <= length) {
    toggle(words, docs, first, end);
    return new Bitset(docCount, words);
  }
  const marks = order.marks();
  words.set(marks.subarray((to - 1) * words.length, to * words.length));
  if (from > 0) removeAll(words, marks, (from - 1) * words.length);
  toggleBetween(words, docs, first, placeOf(from, length));
  toggleBetween(words, docs, end, placeOf(to, length));
  return new Bitset(docCount, words);
}

function wordsFor(docCount: number): number {
  return (docCount + 31) >>> 5;
}

/** Where a mark lies: it holds the documents at the places before. */
function placeOf(mark: number, length: number): number {
  return Math.floor((mark * length) / MARKS);
}

function nearestMark(place: number, length: number): number {
  return Math.round((place * MARKS) / length);
}

function removeAll(words: Uint32Array, marks: Uint32Array, at: number): void {
  for (let w = 0; w < words.length; w++) words[w]! &= ~marks[at + w]!;
}

function toggleBetween(words: Uint32Array, docs: Uint32Array, a: number, b: number): void {
  toggle(words, docs, Math.min(a, b), Math.max(a, b));
}

function toggle(words: Uint32Array, docs: Uint32Array, first: number, end: number): void {
  for (let i = first; i < end; i++) {
    const doc = docs[i]!;
    words[doc >>> 5]! ^= 1 << (doc & 31);
  }
}
