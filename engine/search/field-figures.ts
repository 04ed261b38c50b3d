// What segments tell of the values of fields. Read from dictionaries and columns on main, which take no time
// for what they count anyway, in slices where values have to be gone through.

import type { CancelSignal, Slices } from '../common/index';
import type { MappedField, MappedTypeName } from '../mapping/index';
import type { FieldId, FieldKind } from '../metadata/index';
import {
  compareUtf8,
  type NumericColumn,
  type SegmentReader,
  type ShardSnapshot,
  type TermDictionary,
} from '../segment/index';

/** The values of a field in some documents, at least one of which has some. */
export interface FieldFigures {
  readonly docCount: number;
  readonly sumDocFreq: number;
  /** -1: frequencies are not kept. */
  readonly sumTotalTermFreq: number;
  readonly min: string | number | bigint;
  readonly max: string | number | bigint;
}

/** What a shard has of some fields. */
export interface ShardFigures {
  /** All documents, nested ones included. */
  readonly maxDoc: number;
  /** In the order asked for; null: no document has a value. */
  readonly fields: readonly (FieldFigures | null)[];
}

/** How long gathering figures may take. */
export interface FiguresControl {
  readonly slices: Slices;
  /** What is there is told when it is aborted. */
  readonly signal: CancelSignal | undefined;
}

/**
 * Figures of fields from the segments of a shard.
 *
 * @param held the shard, which is released
 * @throws CorruptionError as `readers`
 */
export async function segmentFigures(
  held: { readonly snapshot: ShardSnapshot; release(): void },
  readers: (snapshot: ShardSnapshot) => readonly SegmentReader[],
  fields: readonly MappedField[],
  control: FiguresControl,
): Promise<ShardFigures> {
  try {
    const segments = readers(held.snapshot);
    const maxDoc = segments.reduce((sum, { docCount }) => sum + docCount, 0);
    const found: (FieldFigures | null)[] = [];
    for (const field of fields) found.push(await figuresOf(field, segments, control));
    return { maxDoc, fields: found };
  } finally {
    held.release();
  }
}

/** Null: no document has a value. */
async function figuresOf(
  { field, type }: MappedField,
  segments: readonly SegmentReader[],
  { slices, signal }: FiguresControl,
): Promise<FieldFigures | null> {
  const { id, kind } = field!;
  let sum: FieldFigures | null = null;
  for (const segment of segments) {
    if (slices.isOver()) await slices.next();
    if (signal?.aborted === true) return sum;
    const figures =
      kind === 'string'
        ? termFigures(segment.terms(id))
        : await columnFigures(segment, id, type, kind, slices);
    if (figures !== null) sum = sum === null ? figures : addedFigures(sum, figures);
  }
  return sum;
}

/** Figures of two parts together. */
export function addedFigures(a: FieldFigures, b: FieldFigures): FieldFigures {
  return {
    docCount: a.docCount + b.docCount,
    sumDocFreq: a.sumDocFreq + b.sumDocFreq,
    sumTotalTermFreq:
      a.sumTotalTermFreq < 0 || b.sumTotalTermFreq < 0
        ? -1
        : a.sumTotalTermFreq + b.sumTotalTermFreq,
    min: isLess(b.min, a.min) ? b.min : a.min,
    max: isLess(a.max, b.max) ? b.max : a.max,
  };
}

function isLess(a: FieldFigures['min'], b: FieldFigures['min']): boolean {
  if (typeof a === 'string' && typeof b === 'string') return compareUtf8(a, b) < 0;
  return a < b;
}

/** Documents between two looks at the clock. */
const DOCS_PER_SLICE = 65_536;

/** Of a text field; null: it has no terms here. */
function termFigures(terms: TermDictionary | null): FieldFigures | null {
  if (terms === null || terms.size === 0) return null;
  return {
    docCount: terms.docCount,
    sumDocFreq: terms.sumDocFreq,
    sumTotalTermFreq: terms.hasFreqs ? terms.sumTotalTermFreq : -1,
    min: terms.termAt(0),
    max: terms.termAt(terms.size - 1),
  };
}

/** Terms that the reference indexes for each value, of decreasing precision. */
export function termsPerValue(type: MappedTypeName): number {
  return type === 'byte' || type === 'murmur3' ? 1 : 4;
}

/** Of a field of numbers or points; null: it has no value here. */
async function columnFigures(
  segment: SegmentReader,
  field: FieldId,
  type: MappedTypeName,
  kind: FieldKind,
  slices: Slices,
): Promise<FieldFigures | null> {
  if (kind === 'geo') return geoFigures(segment, field, slices);
  const column = segment.numeric(field);
  if (column === null || column.valueCount === 0) return null;
  const docCount = await docsWithValue(column, slices);
  // compat: several values of a document may share terms of less precision, which is not looked at.
  const sumDocFreq = termsPerValue(type) * column.valueCount;
  const [min, max] =
    column.high === null ? [column.min, column.max] : await longBounds(column, slices);
  return { docCount, sumDocFreq, sumTotalTermFreq: -1, min, max };
}

async function docsWithValue(column: NumericColumn, slices: Slices): Promise<number> {
  const { offsets, present, docCount } = column;
  if (offsets === null) return present?.count() ?? docCount;
  let docs = 0;
  for (let doc = 0; doc < docCount; doc++) {
    if (offsets[doc + 1]! > offsets[doc]!) docs++;
    if (doc % DOCS_PER_SLICE === 0 && slices.isOver()) await slices.next();
  }
  return docs;
}

/** Of a column whose values doubles do not hold. */
async function longBounds(column: NumericColumn, slices: Slices): Promise<[bigint, bigint]> {
  const { offsets, present, docCount, valueCount } = column;
  const count = offsets === null ? docCount : valueCount;
  let min: bigint | null = null;
  let max: bigint | null = null;
  for (let i = 0; i < count; i++) {
    if (i % DOCS_PER_SLICE === 0 && slices.isOver()) await slices.next();
    if (offsets === null && present !== null && !present.has(i)) continue;
    const rounded = column.valueAt(i);
    if (rounded !== column.min && rounded !== column.max) continue;
    const value = column.longAt(i);
    if (min === null || value < min) min = value;
    if (max === null || value > max) max = value;
  }
  return [min ?? 0n, max ?? 0n];
}

async function geoFigures(
  segment: SegmentReader,
  field: FieldId,
  slices: Slices,
): Promise<FieldFigures | null> {
  const column = segment.geo(field);
  if (column === null) return null;
  const { offsets, latitudes, longitudes } = column;
  let docCount = 0;
  let min: string | null = null;
  let max: string | null = null;
  for (let doc = 0; doc < column.docCount; doc++) {
    if (doc % DOCS_PER_SLICE === 0 && slices.isOver()) await slices.next();
    if (offsets[doc + 1]! > offsets[doc]!) docCount++;
    for (let i = offsets[doc]!; i < offsets[doc + 1]!; i++) {
      const text = `${decimal(latitudes[i]!)},${decimal(longitudes[i]!)}`;
      if (min === null || text < min) min = text;
      if (max === null || text > max) max = text;
    }
  }
  if (min === null || max === null) return null;
  return { docCount, sumDocFreq: latitudes.length, sumTotalTermFreq: -1, min, max };
}

function decimal(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
