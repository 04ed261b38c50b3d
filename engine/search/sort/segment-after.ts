// A page that begins behind a hit: which documents of a segment stand behind it in the order of the sort.

import { Bitset, NO_MORE_DOCS } from '../../segment/index';
import type { ShardHit } from '../plan/search-plan';
import type { SegmentSortKey } from './segment-sort-key';

/** A document of equal sort values stands behind `after` from this one on. */
export function firstDocBehind(after: ShardHit, shard: number, segment: number): number {
  if (after.shard !== shard) return after.shard < shard ? 0 : NO_MORE_DOCS;
  if (after.segment !== segment) return after.segment < segment ? 0 : NO_MORE_DOCS;
  return after.doc + 1;
}

/** Knows which documents of one segment stand behind a hit. */
export class SegmentAfter {
  /** Of documents with the sort values of the hit, those from here on. */
  readonly firstDoc: number;
  /** Lanes of the hit in this segment. */
  readonly lanes: Float64Array;
  private readonly signs: Int8Array;
  private readonly own: Float64Array;

  /**
   * @param shard position of the shard in the search
   * @param segment position of the segment in the shard
   */
  constructor(
    private readonly keys: readonly SegmentSortKey[],
    after: ShardHit,
    shard: number,
    segment: number,
  ) {
    this.firstDoc = firstDocBehind(after, shard, segment);
    this.signs = Int8Array.from(
      keys.flatMap((key) => new Array<number>(key.lanes).fill(key.descending ? -1 : 1)),
    );
    this.lanes = new Float64Array(this.signs.length);
    this.own = new Float64Array(this.signs.length);
    let at = 0;
    keys.forEach((key, i) => {
      key.place(after.sort[i] ?? null, this.lanes, at);
      at += key.lanes;
    });
  }

  accepts(doc: number, score: number): boolean {
    const { keys, lanes, own, signs } = this;
    let at = 0;
    for (let k = 0; k < keys.length; k++) {
      const key = keys[k]!;
      key.load(doc, score, own, at);
      const end = at + key.lanes;
      for (; at < end; at++) {
        const left = own[at]!;
        const right = lanes[at]!;
        if (left !== right) return left > right === signs[at]! > 0;
      }
    }
    return doc >= this.firstDoc;
  }

  /** Those of `docs` that stand behind the hit. @param score of all of them */
  keep(docs: Bitset, score: number): Bitset {
    const kept = new Bitset(docs.size);
    const [key, second] = this.keys;
    const column = second === undefined ? key?.column : undefined;
    if (column === undefined) {
      for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1)) {
        if (this.accepts(doc, score)) kept.add(doc);
      }
      return kept;
    }
    const { values, base, present, absent, missing } = column;
    const sign = this.signs[0]!;
    const bound = sign * this.lanes[0]!;
    const { firstDoc } = this;
    for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1)) {
      const value = values[doc]!;
      const isMissing = value === absent || present?.has(doc) === false;
      const lane = sign * (isMissing ? missing : base + value);
      if (lane > bound || (lane === bound && doc >= firstDoc)) kept.add(doc);
    }
    return kept;
  }
}
