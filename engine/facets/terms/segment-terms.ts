// What a terms facet knows of one segment once it is counted: the list of terms, their counts by ordinal, and
// which of them may be shown.

import {
  type OrdinalCounts,
  termColumn,
  type TermColumn,
  type TermList,
} from '../../counting/index';
import type { SegmentReader } from '../../segment/index';
import { hierarchyColumn } from './hierarchy-column';
import { TermFilter } from './term-filter';
import { showsExcluded, type FieldSource, type TermsSpec } from './terms-spec';

/** Counted terms of one segment. Dense or sparse, as {@link OrdinalCounts} says. */
export interface SegmentTerms {
  readonly terms: TermList;
  readonly ordinals: Uint32Array | null;
  readonly counts: Uint32Array;
  /** Null: every term may be shown. */
  readonly filter: TermFilter | null;
}

/** The terms that a facet counts in a segment; null when no document has one. */
export function columnOf(
  segment: SegmentReader,
  { field, fieldKind }: FieldSource,
  { hierarchy }: TermsSpec,
): TermColumn | null {
  return hierarchy === null
    ? termColumn(segment, field, fieldKind)
    : hierarchyColumn(segment, field, hierarchy);
}

/** Joins counts with what they count. With `all_terms` every term is there. */
export function segmentTerms(
  segment: SegmentReader,
  { terms }: TermColumn,
  counted: OrdinalCounts,
  spec: TermsSpec,
  source: FieldSource,
): SegmentTerms {
  const list = `${source.field}/${JSON.stringify(spec.hierarchy)}`;
  const filter = TermFilter.of(terms, spec, segment, list);
  if (!spec.allTerms) return { terms, ordinals: counted.ordinals, counts: counted.counts, filter };
  const counts = countsByOrdinal(terms, counted);
  return filter !== null && showsExcluded(source)
    ? { terms, ordinals: null, counts: withoutCounts(counts, filter), filter: null }
    : { terms, ordinals: null, counts, filter };
}

function withoutCounts(counts: Uint32Array, filter: TermFilter): Uint32Array {
  return counts.map((count, ordinal) => (filter.accepts(ordinal) ? count : 0));
}

/** The counts of all ordinals of a list; not to be modified. */
function countsByOrdinal(terms: TermList, { ordinals, counts }: OrdinalCounts): Uint32Array {
  if (ordinals === null) return counts;
  const dense = new Uint32Array(terms.size);
  for (let i = 0; i < ordinals.length; i++) dense[ordinals[i]!] = counts[i]!;
  return dense;
}
