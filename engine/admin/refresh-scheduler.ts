// Periodic work: refreshing every index at its own `index.refresh_interval`, clearing away what nobody needs,
// merging where nobody writes, and checkpoints, which keep the list of batch numbers short.

import { type ClusterState, refreshIntervalMs } from '../metadata/index';
import type { IndicesService, IndexService } from '../shard/index';
import type { EngineLogger } from '../common/index';
import type { DiskWatch } from './disk-watch';

/** How often the scheduler looks; the resolution of refresh intervals. */
const TICK_MS = 100;
/** How often expired tombstones and the like are collected. */
const COLLECT_MS = 5000;
/** How often a checkpoint is written while the node is being written to. */
const CHECKPOINT_MS = 30_000;

/** An index and its refresh interval in milliseconds; negative: never, as for closed indices. */
interface ScheduledIndex {
  readonly indexService: IndexService;
  readonly intervalMs: number;
}

/** All indices with their refresh intervals as they are now. */
export function* scheduledIndices(
  state: ClusterState,
  indicesService: IndicesService,
  disk: DiskWatch,
): Generator<ScheduledIndex> {
  for (const indexService of indicesService.all()) {
    const metadata = state.indices.get(indexService.name);
    if (metadata?.id !== indexService.id) continue;
    // Without disk space refreshes wait.
    const isOpen = metadata.state === 'open' && !disk.isCritical;
    yield { indexService, intervalMs: isOpen ? refreshIntervalMs(metadata.settings) : -1 };
  }
}

/** Does the periodic work of a node. */
export class RefreshScheduler {
  private timer: NodeJS.Timeout | null = null;
  private readonly lastRefresh = new WeakMap<IndexService, number>();
  private readonly running = new WeakSet<IndexService>();
  private lastCollect = 0;
  private lastCheckpoint = 0;
  private refreshed = false;

  constructor(
    private readonly indices: () => Iterable<ScheduledIndex>,
    private readonly checkpoint: () => Promise<void>,
    private readonly logger: EngineLogger,
    /** Called with every index that was refreshed. */
    private readonly onRefreshed: (indexService: IndexService) => void,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.timer.unref();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  private tick(): void {
    // Intervals are measured on a clock that is never set back.
    const now = performance.now();
    const collect = now - this.lastCollect >= COLLECT_MS;
    if (collect) this.lastCollect = now;
    if (this.refreshed && now - this.lastCheckpoint >= CHECKPOINT_MS) {
      this.lastCheckpoint = now;
      this.refreshed = false;
      this.checkpoint().catch((error: unknown) => {
        this.logger.warn({ err: error }, 'a checkpoint failed');
      });
    }
    for (const { indexService, intervalMs } of this.indices()) {
      if (collect) {
        for (const shard of indexService.shards) {
          void shard.collectGarbage();
          shard.mergeAtRest();
          shard.resumeRebuild();
        }
      }
      if (intervalMs < 0 || this.running.has(indexService)) continue;
      const last = this.lastRefresh.get(indexService);
      if (last === undefined) this.lastRefresh.set(indexService, now);
      if (now - (last ?? now) < intervalMs) continue;
      if (!indexService.shards.some((shard) => shard.isDirty)) continue;
      this.lastRefresh.set(indexService, now);
      this.running.add(indexService);
      this.refreshed = true;
      Promise.all(
        indexService.shards.filter((shard) => shard.isDirty).map((shard) => shard.refresh()),
      )
        .then(() => this.onRefreshed(indexService))
        .catch((error: unknown) => {
          // It was deleted meanwhile.
          if (indexService.isClosed) return;
          this.logger.error({ index: indexService.name, err: error }, 'a scheduled refresh failed');
        })
        .finally(() => {
          this.running.delete(indexService);
        });
    }
  }
}
