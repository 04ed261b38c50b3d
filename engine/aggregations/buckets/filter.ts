// filter: the documents of a bucket that match (reference server).

import { bindFilter, MATCH_ALL, type Query } from '../../query/index';
import type { SegmentReader } from '../../segment/index';
import type { AggregationParseContext } from '../contract/aggregation';
import type { SubAggregators } from '../contract/sub-aggregators';
import { childTypeAround } from './children';
import { SetAggregator, singleBucket } from './single-bucket';
import type { JsonValue } from '../../json/index';

/** The filter of an aggregation. Plain data. */
export interface FilterSpec {
  readonly query: Query;
}

export const FILTER_AGGREGATION = singleBucket<FilterSpec>('filter', {
  parse: (_name, body, context) => ({ query: parseFilter(body, context) }),
  reads: ({ query }) => ({ queries: [query], fields: [] }),
  open: ({ spec }, { segments }) => {
    const weight = bindFilter(spec.query, segments);
    return (segment: SegmentReader, subs: SubAggregators) =>
      new SetAggregator(segment, subs, weight.matches(segment)?.words ?? null);
  },
});

/** A filter of an aggregation; an empty one lets everything pass. @throws EngineError */
export function parseFilter(body: JsonValue, { search, parents }: AggregationParseContext): Query {
  const child = childTypeAround(parents);
  // The types of the URL are those of the parents.
  const isOther = child !== null && search.types.length > 0;
  return (isOther ? search.inTypes([child]) : search).parseFilter(body, null) ?? MATCH_ALL;
}
