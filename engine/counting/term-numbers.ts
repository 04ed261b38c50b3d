// Numbers for the terms of a field that are the same in all segments of a shard, and the terms by them in
// memory, where they are read in any order. Kept from the second time they are asked for; a refresh
// numbers the terms of the new segment only.

import type { SegmentReader } from '../segment/index';
import type { FieldId } from '../metadata/index';
import { KeyIds, type KeyList, SharedKeys } from './key-lists';
import type { TermColumn, TextTerms, TermList } from './term-list';

/** Numbers of merged segments are given up when there are so many times as many as terms. */
const MOST_UNUSED = 2;

/** Numbers the terms of one field over the segments of a shard, each segment when it is asked for. */
export class TermNumbers {
  /** The terms by their numbers. */
  readonly keys: SharedKeys;
  private readonly ids: KeyIds;
  private readonly bySegment = new Map<number, Uint32Array>();

  /** @param keep puts it into the cache */
  private constructor(
    type: KeyList['type'],
    private readonly keep: (numbers: TermNumbers) => void,
  ) {
    this.ids = new KeyIds(type);
    this.keys = new SharedKeys(this.ids);
  }

  /** The numbers of a field's terms, or null: they were not asked for before. */
  static of(
    segments: readonly SegmentReader[],
    field: FieldId,
    type: KeyList['type'],
  ): TermNumbers | null {
    const first = segments[0];
    if (first === undefined) return null;
    const key = `termNumbers/${field}`;
    const numbers = first.cache.get<TermNumbers>(key, 'column');
    if (numbers === undefined && !first.cache.askedBefore(key)) return null;
    const isLeft = numbers?.isWorthKeeping(segments) === true && numbers.ids.type === type;
    if (isLeft) return numbers;
    return new TermNumbers(type, (made) => first.cache.put(key, 'column', made, made.byteLength));
  }

  /** By ordinal in the segment: the number of the term. */
  numbersOf(segment: SegmentReader, { terms }: TermColumn): Uint32Array {
    const known = this.bySegment.get(segment.segmentId);
    if (known !== undefined) return known;
    const numbers = this.ids.idsOf(termsAt(terms, null));
    this.bySegment.set(segment.segmentId, numbers);
    this.keep(this);
    return numbers;
  }

  private get byteLength(): number {
    let bytes = this.ids.byteLength;
    for (const numbers of this.bySegment.values()) bytes += numbers.byteLength;
    return bytes;
  }

  /** Forgets segments that are no more. False: most numbers are theirs. */
  private isWorthKeeping(segments: readonly SegmentReader[]): boolean {
    let terms = 0;
    for (const [id, numbers] of this.bySegment) {
      if (segments.some(({ segmentId }) => segmentId === id)) terms += numbers.length;
      else this.bySegment.delete(id);
    }
    return this.ids.size <= MOST_UNUSED * terms;
  }
}

/** The terms of a segment by their ordinals. */
export function ordinalKeys(terms: TermList): SharedKeys {
  return new SharedKeys({
    type: terms.type,
    size: terms.size,
    compare: (a, b) => a - b,
    listOf: (ordinals) => termsAt(terms, ordinals),
  });
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
