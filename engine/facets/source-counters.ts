// Counting one source of a terms facet over the segments of a shard: one counter per kind of values.

import { formatDouble } from '../json/write';
import type { FieldId } from '../mapping/field';
import { NO_MORE_DOCS, type Bitset } from '../segment/bitset';
import type { GeoColumn, SegmentReader } from '../segment/reader';
import { countOrdinals, type OrdinalCounts } from './ordinal-counts';
import { TextCounter } from './text-counter';
import {
  countsByOrdinal,
  mergeStreams,
  streamOfOrdinals,
  streamOfSegment,
  type TermStream,
} from './text-merge';
import { textAcceptance } from './terms-order';
import { termTypeOf, type CountedTerms, type TermSource, type TermsSpec } from './terms-spec';
import { topTerms } from './top-terms';
import { ValueCounter } from './value-counts';

/** Counts the terms of one source over the segments of a shard. */
export interface SourceCounter {
  readonly missing: number;
  readonly total: number;
  /** `docs` null: no document of the segment is in scope. */
  collect(segment: SegmentReader, docs: Bitset | null): void;
  /** All terms that may be shown; more than that do no harm. */
  result(): CountedTerms;
}

/** The counter for a source. `soleShard`: nobody else's counts are added. */
export function counterOf(source: TermSource, spec: TermsSpec, soleShard: boolean): SourceCounter {
  switch (source.kind) {
    case 'constant':
      return new ConstantCounter(source.term);
    case 'nothing':
      return new NothingCounter();
    case 'field':
      break;
  }
  const { field, fieldKind } = source;
  const type = termTypeOf(fieldKind);
  if (fieldKind === 'geo') return new PointCounter(field, spec.allTerms);
  if (type !== 'string') return new NumberCounter(field, type, spec.allTerms);
  if (spec.merged) return new TextFieldCounter(field, spec.allTerms);
  if (canStopEarly(spec)) return new FirstTermsCounter(field, spec);
  const isByBounds = soleShard && spec.order === 'count' && spec.pattern === null && !spec.allTerms;
  return isByBounds ? new TopTermsCounter(field, spec) : new TextFieldCounter(field, spec.allTerms);
}

/**
 * In term order nobody's later terms can come before anybody's first ones. Dictionaries are read backwards
 * one term at a time, which does not pay where most terms are only read to be left out.
 */
function canStopEarly({ order, pattern }: TermsSpec): boolean {
  return order === 'term' || (order === 'reverse_term' && pattern === null);
}

/** What the counters of text fields share: the counts of each segment. */
abstract class OrdinalCounter implements SourceCounter {
  missing = 0;
  total = 0;
  protected readonly segments: OrdinalCounts[] = [];

  constructor(
    private readonly field: FieldId,
    protected readonly allTerms: boolean,
  ) {}

  collect(segment: SegmentReader, docs: Bitset | null): void {
    const counts = docs === null ? null : countOrdinals(segment, this.field, docs);
    if (counts !== null) {
      this.missing += counts.missing;
      this.total += counts.total;
      this.segments.push(counts);
      return;
    }
    if (docs !== null) this.missing += docs.count();
    const terms = this.allTerms ? segment.terms(this.field) : null;
    if (terms === null) return;
    const none = new Uint32Array(0);
    this.segments.push({ terms, ordinals: none, counts: none, missing: 0, total: 0 });
  }

  abstract result(): CountedTerms;

  protected sums(): CountedTerms {
    return mergeStreams(this.segments.map((each) => streamOfSegment(each, this.allTerms)));
  }
}

/** Adds up all terms. */
class TextFieldCounter extends OrdinalCounter {
  result(): CountedTerms {
    return this.sums();
  }
}

/** Finds the most frequent terms by bounds where that is possible. */
class TopTermsCounter extends OrdinalCounter {
  constructor(
    field: FieldId,
    private readonly spec: TermsSpec,
  ) {
    super(field, false);
  }

  result(): CountedTerms {
    const { segments, spec } = this;
    if (segments.length === 0) return this.sums();
    const top = topTerms(segments, spec.size, new Set(spec.exclude as readonly string[]));
    if (top === null) return this.sums();
    const terms = new TextCounter();
    for (const [term, count] of top) terms.add(term, count);
    return terms.result();
  }
}

/** Adds up the terms that come first in term order. */
class FirstTermsCounter extends OrdinalCounter {
  constructor(
    field: FieldId,
    private readonly spec: TermsSpec,
  ) {
    super(field, spec.allTerms);
  }

  result(): CountedTerms {
    const accept = textAcceptance(this.spec);
    return mergeStreams(this.segments.map((each) => this.firstOf(each, accept)));
  }

  /** The first terms of a segment that are accepted. */
  private firstOf(source: OrdinalCounts, accept: ((term: string) => boolean) | null): TermStream {
    const { terms } = source;
    const { size, order } = this.spec;
    const counts = this.allTerms ? countsByOrdinal(source) : source.counts;
    const ordinals = this.allTerms ? null : source.ordinals;
    const n = counts.length;
    const found: number[] = [];
    for (let i = 0; i < n && found.length < size; i++) {
      const at = order === 'term' ? i : n - 1 - i;
      if (counts[at] === 0 && !this.allTerms) continue;
      const ordinal = ordinals === null ? at : ordinals[at]!;
      if (accept === null || accept(terms.termAt(ordinal))) found.push(at);
    }
    if (order !== 'term') found.reverse();
    const positions = Uint32Array.from(found);
    return streamOfOrdinals(
      terms,
      ordinals === null ? positions : positions.map((at) => ordinals[at]!),
      positions.map((at) => counts[at]!),
    );
  }
}

class NumberCounter implements SourceCounter {
  private readonly values: ValueCounter;

  constructor(
    private readonly field: FieldId,
    type: 'long' | 'double',
    private readonly allTerms: boolean,
  ) {
    this.values = new ValueCounter(type);
  }

  get missing(): number {
    return this.values.missing;
  }

  get total(): number {
    return this.values.total;
  }

  collect(segment: SegmentReader, docs: Bitset | null): void {
    if (docs === null && !this.allTerms) return;
    const column = segment.numeric(this.field);
    if (docs !== null) this.values.count(column, docs);
    if (this.allTerms && column !== null) this.values.touchAll(column);
  }

  result(): CountedTerms {
    return this.values.result();
  }
}

/** A text that every document has. */
class ConstantCounter implements SourceCounter {
  readonly missing = 0;
  total = 0;

  constructor(private readonly term: string) {}

  collect(_segment: SegmentReader, docs: Bitset | null): void {
    if (docs !== null) this.total += docs.count();
  }

  result(): CountedTerms {
    const sums = new TextCounter();
    if (this.total > 0) sums.add(this.term, this.total);
    return sums.result();
  }
}

/** A field that is mapped but not indexed, as one of several: it misses in every document. */
class NothingCounter implements SourceCounter {
  missing = 0;
  readonly total = 0;

  collect(_segment: SegmentReader, docs: Bitset | null): void {
    if (docs !== null) this.missing += docs.count();
  }

  result(): CountedTerms {
    return new TextCounter().result();
  }
}

/** Points as the reference prints them: `[lat, lon]`. */
class PointCounter implements SourceCounter {
  missing = 0;
  total = 0;
  private readonly sums = new TextCounter();

  constructor(
    private readonly field: FieldId,
    private readonly allTerms: boolean,
  ) {}

  collect(segment: SegmentReader, docs: Bitset | null): void {
    const column = segment.geo(this.field);
    if (column === null) {
      if (docs !== null) this.missing += docs.count();
      return;
    }
    if (this.allTerms) {
      for (let i = 0; i < column.latitudes.length; i++) this.sums.add(pointText(column, i), 0);
    }
    if (docs === null) return;
    for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1)) {
      const terms = new Set<string>();
      for (let i = column.offsets[doc]!; i < column.offsets[doc + 1]!; i++)
        terms.add(pointText(column, i));
      if (terms.size === 0) this.missing++;
      this.total += terms.size;
      for (const term of terms) this.sums.add(term, 1);
    }
  }

  result(): CountedTerms {
    return this.sums.result();
  }
}

function pointText(column: GeoColumn, index: number): string {
  return `[${formatDouble(column.latitudes[index]!)}, ${formatDouble(column.longitudes[index]!)}]`;
}
