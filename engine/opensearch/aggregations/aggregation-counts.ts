// The aggregations of a search as those of OpenSearch.

import type { AggregatedSearch, AggregationPartial } from '../../aggregations/index';
import type { JsonObject } from '../../json/index';
import type { Aggs, CountContext } from '../counting/count-context';
import { unsupported } from '../queries/clause-context';

/** @throws EngineError ElasticsearchIllegalArgumentException for what cannot be had */
export function aggregationAggs(plan: AggregatedSearch, _context: CountContext): Aggs {
  const [first] = plan.aggregations;
  if (first === undefined) return {};
  throw unsupported(`a [${first.type}] aggregation`, 'aggregations are not translated yet');
}

/** What {@link aggregationAggs} asked of a shard, as its aggregations. @throws EngineError */
export function readAggregations(
  _plan: AggregatedSearch,
  _answer: JsonObject | null,
  _context: CountContext,
): AggregationPartial[] {
  return [];
}
