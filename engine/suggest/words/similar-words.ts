// Words of a field that are like another one (reference server). First those within one edit; where they are
// fewer than are to be inspected, those within all edits that are allowed.

import { FuzzyMatcher, docFreqOf, forEachTerm, prefixRange } from '../../query/index';
import { compareUtf8, type SegmentReader } from '../../segment/index';
import type { FieldId } from '../../metadata/index';
import { EngineError } from '../../errors';
import { BoundedHeap } from '../contract/bounded-heap';
import { DISTANCES } from './string-distance';
import type { SpellOptions } from '../contract/term-spec';

const f = Math.fround;

/** A word that is like the one looked for. */
export interface SimilarWord {
  readonly term: string;
  readonly score: number;
  readonly docFreq: number;
}

/** Where words are looked for. */
export interface Vocabulary {
  readonly segments: readonly SegmentReader[];
  readonly field: FieldId;
}

/**
 * The best words like `term`, at most `count`.
 *
 * @throws EngineError IllegalArgumentException for frequencies above 1 with a fraction, NullPointerException
 *         where none may be inspected
 */
export function similarWords(
  { segments, field }: Vocabulary,
  term: string,
  count: number,
  options: SpellOptions,
): readonly SimilarWord[] {
  const { minDocFreq, maxTermFreq, mode } = options;
  assertFrequency(maxTermFreq);
  assertFrequency(minDocFreq);
  if (lengthOf(term) < options.minWordLength) return [];
  let docFreq = docFreqOf(segments, field, term);
  if (mode === 'missing' && docFreq > 0) return [];
  const maxDoc = segments.reduce((sum, { docCount }) => sum + docCount, 0);
  if (maxTermFreq >= 1 && docFreq > maxTermFreq) return [];
  if (maxTermFreq < 1 && docFreq > Math.ceil(f(maxTermFreq * f(maxDoc)))) return [];
  if (mode !== 'popular') docFreq = 0;
  if (minDocFreq >= 1) docFreq = Math.max(docFreq, Math.trunc(minDocFreq));
  else if (minDocFreq > 0) {
    docFreq = Math.max(docFreq, Math.trunc(f(minDocFreq * f(maxDoc))) - 1);
  }
  const search = new WordSearch(segments, field, term, docFreq, options);
  // compat: the product is one of 32 bits.
  const inspections = Math.imul(count, options.maxInspections);
  let words = search.within(1, inspections);
  if (options.maxEdits > 1 && words.size < inspections) {
    words = new Map([...search.within(options.maxEdits, inspections), ...words]);
  }
  const sorted = [...words.values()].sort(options.sort === 'score' ? byScore : byFrequency);
  return sorted.slice(0, count);
}

function assertFrequency(frequency: number): void {
  if (frequency < 1 || Number.isInteger(frequency)) return;
  throw new EngineError(
    'IllegalArgumentException',
    'Fractional absolute document frequencies are not allowed',
    { status: 500 },
  );
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** The highest score first, then the highest frequency, then by term. */
function byScore(a: SimilarWord, b: SimilarWord): number {
  return b.score - a.score || b.docFreq - a.docFreq || compareText(a.term, b.term);
}

function byFrequency(a: SimilarWord, b: SimilarWord): number {
  return b.docFreq - a.docFreq || b.score - a.score || compareText(a.term, b.term);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Found {
  readonly similarity: number;
  docFreq: number;
}

class WordSearch {
  constructor(
    private readonly segments: readonly SegmentReader[],
    private readonly field: FieldId,
    private readonly term: string,
    private readonly docFreq: number,
    private readonly options: SpellOptions,
  ) {}

  /** The best `limit` words within some edits, by term. */
  within(edits: number, limit: number): Map<string, SimilarWord> {
    const found = this.find(edits);
    const { term, docFreq } = this;
    const { accuracy, distance } = this.options;
    const queue = new BoundedHeap<SimilarWord>(limit, isWeaker);
    // compat: where several are equally good, those that come first stay.
    const terms = [...found.keys()].sort(compareUtf8);
    for (const candidate of terms) {
      const { similarity, docFreq: frequency } = found.get(candidate)!;
      if (queue.isFull && similarity <= weakestOf(queue).score) continue;
      if (candidate === term || frequency <= docFreq) continue;
      const score = distance === 'internal' ? similarity : DISTANCES[distance](term, candidate);
      if (score < accuracy) continue;
      queue.add({ term: candidate, score, docFreq: frequency });
    }
    return new Map(queue.items.map((word) => [word.term, word]));
  }

  /** All words within some edits. compat: two edits leave at least the first character alone. */
  private find(edits: number): ReadonlyMap<string, Found> {
    const prefixLength = Math.max(this.options.prefixLength, edits - 1);
    const matcher = new FuzzyMatcher(this.term, {
      maxEdits: edits,
      prefixLength,
      transpositions: true,
    });
    const selection = {
      range: (terms: Parameters<typeof prefixRange>[0]) => prefixRange(terms, matcher.prefix),
      matcher,
    };
    const found = new Map<string, Found>();
    for (const segment of this.segments) {
      const terms = segment.terms(this.field);
      if (terms === null) continue;
      forEachTerm(terms, selection, (term, ordinal) => {
        const known = found.get(term);
        const docFreq = terms.docFreq(ordinal);
        if (known === undefined) found.set(term, { similarity: matcher.boost, docFreq });
        else known.docFreq += docFreq;
      });
    }
    return found;
  }
}

/** @throws EngineError NullPointerException (500) where no word is to be kept, as the reference has it */
function weakestOf({ weakest }: BoundedHeap<SimilarWord>): SimilarWord {
  if (weakest !== undefined) return weakest;
  throw new EngineError('NullPointerException', 'no word may be inspected', { status: 500 });
}

function isWeaker(a: SimilarWord, b: SimilarWord): boolean {
  return a.score === b.score ? compareUtf8(a.term, b.term) > 0 : a.score < b.score;
}
