// The filter and query facets: how many documents in scope match (reference server).

import type { JsonObject, JsonOutput } from '../json/index';
import { type Query, isSegmentLocal, bindFilter } from '../query/index';
import { popCount, type Bitset, type SegmentReader } from '../segment/index';
import type {
  FacetCollectOptions,
  FacetCollector,
  FacetKind,
  FacetParseContext,
  ReusableCollector,
} from './contract/facet';

/** What is counted. Plain data. */
export interface MatchSpec {
  readonly query: Query;
}

/** What a segment or a shard counted. Plain data. */
export interface MatchCount {
  readonly count: number;
}

export const FILTER_FACET = matchFacet('filter', (body, context) => context.parseFilter(body));

export const QUERY_FACET = matchFacet('query', (body, context) => context.parseQuery(body));

function matchFacet(
  type: string,
  parse: (body: JsonObject, context: FacetParseContext) => Query,
): FacetKind<MatchSpec, MatchCount> {
  return {
    type,
    names: [type],
    // compat: neither the types of the URL nor alias filters restrict them when they are global.
    globalIsUnrestricted: true,
    parse: (_name, body, context) => ({ query: parse(body, context) }),
    collector: matchCollector,
    reads: ({ query }) => ({ fields: [], queries: [query] }),
    reduce: (_specs, partials): JsonOutput => ({
      _type: type,
      count: partials.reduce((sum, { count }) => sum + count, 0),
    }),
  };
}

function matchCollector(spec: MatchSpec, { segments }: FacetCollectOptions): FacetCollector {
  const { query } = spec;
  const weight = bindFilter(query, segments);
  let total = 0;
  const count = (segment: SegmentReader, docs: Bitset | null): MatchCount => {
    if (docs === null) return { count: 0 };
    if (weight.matchesWithin !== undefined)
      return { count: weight.matchesWithin(segment, docs)?.count() ?? 0 };
    const matches = weight.matches(segment);
    return { count: matches === null ? 0 : countBoth(docs, matches) };
  };
  const collector: FacetCollector = {
    collect: (segment, docs) => {
      total += count(segment, docs).count;
    },
    partial: (): MatchCount => ({ count: total }),
  };
  if (!isSegmentLocal(query)) return collector;
  const reusable: ReusableCollector<MatchCount> = {
    ...collector,
    countKey: spec,
    count,
    bytesOf: () => COUNT_BYTES,
    add: (_segment, counts) => {
      total += counts.count;
    },
  };
  return reusable;
}

/** Roughly what an object with one number takes. */
const COUNT_BYTES = 32;

function countBoth(a: Bitset, b: Bitset): number {
  const { words } = a;
  const others = b.words;
  let n = 0;
  for (let w = 0; w < words.length; w++) n += popCount(words[w]! & others[w]!);
  return n;
}
