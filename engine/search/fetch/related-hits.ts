// The children or parents of a hit: a search of the whole shard for those of what a query matches that are
// related to that hit.

import type { LogRecord } from '../../../storage/index';
import { META_FIELD } from '../../mapping/index';
import type { Query } from '../../query/index';
import type { SegmentReader, ShardSnapshot } from '../../segment/index';
import { collectSegments } from '../collect/collect';
import type { IndexPlan, InnerHitsTarget, ShardHit } from '../plan/search-plan';
import type { FetchTime } from './fetch-time';
import type { InnerHits } from './found-inner-hits';

type Related = Extract<InnerHitsTarget, { kind: 'related' }>;

/** Finds relatives, those before the page included; null: the hit is of a type that has none of that type. */
export function relatedFinder(
  plan: IndexPlan,
  target: Related,
  snapshot: ShardSnapshot,
  segments: readonly SegmentReader[],
  { deadline, clock }: FetchTime,
): (hit: ShardHit, record: LogRecord) => Generator<void, InnerHits | null, void> {
  return function* (_hit, record) {
    const filter = filterFor(record, target);
    if (filter === null) return null;
    const query: Query = { kind: 'filtered', query: plan.query, filter, boost: 1 };
    const job = {
      snapshot,
      plan: { ...plan, query },
      position: 0,
      prepared: null,
      deadline,
      soleShard: true,
      skip: 0,
      after: null,
      segments: null,
    };
    return yield* collectSegments(job, segments, clock);
  };
}

/** Matches the relatives of a hit; null: it is of a type that has none of that type. */
function filterFor({ type, id, parent }: LogRecord, target: Related): Query | null {
  if (type === target.parentType) {
    const terms = [`${type}#${id}`];
    return { kind: 'termSet', field: META_FIELD._parent, terms, boost: 1 };
  }
  if (parent === null || !target.childTypes.includes(type)) return null;
  return { kind: 'uids', uids: [`${target.type}#${parent}`], boost: 1 };
}
