// What the slow log is told of a search.

import type { SearchRequest, SearchType } from '../api/index';
import type { JsonObject } from '../json/index';
import { logSlowSearch, type SlowLogger } from '../shard/index';
import type { ShardTimes } from './plan/executor';
import type { Target } from './plan/targets';

/** A search that has been answered. */
interface TimedSearch {
  readonly request: Pick<SearchRequest, 'types' | 'body' | 'bodyText'>;
  readonly searchType: SearchType;
  /** The search that the URL says. */
  readonly extra: JsonObject | null;
  readonly targets: readonly Target[];
  readonly times: readonly ShardTimes[];
}

/** Logs the shards of a search that took long, as the settings of their indices say. */
export function logSlow(
  logger: SlowLogger,
  { request: { types, body, bodyText }, searchType, extra, targets, times }: TimedSearch,
): void {
  const totalShards = targets.length;
  // compat: the reference runs what concerns one shard in one step, and says so.
  const isOneStep = totalShards === 1 && searchType !== 'count' && searchType !== 'scan';
  const search = {
    types,
    body,
    bodyText,
    extra,
    totalShards,
    searchType: isOneStep ? 'query_and_fetch' : searchType,
  };
  const shards = times.map(({ position, queryMs, fetchMs }) => {
    const { index, shard } = targets[position]!;
    return { index: index.name, shard, settings: index.settings, queryMs, fetchMs };
  });
  logSlowSearch(logger, search, shards);
}
