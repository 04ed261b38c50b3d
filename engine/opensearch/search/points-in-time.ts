// Shards as they were when a search began that is kept open: points in time of OpenSearch, one for each
// shard, so that its pages ask one shard as searches do. They end with what holds the shard; those of a node
// that is gone end by themselves.

import type { EngineLogger } from '../../common/index';
import { EngineError } from '../../errors';
import type { ShardSnapshot } from '../../segment/index';
import { failureIn } from '../transport/failures';
import type { OpenSearchClient } from '../transport/client';

/** How much longer than it is needed a point in time lives there at most. */
const MARGIN_MS = 60_000;

/** What OpenSearch lets one live at most, unless `point_in_time.max_keep_alive` says otherwise. */
const LONGEST_MS = 24 * 3_600_000;

/** A shard is no longer there as it was. */
export class LostPointError extends EngineError {
  constructor() {
    super('SearchContextMissingException', 'the point in time is gone');
  }
}

/** The points in time that this node holds. */
export class PointsInTime {
  private readonly ids = new WeakMap<ShardSnapshot, string>();
  private readonly opening = new WeakMap<ShardSnapshot, Promise<boolean>>();
  private readonly ended: string[] = [];
  private ending: Promise<void> | null = null;

  constructor(
    private readonly client: OpenSearchClient,
    private readonly logger: EngineLogger,
  ) {}

  /** What a search of a held shard says in place of the index; null: the shard is not held. */
  idOf(snapshot: ShardSnapshot): string | null {
    return this.ids.get(snapshot) ?? null;
  }

  /**
   * Holds a shard as searches see it now.
   *
   * @param index its name in OpenSearch
   * @param keepAliveMs how long it is needed at least
   * @returns false: there is no such index
   * @throws EngineError 429 when the cluster holds too many
   */
  async hold(snapshot: ShardSnapshot, index: string, keepAliveMs: number): Promise<boolean> {
    if (this.ids.has(snapshot)) return true;
    // Several parts of a search may ask the same shard at once.
    const known = this.opening.get(snapshot);
    if (known !== undefined) return known;
    const opening = this.open(snapshot, index, keepAliveMs);
    this.opening.set(snapshot, opening);
    try {
      return await opening;
    } finally {
      this.opening.delete(snapshot);
    }
  }

  private async open(
    snapshot: ShardSnapshot,
    index: string,
    keepAliveMs: number,
  ): Promise<boolean> {
    const query = {
      keep_alive: keepAliveText(keepAliveMs),
      preference: `_shards:${snapshot.shardNumber}`,
    };
    const path = `/${index}/_search/point_in_time`;
    const answer = await this.client.request('POST', path, { query });
    if (answer.error === 'index_not_found_exception') return false;
    if (answer.status >= 400) throw failureIn(answer);
    const id = answer.body.get('pit_id');
    if (typeof id !== 'string') throw new TypeError('OpenSearch gives no point in time');
    this.ids.set(snapshot, id);
    return true;
  }

  /** Ends what is held of a shard, soon. */
  release(snapshot: ShardSnapshot): void {
    const id = this.ids.get(snapshot);
    if (id === undefined) return;
    this.ids.delete(snapshot);
    this.ended.push(id);
    this.ending ??= this.end();
  }

  /** Resolves when all that was released has ended there. */
  async close(): Promise<void> {
    while (this.ending !== null) await this.ending;
  }

  private async end(): Promise<void> {
    // The shards of a scroll end one after the other: one request is enough for them.
    await Promise.resolve();
    const ids = this.ended.splice(0);
    try {
      const body = { pit_id: ids };
      const answer = await this.client.request('DELETE', '/_search/point_in_time', { body });
      if (answer.status >= 400 && answer.status !== 404) throw failureIn(answer);
    } catch (error) {
      this.logger.warn({ err: error }, 'points in time end later, by themselves');
    }
    this.ending = this.ended.length > 0 ? this.end() : null;
  }
}

/** How long OpenSearch is to keep a point in time that nobody asks for. */
export function keepAliveText(keepAliveMs: number): string {
  return `${Math.min(Math.ceil(keepAliveMs) + MARGIN_MS, LONGEST_MS)}ms`;
}
