// Merges the dictionaries of one string field: a k-way merge of sorted terms whose postings are renumbered
// and encoded anew. Hot while merging.

import { Bitset } from './bitset';
import type { MergeSource } from './merge-input';
import type { Postings } from './postings';
import type { StepClock } from './steps';
import type { StoredTerms } from './stored-terms';
import type { TermCursor } from './term-cursor';
import type { TermWriter } from './term-writer';
import { compareBytes } from './utf8-order';

/** Postings handled between two looks at the clock. */
const STEP = 2048;

/** What a term costs besides its postings, in postings. */
const TERM_STEPS = 8;

/** A walk through the terms of one source. */
class TermStream {
  readonly cursor: TermCursor;
  readonly postings: Postings;
  ordinal = -1;

  constructor(
    readonly terms: StoredTerms,
    readonly newDocs: Int32Array,
    withPositions: boolean,
  ) {
    this.cursor = terms.cursor();
    this.postings = terms.reusablePostings(withPositions ? 'positions' : 'freqs');
  }

  /** Moves to the next term; false at the end. */
  next(): boolean {
    if (++this.ordinal >= this.terms.size) return false;
    this.cursor.seekText(this.ordinal);
    return true;
  }
}

/**
 * Writes the merged terms to `writer`. Terms that no surviving document holds are left out.
 * @returns the number of documents with at least one term
 */
export function* mergeTerms(
  sources: readonly MergeSource[],
  field: number,
  docCount: number,
  writer: TermWriter,
  turns: StepClock,
): Generator<void, number> {
  let active: TermStream[] = [];
  for (const { contents, newDocs } of sources) {
    const terms = contents.terms(field);
    if (terms === null) continue;
    const stream = new TermStream(terms, newDocs, writer.postings.hasPositions);
    if (stream.next()) active.push(stream);
    if (turns.over()) yield;
  }
  const withTerm = new Bitset(docCount);
  const equal: TermStream[] = [];
  let steps = 0;
  while (active.length > 0) {
    let least = active[0]!;
    for (let i = 1; i < active.length; i++)
      if (compareStreams(active[i]!, least) < 0) least = active[i]!;
    writer.startTerm();
    equal.length = 0;
    for (const stream of active) {
      if (stream !== least && compareStreams(stream, least) !== 0) continue;
      equal.push(stream);
      let left = openPostings(stream);
      while (left > 0) {
        const n = Math.min(left, STEP);
        copyPostings(stream, n, writer, withTerm.words);
        left -= n;
        steps += n;
        if (steps < STEP) continue;
        steps = 0;
        if (turns.over()) yield;
      }
    }
    const { cursor } = least;
    if (writer.postings.docFreq > 0) writer.finishTerm(cursor.term, 0, cursor.termLength);
    let ended = false;
    for (const stream of equal) ended = !stream.next() || ended;
    if (ended) active = active.filter((stream) => stream.ordinal < stream.terms.size);
    steps += TERM_STEPS;
  }
  return withTerm.count();
}

function compareStreams(a: TermStream, b: TermStream): number {
  return compareBytes(a.cursor.term, 0, a.cursor.termLength, b.cursor.term, 0, b.cursor.termLength);
}

/** Goes before the first document of a stream's current term; returns the number of its documents. */
function openPostings({ cursor, postings, ordinal }: TermStream): number {
  cursor.seekData(ordinal);
  postings.open(cursor.data);
  return cursor.data.docFreq;
}

/** Adds those of the next `count` documents that survive. */
function copyPostings(
  { postings, newDocs }: TermStream,
  count: number,
  writer: TermWriter,
  withTerm: Uint32Array,
): void {
  const out = writer.postings;
  for (let left = count; left > 0; left--) {
    const doc = newDocs[postings.nextDoc()]!;
    if (doc < 0) continue;
    const freq = out.hasFreqs ? postings.freq() : 1;
    out.add(doc, freq);
    withTerm[doc >>> 5]! |= 1 << (doc & 31);
    if (out.hasPositions) for (let i = 0; i < freq; i++) out.addPosition(postings.nextPosition());
  }
}
