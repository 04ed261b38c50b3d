// Records of the document log that were shown lately. Reading one costs a look-up in LevelDB, a copy and a
// checksum; a page of ten hits is often the larger part of a small search.

import type { LogReader, LogRecord, SequenceNumber, ShardId } from '../../../storage/index';
import type { ByteCache } from '../../common/index';

/** Larger sources are read again each time, so that a few of them do not drive out everything else. */
const MAX_SOURCE_BYTES = 32 * 1024;

/** Memory of a record besides its source, in bytes. */
const RECORD_OVERHEAD = 400;

/**
 * Reads records through `cache`. A record never changes, and neither numbers of shards nor their sequence
 * numbers are given out twice: an entry may become useless, never wrong. Ids are not cached.
 */
export class CachedRecords implements LogReader {
  constructor(
    private readonly log: LogReader,
    private readonly cache: ByteCache,
  ) {}

  /** @throws CorruptionError when the record is damaged */
  readRecord(shard: ShardId, sequence: SequenceNumber): LogRecord | undefined {
    // Owners above 0 are segments.
    const owner = -1 - shard;
    const known = this.cache.get<LogRecord>(owner, sequence, 'record');
    if (known !== undefined) return known;
    const record = this.log.readRecord(shard, sequence);
    if (record !== undefined && record.source.length <= MAX_SOURCE_BYTES) {
      const bytes = record.source.length + RECORD_OVERHEAD;
      this.cache.put(owner, sequence, 'record', record, bytes);
    }
    return record;
  }

  readUid: LogReader['readUid'] = (shard, type, id) => this.log.readUid(shard, type, id);
}
