// Documents as they are stored, by id. Reads are realtime unless asked otherwise: they look at the newest
// durable version of an id, refreshed or not.

import type { ReadHost } from './document-host';
import type { DocumentReads, StoredDocument } from './document-parts';
import type { DocumentTarget } from './document-targets';
import type { ReadableIndex } from '../shard/index';
import type { LogRecord } from '../../storage/index';

/** Reads single documents from the document log. */
export class StoredDocuments implements DocumentReads {
  constructor(private readonly host: ReadHost) {}

  /** The live document with this id as of now, or as of the last refresh. */
  load(
    target: DocumentTarget<ReadableIndex>,
    type: string,
    id: string,
    realtime: boolean,
  ): StoredDocument | undefined {
    const shard = target.indexService.shards[target.shard]!;
    const types = type === '_all' ? target.mapping.types : [type];
    for (const one of types) {
      // A purge may remove a superseded record between the two look-ups; the next try sees its successor.
      for (let missing = 0; ;) {
        const entry = this.host.log().readUid(shard.identity.shardId, one, id);
        if (entry === undefined || entry.sequence === missing) break;
        const record = realtime
          ? this.host.recordCache.readRecord(shard.identity.shardId, entry.sequence)
          : this.recordAsOf(shard.identity.shardId, entry.sequence, shard.visibleSequence);
        if (record === undefined) {
          missing = entry.sequence;
          continue;
        }
        const seen = record.op === 'delete' ? null : this.seenOf(target, record);
        if (seen === null) break;
        return { entry, record: seen };
      }
    }
    return undefined;
  }

  /** `_source` of a document as of now, for look-ups; undefined when it does not exist. */
  source(target: DocumentTarget<ReadableIndex>, type: string, id: string): Buffer | undefined {
    return this.load(target, type, id, true)?.record.source;
  }

  private seenOf({ metadata }: DocumentTarget<ReadableIndex>, record: LogRecord): LogRecord | null {
    if (metadata.view === undefined) return record;
    return this.host.seenOf?.(metadata, record) ?? null;
  }

  /** The version of a document that was current at `limit`, by following what each record replaced. */
  private recordAsOf(shardId: number, newest: number, limit: number): LogRecord | undefined {
    let sequence = newest;
    while (sequence > limit) {
      const record = this.host.log().readRecord(shardId, sequence);
      if (record === undefined || record.supersedes === 0) return undefined;
      sequence = record.supersedes;
    }
    return this.host.log().readRecord(shardId, sequence);
  }
}
