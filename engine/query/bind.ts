// A query bound to the segments of one shard.

import { bindUnscored, createWeight } from './weights/create-weight';
import { children } from './ast/children';
import type { Query } from './ast/query';
import { isSegmentLocal, runsScripts } from './ast/facts';
import { prepareQuery, type PreparedQuery } from './statistics';
import type { SearchStatistics, Weight } from './scoring/weight';
import type { SegmentReader } from '../segment/index';
import { STANDARD_SIMILARITIES, type Similarities } from '../similarity/index';

/** `prepared` null: expanded and weighted by the shard's own terms. */
export function bindQuery(
  query: Query,
  segments: readonly SegmentReader[],
  similarities: Similarities,
  prepared: PreparedQuery | null = null,
): Weight {
  const { query: expanded, statistics } =
    prepared ?? prepareQuery(query, segments, { similarities });
  return createWeight(expanded, statistics, segments);
}

/**
 * A filter bound to the segments of one shard, whose scores mean nothing; one with scripts tells which of
 * given documents match.
 */
export function bindFilter(filter: Query, segments: readonly SegmentReader[]): Weight {
  if (!runsScripts(filter)) return bindQuery(filter, segments, STANDARD_SIMILARITIES);
  const query = { kind: 'matchAll', boost: 1 } as const;
  const filtered = { kind: 'filtered', query, filter, boost: 1 } as const;
  return bindQuery(filtered, segments, STANDARD_SIMILARITIES);
}

/** A part of a query whose statistics are given, bound so that it scores as it does in the whole. */
export function bindPart(
  part: Query,
  segments: readonly SegmentReader[],
  similarities: Similarities,
  whole: SearchStatistics | null,
): Weight {
  const { query, statistics } = prepareQuery(part, segments, { similarities });
  return createWeight(query, whole ?? statistics, segments);
}

/**
 * A query bound for its documents only, without a look at any segment; null: it needs one. For queries that
 * are run over many segments, each on its own.
 */
export function bindLocally(query: Query): Weight | null {
  return isSegmentLocal(query) && !mustExpand(query) ? bindUnscored(query) : null;
}

/** Of the kinds that are segment local, one is expanded all the same. */
function mustExpand(query: Query): boolean {
  return query.kind === 'blended' || children(query).some(mustExpand);
}
