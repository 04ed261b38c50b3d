// The relatives of a hit that are shown below it (`inner_hits`): a search of the whole shard for those of
// what the query of has_child or has_parent matches that are children, or the parent, of that hit.

import type { LogRecord } from '../../../storage/index';
import { META_FIELD } from '../../mapping/index';
import type { Query } from '../../query/index';
import type { SegmentReader, ShardSnapshot } from '../../segment/index';
import { collectSegments } from '../collect/collect';
import type { InnerHitsPlan, ShardHit } from '../plan/search-plan';

/** The relatives of one hit. */
interface Relatives {
  readonly total: number;
  /** NaN when they are not scored, or there are none. */
  readonly maxScore: number;
  /** Those of the page. */
  readonly hits: readonly ShardHit[];
}

/** compat: two ways to have none. */
const NONE_OF_TYPE: Relatives = { total: 0, maxScore: 0, hits: [] };
const NONE_ON_PAGE: Relatives = { total: 0, maxScore: NaN, hits: [] };

/** @param segments all segments of the shard */
export function* relativesOf(
  record: LogRecord,
  inner: InnerHitsPlan,
  snapshot: ShardSnapshot,
  segments: readonly SegmentReader[],
): Generator<void, Relatives, void> {
  const filter = filterFor(record, inner);
  if (filter === null) return NONE_OF_TYPE;
  const { query } = inner.plan;
  const job = {
    snapshot,
    plan: { ...inner.plan, query: { kind: 'filtered', query, filter, boost: 1 } as const },
    position: 0,
    prepared: null,
    deadline: null,
    soleShard: true,
    skip: 0,
    after: null,
    segments: null,
  };
  const { total, maxScore, hits } = yield* collectSegments(job, segments, Date.now);
  // compat: without a page they are only counted, and behind the last one there are none.
  if (inner.plan.window === 0) return { total, maxScore: 0, hits: [] };
  if (hits.length <= inner.from) return NONE_ON_PAGE;
  return { total, maxScore, hits: hits.slice(inner.from) };
}

/** Matches the relatives of a hit; null: it is of a type that has none of that type. */
function filterFor({ type, id, parent }: LogRecord, inner: InnerHitsPlan): Query | null {
  if (type === inner.parentType) {
    const terms = [`${type}#${id}`];
    return { kind: 'termSet', field: META_FIELD._parent, terms, boost: 1 };
  }
  if (parent === null || !inner.childTypes.includes(type)) return null;
  return { kind: 'uids', uids: [`${inner.type}#${parent}`], boost: 1 };
}
