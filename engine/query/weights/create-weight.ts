// From a query tree to weights: one case per kind, and the two phases that settle scores.
//
// Trees are simplified on the way exactly where the reference does, because it shows in scores: a bool of
// one clause is that clause, a phrase of one slot is a term.

import { META_FIELD } from '../../mapping/index';
import { multiplyBoost } from '../ast/boost';
import type { Query } from '../ast/query';
import type { QueryWeight } from './query-weight';
import { idf, queryNorm } from '../scoring/similarity';
import { selectTerms } from '../expand/term-selection';
import { termKey, type SearchStatistics, type Weight } from '../scoring/weight';
import { LimitWeight, MatchAllWeight, MatchNoneWeight } from './all';
import { BoolWeight } from './bool';
import { BoostingWeight } from './boosting';
import { ConstantScoreWeight } from './constant';
import { DisMaxWeight } from './dis-max';
import { ExistsWeight } from './exists';
import { FilteredWeight } from './filtered';
import { keptFilter } from './cached-filter';
import { FunctionScoreWeight } from './function-score';
import { NestedWeight } from './nested';
import { NumberSetWeight, NumericRangeWeight } from './numeric';
import { PhraseWeight } from './phrase';
import { runsScripts } from '../ast/runs-scripts';
import { ScriptWeight } from './script';
import { bindTest, ScriptedFilterWeight } from './scripted-filter';
import { TermWeight } from './term';
import { TermSelectionWeight, TermSetWeight } from './terms';

const f = Math.fround;

/**
 * Binds a prepared query (see `prepareQuery`) to statistics. Weights are cheap and may be made again in
 * every worker; scorers of one weight are independent of each other, except that regular expressions and
 * fuzzy terms share working memory while a dictionary is walked.
 */
export function createWeight(query: Query, statistics: SearchStatistics): Weight {
  const weight = bind(query, statistics, true);
  const norm = queryNorm(weight.squaredWeights());
  weight.normalize(norm, 1);
  return weight;
}

/** Binds a query for its documents only; scores of the weight mean nothing. */
export function bindUnscored(query: Query): Weight {
  return bind(query, null, false);
}

/** @param statistics null: nobody asks for scores */
function bind(query: Query, statistics: SearchStatistics | null, root: boolean): QueryWeight {
  const scored = (child: Query): QueryWeight => bind(child, statistics, false);
  const filter = (child: Query): QueryWeight =>
    runsScripts(child)
      ? scripted(new MatchAllWeight(1), child, 1)
      : keptFilter(child, bind(child, null, false));
  switch (query.kind) {
    case 'matchAll':
      return new MatchAllWeight(query.boost);
    case 'matchNone':
      return new MatchNoneWeight();
    case 'term':
      return bindTerm(query, statistics);
    case 'termSet':
      return new TermSetWeight(query.field, query.terms, query.boost);
    case 'uids':
      return new TermSetWeight(META_FIELD._uid, query.uids, query.boost);
    case 'types':
      return new TermSetWeight(META_FIELD._type, query.types, query.boost);
    case 'numberSet':
      return new NumberSetWeight(query.field, query.values, query.boost);
    case 'numericRange':
      return new NumericRangeWeight(query.field, query.from, query.to, query.boost);
    case 'stringRange':
    case 'prefix':
    case 'wildcard':
    case 'regexp':
    case 'fuzzy':
      return new TermSelectionWeight(query.field, selectTerms(query), query.boost);
    case 'phrase':
      return bindPhrase(query, statistics);
    case 'phrasePrefix':
    case 'blended':
    case 'commonTerms':
    case 'similar':
    case 'fuzzyWords':
      throw new Error(`a ${query.kind} query must be prepared before it is bound`);
    case 'bool':
      return bindBool(query, statistics, root);
    case 'disMax': {
      const [only, ...others] = query.queries;
      if (only !== undefined && others.length === 0) {
        return bindAlone(only, query.boost, statistics, false);
      }
      return new DisMaxWeight(query.queries.map(scored), query.tieBreaker, query.boost);
    }
    case 'constantScore':
      return new ConstantScoreWeight(filter(query.query), query.boost);
    case 'filtered':
      return bindFiltered(query, scored, filter);
    case 'boosting':
      return bindBoosting(query, statistics, 1);
    case 'exists':
      return new ExistsWeight(query.fields, query.boost);
    case 'nested':
      return new NestedWeight(scored(query.query), query, query.boost);
    case 'limit':
      return new LimitWeight(query.count, query.ends ?? []);
    case 'functionScore':
      return new FunctionScoreWeight(
        scored(query.query),
        query.functions.map((entry) => ({
          ...entry,
          filter: entry.filter === null ? null : filter(entry.filter),
        })),
        query,
      );
    case 'script':
      return new ScriptWeight(query.script, query.now, query.boost);
    case 'named':
      return bind(query.query, statistics, root);
  }
}

function bindFiltered(
  { query, filter, boost }: Extract<Query, { kind: 'filtered' }>,
  scored: (child: Query) => QueryWeight,
  bindFilter: (child: Query) => QueryWeight,
): QueryWeight {
  if (runsScripts(filter)) return scripted(scored(query), filter, boost);
  // The types of the path and the filters of aliases stand around the query: scripts come after them.
  if (query.kind === 'filtered' && boost === 1 && runsScripts(query.filter))
    return scripted(scored({ ...query, filter }), query.filter, 1);
  if (query.kind === 'constantScore' && boost === 1 && runsScripts(query.query)) {
    const both: Query = { kind: 'filtered', query: filter, filter: query.query, boost: 1 };
    return scored({ ...query, query: both });
  }
  return new FilteredWeight(scored(query), bindFilter(filter), boost);
}

function scripted(query: QueryWeight, filter: Query, boost: number): QueryWeight {
  const test = bindTest(
    filter,
    (child) => keptFilter(child, bind(child, null, false)),
    ({ script, now }) => {
      const weight = new ScriptWeight(script, now, 1);
      return (segment) => weight.test(segment);
    },
  );
  return new ScriptedFilterWeight(query, test, boost);
}

function idfOf(
  query: { readonly field: number; readonly docFreq?: number },
  term: string,
  statistics: SearchStatistics,
): number {
  const own = statistics.merged === true ? undefined : query.docFreq;
  const docFreq = own ?? statistics.docFreqs.get(termKey(query.field, term)) ?? 0;
  return idf(docFreq, statistics.maxDoc);
}

function bindTerm(
  query: Extract<Query, { kind: 'term' }>,
  statistics: SearchStatistics | null,
): QueryWeight {
  const { field, term, boost } = query;
  if (!query.scored) return new ConstantScoreWeight(new TermWeight(field, term, null, 1), boost);
  const termIdf = statistics === null ? null : idfOf(query, term, statistics);
  return new TermWeight(field, term, termIdf, boost);
}

function bindPhrase(
  query: Extract<Query, { kind: 'phrase' }>,
  statistics: SearchStatistics | null,
): QueryWeight {
  const { field, slots, slop, boost } = query;
  if (slots.length === 0) return new MatchNoneWeight();
  if (slots.length === 1) return bind(anyTerm(query, slots[0]!.terms), statistics, false);
  if (statistics === null) return new PhraseWeight(field, slots, slop, null, boost);
  let sum = 0;
  for (const slot of slots) {
    for (const term of slot.terms) sum = f(sum + idfOf(query, term, statistics));
  }
  return new PhraseWeight(field, slots, slop, sum, boost);
}

/** A phrase of one slot. */
function anyTerm(query: Extract<Query, { kind: 'phrase' }>, terms: readonly string[]): Query {
  const should = terms.map((term): Query => ({
    kind: 'term',
    field: query.field,
    term,
    boost: 1,
    scored: true,
  }));
  return {
    kind: 'bool',
    must: [],
    should,
    mustNot: [],
    minimumShouldMatch: 0,
    disableCoord: true,
    boost: query.boost,
  };
}

function bindBool(
  query: Extract<Query, { kind: 'bool' }>,
  statistics: SearchStatistics | null,
  root: boolean,
): QueryWeight {
  const { must, should, mustNot } = query;
  if (query.minimumShouldMatch === 0 && mustNot.length === 0 && must.length + should.length === 1) {
    const only = must[0] ?? should[0]!;
    return bindAlone(only, query.boost, statistics, root);
  }
  return new BoolWeight(
    must.map((clause) => bind(clause, statistics, false)),
    should.map((clause) => bind(clause, statistics, false)),
    mustNot.map((clause) => bind(clause, null, false)),
    { ...query, root },
  );
}

/** The only clause of a query that it stands for, with the boost of that query. */
function bindAlone(
  query: Query,
  boost: number,
  statistics: SearchStatistics | null,
  root: boolean,
): QueryWeight {
  if (query.kind === 'named') return bindAlone(query.query, boost, statistics, root);
  // A boosting query drops its own boost, but not one it inherits.
  if (query.kind === 'boosting') return bindBoosting(query, statistics, boost);
  return bind(multiplyBoost(query, boost), statistics, root);
}

function bindBoosting(
  query: Extract<Query, { kind: 'boosting' }>,
  statistics: SearchStatistics | null,
  boost: number,
): QueryWeight {
  return new BoostingWeight(
    bind(query.positive, statistics, false),
    bind(query.negative, statistics, false),
    query.negativeBoost,
    boost,
  );
}
