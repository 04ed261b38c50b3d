// Adding up statistics by term: of segments, and of shards.

import { StatsTable, type BucketStats, KeyIds, type KeyList } from '../../counting/index';
import type { TermDictionary } from '../../segment/index';

/** Sums of statistics by term, added in the order in which they come. */
export class StatsMerge {
  private readonly keys: KeyIds;
  private readonly sums = new StatsTable();

  constructor(type: KeyList['type']) {
    this.keys = new KeyIds(type);
  }

  /** Adds terms of the same type. */
  add(terms: KeyList, stats: BucketStats): void {
    const ids = this.keys.idsOf(terms);
    this.sums.reserve(this.keys.size);
    for (let i = 0; i < ids.length; i++) this.sums.addBucket(ids[i]!, stats, i);
  }

  /** Adds terms of a dictionary. */
  addOrdinals(dictionary: TermDictionary, ordinals: Uint32Array, stats: BucketStats): void {
    for (let i = 0; i < ordinals.length; i++) {
      const { term, termLength } = dictionary.bytesAt(ordinals[i]!);
      const id = this.keys.idOfText(term, 0, termLength);
      this.sums.reserve(id + 1);
      this.sums.addBucket(id, stats, i);
    }
  }

  /** The sums; text in ascending order. */
  result(): { readonly terms: KeyList; readonly stats: BucketStats } {
    const { keys, sums } = this;
    if (keys.type !== 'string') return { terms: keys.list(), stats: sums.first(keys.size) };
    const ids = keys.textIdsInOrder();
    return { terms: keys.listOf(ids), stats: sums.select(ids) };
  }
}
