// Where a database holds bytes of keys that were removed, as far as it is worth the work to get them back.

import type { KeyValueDatabase } from './key-value-database';
import {
  KeyPrefix,
  recordRange,
  segmentGap,
  segmentOfKey,
  sequenceOf,
  shardOfKey,
  type KeyRange,
} from './keys';
import type { SegmentId, SequenceNumber, ShardId } from './types';

/** Less in one range is left to come back by itself. */
const MIN_RANGE_BYTES = 64 * 1024;
/** Less in all ranges together is, too. */
const MIN_BYTES = 1024 * 1024;
/**
 * And so is less than this part of all files, because every range takes some of its neighbourhood with it.
 */
const MIN_SHARE_OF_BLOCKS = 1 / 16;
/** Records are removed here and there, so that what stays between them is written again as well. */
const MIN_SHARE_OF_RECORDS = 1 / 6;

/** A range worth compacting. */
export interface RemovedRange {
  readonly range: KeyRange;
  /** About how many bytes in it were not removed, and are written again before space comes back. */
  readonly keptBytes: number;
}

/** What a database has to compact. */
export interface RemovedKeys {
  /** Notes that a key was removed. */
  note(key: Buffer): void;
  /** The ranges worth compacting. @throws as reads of the database do. */
  ranges(database: KeyValueDatabase): Promise<readonly RemovedRange[]>;
  /** Notes that a range was compacted. */
  compacted(range: KeyRange): void;
}

/**
 * Blocks of the `segments` database. What lies between the segments that are there is looked for instead of
 * remembered, so that what an earlier process left is found as well.
 */
export class RemovedBlocks implements RemovedKeys {
  private isDirty = false;

  note(): void {
    this.isDirty = true;
  }

  async ranges(database: KeyValueDatabase): Promise<readonly RemovedRange[]> {
    if (!this.isDirty) return [];
    this.isDirty = false;
    const ranges: RemovedRange[] = [];
    let bytes = 0;
    const look = async (gap: KeyRange): Promise<void> => {
      const size = await database.approximateBytes(gap);
      if (size < MIN_RANGE_BYTES) return;
      ranges.push({ range: gap, keptBytes: 0 });
      bytes += size;
    };
    let from: SegmentId = 0;
    for await (const segment of segmentsOf(database)) {
      await look(segmentGap(from, segment));
      from = segment + 1;
    }
    await look(segmentGap(from, null));
    if (!(await isWorthIt(database, bytes, MIN_SHARE_OF_BLOCKS))) return [];
    this.isDirty = true;
    return ranges;
  }

  compacted(): void {
    // What is left, because the work was interrupted, is seen the next time.
  }
}

/** Removed records of one shard. */
interface Span {
  first: SequenceNumber;
  last: SequenceNumber;
  removed: number;
}

/** Records of the `log` database; they lie between others, so those that this process removed are counted. */
export class RemovedRecords implements RemovedKeys {
  private readonly spans = new Map<ShardId, Span>();

  note(key: Buffer): void {
    if (key[0] !== KeyPrefix.record) return;
    const shard = shardOfKey(key);
    const sequence = sequenceOf(key);
    const span = this.spans.get(shard);
    if (span === undefined) {
      this.spans.set(shard, { first: sequence, last: sequence, removed: 1 });
      return;
    }
    if (sequence < span.first) span.first = sequence;
    if (sequence > span.last) span.last = sequence;
    span.removed++;
  }

  async ranges(database: KeyValueDatabase): Promise<readonly RemovedRange[]> {
    const ranges: RemovedRange[] = [];
    let bytes = 0;
    for (const [shard, { first, last, removed }] of this.spans) {
      const range = recordRange(shard, first - 1, last);
      // Sequence numbers have few gaps, so those that were removed took their share of the range.
      const all = await database.approximateBytes(range);
      const size = Math.min(1, removed / (last - first + 1)) * all;
      if (size < MIN_RANGE_BYTES) continue;
      ranges.push({ range, keptBytes: all - size });
      bytes += size;
    }
    return (await isWorthIt(database, bytes, MIN_SHARE_OF_RECORDS)) ? ranges : [];
  }

  compacted({ gte }: KeyRange): void {
    this.spans.delete(shardOfKey(gte));
  }
}

/** The segments that have blocks, in ascending order. */
export async function* segmentsOf(database: KeyValueDatabase): AsyncGenerator<SegmentId> {
  for (let from = 0; ;) {
    const segment = await firstSegment(database, from);
    if (segment === null) return;
    yield segment;
    from = segment + 1;
  }
}

/** The first segment from `from` on that has a block. */
async function firstSegment(
  database: KeyValueDatabase,
  from: SegmentId,
): Promise<SegmentId | null> {
  const options = { sliceBytes: 1, keysOnly: true, limit: 1 };
  for await (const slice of database.scan(segmentGap(from, null), options)) {
    for (const [key] of slice) return segmentOfKey(key);
  }
  return null;
}

async function isWorthIt(
  database: KeyValueDatabase,
  bytes: number,
  share: number,
): Promise<boolean> {
  return bytes >= MIN_BYTES && bytes >= (await database.diskBytes()) * share;
}
