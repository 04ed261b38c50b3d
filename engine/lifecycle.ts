// The life of a node: it is opened, gets over failures of storage, and is closed.
//
// When a batch fails, nothing more is written on the old handles: requests are refused, storage is reopened
// with back-off, and everything in memory is built again from what is on disk.

import { setTimeout as sleep } from 'node:timers/promises';
import { DiskFullError, SegmentDamageError, type Storage, StorageFailure } from '../storage/index';
import type { DiskWatch, NodeGate, RefreshScheduler } from './admin/index';
import type { KeyUses } from './access/index';
import type { EngineLogger } from './common/index';
import type { ExpiredDocuments } from './documents/index';
import type { IndicesService } from './shard/index';
import type { NodeReaders } from './reader-threads';
import type { ReindexService } from './reindex/index';
import type { SnapshotService } from './snapshots/index';
import type { ThreadPools } from './thread-pools';

const FIRST_REOPEN_MS = 1000;
const LAST_REOPEN_MS = 30_000;
/** How long searches under way may hold up reopening before they are given up. */
const SEARCH_GRACE_MS = 2000;

/** The parts of a node that are opened and closed. */
interface LivingParts {
  readonly storage: Storage;
  readonly gate: NodeGate;
  readonly disk: DiskWatch;
  readonly pools: ThreadPools;
  readonly readers: NodeReaders;
  readonly indicesService: IndicesService;
  readonly scheduler: RefreshScheduler;
  readonly expired: ExpiredDocuments;
  readonly keyUses: KeyUses;
  readonly snapshots: SnapshotService;
  readonly reindexing: ReindexService;
  readonly logger: EngineLogger;
  /** Ends all scrolls, which hold snapshots. */
  readonly endScrolls: () => void;
  /** Reads the configuration folder. */
  readonly readConfigured: () => Promise<void>;
  /** First pause before storage is reopened after a failure, in milliseconds. */
  readonly reopenDelayMs: number | undefined;
  /** How long searches may hold up reopening, in milliseconds. */
  readonly searchGraceMs: number | undefined;
}

/** Opens a node, recovers it, closes it. */
export class NodeLifecycle {
  /** Set from a failed batch until writes are possible again. */
  private recovery: Promise<void> | null = null;
  private closing: Promise<void> | null = null;
  private readonly closed = new AbortController();

  constructor(private readonly parts: LivingParts) {
    parts.gate.watch((error) => this.storageFailed(error));
  }

  /** Loads everything from disk and begins background work. */
  async open(): Promise<void> {
    const { disk, pools, indicesService, scheduler, expired, keyUses, readConfigured } = this.parts;
    await disk.start();
    pools.open();
    await readConfigured();
    await indicesService.load();
    try {
      await indicesService.recover();
      scheduler.start();
    } catch (error) {
      // Reads are possible, and storageFailed is about to make writes possible.
      if (!(error instanceof StorageFailure)) throw error;
    }
    expired.start();
    keyUses.start();
  }

  /** Refuses new work, finishes what runs, indexes the rest of the logs and closes the data folder. */
  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private storageFailed(error: Error): void {
    this.parts.logger.error(
      { err: error },
      'a write failed; writes are refused until storage is reopened',
    );
    this.recovery ??= this.recover();
  }

  private async shutDown(): Promise<void> {
    const {
      gate,
      disk,
      scheduler,
      expired,
      keyUses,
      snapshots,
      reindexing,
      indicesService,
      pools,
      readers,
      storage,
    } = this.parts;
    gate.close();
    this.closed.abort();
    this.parts.endScrolls();
    disk.stop();
    scheduler.stop();
    await expired.stop();
    await keyUses.stop();
    await reindexing.close();
    await snapshots.close();
    await this.recovery;
    await readers.close();
    if (gate.failure === null) await keyUses.save();
    await indicesService.flush();
    await indicesService.close();
    await pools.close();
    await storage.close();
  }

  /** Tries until storage takes writes again; gives up only when the node is closed. */
  private async recover(): Promise<void> {
    const { gate, scheduler, logger, reopenDelayMs } = this.parts;
    const { signal } = this.closed;
    scheduler.stop();
    let pause = reopenDelayMs ?? FIRST_REOPEN_MS;
    await this.explain();
    while (gate.failure !== null && !signal.aborted) {
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      // The broken session still reads; one that fails to open does not. So a full disk is waited for, and
      // looking at it costs nothing: pauses grow with what was tried in vain.
      if (signal.aborted || !(await this.canReopen(gate.failure))) continue;
      pause = Math.min(pause * 2, LAST_REOPEN_MS);
      await this.reopen();
    }
    // Here and not later: a failure from now on has to begin another recovery.
    this.recovery = null;
    gate.recovered();
    if (signal.aborted) return;
    scheduler.start();
    logger.info({}, 'storage takes writes again');
  }

  /** Names the files that a batch failed over, if it was damage; refused writes are told. */
  private async explain(): Promise<void> {
    const { gate, storage, logger } = this.parts;
    const { failure } = gate;
    if (failure === null) return;
    try {
      const explained = await storage.explain(failure);
      if (gate.failure === failure) gate.failure = explained;
    } catch (error) {
      logger.error({ err: error }, 'what a write failed over could not be looked for');
    }
  }

  /** Builds everything in memory again from what is on disk. */
  private async reopen(): Promise<void> {
    const { gate, indicesService, logger } = this.parts;
    const known = gate.failure;
    try {
      await gate.whileReopening(() => this.reload());
      await indicesService.recover();
      // Until here it is what refused writes are told; a newer one has to be got over, too.
      if (gate.failure === known) gate.failure = null;
    } catch (error) {
      gate.failure = error instanceof Error ? error : new Error(String(error));
      logger.error({ err: error }, 'storage could not be reopened');
    }
  }

  private async reload(): Promise<void> {
    const { gate, indicesService, pools, readers, storage } = this.parts;
    const graceMs = this.parts.searchGraceMs ?? SEARCH_GRACE_MS;
    // New ones wait at the gate; deletions of indices wait for those that read them.
    await Promise.all([pools.quiesce(graceMs), readers.suspend(graceMs)]);
    this.parts.endScrolls();
    await indicesService.close();
    await indicesService.settled();
    // A thread that keeps its handle would keep the broken one alive for all.
    await pools.close();
    // A database that cannot be written for its damage would fail again.
    const failure = gate.failure?.cause;
    try {
      await storage.reopen(failure instanceof SegmentDamageError ? failure : null);
      pools.open();
      await indicesService.load();
    } catch (error) {
      readers.refuse(error);
      throw error;
    }
    readers.resume();
  }

  private async canReopen(failure: Error): Promise<boolean> {
    const { disk, storage } = this.parts;
    const isDiskFull = failure instanceof DiskFullError || failure.cause instanceof DiskFullError;
    if (!isDiskFull) return true;
    await disk.look();
    return disk.stats().available >= (await storage.reopenBytes());
  }
}
