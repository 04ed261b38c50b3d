// The open scrolls of a node: what each holds, for how long, and how many there may be.
//
// A scroll holds the snapshots of its shards and what its pages are made by, nothing else. It ends when it
// is cleared, read to its end (scans), not asked for longer than its keep-alive, or when storage is opened
// again; its part of an index ends with the index. What a page under way reads is released behind it.

import { randomBytes } from 'node:crypto';
import { EngineError, illegalArgument } from '../../errors';
import type { ClusterState } from '../../metadata/index';
import type { PreparedQuery } from '../../query/index';
import type { PlannedSearch, SearchOutcome } from '../plan/executor';
import type { ShardHit } from '../plan/search-plan';
import type { HeldShard } from '../run/held-shards';
import type { ScrollKind } from './scroll-id';

/** What scrolls may take of a node. */
export interface ScrollLimits {
  /** Scrolls open at a time. */
  readonly maxOpen: number;
  /** The longest keep-alive, in milliseconds. */
  readonly maxKeepAliveMs: number;
  /** How often it is looked for scrolls that nobody asks for any more, in milliseconds. */
  readonly reapMs: number;
  /** Bytes that requests and facets of all scrolls may take. */
  readonly maxBytes: number;
}

/** What holds where the settings say nothing. */
export const DEFAULT_SCROLL_LIMITS = {
  maxOpen: 1000,
  maxKeepAliveMs: 7 * 24 * 3_600_000,
  reapMs: 20_000,
};

/** The part of a scroll on one shard. */
export interface ScrollShard extends HeldShard {
  /** The number that errors name. */
  readonly id: number;
  /** What its pages are made by; the deadline is that of each page. */
  readonly planned: PlannedSearch;
  /** Its matches. */
  readonly total: number;
  /** Its query with the statistics of all shards, where these were summed. */
  readonly prepared: PreparedQuery | null;
  /** Where its next page begins; null: with its first hit. */
  after: ShardHit | null;
  /** Hits before that, of a rescored search, that were not shown yet. */
  pending: readonly ShardHit[];
  /** Hits shown so far, of a scan. */
  shown: number;
  /** The revision of the scroll from which on ids do not name it any more. */
  namedBefore: number;
  isGone: boolean;
}

/** What a scroll is made of when it is opened. */
export interface NewScroll {
  /** Whose it is; null: it was opened by somebody who may see everything. */
  readonly owner: string | null;
  readonly kind: ScrollKind;
  readonly keepAliveMs: number;
  readonly shards: readonly (Omit<
    ScrollShard,
    'id' | 'shown' | 'namedBefore' | 'isGone' | 'position'
  > & { readonly position: number })[];
  /** All shards that were asked at the start. */
  readonly shardCount: number;
  readonly size: number;
  /** Of each page, in milliseconds; 0: none. */
  readonly timeoutMs: number;
  readonly total: number;
  readonly terminatedEarly: boolean | undefined;
  /** The facets, which every page shows again. */
  readonly facets: SearchOutcome['facets'];
  /** Rescoring uses the statistics of all shards. */
  readonly rescoresGlobally: boolean;
  /** Bytes of its plans, facets and hits. */
  readonly bytes: number;
}

/** An open scroll. */
export interface Scroll extends Omit<NewScroll, 'shards' | 'keepAliveMs'> {
  readonly key: string;
  readonly shards: readonly ScrollShard[];
  keepAliveMs: number;
  /** When it was last asked for, on the clock of `performance.now`. */
  lastUse: number;
  revision: number;
  /** Pages under way or waiting for their turn. */
  busy: number;
  /** Settles when the pages asked for so far are made. */
  turn: Promise<void>;
}

/** The open scrolls of a node. */
export class ScrollContexts {
  private readonly open = new Map<string, Scroll>();
  /** Searches under way that will be scrolls. */
  private opening = 0;
  private bytes = 0;
  private nextContext = 1;
  private reaper: NodeJS.Timeout | null = null;

  constructor(private readonly limits: ScrollLimits) {}

  /** Scrolls open now. */
  get size(): number {
    return this.open.size;
  }

  /**
   * A keep-alive as it is kept: less than nothing lives until the next look, -1 as long as any may.
   * @throws EngineError 400 for one that is too long
   */
  keepAlive(ms: number): number {
    const { maxKeepAliveMs } = this.limits;
    // compat: -1 is for ever.
    if (ms === -1) return maxKeepAliveMs;
    if (ms <= maxKeepAliveMs) return Math.max(0, ms);
    throw illegalArgument(
      `Keep alive for scroll ([${ms}ms]) is too large, it must be at most [${maxKeepAliveMs}ms] (search.max_keep_alive)`,
    );
  }

  /** Runs a search that opens a scroll. @throws EngineError 429 when there are too many */
  async reserved<T>(work: () => Promise<T>): Promise<T> {
    const { maxOpen } = this.limits;
    if (this.open.size + this.opening >= maxOpen) {
      throw new EngineError(
        'EsRejectedExecutionException',
        `limit of [${maxOpen}] open scrolls has been reached (search.max_open_scroll_context)`,
      );
    }
    this.opening++;
    try {
      return await work();
    } finally {
      this.opening--;
    }
  }

  /** Takes over what a new scroll holds. @throws EngineError 503; the caller still holds it then */
  add(scroll: NewScroll): Scroll {
    if (this.bytes + scroll.bytes > this.limits.maxBytes) {
      throw new EngineError(
        'CircuitBreakingException',
        `[SCROLL] Data too large, data for open scrolls would be larger than limit of [${this.limits.maxBytes}b]`,
        { status: 503 },
      );
    }
    const key = randomBytes(12).toString('base64url');
    const added: Scroll = {
      ...scroll,
      key,
      shards: scroll.shards.map((shard) => ({
        ...shard,
        id: this.nextContext++,
        shown: 0,
        namedBefore: Infinity,
        isGone: false,
      })),
      lastUse: performance.now(),
      revision: 0,
      busy: 0,
      turn: Promise.resolve(),
    };
    this.open.set(key, added);
    this.bytes += scroll.bytes;
    for (const { acquired } of added.shards) acquired.reads.openScrolls++;
    this.startReaper();
    return added;
  }

  /** The open scroll of a key, unless it is somebody else's. @param asker null: may see everything */
  find(key: string, asker: string | null): Scroll | undefined {
    const scroll = this.open.get(key);
    return asker === null || scroll?.owner === asker ? scroll : undefined;
  }

  /** Makes one page after the other. A scroll does not expire while it does. */
  async inTurn<T>(scroll: Scroll, work: () => Promise<T>): Promise<T> {
    const before = scroll.turn;
    scroll.busy++;
    let done: () => void = () => undefined;
    scroll.turn = new Promise((resolve) => (done = resolve));
    try {
      await before;
      return await work();
    } finally {
      scroll.busy--;
      scroll.lastUse = performance.now();
      if (scroll.busy === 0) {
        for (const shard of scroll.shards) if (shard.isGone) shard.acquired.release();
      }
      done();
    }
  }

  /** Ends the part of a scroll on a shard, and the scroll with the last one. */
  drop(scroll: Scroll, shard: ScrollShard): void {
    if (shard.isGone) return;
    shard.isGone = true;
    shard.acquired.reads.openScrolls--;
    if (scroll.busy === 0) shard.acquired.release();
    if (scroll.shards.every(({ isGone }) => isGone) && this.open.delete(scroll.key)) {
      this.bytes -= scroll.bytes;
      this.stopReaperAtRest();
    }
  }

  /** Ends a scroll. @returns false: there was none */
  close(key: string): boolean {
    const scroll = this.open.get(key);
    if (scroll === undefined) return false;
    for (const shard of scroll.shards) this.drop(scroll, shard);
    return true;
  }

  /** Ends all scrolls, or all of somebody. */
  closeAll(asker: string | null = null): void {
    for (const key of [...this.open.keys()]) {
      if (this.find(key, asker) !== undefined) this.close(key);
    }
  }

  /** Ends what is of indices that are closed or gone. */
  follow(state: ClusterState): void {
    if (this.open.size === 0) return;
    const ended = new Map<number, boolean>();
    for (const scroll of [...this.open.values()]) {
      for (const shard of scroll.shards) {
        const { id, name } = shard.target.index;
        let isEnded = ended.get(id);
        if (isEnded === undefined) {
          const now = state.indices.get(name);
          isEnded = now?.id !== id || now.state !== 'open';
          ended.set(id, isEnded);
        }
        if (isEnded) this.drop(scroll, shard);
      }
    }
  }

  private startReaper(): void {
    if (this.reaper !== null) return;
    this.reaper = setInterval(() => this.reap(), this.limits.reapMs);
    this.reaper.unref();
  }

  private stopReaperAtRest(): void {
    if (this.open.size > 0 || this.reaper === null) return;
    clearInterval(this.reaper);
    this.reaper = null;
  }

  private reap(): void {
    const now = performance.now();
    for (const scroll of [...this.open.values()]) {
      if (scroll.busy === 0 && now - scroll.lastUse > scroll.keepAliveMs) this.close(scroll.key);
    }
  }
}
