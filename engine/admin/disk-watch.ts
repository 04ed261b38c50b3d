// Watches the free space of the data folder's disk. What would make the node's data grow is refused before
// the disk is full, so that what is under way (builds of what is acknowledged, commits) still finds space.
// Near the end builds wait, too: a database that has met a full disk takes nothing any more, not even the
// deletion of an index.

import { statfs } from 'node:fs/promises';
import { EngineError } from '../errors';
import type { DiskSpace, DiskStats } from '../api/index';
import type { DiskRoom } from '../shard/index';
import type { EngineLogger } from '../common/index';

/** Below this part of the limit what is acknowledged is not built into segments, either. */
const CRITICAL_PART = 1 / 4;
/** How often free space is looked at. Milliseconds. */
const CHECK_MS = 1000;
/** Looks at a file system. */
export type ReadSpace = (path: string) => Promise<DiskSpace>;

/** What a watch needs. */
interface DiskWatchOptions {
  readonly path: string;
  /** Available bytes below which writes are refused; 0: never. */
  readonly minFreeBytes: number;
  readonly logger: EngineLogger;
  /** How free space is read; tests bring their own. */
  readonly readSpace?: ReadSpace | undefined;
  /** Pause between two looks, in milliseconds. */
  readonly intervalMs?: number | undefined;
  /** Called after every look, but for the one at the start. */
  readonly onLook?: () => Promise<void>;
}

/** Knows whether the disk of the data folder has space for more data. */
export class DiskWatch implements DiskRoom {
  private space: DiskSpace = { total: Infinity, free: Infinity, available: Infinity };
  private low = false;
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> | null = null;
  private readonly readSpace: ReadSpace;

  constructor(private readonly options: DiskWatchOptions) {
    this.readSpace = options.readSpace ?? fileSystemSpace;
  }

  /** Begins to watch; resolves after the first look. */
  async start(): Promise<void> {
    await this.look();
    const { intervalMs = CHECK_MS, onLook } = this.options;
    let isBusy = false;
    this.timer = setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      void this.look()
        .then(onLook)
        .finally(() => (isBusy = false));
    }, intervalMs);
    this.timer.unref();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  /** Looks now. Never rejects: where free space cannot be read, things stay as they were. */
  look(): Promise<void> {
    this.looking ??= this.lookOnce().finally(() => (this.looking = null));
    return this.looking;
  }

  /** Whether there is too little space for more data. */
  get isLow(): boolean {
    return this.low;
  }

  get isCritical(): boolean {
    return this.space.available < this.options.minFreeBytes * CRITICAL_PART;
  }

  get room(): number {
    const { minFreeBytes } = this.options;
    return minFreeBytes === 0 ? Infinity : this.space.available - minFreeBytes;
  }

  stats(): DiskStats {
    return { ...this.space, minFreeBytes: this.options.minFreeBytes, isLow: this.low };
  }

  /** @throws EngineError ClusterBlockException (503) while there is too little space for more data */
  assertSpace(): void {
    if (this.low) throw spaceError('disk space low, writes refused');
  }

  assertNotCritical(): void {
    if (this.isCritical) throw spaceError('disk space low, refreshes refused');
  }

  private async lookOnce(): Promise<void> {
    const { path, minFreeBytes, logger } = this.options;
    try {
      this.space = await this.readSpace(path);
    } catch (error) {
      logger.debug({ err: error }, 'the free space of the data folder cannot be read');
      return;
    }
    const { available, total } = this.space;
    // Above the limit, so that the state does not flutter; on a small disk twice the limit may be more than
    // there is, or than its owner can free.
    const recovered = Math.min(2 * minFreeBytes, minFreeBytes + (total - minFreeBytes) / 4);
    const isLow = available < (this.low ? recovered : minFreeBytes);
    if (isLow === this.low) return;
    this.low = isLow;
    if (isLow) {
      logger.error(
        { available, minFreeBytes },
        'disk space is low, writes are refused; searches, gets and deletions of indices go on',
      );
    } else logger.info({ available }, 'there is disk space again, writes are accepted');
  }
}

function spaceError(description: string): EngineError {
  return new EngineError(
    'ClusterBlockException',
    `blocked by: [SERVICE_UNAVAILABLE/100/${description}];`,
    { status: 503 },
  );
}

async function fileSystemSpace(path: string): Promise<DiskSpace> {
  const { blocks, bfree, bavail, bsize } = await statfs(path);
  return { total: blocks * bsize, free: bfree * bsize, available: bavail * bsize };
}
