// One shard over real databases, without the node around it: tests decide when it builds, merges and clears
// away, and may hold up or fail any batch.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Analyzer } from '../../../../engine/analysis/chain/analyzer';
import { buildAnalysis, type AnalysisRegistry } from '../../../../engine/analysis/registry';
import { ByteCache } from '../../../../engine/common/byte-cache';
import { ReaderCache } from '../../../../engine/segment/read/reader-cache';
import { Indexer } from '../../../../engine/shard/indexer';
import { ThreadDiedError } from '../../../../engine/threads/managed-thread';
import type { MergeJob, SegmentIndexer } from '../../../../engine/shard/segment-jobs';
import { SegmentIds } from '../../../../engine/shard/segment-ids';
import type { PinnedShard } from '../../../../engine/shard/readable';
import { Shard } from '../../../../engine/shard/shard';
import { parsePurgeList } from '../../../../engine/shard/shard-garbage';
import { NO_MAPPING_LIMITS } from '../../../../engine/metadata/limits';
import { compileMapping } from '../../../../engine/mapping/compile';
import { putMapping } from '../../../../engine/mapping/merge';
import { RecordSlab } from '../../../../storage/record-slab';
import { Storage } from '../../../../storage/storage';
import type { LogBatch, LogRecord, SequenceNumber } from '../../../../storage/types';
import { FaultPlan } from '../../../support/faulty-database';
import { json, stateOf } from '../metadata/support';
import { SILENT_LOGGER } from '../../../../engine/common/logger';

export const SHARD_ID = 1;

/** A document with this `n` cannot be indexed. */
export const UNINDEXABLE = -666;

const STANDARD = buildAnalysis(new Map());

/** Fails over one text, as no analyzer should. */
const PICKY: Analyzer = {
  name: 'picky',
  positionGap: 0,
  analyze: (text) => STANDARD.defaultIndex.analyze(text),
  forEachTerm: (text, emit) => {
    if (text === String(UNINDEXABLE)) throw new RangeError('no terms');
    return STANDARD.defaultIndex.forEachTerm(text, emit);
  },
};

const ANALYSIS: AnalysisRegistry = {
  ...STANDARD,
  analyzer: (name) => (name === 'picky' ? PICKY : STANDARD.analyzer(name)),
};

function indexMetadata() {
  const metadata = stateOf('i').indices.get('i')!;
  const analysis = ANALYSIS;
  const words = { type: 'string', analyzer: 'picky' };
  const body = json({ doc: { properties: { n: { type: 'long', fields: { words } } } } });
  const changes = putMapping(metadata, 'doc', body, analysis, {
    ignoreConflicts: false,
    limits: NO_MAPPING_LIMITS,
  });
  return { ...metadata, ...changes };
}

export class ShardBench {
  now = 1_000_000;
  /** Every merge waits for this first. */
  beforeMerge: (job: MergeJob) => Promise<void> = () => Promise.resolve();
  /** What is logged as an error. */
  readonly errors: unknown[] = [];
  /** Records over which the thread that builds dies. */
  deadly: readonly SequenceNumber[] = [];
  everyBuildDies = false;
  /** Ranges of records that were to be built. */
  readonly builds: [SequenceNumber, SequenceNumber][] = [];
  /** Thrown instead of compiling the mapping. */
  mappingError: Error | null = null;
  shard!: Shard;
  segmentIds!: SegmentIds;
  private readers!: ReaderCache;

  private constructor(
    readonly storage: Storage,
    private readonly folder: string,
    readonly plan: FaultPlan,
  ) {}

  static async create(): Promise<ShardBench> {
    const folder = await mkdtemp(join(tmpdir(), 'facetd-shard-'));
    const plan = new FaultPlan();
    const storage = await Storage.open({ path: join(folder, 'data'), wrap: plan.wrap });
    const bench = new ShardBench(storage, folder, plan);
    await bench.reload();
    return bench;
  }

  async remove(): Promise<void> {
    await this.shard.close();
    await this.storage.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Forgets everything in memory and loads the shard again, as a start does. */
  async reload(): Promise<void> {
    const { storage } = this;
    const log = () => storage.log;
    const store = () => storage.segments;
    this.segmentIds = new SegmentIds(log);
    const metadata = await storage.log.readMetadata();
    const intents = await storage.log.readBuildIntents();
    this.segmentIds.reset(metadata.get('counter/segment'), Math.max(0, ...intents));
    const readers = new ReaderCache(store(), new ByteCache(1024 * 1024));
    this.readers = readers;
    const index = indexMetadata();
    const compiled = compileMapping(index, ANALYSIS);
    this.shard = new Shard(
      { index: 'i', indexId: 1, shardId: SHARD_ID, number: 0 },
      {
        log,
        removals: storage.segments,
        indexer: this.gated(
          new Indexer({
            log,
            store,
            readers,
            mapping: () => {
              if (this.mappingError !== null) throw this.mappingError;
              return compiled;
            },
            logger: SILENT_LOGGER,
          }),
        ),
        segmentIds: this.segmentIds,
        mappingLimits: NO_MAPPING_LIMITS,
        forget: (segments) => readers.forget(segments),
        logger: { ...SILENT_LOGGER, error: (fields) => void this.errors.push(fields) },
        now: () => this.now,
        keepDamagedSegment: (segment) => storage.keepDamagedSegment(segment),
        segmentsLost: () => storage.segmentsLost,
        disk: {
          isLow: false,
          isCritical: false,
          room: Infinity,
          assertSpace: () => undefined,
          assertNotCritical: () => undefined,
        },
        index: () => index,
      },
    );
    const lists = [...metadata].filter(([name]) => name.startsWith('purge/'));
    const failed = Number(metadata.get(`failed/${SHARD_ID}`)?.toString() ?? 0);
    await this.shard.open(
      lists.map(([name, value]) => parsePurgeList(name, value).garbage),
      failed,
    );
  }

  private gated(indexer: SegmentIndexer): SegmentIndexer {
    return {
      build: (job, index) => {
        const isDeadly = (sequence: SequenceNumber) =>
          sequence > job.from && sequence <= job.to && !job.fatal.includes(sequence);
        this.builds.push([job.from, job.to]);
        return this.everyBuildDies || this.deadly.some(isDeadly)
          ? Promise.reject(new ThreadDiedError())
          : indexer.build(job, index);
      },
      merge: async (job, signal) => {
        await this.beforeMerge(job);
        return indexer.merge(job, signal);
      },
      carry: (job) => indexer.carry(job),
    };
  }

  /** Writes a document, or deletes it when `n` is null. */
  async put(id: string, n: number | null): Promise<void> {
    const { shard, storage } = this;
    const sequence = await storage.log.submit({
      estimatedBytes: 100,
      prepare: (batch) => this.record(batch, id, n),
    });
    shard.acknowledged(sequence, 100);
  }

  /** Writes `count` documents with ids from `from` on in one batch. */
  async putMany(from: number, count: number): Promise<void> {
    const { shard, storage } = this;
    const sequence = await storage.log.submit({
      estimatedBytes: 100,
      prepare: (batch) => {
        let last = 0;
        for (let i = from; i < from + count; i++) last = this.record(batch, String(i), i);
        return last;
      },
    });
    shard.acknowledged(sequence, count * 100);
  }

  private record(batch: LogBatch, id: string, n: number | null): SequenceNumber {
    const old = batch.getUid(SHARD_ID, 'doc', id);
    const next = this.shard.allocate();
    const version = (old?.version ?? 0) + 1;
    const record: LogRecord = {
      op: n === null ? 'delete' : 'index',
      type: 'doc',
      id,
      version,
      routing: null,
      parent: null,
      timestamp: n === null ? this.now : null,
      expiry: null,
      supersedes: old?.deleted === false ? old.sequence : 0,
      source: Buffer.from(n === null ? '' : JSON.stringify({ n })),
    };
    batch.putRecord(SHARD_ID, next, record);
    const deleted = n === null;
    const deletedAt = deleted ? this.now : 0;
    batch.putUid(SHARD_ID, 'doc', id, { sequence: next, version, deleted, deletedAt });
    return next;
  }

  /** Puts ids `from` .. `to` - 1 and refreshes: one segment. */
  async segment(from: number, to: number): Promise<void> {
    for (let i = from; i < to; i++) await this.put(String(i), i);
    await this.shard.refresh();
  }

  /** Waits until something holds. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  /** Ids of the live documents that a snapshot shows, with everything read from disk. */
  visible(pinned?: PinnedShard): string[] {
    const held = pinned ?? this.shard.acquire();
    try {
      return this.readers.readers(held.snapshot).flatMap((reader) => {
        const ids: string[] = [];
        for (let doc = 0; doc < reader.docCount; doc++) {
          if (reader.liveDocs?.has(doc) === false) continue;
          const record = this.storage.log.readRecord(SHARD_ID, reader.sequenceOf(doc));
          ids.push(record?.id ?? 'record is missing');
        }
        return ids;
      });
    } finally {
      if (pinned === undefined) held.release();
    }
  }

  /** Sequences of all records. */
  async records(): Promise<number[]> {
    const sequences: number[] = [];
    const slab = new RecordSlab();
    for await (const count of this.storage.log.copyRecords(SHARD_ID, 0, 1e9, 1024, slab)) {
      for (let i = slab.length - count; i < slab.length; i++) sequences.push(slab.sequence(i));
    }
    return sequences;
  }

  /** Holds up all batches from now on; returns what lets them go. */
  hold(): () => void {
    let release = (): void => undefined;
    this.plan.gate = new Promise((resolve) => (release = resolve));
    return release;
  }
}
