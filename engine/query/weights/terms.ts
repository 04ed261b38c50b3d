// Constant-score queries over terms of one field: lists of terms, and slices of the dictionary with or
// without a test (prefix, string range, wildcard, regexp, fuzzy).

import {
  type Bitset,
  NO_MORE_DOCS,
  type SegmentReader,
  type TermDictionary,
} from '../../segment/index';
import type { Query } from '../ast/query';
import type { MultiTermQuery } from '../expand/term-selection';
import { ConstantWeight } from './query-weight';
import { ListScorer } from '../scorers/list-scorer';
import { ScanScorer } from '../scorers/scan-scorer';
import { forEachTerm, type TermSelection } from '../automaton/term-matcher';
import type { Scorer } from '../scoring/weight';
import type { FieldId } from '../../metadata/index';

/** A scorer over so few documents (as a share of the segment) keeps a list instead of a set. */
const LIST_SHARE = 64;

/** Up to this many terms are looked up to estimate cost; for more the field's documents are the bound. */
const COUNTED_TERMS = 64;

/** Documents with any of the given terms. */
export class TermSetWeight extends ConstantWeight {
  constructor(
    private readonly field: FieldId,
    private readonly terms: readonly string[],
    query: Query,
  ) {
    super(query);
  }

  cost(segment: SegmentReader): number {
    const terms = segment.terms(this.field);
    if (terms === null) return 0;
    if (this.terms.length > COUNTED_TERMS) return terms.docCount;
    let sum = 0;
    for (const term of this.terms) {
      const ordinal = terms.ordinalOf(term);
      if (ordinal >= 0) sum += terms.docFreq(ordinal);
    }
    return Math.min(sum, segment.docCount);
  }

  override matches(segment: SegmentReader): Bitset | null {
    const [term, ...others] = this.terms;
    if (term === undefined || others.length > 0) return super.matches(segment);
    const terms = segment.terms(this.field);
    const ordinal = terms?.ordinalOf(term) ?? -1;
    return terms === null || ordinal < 0 ? null : terms.docs(ordinal, segment.docCount);
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const terms = segment.terms(this.field);
    if (terms === null) return;
    for (const term of this.terms) {
      const ordinal = terms.ordinalOf(term);
      if (ordinal >= 0) terms.addDocs(ordinal, into);
    }
  }

  count(segment: SegmentReader): number {
    return this.terms.length === 1 ? this.cost(segment) : -1;
  }

  override scorer(segment: SegmentReader): Scorer | null {
    const terms = segment.terms(this.field);
    if (terms === null) return null;
    const cost = this.cost(segment);
    if (cost === 0) return null;
    const counted = this.terms.length <= COUNTED_TERMS;
    if (!counted || cost * LIST_SHARE > segment.docCount) return super.scorer(segment);
    const docs = new Uint32Array(cost);
    let count = 0;
    for (const term of this.terms) {
      const ordinal = terms.ordinalOf(term);
      if (ordinal < 0) continue;
      const postings = terms.postings(ordinal, 'docs');
      for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) {
        docs[count++] = doc;
      }
    }
    return new ListScorer(sortedDistinct(docs.subarray(0, count)), this.value);
  }
}

function sortedDistinct(docs: Uint32Array): Uint32Array {
  docs.sort();
  let count = 0;
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    if (count === 0 || docs[count - 1] !== doc) docs[count++] = doc;
  }
  return docs.subarray(0, count);
}

/** From this many terms on, a stored column is scanned instead of opening that many postings. */
const COLUMN_TERMS = 512;

/** Documents with any term of a selection. */
export class TermSelectionWeight extends ConstantWeight<MultiTermQuery> {
  constructor(
    query: MultiTermQuery,
    private readonly selection: TermSelection,
  ) {
    super(query);
  }

  cost(segment: SegmentReader): number {
    const terms = segment.terms(this.query.field);
    if (terms === null) return 0;
    const [from, to] = this.selection.range(terms);
    if (from >= to) return 0;
    let bound = terms.docCount;
    if (this.selection.matcher === null && to - from <= 16) {
      let sum = 0;
      for (let ordinal = from; ordinal < to; ordinal++) sum += terms.docFreq(ordinal);
      bound = Math.min(bound, sum);
    }
    return bound;
  }

  count(segment: SegmentReader): number {
    if (this.selection.matcher !== null) return -1;
    const terms = segment.terms(this.query.field);
    if (terms === null) return 0;
    // Documents with several terms would count several times.
    if (terms.sumDocFreq !== terms.docCount) return -1;
    const [from, to] = this.selection.range(terms);
    if (from >= to) return 0;
    if (to - from === 1) return terms.docFreq(from);
    const sums = terms.docFreqSums();
    return sums[to]! - sums[from]!;
  }

  /** Looks at the ordinals of documents one by one where many match, so that a few are found early. */
  override scorer(segment: SegmentReader): Scorer | null {
    const terms = segment.terms(this.query.field);
    if (terms !== null && this.selection.matcher === null && hasOwnColumn(terms)) {
      const [from, to] = this.selection.range(terms);
      const column = to - from >= COLUMN_TERMS ? segment.ordinals(this.query.field) : null;
      if (column?.offsets === null) {
        const cost = Math.min(terms.docCount, segment.docCount);
        return new ScanScorer(column.ordinals, null, from + 1, to, cost, this.value);
      }
    }
    return super.scorer(segment);
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const terms = segment.terms(this.query.field);
    if (terms === null) return;
    if (this.selection.matcher !== null) {
      forEachTerm(terms, this.selection, (_term, ordinal) => {
        terms.postings(ordinal, 'docs').fill(into);
      });
      return;
    }
    const [from, to] = this.selection.range(terms);
    if (from === 0 && to === terms.size) {
      // A value may be present without a term (analysis left none); else presence is the answer.
      const present = segment.presence(this.query.field);
      if (present !== null && present.count() === terms.docCount) {
        into.or(present);
        return;
      }
    }
    if (to - from >= COLUMN_TERMS && hasOwnColumn(terms)) {
      if (addOrdinalSlice(segment, this.query.field, from, to, into)) return;
    }
    for (let ordinal = from; ordinal < to; ordinal++) terms.postings(ordinal, 'docs').fill(into);
  }
}

/** Fields without frequencies are the ones not analyzed: their column is stored, not made from postings. */
function hasOwnColumn(terms: TermDictionary): boolean {
  return !terms.hasFreqs;
}

/** Adds the documents with an ordinal in [from, to) by scanning the column; false when there is none. */
function addOrdinalSlice(
  segment: SegmentReader,
  field: FieldId,
  from: number,
  to: number,
  into: Bitset,
): boolean {
  const column = segment.ordinals(field);
  if (column === null) return false;
  const { offsets, ordinals, docCount } = column;
  if (offsets === null) {
    for (let doc = 0; doc < docCount; doc++) {
      const ordinal = ordinals[doc]! - 1;
      if (ordinal >= from && ordinal < to) into.add(doc);
    }
    return true;
  }
  for (let doc = 0; doc < docCount; doc++) {
    const end = offsets[doc + 1]!;
    for (let i = offsets[doc]!; i < end; i++) {
      const ordinal = ordinals[i]!;
      if (ordinal < from) continue;
      if (ordinal < to) into.add(doc);
      break;
    }
  }
  return true;
}
