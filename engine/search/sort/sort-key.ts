// How one sort key reads one segment. Inside a segment documents are compared by doubles ("lanes"), which
// are cheap: a number, an ordinal, a score. Only the best documents are turned into real sort values,
// which also compare across segments, shards and indices (hit-order.ts).
//
// A 64-bit integer that a double cannot hold takes two lanes: its signed high and its unsigned low word.

import {
  NO_MORE_DOCS,
  type Bitset,
  type OrdinalColumn,
  type SegmentReader,
  NestedChildren,
} from '../../segment/index';
import { compareValues } from './hit-order';
import { foreignLane } from './foreign-lane';
import { DistanceKey } from './distance-sort-key';
import { NumericKey } from './numeric-sort-key';
import type { SortKey, SortValue } from '../plan/search-plan';
import { openScriptKey } from './script-sort-key';
import type { LaneColumn, SegmentSortKey } from './segment-sort-key';

/** What the reference prints for a missing integer; sorts like one too. */
const LONG_MAX = 0x7fffffffffffffffn;
const LONG_MIN = -0x8000000000000000n;

/**
 * Opens a sort key on a segment.
 *
 * @param docBase documents of the shard before this segment (`_doc` prints the number within the shard)
 * @param nestedFilter matches of the key's nested filter in this segment; undefined when it has none
 */
export function openSortKey(
  key: SortKey,
  segment: SegmentReader,
  docBase: number,
  nestedFilter: Bitset | null | undefined,
): SegmentSortKey {
  if (key.kind === 'score') return new ScoreKey(key);
  if (key.kind === 'doc') return new DocKey(key, docBase);
  let children: NestedChildren | null = null;
  if (key.nestedPath !== null) {
    if (nestedFilter === null) return new MissingKey(key);
    children = NestedChildren.of(segment, key.nestedPath, nestedFilter ?? null);
    if (children === null) return new MissingKey(key);
  }
  if (key.script !== undefined) return openScriptKey(key, key.script, children, segment);
  if (key.distance !== undefined) {
    const points = segment.geo(key.field);
    return points === null
      ? new MissingKey(key)
      : new DistanceKey(key, key.distance, points, children);
  }
  if (key.fieldKind === 'string') {
    const column = segment.ordinals(key.field);
    return column === null ? new MissingKey(key) : new StringKey(key, column, children);
  }
  const column = key.fieldKind === null ? null : segment.numeric(key.field);
  return column === null
    ? new MissingKey(key)
    : new NumericKey(key, column, children, missingValue(key));
}

/** The sort value of a document without a value. */
function missingValue(key: SortKey): SortValue {
  if (key.missing !== '_first' && key.missing !== '_last') return key.missing;
  const high = missingIsHigh(key);
  switch (key.fieldKind) {
    case 'int':
    case 'long':
      return high ? LONG_MAX : LONG_MIN;
    case 'float':
    case 'double':
      return high ? Infinity : -Infinity;
    case 'geo':
    case 'string':
    case null:
      return null;
  }
}

/** Whether a missing value stands where the largest value would, given the direction. */
function missingIsHigh(key: SortKey): boolean {
  return (key.missing === '_last') !== key.descending;
}

class ScoreKey implements SegmentSortKey {
  readonly lanes = 1;
  readonly descending: boolean;

  constructor(private readonly key: SortKey) {
    this.descending = key.descending;
  }

  load(_doc: number, score: number, into: Float64Array, at: number): void {
    into[at] = score;
  }

  place(value: SortValue, into: Float64Array, at: number): void {
    into[at] = foreignLane(this.key, value);
  }

  value(_doc: number, score: number): SortValue {
    return score;
  }
}

class DocKey implements SegmentSortKey {
  readonly lanes = 1;
  readonly descending: boolean;

  constructor(
    private readonly key: SortKey,
    private readonly docBase: number,
  ) {
    this.descending = key.descending;
  }

  load(doc: number, _score: number, into: Float64Array, at: number): void {
    into[at] = doc;
  }

  place(value: SortValue, into: Float64Array, at: number): void {
    into[at] = foreignLane(this.key, value) - this.docBase;
  }

  value(doc: number): SortValue {
    return this.docBase + doc;
  }
}

/** No document of the segment has a value. */
class MissingKey implements SegmentSortKey {
  readonly lanes = 1;
  readonly descending: boolean;
  private readonly missing: SortValue;

  constructor(private readonly key: SortKey) {
    this.descending = key.descending;
    this.missing = missingValue(key);
  }

  load(_doc: number, _score: number, into: Float64Array, at: number): void {
    into[at] = 0;
  }

  place(value: SortValue, into: Float64Array, at: number): void {
    const order = compareValues(this.key, value, this.missing);
    into[at] = this.descending ? -order : order;
  }

  value(): SortValue {
    return this.missing;
  }
}

class StringKey implements SegmentSortKey {
  readonly lanes = 1;
  readonly descending: boolean;
  readonly column?: LaneColumn;
  private readonly largest: boolean;
  private readonly missing: SortValue;
  private readonly missingLane: number;

  constructor(
    private readonly key: SortKey,
    private readonly strings: OrdinalColumn,
    private readonly children: NestedChildren | null,
  ) {
    this.descending = key.descending;
    this.largest = key.mode === 'max';
    this.missing = missingValue(key);
    this.missingLane =
      typeof this.missing === 'string'
        ? laneOfTerm(strings, this.missing)
        : missingIsHigh(key)
          ? Infinity
          : -Infinity;
    if (children === null && strings.offsets === null) {
      const missing = this.missingLane;
      this.column = { values: strings.ordinals, base: -1, present: null, absent: 0, missing };
    }
  }

  load(doc: number, _score: number, into: Float64Array, at: number): void {
    const ordinal = this.ordinalOf(doc);
    into[at] = ordinal < 0 ? this.missingLane : ordinal;
  }

  place(value: SortValue, into: Float64Array, at: number): void {
    if (typeof value === 'string') into[at] = laneOfTerm(this.strings, value);
    // Indices may map one name differently: numbers stand below all texts.
    else into[at] = value === null ? foreignLane(this.key, value) : -1;
  }

  value(doc: number): SortValue {
    const ordinal = this.ordinalOf(doc);
    return ordinal < 0 ? this.missing : this.strings.terms.termAt(ordinal);
  }

  /** The ordinal that represents a document, or -1. */
  private ordinalOf(doc: number): number {
    const { children } = this;
    if (children === null) return this.ownOrdinal(doc);
    let best = -1;
    for (
      let child = children.first(doc);
      child !== NO_MORE_DOCS;
      child = children.next(child + 1, doc)
    ) {
      const ordinal = this.ownOrdinal(child);
      if (ordinal >= 0 && (best < 0 || (this.largest ? ordinal > best : ordinal < best)))
        best = ordinal;
    }
    return best;
  }

  private ownOrdinal(doc: number): number {
    const { offsets, ordinals } = this.strings;
    if (offsets === null) return ordinals[doc]! - 1;
    const from = offsets[doc]!;
    const to = offsets[doc + 1]!;
    if (from === to) return -1;
    return ordinals[this.largest ? to - 1 : from]!;
  }
}

/** Where a term that may not occur in the segment stands among its ordinals. */
function laneOfTerm(column: OrdinalColumn, term: string): number {
  const at = column.terms.ceiling(term);
  return at < column.terms.size && column.terms.termAt(at) === term ? at : at - 0.5;
}
