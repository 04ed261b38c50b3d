// The documents of a shard as chunk files, while writes and merges go on.
//
// The document log is read from the newest record of the snapshot down. So whatever replaces or deletes a
// document is met before it, and one bit for each record is all that has to be remembered. What waits to be
// removed is known from the start, because what replaced it may have gone before. Records that are live at
// the start stay in the log as long as it is held (Shard.acquireLog).

import { EngineError } from '../errors';
import { Bitset } from '../segment/index';
import type { PinnedLog } from '../shard/index';
import { encodeChunk, endsChunk } from './chunk-format';
import type { ChunkFile } from './manifest';
import { packRecord, type LogStore } from '../../storage/index';

const SLICE_BYTES = 256 * 1024;
/** Chunks that are compressed and written at once: each waits for threads and the disk several times. */
const CHUNKS_IN_FLIGHT = 3;

/** Where chunks go, and who wants to know. */
interface ExportSink {
  readonly compress: boolean;
  /** Stores a chunk; resolves with its name. */
  write(bytes: Buffer): Promise<string>;
  /** Told how far reading has got: the records below `sequence` are still to be read. */
  progress(sequence: number, chunk: ChunkFile | null): void;
  readonly signal: AbortSignal;
}

/**
 * Writes the live documents of a shard.
 *
 * @returns the chunks in the order in which their documents were written
 * @throws CorruptionError for a damaged record, EngineError of the sink, StorageError
 */
export async function exportShard(
  log: LogStore,
  pinned: PinnedLog,
  sink: ExportSink,
): Promise<readonly ChunkFile[]> {
  const { shardId, upTo } = pinned;
  const replaced = new Bitset(upTo + 1);
  for (const sequence of pinned.superseded) replaced.add(sequence);
  const chunks: Promise<ChunkFile>[] = [];
  let records: Buffer[] = [];
  let bytes = 0;

  const store = async (list: readonly Buffer[], sequence: number): Promise<ChunkFile> => {
    const encoded = await encodeChunk(list, sink.compress);
    const file = await sink.write(encoded);
    const chunk = { file, bytes: encoded.length, documents: list.length };
    sink.progress(sequence, chunk);
    return chunk;
  };
  const flush = async (sequence: number): Promise<void> => {
    const list = records.reverse();
    records = [];
    bytes = 0;
    await chunks.at(-CHUNKS_IN_FLIGHT);
    const chunk = store(list, sequence);
    // Whoever awaits it is told.
    chunk.catch(() => undefined);
    chunks.push(chunk);
  };

  try {
    for await (const slice of log.scanRecordsBackwards(shardId, upTo, SLICE_BYTES)) {
      if (sink.signal.aborted) throw abortion(sink.signal.reason);
      for (const [sequence, record] of slice) {
        if (record.supersedes !== 0) replaced.add(record.supersedes);
        if (record.op === 'delete' || replaced.has(sequence)) continue;
        const packed = packRecord(record);
        records.push(packed);
        bytes += packed.length;
        if (endsChunk(bytes, packed)) await flush(sequence);
      }
      const last = slice.at(-1);
      if (last !== undefined) sink.progress(last[0], null);
    }
    if (records.length > 0) await flush(0);
    const stored = await Promise.all(chunks);
    sink.progress(0, null);
    return stored.reverse();
  } finally {
    // Whatever ended it: nobody writes any more when it is over.
    await Promise.allSettled(chunks);
  }
}

function abortion(reason: unknown): EngineError {
  return reason instanceof EngineError ? reason : new EngineError('SnapshotException', 'aborted');
}
