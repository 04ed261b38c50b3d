// From a query tree to weights: a factory per kind, and the two phases that settle scores.
//
// Trees are simplified on the way exactly where the reference does, because it shows in scores: a bool of
// one clause is that clause, a phrase of one slot is a term.

import { META_FIELD } from '../../mapping/index';
import type { SegmentReader } from '../../segment/index';
import { multiplyBoost } from '../ast/boost';
import { isDecidedByScore, runsScripts } from '../ast/facts';
import { MATCH_ALL, type Query, type QueryKind } from '../ast/query';
import type { QueryOf } from '../ast/traits';
import type { ExpandedKind } from '../expand/expand';
import { selectTerms, type MultiTermQuery } from '../expand/term-selection';
import { queryNorm } from '../scoring/similarity';
import type { SearchStatistics, Weight } from '../scoring/weight';
import { LimitWeight, MatchAllWeight, MatchNoneWeight } from './all';
import type { Binder } from './binder';
import { bindBool } from './bool';
import { bindBoosting } from './boosting';
import { cachedFilter } from './cached-filter';
import { ConstantScoreWeight } from './constant';
import { bindDisMax } from './dis-max';
import { ExistsWeight } from './exists';
import { bindFiltered } from './filtered';
import { bindFunctionScore } from './function-score';
import { GeoRegionWeight } from './geo';
import { bindHasChild, bindHasParent } from './families';
import { GeoShapeWeight } from './geo-shape';
import { NestedWeight } from './nested';
import { NumberSetWeight, NumericRangeWeight } from './numeric';
import { bindPhrase } from './phrase';
import type { QueryWeight } from './query-weight';
import { ScriptWeight } from './script';
import { SequencesWeight } from './sequences';
import { scripted } from './scripted-filter';
import { bindSpans } from './spans';
import { bindTerm } from './term';
import { TermSelectionWeight, TermSetWeight } from './terms';

/** @param root whether the query is the whole one */
type Factory<Node> = (query: Node, binder: Binder, root: boolean) => QueryWeight;

/** How the weight of each kind is made that is left after expansion. */
const FACTORIES: {
  readonly [Kind in Exclude<QueryKind, ExpandedKind>]: Factory<QueryOf<Kind>>;
} = {
  matchAll: (query) => new MatchAllWeight(query),
  matchNone: () => new MatchNoneWeight(),
  term: bindTerm,
  termSet: (query) => new TermSetWeight(query.field, query.terms, query),
  uids: (query) => new TermSetWeight(META_FIELD._uid, query.uids, query),
  types: (query) => new TermSetWeight(META_FIELD._type, query.types, query),
  numberSet: (query) => new NumberSetWeight(query),
  numericRange: (query) => new NumericRangeWeight(query),
  stringRange: bindMultiTerm,
  prefix: bindMultiTerm,
  wildcard: bindMultiTerm,
  regexp: bindMultiTerm,
  fuzzy: bindMultiTerm,
  phrase: bindPhrase,
  spans: bindSpans,
  bool: bindBool,
  disMax: bindDisMax,
  constantScore: (query, binder) => new ConstantScoreWeight(binder.filter(query.query), query),
  filtered: bindFiltered,
  boosting: (query, binder) => bindBoosting(query, binder, 1),
  exists: (query) => new ExistsWeight(query),
  nested: (query, binder) => new NestedWeight(binder.scored(query.query), query, query.boost),
  hasChild: bindHasChild,
  hasParent: bindHasParent,
  geo: (query) => new GeoRegionWeight(query),
  geoShape: (query) => new GeoShapeWeight(query),
  sequences: (query) => new SequencesWeight(query),
  limit: (query) => new LimitWeight(query),
  functionScore: bindFunctionScore,
  script: (query) => new ScriptWeight(query),
  named: ({ query }, binder, root) => binder.alone(query, 1, root),
};

/**
 * Binds a prepared query (see `prepareQuery`) to statistics. Weights are cheap and may be made again in
 * every worker; scorers of one weight are independent of each other, except that regular expressions and
 * fuzzy terms share working memory while a dictionary is walked.
 *
 * @param segments all segments of the shard: what parents and children are found through
 * @param explains the weight explains documents, instead of finding them
 */
export function createWeight(
  query: Query,
  statistics: SearchStatistics,
  segments: readonly SegmentReader[] = [],
  explains = false,
): Weight {
  return bindWhole(query, new TreeBinder(statistics, segments, explains), true);
}

/** @param root whether it is the whole query of the search */
function bindWhole(query: Query, binder: Binder, root: boolean): QueryWeight {
  const weight = bind(query, binder, root);
  weight.normalize(binder.queryNorm(weight.squaredWeights()), 1);
  return weight;
}

/** Binds a query for its documents only; scores of the weight mean nothing. */
export function bindUnscored(query: Query, segments: readonly SegmentReader[] = []): Weight {
  return new TreeBinder(null, segments).scored(query);
}

function bind(query: Query, binder: Binder, root: boolean): QueryWeight {
  const factory = (FACTORIES as Readonly<Partial<Record<QueryKind, unknown>>>)[query.kind] as
    | Factory<Query>
    | undefined;
  if (factory === undefined) {
    throw new Error(`a ${query.kind} query must be prepared before it is bound`);
  }
  return factory(query, binder, root);
}

class TreeBinder implements Binder {
  readonly normsQueries: boolean;
  private readonly unscoredBinder: TreeBinder;

  constructor(
    readonly statistics: SearchStatistics | null,
    readonly segments: readonly SegmentReader[],
    readonly explains = false,
  ) {
    this.normsQueries = statistics?.similarities.normsQueries ?? true;
    this.unscoredBinder = statistics === null ? this : new TreeBinder(null, segments);
  }

  queryNorm(squaredWeights: number): number {
    return this.normsQueries ? queryNorm(squaredWeights) : 1;
  }

  scored(query: Query): QueryWeight {
    return bind(query, this, false);
  }

  unscored(query: Query): QueryWeight {
    const { statistics, segments } = this;
    // Without statistics there is nothing to score by.
    return statistics !== null && isDecidedByScore(query)
      ? bindWhole(query, new TreeBinder(statistics, segments), false)
      : bind(query, this.unscoredBinder, false);
  }

  filter(query: Query): QueryWeight {
    return runsScripts(query)
      ? scripted(new MatchAllWeight(MATCH_ALL), query, 1, this)
      : cachedFilter(query, this.unscored(query));
  }

  alone(query: Query, boost: number, root: boolean): QueryWeight {
    if (query.kind === 'named') return this.alone(query.query, boost, root);
    // A boosting query drops its own boost, but not one it inherits.
    if (query.kind === 'boosting') return bindBoosting(query, this, boost);
    return bind(multiplyBoost(query, boost), this, root);
  }
}

function bindMultiTerm(query: MultiTermQuery): QueryWeight {
  return new TermSelectionWeight(query, selectTerms(query));
}
