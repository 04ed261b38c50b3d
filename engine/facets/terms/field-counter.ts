// Counting a field for a terms facet. Counting is done by ordinal in each segment's list of terms; what this
// file decides is how the lists of several segments become one without touching more terms than needed.

import { countOrdinals, noTerms, type OrdinalCounts } from '../../counting/index';
import type { Bitset, SegmentReader } from '../../segment/index';
import { addUp, collectTerms } from './counted-terms';
import { entriesOfSegment, topOfSegment, topOrdinals } from './segment-top';
import { columnOf, segmentTerms, type SegmentTerms } from './segment-terms';
import type { SourceCounter } from './source-counter';
import {
  entriesNeeded,
  termTypeOf,
  type Candidates,
  type CountedTerms,
  type FieldSource,
  type TermsSpec,
} from './terms-spec';
import { topTerms } from './top-terms';

export class FieldCounter implements SourceCounter<OrdinalCounts> {
  private readonly segments: SegmentTerms[] = [];

  /** @param isAlone nobody else's counts are added to these */
  constructor(
    private readonly source: FieldSource,
    private readonly spec: TermsSpec,
    private readonly isAlone: boolean,
  ) {}

  count(segment: SegmentReader, docs: Bitset | null): OrdinalCounts {
    if (docs === null) return noTerms(0);
    const column = columnOf(segment, this.source, this.spec);
    return column === null
      ? noTerms(docs.cardinality())
      : countOrdinals(column, column.terms.size, docs);
  }

  bytesOf({ ordinals, counts }: OrdinalCounts): number {
    return counts.byteLength + (ordinals?.byteLength ?? 0);
  }

  add(segment: SegmentReader, counts: OrdinalCounts): void {
    if (counts.total === 0 && !this.spec.allTerms) return;
    const column = columnOf(segment, this.source, this.spec);
    if (column === null) return;
    this.segments.push(segmentTerms(segment, column, counts, this.spec, this.source));
  }

  candidates(): Candidates {
    const { segments, spec, isAlone } = this;
    const only = isAlone && segments.length === 1 ? segments[0]! : null;
    const counted = only === null ? this.joined() : this.first(only);
    return {
      counted,
      entries: only !== null && spec.cardinality ? entriesOfSegment(only, spec) : null,
    };
  }

  private get type() {
    return termTypeOf(this.source.fieldKind);
  }

  private first(segment: SegmentTerms): CountedTerms {
    return collectTerms(this.type, topOfSegment(segment, this.spec, entriesNeeded(this.spec)));
  }

  private joined(): CountedTerms {
    const { segments, spec, type, isAlone } = this;
    const needed = entriesNeeded(spec);
    if (!spec.cardinality && spec.order === 'count' && isAlone && !spec.allTerms) {
      const top = topTerms(segments, needed);
      if (top !== null) return collectTerms(type, top);
    }
    if (canStopEarly(spec)) {
      const firsts = segments.map((segment) => firstTermsOf(segment, spec, needed));
      return addUp(type, firsts, true);
    }
    return addUp(type, segments, spec.allTerms);
  }
}

/**
 * In term order nobody's later terms can come before anybody's first ones. Dictionaries are read backwards
 * one term at a time, which does not pay where most terms are only read to be left out.
 */
function canStopEarly(spec: TermsSpec): boolean {
  const { order, pattern, search } = spec;
  if (spec.merged || spec.cardinality || spec.minCount > 1) return false;
  return order === 'term' || (order === 'reverse_term' && pattern === null && search === null);
}

/** The first terms of a segment by the order of terms, none of which is filtered out. */
function firstTermsOf(segment: SegmentTerms, spec: TermsSpec, needed: number): SegmentTerms {
  const { terms, ordinals, counts } = segment;
  const listOrdinals = Uint32Array.from(topOrdinals(segment, spec, needed)).sort();
  return {
    terms,
    ordinals: ordinals === null ? listOrdinals : listOrdinals.map((at) => ordinals[at]!),
    counts: listOrdinals.map((at) => counts[at]!),
    filter: null,
  };
}
