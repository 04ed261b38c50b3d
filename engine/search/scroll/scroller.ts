// Pages of scrolls, from the id to the answer (reference server).

import type { CancelSignal } from '../../common/index';
import { EngineError, illegalArgument } from '../../errors';
import type { ScrollRequest, SearchResponse, ShardFailure } from '../../api/index';
import type { Executor, SearchJob, SearchOutcome } from '../plan/executor';
import { allShardsFailed } from '../plan/errors';
import { searchHeld } from '../run/held-shards';
import { asBuffer, asOutput, bytesOf } from '../run/outcome';
import type { Scroll, ScrollContexts, ScrollShard } from './scroll-contexts';
import { decodeScrollId, encodeScrollId, type ScrollId } from './scroll-id';

/** Ids that one request may clear. */
const MAX_CLEARED = 10_000;

/** What making pages needs of the node. */
export interface ScrollHost {
  readonly executor: Executor;
  /** Shown in the errors of failed shards. */
  readonly nodeId: string;
  /** Epoch milliseconds. */
  now(): number;
}

/** Answers requests for pages of scrolls, and clears them. */
export class Scroller {
  constructor(
    private readonly host: ScrollHost,
    private readonly contexts: ScrollContexts,
    /** Whose scrolls it pages; null: anybody's. */
    private readonly owner: string | null,
  ) {}

  /**
   * The next page.
   *
   * @throws EngineError 400 for what is no id; 404 when the scroll is gone, except of a scan, whose answer
   *         says so in its shards; whatever the search is refused for
   */
  async page(request: ScrollRequest): Promise<SearchResponse> {
    const start = performance.now();
    const keepAlive =
      request.keepAlive === undefined ? undefined : this.contexts.keepAlive(request.keepAlive);
    const id = decodeScrollId(request.scrollId);
    const scroll = this.contexts.find(id.key, this.owner);
    if (scroll === undefined) return this.withoutScroll(id, start);
    const response = await this.contexts.inTurn(scroll, () =>
      scroll.kind === 'scan'
        ? this.scanPage(scroll, id, request, start, keepAlive)
        : this.searchPage(scroll, request, start, keepAlive),
    );
    if (keepAlive !== undefined) {
      scroll.keepAliveMs = keepAlive;
      return response;
    }
    // compat: over several shards an empty page does not end it.
    if (scroll.kind !== 'together' || response.hits.length > 0) this.contexts.close(scroll.key);
    return { ...response, scrollId: undefined };
  }

  /**
   * Ends scrolls.
   *
   * @param ids `_all` alone is all of them
   * @returns whether there was one of them
   * @throws EngineError 400 when one of them is no id; nothing is ended then
   */
  clear(ids: readonly string[]): boolean {
    if (ids.length === 1 && ids[0] === '_all') {
      this.contexts.closeAll(this.owner);
      return true;
    }
    if (ids.length > MAX_CLEARED) {
      throw illegalArgument(`request has more than [${MAX_CLEARED}] scroll ids`);
    }
    let anyFound = false;
    for (const key of ids.map(keyOf)) {
      const isOwn = this.contexts.find(key, this.owner) !== undefined;
      if (isOwn && this.contexts.close(key)) anyFound = true;
    }
    return anyFound;
  }

  private async searchPage(
    scroll: Scroll,
    { signal, memory }: ScrollRequest,
    start: number,
    keepAlive: number | undefined,
  ): Promise<SearchResponse> {
    const { kind, shards } = scroll;
    const phase = kind === 'each' ? 'query_fetch' : 'query';
    const live = shards.filter(({ isGone }) => !isGone);
    if (live.length === 0) throw allMissing(phase, idsOf(shards));
    const outcome = await this.search(scroll, live, signal, keepAlive);
    const { left, failures: others } = this.withoutLost(scroll, live, outcome);
    if (left.length === 0) throw allMissing(phase, idsOf(shards));
    const failures = [...missing(shards, left), ...others];
    if (outcome.allFailedIn !== null) {
      throw allShardsFailed(phase, failures, this.host.nodeId);
    }
    memory?.grow(bytesOf(outcome));
    let total = 0;
    for (const { position, after, pending } of outcome.progress) {
      const shard = live.find((one) => one.position === position)!;
      total += shard.total;
      shard.after = after ?? shard.after;
      shard.pending = pending;
    }
    const [first] = live;
    const isSorted = first!.planned.plan.sort !== null || scroll.size === 0;
    return {
      ...this.answer(scroll, shards.length, failures, outcome, start),
      total,
      // compat: hits of later pages that are in the order of their scores tell no maximum.
      maxScore: isSorted ? outcome.maxScore : null,
      terminatedEarly: outcome.terminatedEarly,
    };
  }

  private async scanPage(
    scroll: Scroll,
    { revision }: ScrollId,
    { signal, memory }: ScrollRequest,
    start: number,
    keepAlive: number | undefined,
  ): Promise<SearchResponse> {
    const named = scroll.shards.filter(({ namedBefore }) => namedBefore > revision);
    const live = named.filter(({ isGone }) => !isGone);
    let outcome: SearchOutcome | null = null;
    let failures: readonly ShardFailure[] = missing(named, live);
    if (live.length > 0) {
      outcome = await this.search(scroll, live, signal, keepAlive);
      memory?.grow(bytesOf(outcome));
      const { left, failures: others } = this.withoutLost(scroll, live, outcome);
      failures = [...missing(named, left), ...others];
    }
    const ended = named.filter(({ isGone }) => isGone);
    for (const { position, found, after, timedOut } of outcome?.progress ?? []) {
      const shard = live.find((one) => one.position === position)!;
      shard.after = after ?? shard.after;
      shard.shown += found;
      // A shard that has no more says so by a page that is not full.
      if (found < scroll.size && !timedOut) ended.push(shard);
    }
    if (ended.length > 0) {
      scroll.revision++;
      for (const shard of ended) {
        if (shard.namedBefore === Infinity) shard.namedBefore = scroll.revision;
        this.contexts.drop(scroll, shard);
      }
    }
    return {
      ...this.answer(scroll, named.length, failures, outcome, start),
      total: scroll.total,
      maxScore: 0,
      terminatedEarly: outcome === null ? undefined : scroll.terminatedEarly,
    };
  }

  private search(
    scroll: Scroll,
    live: readonly ScrollShard[],
    signal: CancelSignal | undefined,
    keepAlive: number | undefined,
  ): Promise<SearchOutcome> {
    const { kind, timeoutMs, shardCount } = scroll;
    const now = this.host.now();
    const deadline = timeoutMs > 0 ? now + timeoutMs : null;
    const job: SearchJob = {
      shards: live.map(({ acquired, position, planned, after, pending, prepared, shown }) => ({
        snapshot: acquired.snapshot,
        position,
        planned: { ...planned, plan: planOfRest(planned.plan, shown), deadline },
        after,
        pending,
        prepared,
      })),
      shardCount,
      globalStatistics: false,
      rescoresGlobally: scroll.rescoresGlobally,
      fieldNames: null,
      withoutHits: false,
      pagePerShard: kind !== 'together' && shardCount > 1,
      isScroll: true,
      keepAliveMs: keepAlive ?? scroll.keepAliveMs,
      now,
      timesShards: false,
    };
    return searchHeld(this.host.executor, live, job, signal);
  }

  /** Ends what is not held any more. @returns the shards that are left, and failures of other kinds */
  private withoutLost(
    scroll: Scroll,
    live: readonly ScrollShard[],
    { lost = [], failures }: SearchOutcome,
  ): { readonly left: readonly ScrollShard[]; readonly failures: readonly ShardFailure[] } {
    const gone = live.filter(({ position }) => lost.includes(position));
    for (const shard of gone) this.contexts.drop(scroll, shard);
    const isOfGone = ({ index, shard }: ShardFailure): boolean =>
      gone.some(({ target }) => target.shard === shard && target.index.name === index);
    return {
      left: live.filter((shard) => !gone.includes(shard)),
      failures: failures.filter((failure) => !isOfGone(failure)),
    };
  }

  private answer(
    scroll: Scroll,
    asked: number,
    failures: readonly ShardFailure[],
    outcome: SearchOutcome | null,
    start: number,
  ): Omit<SearchResponse, 'total' | 'maxScore' | 'terminatedEarly'> {
    const failed = Math.min(asked, failures.length);
    return {
      scrollId: scrollIdOf(scroll),
      tookMs: Math.floor(performance.now() - start),
      timedOut: outcome?.timedOut ?? false,
      shards: { total: asked, successful: asked - failed, failed, failures },
      hits: (outcome?.hits ?? []).map(asBuffer),
      facets: outcome === null ? undefined : asOutput(scroll.facets),
    };
  }

  /** @throws EngineError 404, except of scans */
  private withoutScroll(id: ScrollId, start: number): SearchResponse {
    const { kind, contexts, total } = id;
    if (kind !== 'scan') throw allMissing(kind === 'each' ? 'query_fetch' : 'query', contexts);
    const failed = contexts.length;
    return {
      scrollId: encodeScrollId({ kind, key: '', revision: 0, total }, 0, 0),
      tookMs: Math.floor(performance.now() - start),
      timedOut: false,
      terminatedEarly: undefined,
      shards: { total: failed, successful: 0, failed, failures: contexts.map(contextMissing) },
      total,
      maxScore: 0,
      hits: [],
      facets: undefined,
    };
  }
}

/** The id that stands for what is left of a scroll. */
export function scrollIdOf({ kind, key, revision, shards, total }: Scroll): string {
  const left = shards.filter(({ namedBefore }) => namedBefore === Infinity);
  return encodeScrollId({ kind, key, revision, total }, left[0]?.id ?? 0, left.length);
}

/** compat: a scan of which only so many documents are looked at ends with them. */
function planOfRest(
  plan: ScrollShard['planned']['plan'],
  shown: number,
): ScrollShard['planned']['plan'] {
  if (plan.scan !== true || plan.terminateAfter === 0) return plan;
  return { ...plan, window: Math.min(plan.window, plan.terminateAfter - shown) };
}

/** Of an id that is cleared it does not matter of which type it is. */
function keyOf(id: string): string {
  return decodeScrollId(id, true).key;
}

function idsOf(shards: readonly ScrollShard[]): readonly number[] {
  return shards.map(({ id }) => id);
}

function missing(named: readonly ScrollShard[], live: readonly ScrollShard[]): ShardFailure[] {
  return named.filter((shard) => !live.includes(shard)).map(({ id }) => contextMissing(id));
}

/** compat: what is missing is named by its number, not by its index. */
function contextMissing(id: number): ShardFailure {
  const error = new EngineError(
    'SearchContextMissingException',
    `No search context found for id [${id}]`,
  );
  return { index: '', shard: -1, status: error.status, reason: error.toWireString() };
}

function allMissing(phase: string, contexts: readonly number[]): EngineError {
  const blocks = contexts.map((id) => `{${contextMissing(id).reason}}`).join('');
  return new EngineError(
    'SearchPhaseExecutionException',
    `Failed to execute phase [${phase}], all shards failed; shardFailures ${blocks}`,
    { status: 404 },
  );
}
