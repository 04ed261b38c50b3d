// Shared by the storage tests: temporary folders, records, seeded randomness, and a model of the log.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordSlab } from '../../../storage/record-slab';
import type {
  CommitPoint,
  CommittedSegment,
  LogBatch,
  LogRecord,
  LogStore,
  UidEntry,
} from '../../../storage/types';

const folders: string[] = [];

/** A new temporary folder; removed by `removeFolders`. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'facetd-storage-'));
  folders.push(folder);
  return folder;
}

/** For `afterEach`. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A record with defaults. */
export function record(id: string, more: Partial<LogRecord> = {}): LogRecord {
  return {
    op: 'index',
    type: 'book',
    id,
    version: 1,
    routing: null,
    parent: null,
    timestamp: null,
    expiry: null,
    supersedes: 0,
    source: Buffer.from(JSON.stringify({ id })),
    ...more,
  };
}

/** A live uid entry. */
export function uid(sequence: number, version = 1): UidEntry {
  return { sequence, version, deleted: false, deletedAt: 0 };
}

/** A segment of a commit point, with defaults. */
export function segment(id: number, more: Partial<CommittedSegment> = {}): CommittedSegment {
  return {
    id,
    blocks: 1,
    bytes: 100,
    docCount: 1,
    deletedCount: 0,
    rootCount: 1,
    deletedRootCount: 0,
    minSequence: 1,
    maxSequence: 1,
    deletionChunks: [],
    ...more,
  };
}

/** Numbers from 0 up to but not including 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What one unit does, to the store and to the model alike. */
export type Change = (batch: LogBatch) => void;

/** The log in memory, obviously right. */
export class LogModel implements LogBatch {
  readonly bytes = 0;
  readonly values = new Map<string, unknown>();

  apply(changes: readonly Change[]): this {
    for (const change of changes) change(this);
    return this;
  }

  copy(): LogModel {
    const model = new LogModel();
    for (const [key, value] of this.values) model.values.set(key, value);
    return model;
  }

  getUid(shard: number, type: string, id: string): UidEntry | undefined {
    return this.values.get(name('uid', shard, type, id)) as UidEntry | undefined;
  }
  putRecord(shard: number, sequence: number, value: LogRecord): void {
    this.values.set(name('record', shard, sequence), {
      ...value,
      source: value.source.toString('hex'),
    });
  }
  removeRecord(shard: number, sequence: number): void {
    this.values.delete(name('record', shard, sequence));
  }
  putUid(shard: number, type: string, id: string, entry: UidEntry): void {
    this.values.set(name('uid', shard, type, id), entry);
  }
  removeUid(shard: number, type: string, id: string): void {
    this.values.delete(name('uid', shard, type, id));
  }
  putCommit(shard: number, commit: CommitPoint): void {
    this.values.set(name('commit', shard), commit);
  }
  removeCommit(shard: number): void {
    this.values.delete(name('commit', shard));
  }
  putMetadata(key: string, value: Buffer): void {
    this.values.set(name('metadata', key), value.toString('hex'));
  }
  removeMetadata(key: string): void {
    this.values.delete(name('metadata', key));
  }
  putBuildIntent(id: number): void {
    this.values.set(name('build', id), true);
  }
  removeBuildIntent(id: number): void {
    this.values.delete(name('build', id));
  }
  putDeleteIntent(shard: number, segments: readonly number[]): void {
    this.values.set(name('delete', shard), segments);
  }
  removeDeleteIntent(shard: number): void {
    this.values.delete(name('delete', shard));
  }

  /** Drops everything of a shard, as LogStore.removeShard. */
  removeShard(shard: number): void {
    for (const key of [...this.values.keys()]) {
      const [kind, of] = JSON.parse(key) as [string, number];
      if (of === shard && (kind === 'record' || kind === 'uid' || kind === 'commit'))
        this.values.delete(key);
    }
  }
}

/** The records with from < sequence <= to in slices, as `copyRecords` copies them. */
export async function* recordsOf(
  log: LogStore,
  shard: number,
  from: number,
  to: number,
  sliceBytes: number,
): AsyncGenerator<(readonly [number, LogRecord])[]> {
  const slab = new RecordSlab();
  for await (const count of log.copyRecords(shard, from, to, sliceBytes, slab)) {
    const first = slab.length - count;
    yield Array.from({ length: count }, (_, i) => [
      slab.sequence(first + i),
      slab.record(shard, first + i),
    ]);
  }
}

/** Everything a store holds for these shards, in the model's terms. */
export async function readAll(log: LogStore, shards: readonly number[]): Promise<LogModel> {
  const model = new LogModel();
  for (const [key, value] of await log.readMetadata()) model.putMetadata(key, value);
  for (const id of await log.readBuildIntents()) model.putBuildIntent(id);
  for (const { shard, segments } of await log.readDeleteIntents())
    model.putDeleteIntent(shard, segments);
  for (const shard of shards) {
    const commit = log.readCommit(shard);
    if (commit !== undefined) model.putCommit(shard, commit);
    for await (const slice of recordsOf(log, shard, 0, Number.MAX_SAFE_INTEGER, 4096)) {
      for (const [sequence, value] of slice) model.putRecord(shard, sequence, value);
    }
    for await (const { type, id, entry } of log.scanUids(shard))
      model.putUid(shard, type, id, entry);
  }
  return model;
}

/** Entries of a model in a fixed order, for comparison. */
export function sorted(model: LogModel): [string, unknown][] {
  return [...model.values].sort(([a], [b]) => (a < b ? -1 : 1));
}

function name(...parts: (string | number)[]): string {
  return JSON.stringify(parts);
}
