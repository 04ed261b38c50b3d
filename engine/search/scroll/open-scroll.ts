// From the first answer of a search to the scroll that its further pages come from.

import type { SearchType } from '../../api/index';
import { withinScope } from '../parse/index-plan';
import type { SearchOutcome, PlannedSearch } from '../plan/executor';
import type { PlannedIndex } from '../plan/planned-index';
import type { IndexPlan } from '../plan/search-plan';
import type { HeldShard } from '../run/held-shards';
import type { NewScroll, ScrollContexts } from './scroll-contexts';
import type { ScrollKind } from './scroll-id';
import { scrollIdOf } from './scroller';

/** The search that a scroll begins with. */
interface FirstPage {
  readonly owner: string | null;
  readonly searchType: SearchType;
  /** Rescoring uses the statistics of all shards. */
  readonly rescoresGlobally: boolean;
  readonly keepAliveMs: number;
  readonly plans: ReadonlyMap<string, PlannedIndex>;
  readonly outcome: SearchOutcome;
  /** Bytes of its plans. */
  readonly bytes: number;
}

/** Bytes of a hit that waits for its page, about. */
const HIT_BYTES = 100;

/** Who holds the shards of the search. */
interface Holder {
  /** All shards that were asked. */
  readonly size: number;
  /** Hands over those that did not fail. */
  detach(): readonly HeldShard[];
}

/**
 * Keeps a search open.
 *
 * @returns the id of the next page; undefined when there is no shard that could have one
 * @throws EngineError 503 when open scrolls take too much memory
 */
export function openScroll(
  scrolls: ScrollContexts,
  holder: Holder,
  { owner, searchType, rescoresGlobally, keepAliveMs, plans, outcome, bytes }: FirstPage,
): string | undefined {
  const held = holder.detach();
  try {
    const scroll = newScroll(held);
    return scroll === null ? undefined : scrollIdOf(scrolls.add(scroll));
  } catch (error) {
    for (const { acquired } of held) acquired.release();
    throw error;
  }

  function newScroll(shards: readonly HeldShard[]): NewScroll | null {
    const pages = new Map<string, PlannedSearch>();
    let size = 0;
    let timeoutMs = 0;
    for (const [index, planned] of plans) {
      if ('fail' in planned) continue;
      ({ size } = planned.page);
      timeoutMs = planned.timeout;
      const plan = searchType === 'scan' ? scanPlan(planned.plan, size) : pagePlan(planned.plan);
      pages.set(index, { plan, fetch: planned.fetch, page: { from: 0, size }, deadline: null });
    }
    if (shards.length === 0) return null;
    const progress = new Map(outcome.progress.map((shard) => [shard.position, shard]));
    let hitBytes = 0;
    for (const { position } of shards)
      hitBytes += HIT_BYTES * progress.get(position)!.pending.length;
    let facetBytes = 0;
    for (const text of outcome.facets?.values() ?? []) facetBytes += 2 * text.length;
    return {
      owner,
      kind: kindOf(searchType, holder.size),
      keepAliveMs,
      shardCount: holder.size,
      size,
      timeoutMs,
      total: outcome.total,
      terminatedEarly: outcome.terminatedEarly,
      facets: outcome.facets,
      rescoresGlobally,
      bytes: bytes + facetBytes + hitBytes,
      shards: shards.map(({ target, position, acquired }) => {
        const { total, after, pending, prepared } = progress.get(position)!;
        const planned = pages.get(target.index.name)!;
        return { target, position, acquired, planned, total, after, pending, prepared };
      }),
    };
  }
}

/** compat: what concerns one shard is found and shown in one step. */
function kindOf(searchType: SearchType, shards: number): ScrollKind {
  if (searchType === 'scan') return 'scan';
  return shards === 1 || searchType.endsWith('_and_fetch') ? 'each' : 'together';
}

/** Facets are those of the first answer, which alone has aggregations. */
function pagePlan({ suggest: _, ...plan }: IndexPlan): IndexPlan {
  return { ...plan, facets: [], aggregations: [] };
}

/**
 * Nothing is counted that needs the set of all matches, so the filter of hits becomes part of the query: it
 * is asked about the documents of a page only.
 */
function scanPlan({ suggest: _, ...plan }: IndexPlan, size: number): IndexPlan {
  const query = withinScope(plan.query, plan.postFilter);
  return {
    ...plan,
    query,
    postFilter: null,
    facets: [],
    aggregations: [],
    sort: null,
    window: size,
    scan: true,
  };
}
