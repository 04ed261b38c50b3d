// The distinct numbers of a field in a segment as a sorted list, so that they are counted like text: by
// index. Made at first use from the column and its order, and kept in the segment's cache.

import {
  unsignedArray,
  widthFor,
  type OrdinalArrays,
  type NumericColumn,
  type SegmentReader,
  compareDoubles,
} from '../segment/index';
import type { TermColumn, TermFrequencies, TermList, Term } from './term-list';
import type { FieldId, FieldKind } from '../metadata/index';

type NumberKind = 'int' | 'long' | 'float' | 'double';

/** The numbers of a field in a segment; null when no document has one. */
export function numberTermColumn(
  segment: SegmentReader,
  field: FieldId,
  kind: FieldKind,
): TermColumn | null {
  const key = `numberTerms/${field}`;
  const known = segment.cache.get<NumberTermColumn>(key, 'column');
  if (known !== undefined) return known;
  const column = segment.numeric(field);
  if (column === null) return null;
  const made = makeColumn(column, kind as NumberKind);
  segment.cache.put(key, 'column', made, made.byteLength);
  return made;
}

class NumberTermColumn implements TermColumn {
  readonly byteLength: number;

  constructor(
    readonly terms: TermList,
    readonly frequencies: TermFrequencies,
    private readonly arrays: OrdinalArrays,
  ) {
    // The offsets are those of the column of numbers.
    this.byteLength = arrays.ordinals.byteLength + terms.size * 12;
  }

  ordinals(): OrdinalArrays {
    return this.arrays;
  }
}

function makeColumn(column: NumericColumn, kind: NumberKind): NumberTermColumn {
  const { offsets, docCount, valueCount } = column;
  const docs = column.sortedDocs();
  const isLong = kind === 'int' || kind === 'long';
  const valueIndexes = valuesInOrder(column, docs);
  const { starts, size } = distinctRuns(column, valueIndexes);
  const docFreqs = new Uint32Array(size);
  const terms = isLong ? new BigInt64Array(size) : new Float64Array(size);
  const ordinals = unsignedArray(
    widthFor(offsets === null ? size : size - 1),
    offsets === null ? docCount : valueCount,
  );
  // With one value each, index 0 stands for documents without one.
  const shift = offsets === null ? 1 : 0;
  for (let ordinal = 0; ordinal < size; ordinal++) {
    const from = starts[ordinal]!;
    const to = starts[ordinal + 1]!;
    docFreqs[ordinal] = to - from;
    for (let i = from; i < to; i++) ordinals[valueIndexes[i]!] = ordinal + shift;
    if (isLong) terms[ordinal] = column.longAt(valueIndexes[from]!);
    else terms[ordinal] = column.valueAt(valueIndexes[from]!);
  }
  const list = terms instanceof BigInt64Array ? new SortedLongs(terms) : new SortedDoubles(terms);
  const frequencies = {
    docCount: docsWithValue(column),
    sumDocFreq: valueCount,
    docFreqs: () => docFreqs,
  };
  return new NumberTermColumn(list, frequencies, { offsets, ordinals });
}

/** For each value in ascending order its index in the column. */
function valuesInOrder({ offsets, docCount }: NumericColumn, docs: Uint32Array): Uint32Array {
  if (offsets === null) return docs;
  // Values ascend within a document, so each time a document comes up it is its next one.
  const next = offsets.slice(0, docCount);
  const valueIndexes = new Uint32Array(docs.length);
  for (let i = 0; i < docs.length; i++) valueIndexes[i] = next[docs[i]!]!++;
  return valueIndexes;
}

/** Where each distinct value starts in the ascending order; one more entry marks the end. */
function distinctRuns(
  column: NumericColumn,
  valueIndexes: Uint32Array,
): { starts: Uint32Array; size: number } {
  const { values, high } = column;
  const starts = new Uint32Array(valueIndexes.length + 1);
  let size = 0;
  for (let i = 0; i < valueIndexes.length; i++) {
    const valueIndex = valueIndexes[i]!;
    const before = i === 0 ? -1 : valueIndexes[i - 1]!;
    const isSame =
      before >= 0 &&
      Object.is(values[valueIndex], values[before]) &&
      (high === null || high[valueIndex] === high[before]);
    if (!isSame) starts[size++] = i;
  }
  starts[size] = valueIndexes.length;
  return { starts, size };
}

function docsWithValue({ offsets, present, docCount }: NumericColumn): number {
  if (offsets === null) return present === null ? docCount : present.count();
  let docs = 0;
  for (let doc = 0; doc < docCount; doc++) if (offsets[doc + 1]! > offsets[doc]!) docs++;
  return docs;
}

/** Exact integers, ascending. */
class SortedLongs implements TermList {
  readonly type = 'long';

  constructor(readonly values: BigInt64Array) {}

  get size(): number {
    return this.values.length;
  }

  termAt(ordinal: number): bigint {
    return this.values[ordinal]!;
  }

  ordinalOf(term: Term): number {
    const wanted = term as bigint;
    return find(this.size, (at) => {
      const value = this.values[at]!;
      return value < wanted ? -1 : value > wanted ? 1 : 0;
    });
  }
}

/** Doubles, ascending; -0 stands before 0. */
class SortedDoubles implements TermList {
  readonly type = 'double';

  constructor(readonly values: Float64Array) {}

  get size(): number {
    return this.values.length;
  }

  termAt(ordinal: number): number {
    return this.values[ordinal]!;
  }

  ordinalOf(term: Term): number {
    return find(this.size, (at) => compareDoubles(this.values[at]!, term as number));
  }
}

/** The index where `compare` gives 0, or -1; it is negative before and positive after it. */
function find(size: number, compare: (at: number) => number): number {
  let low = 0;
  let high = size - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const order = compare(middle);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
