// Analyzed text as a query: the terms of a match query, a phrase, or a chunk of query_string.

import { boolQuery } from '../../ast/bool-query';
import {
  type Analyzer,
  type Token,
  type TokenBudget,
  KEYWORD_ANALYZER,
} from '../../../analysis/index';
import type { ParseScope } from '../scope/parse-scope';
import type { PhraseSlot, Query } from '../../ast/query';
import { fieldOf, isNumericKind, type FieldRef } from '../scope/field-ref';
import type { MappedField } from '../../../mapping/index';

/** How the tokens of a text are put together. */
interface TextOptions {
  readonly analyzer: Analyzer;
  /** Whether every token has to match. */
  readonly operator: 'and' | 'or';
  /** Tokens must follow each other. */
  readonly phrase: boolean;
  readonly slop: number;
  /** The query for one token. */
  term(text: string): Query;
}

/** The analyzer for query text on a field: null in the mapping means that the text is one term. */
export function searchAnalyzer(ref: FieldRef, scope: ParseScope): Analyzer {
  const { mapped, foreign } = ref;
  if (mapped !== null) return mapped.searchAnalyzer ?? KEYWORD_ANALYZER;
  if (foreign === null) return scope.context.mapping.defaultSearchAnalyzer;
  return isNumericKind(foreign.field?.kind ?? null)
    ? new ValueAnalyzer(foreign)
    : (foreign.searchAnalyzer ?? KEYWORD_ANALYZER);
}

/**
 * compat: analyzers go by field name, whatever the types asked for: a text is refused where another type
 * has numbers under that name.
 */
class ValueAnalyzer implements Analyzer {
  readonly name = '_value';
  readonly positionGap = 0;

  constructor(private readonly field: MappedField) {}

  analyze(text: string): Token[] {
    this.field.termOf(text);
    const whole = { positionIncrement: 1, startOffset: 0, endOffset: text.length };
    return [{ term: text, type: 'word', ...whole }];
  }

  forEachTerm(text: string, emit: (term: string, positionIncrement: number) => void): undefined {
    for (const { term, positionIncrement } of this.analyze(text)) emit(term, positionIncrement);
  }
}

/** The scored query for a token of a field. */
export function tokenQuery(ref: FieldRef, term: string): Query {
  return { kind: 'term', ...fieldOf(ref, ref.id), term, boost: 1, scored: true };
}

/**
 * The query for a text; null when analysis leaves no token.
 *
 * One token is a term. Tokens at one position are alternatives. Otherwise: a phrase with the holes that
 * removed tokens left, or a bool over the slots; repeated tokens count each time.
 */
export function textQuery(
  ref: FieldRef,
  text: string,
  options: TextOptions,
  scope: ParseScope,
): Query | null {
  scope.context.meter.add('text', text.length);
  const slots = slotsOf(options.analyzer, text, scope.tokenBudget);
  const [first, second] = slots;
  if (first === undefined) return null;
  const single = first.terms.length === 1 ? first.terms[0] : undefined;
  if (second === undefined && single !== undefined) return options.term(single);
  // A lone position counts as the only one only when nothing was removed before it.
  if (second === undefined && first.position === 0)
    return alternatives(first.terms, options, scope);
  if (options.phrase) {
    scope.checkClauses(slots.reduce((sum, { terms }) => sum + terms.length, 0));
    return phraseQuery(ref, slots, options.slop);
  }
  scope.checkClauses(slots.length);
  const clauses = slots.map(({ terms }) => {
    const [only, other] = terms;
    if (only !== undefined && other === undefined) return options.term(only);
    return alternatives(terms, options, scope);
  });
  return boolQuery({
    must: options.operator === 'and' ? clauses : [],
    should: options.operator === 'and' ? [] : clauses,
  });
}

/** Tokens by position; the first position is 0 unless tokens before it were removed. */
function slotsOf(analyzer: Analyzer, text: string, budget: TokenBudget): PhraseSlot[] {
  const slots: { terms: string[]; position: number }[] = [];
  let position = -1;
  const add = (term: string, increment: number): void => {
    const last = slots[slots.length - 1];
    position += increment;
    if (increment === 0 && last !== undefined) last.terms.push(term);
    else slots.push({ terms: [term], position: Math.max(0, position) });
  };
  analyzer.forEachTerm(text, add, budget);
  return slots;
}

function alternatives(terms: readonly string[], options: TextOptions, scope: ParseScope): Query {
  scope.checkClauses(terms.length);
  return boolQuery({ should: terms.map((term) => options.term(term)), disableCoord: true });
}

function phraseQuery(ref: FieldRef, slots: readonly PhraseSlot[], slop: number): Query {
  return { kind: 'phrase', ...fieldOf(ref, ref.id), slots, slop, boost: 1 };
}
