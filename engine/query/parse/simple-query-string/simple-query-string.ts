// `simple_query_string` queries, from options to a query: every word over all fields.

import { boolQuery } from '../../ast/bool-query';
import type { Analyzer } from '../../../analysis/index';
import { applyMinimumShouldMatch } from '../../ast/minimum-should-match';
import { MATCH_NONE, UNMAPPED_FIELD, type Query } from '../../ast/query';
import { analyzedPrefixes } from '../query-string/wildcards';
import { leniently } from '../fields/range-fields';
import { fuzzyTerm, prefixOf } from '../fields/multi-term-fields';
import { termQuery } from '../fields/term-fields';
import { searchAnalyzer, textQuery, tokenQuery } from '../fields/text-fields';
import { takesValues, type FieldRef } from '../scope/field-ref';
import { Fuzziness } from '../scope/fuzziness';
import { withBoost, type ParseScope } from '../scope/parse-scope';
import { ALL_FLAGS } from './flags';
import { GroupDepthError, MAX_GROUP_DEPTH, readSimpleQuery, type WordQueries } from './reader';

/** How a text is read. */
export class SimpleQueryOptions {
  query: string | null = null;
  /** Names with their boosts (null: none given); null: the default field. */
  fields: Map<string, number | null> | null = null;
  defaultOperator: 'and' | 'or' = 'or';
  analyzer: Analyzer | null = null;
  flags = ALL_FLAGS;
  lowercaseExpandedTerms = true;
  lenient = false;
  analyzeWildcard = false;
  minimumShouldMatch: string | null = null;
  name: string | null = null;
}

/** @throws EngineError for a text that is missing or nested too deep, and for values that fit no field */
export function parseSimpleQueryString(options: SimpleQueryOptions, scope: ParseScope): Query {
  if (options.query === null) throw scope.error('[simple_query_string] query text missing');
  const occur = options.defaultOperator === 'and' ? 'must' : 'should';
  const words = new FieldQueries(options, scope);
  try {
    const query = readSimpleQuery(options.query, options.flags, occur, words);
    if (query === null) return MATCH_NONE;
    return applyMinimumShouldMatch(query, options.minimumShouldMatch);
  } catch (error) {
    if (!(error instanceof GroupDepthError)) throw error;
    throw scope.error(`query nesting deeper than [${MAX_GROUP_DEPTH}]`);
  }
}

class FieldQueries implements WordQueries {
  private readonly fields: readonly { readonly ref: FieldRef; readonly boost: number }[];

  constructor(
    private readonly options: SimpleQueryOptions,
    private readonly scope: ParseScope,
  ) {
    const fields = options.fields ?? new Map([[scope.context.defaultField, null]]);
    this.fields = [...fields].map(([name, boost]) => ({
      ref: scope.field(name),
      boost: boost ?? 1,
    }));
  }

  word(text: string): Query | null {
    return this.perField((ref) => this.analyzed(ref, text, false, 0));
  }

  phrase(text: string, slop: number): Query | null {
    return this.perField((ref) => this.analyzed(ref, text, true, slop));
  }

  prefix(text: string): Query | null {
    const cased = this.cased(text);
    this.scope.context.meter.checkPattern('prefix', cased);
    return this.perField((ref) => {
      const id = termField(ref);
      if (!this.options.analyzeWildcard || id === UNMAPPED_FIELD) {
        return prefixOf(id, cased, { method: 'constant' });
      }
      const analyzer = this.options.analyzer ?? searchAnalyzer(ref, this.scope);
      const prefixes = analyzedPrefixes(cased, analyzer, this.scope.tokenBudget);
      return anyOf(
        prefixes.map((prefix) => prefixOf(id, prefix, { method: 'constant' })),
        this.scope,
      );
    });
  }

  fuzzy(text: string, edits: number): Query | null {
    const cased = this.cased(text);
    const options = {
      fuzziness: Fuzziness.of(String(edits)),
      prefixLength: 0,
      maxExpansions: 50,
      transpositions: true,
      rewrite: null,
    };
    return this.perField((ref) => {
      const query = fuzzyTerm(ref, cased, cased, options, this.scope);
      return termField(ref) === UNMAPPED_FIELD ? MATCH_NONE : query;
    });
  }

  checkClauses(count: number): void {
    this.scope.checkClauses(count);
  }

  private cased(text: string): string {
    return this.options.lowercaseExpandedTerms ? text.toLowerCase() : text;
  }

  private analyzed(ref: FieldRef, text: string, phrase: boolean, slop: number): Query | null {
    const { analyzer } = this.options;
    const isBoolean = ref.mapped?.type === 'boolean';
    if (takesValues(ref) && !isBoolean && analyzer === null) {
      return termQuery(ref, text, this.scope);
    }
    // compat: what an analyzer makes of a text is never the value of a number or date.
    const id = isBoolean ? ref.id : termField(ref);
    return textQuery(
      ref,
      text,
      {
        analyzer: analyzer ?? searchAnalyzer(ref, this.scope),
        operator: this.options.defaultOperator,
        phrase,
        slop,
        term: (term) => tokenQuery({ ...ref, id }, term),
      },
      this.scope,
    );
  }

  /** One query, or several of which one has to match; null where no field has any. */
  private perField(build: (ref: FieldRef) => Query | null): Query | null {
    this.scope.context.meter.add('queries', this.fields.length);
    const queries: Query[] = [];
    for (const { ref, boost } of this.fields) {
      const query = leniently(this.options, () => build(ref));
      if (query !== null) queries.push(withBoost(query, boost));
    }
    return anyOf(queries, this.scope);
  }
}

/** One query as it is, or several of which one has to match; null for none. */
function anyOf(queries: readonly Query[], scope: ParseScope): Query | null {
  const [first, second] = queries;
  if (first === undefined || second === undefined) return first ?? null;
  scope.checkClauses(queries.length);
  return boolQuery({ should: queries, disableCoord: true });
}

/** Where terms are looked up as they stand: nowhere in fields of values. */
function termField(ref: FieldRef): number {
  return takesValues(ref) ? UNMAPPED_FIELD : ref.id;
}
