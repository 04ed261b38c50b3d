// Queries with the scores of 1.x. OpenSearch multiplies boost, frequency and length; what is known of terms
// over the whole shard, the norm of the query and the boosts on the way are worked out here, in 32 bits and
// in the order of the embedded engine's weights (engine/query/weights), and become the boosts of the leaves.

import type { JsonOutput } from '../../json/index';
import type { FieldId } from '../../metadata/index';
import {
  anyTermOf,
  fieldOfSpans,
  multiplyBoost,
  type Query,
  queryNorm,
  scoringOfSpans,
  scoringOfTerms,
  type SearchStatistics,
  type SpanTree,
  spanTerms,
  unmasked,
  type QueryOf,
} from '../../query/index';
import { needsTotals, NO_NORM, type Scoring, similarityOf } from '../../similarity/index';
import { nestedPath, normField, termField, valueField } from '../layout/names';
import { escapedToken } from '../layout/token-text';
import { clauseOf } from './clause';
import { at, type Clause, type ClauseContext, NOTHING } from './clause-context';
import { spansOf, textOf } from './positions';
import { type RelativeScores, relativesOf } from './relatives';
import { type CountedSpans, lengthOf, listedScores } from './span-scores';
import { withFunctions } from './score-functions';
import { similarityClause, untold } from './similarity-clause';
import type { TextField } from './text-fields';

const f = Math.fround;

/** Where a clause stands that scores. */
export interface ScoringContext extends ClauseContext {
  /** Null: it is no string whose tokens have frequencies or lengths. */
  readonly textOf: (field: FieldId) => TextField | null;
  /** Spans that were counted before. */
  readonly spans?: CountedSpans;
}

/** A part of a query, as weights see one another. */
interface Weighed {
  /** Sum of squared weights (float32). */
  readonly squared: number;
  /** @param norm of the whole query, float32 @param boost the product of the boosts above */
  clause(norm: number, boost: number): Clause;
}

/**
 * A query whose documents score as in the embedded engine.
 *
 * @param query prepared with `statistics`
 * @throws EngineError where there is no such query, or nothing to score as another similarity does
 */
export function scoredClause(
  query: Query,
  statistics: SearchStatistics,
  context: ScoringContext,
): Clause {
  return scoredWhole(query, statistics, context).clause;
}

/** The same, with what it weighs in queries around it that do not norm it. */
export function scoredWhole(
  query: Query,
  statistics: SearchStatistics,
  context: ScoringContext,
): { readonly clause: Clause; readonly squared: number } {
  const weighed = new Scorer(statistics).weigh(query, decidingContext(statistics, context));
  const norm = statistics.similarities.normsQueries ? queryNorm(weighed.squared) : 1;
  return { clause: weighed.clause(norm, 1), squared: weighed.squared };
}

/** A context in which filters may be decided by scores. */
export function decidingContext(
  statistics: SearchStatistics,
  context: ScoringContext,
): ScoringContext {
  const decided = (part: Query, place: ClauseContext): Clause =>
    scoredClause(part, statistics, { ...context, ...place });
  return { ...context, decided };
}

class Scorer {
  constructor(private readonly statistics: SearchStatistics) {}

  weigh(query: Query, context: ScoringContext): Weighed {
    const { kind } = query;
    const relatives = relativesOf(query);
    if (relatives !== null) return relativesClause(query, relatives, context);
    if (kind === 'matchNone') return { squared: 0, clause: () => NOTHING };
    if (kind === 'term' && query.scored) return this.term(query, context);
    if (kind === 'phrase') return this.phrase(query, context);
    if (kind === 'spans') return this.spans(query, context);
    if (kind === 'bool') return this.bool(query, context);
    if (kind === 'disMax') return this.disMax(query, context);
    if (kind === 'filtered') return this.filtered(query, context);
    if (kind === 'boosting') return this.boosting(query, 1, context);
    if (kind === 'nested') return this.nested(query, context);
    if (kind === 'functionScore') return this.functionScore(query, context);
    if (kind === 'named') return this.alone(query.query, 1, context);
    return constant(query, context);
  }

  private alone(query: Query, boost: number, context: ScoringContext): Weighed {
    if (query.kind === 'named') return this.alone(query.query, boost, context);
    if (query.kind === 'boosting') return this.boosting(query, boost, context);
    return this.weigh(multiplyBoost(query, boost), context);
  }

  private term(query: QueryOf<'term'>, context: ScoringContext): Weighed {
    const { field, term } = query;
    const scoring = scoringOfTerms(query, [term], this.statistics);
    const text = context.textOf(field);
    if (text === null) {
      const filter = clauseOf(query, context);
      return leaf(scoring, (value) => constantClause(filter, value));
    }
    const name = at(context, valueField(field));
    return this.text(field, text, scoring, 1, context, (boost) => {
      return { term: { [name]: { value: escapedToken(term), boost } } };
    });
  }

  private phrase(query: QueryOf<'phrase'>, context: ScoringContext): Weighed {
    const { field, slots, slop } = query;
    if (slots.length === 0) return { squared: 0, clause: () => NOTHING };
    if (slots.length === 1) return this.weigh(anyTermOf(query, slots[0]!), context);
    const terms = slots.flatMap((slot) => slot.terms);
    const scoring = scoringOfTerms(query, terms, this.statistics);
    const name = at(context, valueField(field));
    const share = 1 / this.present(terms.map((term) => ({ field, term })));
    return this.text(field, context.textOf(field), scoring, share, context, (boost) => {
      return { match_phrase: { [name]: { query: textOf(slots), slop, boost } } };
    });
  }

  private spans(query: QueryOf<'spans'>, context: ScoringContext): Weighed {
    const { tree, boost } = unmasked(query);
    const field = fieldOfSpans(tree)?.id ?? null;
    if (field === null) return { squared: 1, clause: () => NOTHING };
    const scoring = scoringOfSpans(tree, field, boost, this.statistics);
    const similarity = similarityOf(this.statistics.similarities, field);
    if (needsTotals(similarity)) throw untold(similarity);
    const counted = context.path === null ? context.spans?.get(query.tree) : undefined;
    if (counted !== undefined) {
      const filter = spansOf(tree, context);
      return leaf(scoring, () => listedScores(filter, counted, scoring));
    }
    const terms = new Map(spanTerms(tree).map((each) => [`${each.field} ${each.term}`, each]));
    const share = lengthFactor(tree) / this.present([...terms.values()]);
    return this.text(field, context.textOf(field), scoring, share, context, (value) => {
      return { bool: { must: [spansOf(tree, context)], boost: value } };
    });
  }

  /**
   * What is scored by frequency and length.
   *
   * @param share of what OpenSearch sums for it
   * @param make a clause with a boost
   */
  private text(
    field: FieldId,
    text: TextField | null,
    scoring: Scoring,
    share: number,
    context: ScoringContext,
    make: (boost: number) => Clause,
  ): Weighed {
    const { similarities, fields, maxDoc } = this.statistics;
    const similarity = similarityOf(similarities, field);
    if (similarity.kind === 'default') return leaf(scoring, (value) => make(value * share));
    const figures = fields.get(field) ?? { maxDoc, sumTotalTermFreq: 0 };
    const norm = text?.norms === false ? null : at(context, normField(field));
    const of = similarityClause(similarity, { figures, norm, share });
    return leaf(scoring, (value) => of(make(1), value));
  }

  /** How many terms a phrase is scored by, over which OpenSearch sums. */
  private present(terms: readonly { readonly field: FieldId; readonly term: string }[]): number {
    const { docFreqs } = this.statistics;
    const present = terms.filter(({ field, term }) => (docFreqs.get(field)?.get(term) ?? 0) > 0);
    return Math.max(1, present.length);
  }

  private bool(query: QueryOf<'bool'>, context: ScoringContext): Weighed {
    const { must, should, mustNot, minimumShouldMatch } = query;
    const total = must.length + should.length;
    if (minimumShouldMatch === 0 && mustNot.length === 0 && total === 1) {
      return this.alone(must[0] ?? should[0]!, query.boost, context);
    }
    const weighed = [...must, ...should].map((clause) => this.weigh(clause, context));
    const own = f(query.boost);
    let sum = 0;
    for (const { squared } of weighed) sum = f(sum + squared);
    return {
      squared: f(sum * f(own * own)),
      clause: (norm, above) => {
        const minimum = Math.max(minimumShouldMatch, must.length === 0 ? 1 : 0);
        if (total === 0 || minimum > should.length) return NOTHING;
        const boost = f(above * own);
        const clauses = weighed.map((each) => each.clause(norm, boost));
        const bool = {
          bool: {
            must: clauses.slice(0, must.length),
            should: clauses.slice(must.length),
            minimum_should_match: minimum,
            must_not: mustNot.map((clause) => clauseOf(clause, context)),
          },
        };
        const hasCoord = !query.disableCoord && this.statistics.similarities.normsQueries;
        if (!hasCoord || should.length === 0 || total === 1) return bool;
        return {
          function_score: {
            query: bool,
            functions: [
              ...(must.length === 0 ? [] : [{ weight: must.length / total }]),
              ...should.map((clause) => ({
                filter: clauseOf(clause, context),
                weight: 1 / total,
              })),
            ],
            score_mode: 'sum',
            boost_mode: 'multiply',
          },
        };
      },
    };
  }

  private disMax({ queries, ...query }: QueryOf<'disMax'>, context: ScoringContext): Weighed {
    const [only, second] = queries;
    if (only === undefined) return { squared: 0, clause: () => NOTHING };
    if (second === undefined) return this.alone(only, query.boost, context);
    const weighed = queries.map((each) => this.weigh(each, context));
    const tie = f(query.tieBreaker);
    const own = f(query.boost);
    let sum = 0;
    let max = 0;
    for (const { squared } of weighed) {
      sum = f(sum + squared);
      max = Math.max(max, squared);
    }
    const rest = f(f(f(sum - max) * tie) * tie);
    return {
      squared: f(f(f(rest + max) * own) * own),
      clause: (norm, above) => {
        const boost = f(above * own);
        const parts = weighed.map((each) => each.clause(norm, boost));
        return { dis_max: { queries: parts, tie_breaker: tie } };
      },
    };
  }

  private filtered(
    { query, filter, boost }: QueryOf<'filtered'>,
    context: ScoringContext,
  ): Weighed {
    const weighed = this.weigh(query, context);
    return around(weighed, boost, (clause) => ({
      bool: { must: [clause], filter: [clauseOf(filter, context)] },
    }));
  }

  private boosting(query: QueryOf<'boosting'>, boost: number, context: ScoringContext): Weighed {
    const positive = this.weigh(query.positive, context);
    const negative = this.weigh(query.negative, context);
    const own = f(boost);
    return {
      squared: f(f(positive.squared + negative.squared) * f(own * own)),
      clause: (norm, above) => ({
        boosting: {
          positive: positive.clause(norm, f(above * own)),
          negative: clauseOf(query.negative, context),
          negative_boost: query.negativeBoost,
        },
      }),
    };
  }

  private nested(query: QueryOf<'nested'>, context: ScoringContext): Weighed {
    const path = nestedPath(context.mapping, query.path);
    const weighed = this.weigh(query.query, { ...context, path });
    return around(weighed, query.boost, (clause) => ({
      nested: { path, query: clause, score_mode: query.scoreMode, ignore_unmapped: true },
    }));
  }

  private functionScore(query: QueryOf<'functionScore'>, context: ScoringContext): Weighed {
    const weighed = this.weigh(query.query, context);
    return around(weighed, query.boost, (clause) => withFunctions(query, clause, context));
  }
}

/** Relatives of documents, which have the scores of these as they are. */
function relativesClause(
  query: Query,
  { scores, squared, field }: RelativeScores,
  context: ClauseContext,
): Weighed {
  const boost = f('boost' in query ? query.boost : 1);
  const params = { field: at(context, termField(field)), scores };
  const source = 'params.scores[doc[params.field].value]';
  return {
    squared: f(squared * f(boost * boost)),
    clause: () => ({
      function_score: {
        query: constantClause(clauseOf(query, context), 1),
        script_score: { script: { lang: 'painless', source, params } },
        boost_mode: 'replace',
      },
    }),
  };
}

/**
 * What spans count less by for their length, as far as all of them are alike: OpenSearch counts them by the
 * places left free between their parts only.
 */
function lengthFactor(tree: SpanTree): number {
  return Math.sqrt(1 / (1 + (lengthOf(tree) ?? 1)));
}

/** A weight around another one that has a boost of its own. */
function around(weighed: Weighed, boost: number, wrap: (clause: Clause) => Clause): Weighed {
  const own = f(boost);
  return {
    squared: f(f(weighed.squared * own) * own),
    clause: (norm, above) => wrap(weighed.clause(norm, f(above * own))),
  };
}

/** Something that is scored by frequency and length. @param make gets what these are multiplied by */
function leaf(scoring: Scoring, make: (value: number) => Clause): Weighed {
  return {
    squared: scoring.squaredWeights(),
    clause: (norm, boost) => {
      scoring.normalize(norm, boost);
      const value = scoring.score(1, NO_NORM);
      // Of a shard without documents nothing can be said.
      return make(Number.isFinite(value) ? value : 0);
    },
  };
}

/** A query whose documents all score the same. */
function constant(query: Query, context: ClauseContext): Weighed {
  const boost = f('boost' in query ? query.boost : 1);
  return {
    squared: f(boost * boost),
    clause: (norm, above) => constantClause(clauseOf(query, context), f(boost * f(norm * above))),
  };
}

function constantClause(filter: JsonOutput, boost: number): Clause {
  return { constant_score: { filter, boost } };
}
