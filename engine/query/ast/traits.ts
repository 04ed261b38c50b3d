// What is true of each kind of query, in one table: a row per kind. Whoever walks a tree asks here, keeps
// only what is special to the walk, and goes on by ast/children.ts. A kind, a fact or a part that is left
// out is a type error.
//
// A new kind of node is its type in ast/query.ts, its row here, its parser (a file of parse/kinds/ and a line
// of the registry there), and its weight (a file of weights/ and a line of create-weight.ts).

import type { GeoRegion } from '../../geo/index';
import type { Query, QueryKind } from './query';
import type { WeightedFunction } from './score-function';
import { hasSpanTerms } from './spans';

/** Corners of a polygon that a point is quickly compared with. */
const FEW_CORNERS = 16;

/** The query tree's node of a kind. */
export type QueryOf<Kind extends QueryKind> = Extract<Query, { readonly kind: Kind }>;

/** Whether the scores of a part count in those of the whole: not those of filters and prohibited clauses. */
export type PartRole = 'scored' | 'unscored';

type Parts = Query | readonly Query[] | readonly WeightedFunction<Query>[];

/** The members of a node that hold queries; of score functions those are the filters. In order. */
type PartRoles<Node> = {
  readonly [Name in keyof Node as Node[Name] extends Parts ? Name : never]: PartRole;
};

/** True, false, as the member `query` says, or told from the node. */
type Fact<Node> =
  | boolean
  | ((query: Node) => boolean)
  | (Node extends { readonly query: Query } ? 'asQuery' : never);

/**
 * Where a boost goes: into the node ('own'), into its `query` ('asQuery'), into a constant score around it
 * ('around'), or nowhere, because nothing is scored ('dropped'). 'inherited': the node has no place for one,
 * but scores differently under the boost of what stands around it, which therefore has to stay.
 */
type BoostPlace = 'own' | 'asQuery' | 'around' | 'dropped' | 'inherited';

/**
 * How the scripts in a filter run: it 'is' one; it can ask its 'parts' about a document one by one, those
 * that run no script first; or 'within' it, when its documents are looked for.
 */
type ScriptUse = 'is' | 'parts' | 'within';

/**
 * What finding the documents reads, for estimates: next to nothing; a column of the segment, or as much; what
 * its parts read, all of which must match ('parts'); something worked out for this kind alone ('own'); or
 * what nobody knows beforehand.
 */
export type Reads = 'nothing' | 'column' | 'parts' | 'own' | 'unknown';

/** What is true of one kind of query. */
interface Traits<Node> {
  readonly parts: PartRoles<Node>;
  /** Where its boost is. */
  readonly boost: Node extends { readonly boost: number }
    ? 'own'
    : Exclude<BoostPlace, Node extends { readonly query: Query } ? 'own' : 'own' | 'asQuery'>;
  /**
   * What it matches in a segment depends neither on deletions nor on other segments, provided that this is
   * so of its parts.
   */
  readonly isSegmentLocal: Fact<Node>;
  /** All matches score alike, whatever the statistics. */
  readonly hasConstantScore: Fact<Node>;
  /** As a filter its documents are worth keeping: they are neither a set already nor found by one look-up. */
  readonly isWorthKeeping: Fact<Node>;
  readonly scripts: ScriptUse;
  readonly reads: Reads | ((query: Node) => Reads);
}

type TraitsOfKinds = { readonly [Kind in QueryKind]: Traits<QueryOf<Kind>> };

/** What most kinds that select documents by a field have in common. */
const FIELD = {
  parts: {},
  boost: 'own',
  isSegmentLocal: true,
  hasConstantScore: true,
  isWorthKeeping: true,
  scripts: 'within',
} as const;

/** Kinds that are expanded by the terms of a shard. */
const OF_SHARD = {
  ...FIELD,
  isSegmentLocal: false,
  hasConstantScore: false,
  reads: 'unknown',
} as const;

type MultiTerm = QueryOf<'prefix' | 'wildcard' | 'regexp' | 'fuzzy'>;

/** Other rewrites pick the terms of the shard that take part, and score them. */
const isConstant = ({ rewrite }: MultiTerm): boolean => rewrite?.method === 'constant';

const MULTI_TERM = {
  ...FIELD,
  isSegmentLocal: isConstant,
  hasConstantScore: isConstant,
  reads: 'unknown',
} as const;

/** Kinds that find documents through others, wherever in the shard. */
const RELATED = {
  parts: { query: 'scored' },
  boost: 'own',
  isSegmentLocal: false,
  isWorthKeeping: true,
  scripts: 'within',
  reads: 'unknown',
} as const;

/** The rows. */
export const TRAITS: TraitsOfKinds = {
  matchAll: { ...FIELD, isWorthKeeping: false, reads: 'column' },
  matchNone: { ...FIELD, boost: 'dropped', isWorthKeeping: false, reads: 'nothing' },
  term: {
    ...FIELD,
    hasConstantScore: ({ scored }) => !scored,
    isWorthKeeping: false,
    reads: 'own',
  },
  termSet: { ...FIELD, isWorthKeeping: ({ terms }) => terms.length > 1, reads: 'own' },
  numberSet: { ...FIELD, reads: 'column' },
  numericRange: { ...FIELD, reads: 'column' },
  stringRange: { ...FIELD, reads: 'unknown' },
  prefix: { ...MULTI_TERM, reads: (query) => (isConstant(query) ? 'column' : 'unknown') },
  wildcard: MULTI_TERM,
  regexp: MULTI_TERM,
  fuzzy: { ...MULTI_TERM, hasConstantScore: false },
  phrase: { ...FIELD, hasConstantScore: false, reads: 'own' },
  phrasePrefix: OF_SHARD,
  spans: {
    ...FIELD,
    isSegmentLocal: ({ tree }) => !hasSpanTerms(tree),
    hasConstantScore: false,
    reads: 'own',
  },
  bool: {
    parts: { must: 'scored', should: 'scored', mustNot: 'unscored' },
    boost: 'own',
    isSegmentLocal: true,
    hasConstantScore: false,
    isWorthKeeping: true,
    scripts: 'parts',
    reads: 'own',
  },
  // Frequencies of the shard change its scores only.
  blended: { ...OF_SHARD, isSegmentLocal: true },
  commonTerms: OF_SHARD,
  similar: OF_SHARD,
  fuzzyWords: OF_SHARD,
  disMax: {
    parts: { queries: 'scored' },
    boost: 'own',
    isSegmentLocal: true,
    hasConstantScore: false,
    isWorthKeeping: true,
    scripts: 'within',
    reads: 'own',
  },
  constantScore: {
    parts: { query: 'unscored' },
    boost: 'own',
    isSegmentLocal: true,
    hasConstantScore: true,
    isWorthKeeping: 'asQuery',
    scripts: 'parts',
    reads: 'parts',
  },
  filtered: {
    parts: { query: 'scored', filter: 'unscored' },
    boost: 'own',
    isSegmentLocal: true,
    hasConstantScore: 'asQuery',
    isWorthKeeping: true,
    scripts: 'parts',
    reads: 'parts',
  },
  boosting: {
    parts: { positive: 'scored', negative: 'scored' },
    boost: 'inherited',
    isSegmentLocal: true,
    hasConstantScore: false,
    isWorthKeeping: true,
    scripts: 'within',
    reads: 'unknown',
  },
  exists: { ...FIELD, isWorthKeeping: false, reads: 'unknown' },
  nested: {
    parts: { query: 'scored' },
    boost: 'own',
    isSegmentLocal: true,
    hasConstantScore: false,
    isWorthKeeping: true,
    scripts: 'within',
    reads: 'unknown',
  },
  hasChild: {
    ...RELATED,
    hasConstantScore: ({ scoreMode }) => scoreMode === 'none',
  },
  hasParent: {
    ...RELATED,
    hasConstantScore: ({ scored }) => !scored,
  },
  uids: { ...FIELD, isWorthKeeping: false, reads: 'nothing' },
  types: { ...FIELD, isWorthKeeping: false, reads: 'column' },
  geo: { ...FIELD, reads: ({ region }) => (isQuicklyTested(region) ? 'column' : 'unknown') },
  geoShape: { ...FIELD, reads: 'unknown' },
  sequences: { ...FIELD, boost: 'around', isWorthKeeping: false, reads: 'nothing' },
  limit: { ...OF_SHARD, boost: 'around' },
  functionScore: {
    parts: { query: 'scored', functions: 'unscored' },
    boost: 'own',
    isSegmentLocal: false,
    hasConstantScore: false,
    isWorthKeeping: true,
    scripts: 'within',
    reads: ({ functions }) =>
      functions.some((each) => each.function.kind === 'script') ? 'unknown' : 'own',
  },
  script: { ...FIELD, isSegmentLocal: false, scripts: 'is', reads: 'unknown' },
  named: {
    parts: { query: 'scored' },
    boost: 'asQuery',
    isSegmentLocal: true,
    hasConstantScore: 'asQuery',
    isWorthKeeping: 'asQuery',
    scripts: 'parts',
    reads: 'parts',
  },
};

/** Whether a point is compared with few numbers. */
function isQuicklyTested(region: GeoRegion): boolean {
  return region.shape === 'polygon' ? region.latitudes.length <= FEW_CORNERS : true;
}

/** The row of a query. Its functions take the query that it was asked for. */
export function traitsOf(query: Query): Traits<Query> {
  return TRAITS[query.kind] as unknown as Traits<Query>;
}
