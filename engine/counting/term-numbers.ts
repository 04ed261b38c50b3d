// Numbers for the terms of a field that are the same in all segments of a shard, and the terms by them in
// memory, where they are read in any order. Kept from the second time they are asked for; a refresh
// numbers the terms of the new segment only.

import type { SegmentReader } from '../segment/index';
import type { FieldId } from '../metadata/index';
import { KeyIds, type KeyList } from './key-lists';
import type { TermColumn, TermList, TextTerms } from './term-column';

/** Numbers of merged segments are given up when there are so many times as many as terms. */
const MOST_UNUSED = 2;

/** Numbers the terms of one field over the segments of a shard. */
export class TermNumbers {
  private readonly bySegment = new Map<number, Uint32Array>();

  private constructor(readonly keys: KeyIds) {}

  /**
   * The numbers of a field's terms, or null: they were not asked for before.
   *
   * @param columns by segment, null where no document has a term
   */
  static of(
    segments: readonly SegmentReader[],
    field: FieldId,
    columns: readonly (TermColumn | null)[],
  ): TermNumbers | null {
    const first = segments[0];
    const type = columns.find((column) => column !== null)?.terms.type;
    if (first === undefined || type === undefined) return null;
    const key = `termNumbers/${field}`;
    let numbers = first.cache.get<TermNumbers>(key, 'column');
    if (numbers === undefined && !first.cache.askedBefore(key)) return null;
    let terms = 0;
    for (const column of columns) terms += column?.terms.size ?? 0;
    if (numbers === undefined || numbers.keys.size > MOST_UNUSED * terms)
      numbers = new TermNumbers(new KeyIds(type));
    if (numbers.add(segments, columns)) {
      first.cache.put(key, 'column', numbers, numbers.byteLength);
    }
    return numbers;
  }

  /** By ordinal in the segment: the number of the term. */
  numbersOf(segment: SegmentReader): Uint32Array | null {
    return this.bySegment.get(segment.segmentId) ?? null;
  }

  private get byteLength(): number {
    let bytes = this.keys.byteLength;
    for (const numbers of this.bySegment.values()) bytes += numbers.byteLength;
    return bytes;
  }

  /** Numbers the terms of segments that are new; false: there are none. */
  private add(
    segments: readonly SegmentReader[],
    columns: readonly (TermColumn | null)[],
  ): boolean {
    const live = new Set(segments.map(({ segmentId }) => segmentId));
    for (const id of this.bySegment.keys()) if (!live.has(id)) this.bySegment.delete(id);
    let isNew = false;
    segments.forEach(({ segmentId }, i) => {
      const column = columns[i]!;
      if (column === null || this.bySegment.has(segmentId)) return;
      this.bySegment.set(segmentId, this.keys.idsOf(termsAt(column.terms, null)));
      isNew = true;
    });
    return isNew;
  }
}

/** The terms of these ordinals as keys; null: all of them. */
export function termsAt(terms: TermList, ordinals: Uint32Array | null): KeyList {
  const n = ordinals === null ? terms.size : ordinals.length;
  switch (terms.type) {
    case 'long': {
      const values = new BigInt64Array(n);
      for (let i = 0; i < n; i++) values[i] = terms.termAt(ordinals?.[i] ?? i) as bigint;
      return { type: 'long', values };
    }
    case 'double': {
      const values = new Float64Array(n);
      for (let i = 0; i < n; i++) values[i] = terms.termAt(ordinals?.[i] ?? i) as number;
      return { type: 'double', values };
    }
    case 'string':
      return textsAt(terms as TextTerms, ordinals);
  }
}

/** The texts of these ordinals as keys, in their order; null: all of them. */
export function textsAt(
  terms: Pick<TextTerms, 'size' | 'bytesAt'>,
  ordinals: Uint32Array | null,
): KeyList {
  const n = ordinals === null ? terms.size : ordinals.length;
  const starts = new Uint32Array(n + 1);
  let text = new Uint8Array(Math.max(256, 16 * n));
  let end = 0;
  for (let i = 0; i < n; i++) {
    const { term, termLength } = terms.bytesAt(ordinals?.[i] ?? i);
    if (end + termLength > text.length) {
      const larger = new Uint8Array(2 * (end + termLength));
      larger.set(text.subarray(0, end));
      text = larger;
    }
    for (let b = 0; b < termLength; b++) text[end + b] = term[b]!;
    end += termLength;
    starts[i + 1] = end;
  }
  return { type: 'string', text: text.slice(0, end), starts };
}
