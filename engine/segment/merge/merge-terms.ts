// Merges the dictionaries of one string field: a k-way merge of sorted terms whose postings are renumbered
// and encoded anew. Hot while merging.

import { Bitset } from '../contract/bitset';
import type { MergeSource } from './merge-input';
import type { Postings } from '../postings/postings';
import type { PostingsWriter } from '../postings/postings-writer';
import type { StepClock } from '../format/steps';
import type { BlockTermDictionary } from '../dictionary/term-dictionary';
import type { TermCursor } from '../dictionary/term-cursor';
import type { TermWriter } from '../dictionary/term-writer';
import { compareBytes } from '../dictionary/utf8-order';

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
    readonly terms: BlockTermDictionary,
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
 * @param termsOf the dictionary of a source
 * Writes the merged terms to `writer`. Terms that no surviving document holds are left out.
 * @returns the number of documents with at least one term
 */
export function* mergeTerms(
  sources: readonly MergeSource[],
  termsOf: (contents: MergeSource['contents']) => BlockTermDictionary | null,
  docCount: number,
  writer: TermWriter,
  turns: StepClock,
): Generator<void, number> {
  let active: TermStream[] = [];
  for (const { contents, newDocs } of sources) {
    const terms = termsOf(contents);
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
    equal.length = 1;
    equal[0] = least;
    for (let i = 1; i < active.length; i++) {
      const stream = active[i]!;
      const order = compareStreams(stream, least);
      if (order > 0) continue;
      if (order < 0) {
        least = stream;
        equal.length = 0;
      }
      equal.push(stream);
    }
    writer.startTerm();
    for (const stream of equal) {
      let left = openPostings(stream);
      while (left > 0) {
        const n = copyBlock(stream, writer.postings, withTerm.words);
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

/** Adds those of the next block of documents that survive; returns the number of documents in it. */
function copyBlock(
  { postings, newDocs }: TermStream,
  out: PostingsWriter,
  withTerm: Uint32Array,
): number {
  postings.nextDoc();
  const { docs, freqs, to } = postings.restOfBlock();
  for (let i = 0; i < to; i++) {
    const doc = newDocs[docs[i]!]!;
    if (doc >= 0) withTerm[doc >>> 5]! |= 1 << (doc & 31);
  }
  const positions = out.hasPositions ? postings.positionsOfBlock() : null;
  out.addBlock(docs, out.hasFreqs ? freqs : null, to, newDocs, positions);
  postings.leaveBlock();
  return to;
}
