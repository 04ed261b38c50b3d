// How a facet type is counted by OpenSearch: a request for the documents that it counts, and its answer as
// what the type's own collector would have made of them.

import type { FacetPartial, FacetSpec } from '../../facets/index';
import type { JsonObject } from '../../json/index';
import type { Aggs, CountContext } from '../counting/count-context';

/** What was counted of the documents of a facet on a shard. */
export interface FacetAnswer {
  /** The documents. */
  readonly docs: number;
  /** What {@link FacetTranslation.request} asked for, by name; null: nothing. */
  readonly counted: JsonObject | null;
}

/** How a facet type is counted. */
export interface FacetTranslation<
  S extends FacetSpec = FacetSpec,
  P extends FacetPartial = FacetPartial,
> {
  /** @throws EngineError ElasticsearchIllegalArgumentException for what cannot be had */
  request(spec: S, context: CountContext): Aggs;
  /** @throws EngineError where OpenSearch has more than can be read */
  read(spec: S, answer: FacetAnswer, context: CountContext): P;
}
