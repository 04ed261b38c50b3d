// Queries that stand for many terms: prefix, wildcard, regexp, fuzzy.

import { boolQuery } from '../../ast/bool-query';
import { EngineError, illegalArgument } from '../../../errors';
import { META_FIELD } from '../../../mapping/index';
import { compileRegexp } from '../../automaton/regexp';
import type { Fuzziness } from '../scope/fuzziness';
import { textOf, valueText, type Scalar } from '../scope/members';
import type { ParseScope } from '../scope/parse-scope';
import type { Query, Rewrite } from '../../ast/query';
import type { QueryOf } from '../../ast/traits';
import { fieldOf, isDate, isNumeric, kindOf, type FieldRef } from '../scope/field-ref';
import { numberOf, termQuery, termText } from './term-fields';

const MAX_INT = 2147483647;

export const CONSTANT: Rewrite = { method: 'constant' };

/**
 * Reads a `rewrite` option; null gives `standard`.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException
 */
export function parseRewrite<Standard>(
  text: string | null,
  standard: Standard,
  { context }: ParseScope,
): Rewrite | Standard {
  const { maxClauseCount } = context.meter.limits;
  if (text === null) return standard;
  const name = text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  // compat: one of them has one spelling only.
  if (text === 'constant_score_auto') return CONSTANT;
  if (/^constant_score_(boolean|filter)$/.test(name)) return CONSTANT;
  if (name === 'scoring_boolean') return { method: 'scoringBoolean', limit: maxClauseCount };
  const top = /^top_terms_?(boost_?)?(\d{1,10})$/.exec(name);
  if (top !== null && Number(top[2]) <= MAX_INT)
    return {
      method: 'topTerms',
      size: Math.min(Number(top[2]), maxClauseCount),
      boost: top[1] !== undefined,
    };
  throw illegalArgument(`Failed to parse rewrite_method [${text}]`);
}

/** Terms that begin with a text; the exact value on numbers, ids in all types on `_id`. */
export function prefixQuery(
  ref: FieldRef,
  value: Scalar,
  rewrite: Rewrite,
  scope: ParseScope,
): Query {
  if (isNumeric(ref)) return termQuery(ref, value, scope);
  scope.context.meter.checkPattern('prefix', textOf(value));
  if (ref.special === '_id') {
    const should = ref.types.map((type): Query =>
      prefixOf(META_FIELD._uid, `${type}#${textOf(value)}`, rewrite),
    );
    scope.checkClauses(should.length);
    return boolQuery({ should });
  }
  return { ...prefixOf(ref.id, termText(ref, value), rewrite), ...fieldOf(ref, ref.id) };
}

/** A prefix of the terms of a field. */
export function prefixOf(field: number, prefix: string, rewrite: Rewrite): QueryOf<'prefix'> {
  return { kind: 'prefix', field, prefix, boost: 1, rewrite };
}

/** Terms matching `*` and `?`; on numbers the pattern has to be a number and means that number. */
export function wildcardQuery(
  ref: FieldRef,
  value: Scalar,
  rewrite: Rewrite,
  scope: ParseScope,
): Query {
  if (isNumeric(ref)) return termQuery(ref, value, scope);
  scope.context.meter.checkPattern('wildcard', textOf(value));
  return {
    kind: 'wildcard',
    ...fieldOf(ref, searchable(ref)),
    pattern: termText(ref, value),
    boost: 1,
    rewrite,
  };
}

/**
 * Terms matching a regular expression as a whole.
 *
 * @throws EngineError IllegalArgumentException for a malformed expression, TooComplexToDeterminizeException
 */
export function regexpQuery(
  ref: FieldRef,
  value: Scalar,
  flags: number,
  rewrite: Rewrite,
  scope: ParseScope,
): Query {
  if (isNumeric(ref)) return termQuery(ref, value, scope);
  const pattern = termText(ref, value);
  // Refused here when it is malformed or too complex.
  compileRegexp(pattern, flags);
  const field = fieldOf(ref, searchable(ref));
  return { kind: 'regexp', ...field, pattern, flags, boost: 1, rewrite };
}

/** `_id` and `_parent` cannot be searched by pattern. */
function searchable(ref: FieldRef): number {
  return ref.special === '_id' ? 0 : ref.id;
}

/** How far a fuzzy query goes. */
interface FuzzyOptions {
  readonly fuzziness: Fuzziness;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly transpositions: boolean;
  /** Null: the best terms, scored by their distance. */
  readonly rewrite: Rewrite | null;
}

/** Terms within an edit distance; values within a distance on numbers and dates. */
export function fuzzyQuery(
  ref: FieldRef,
  value: Scalar,
  options: FuzzyOptions,
  scope: ParseScope,
): Query {
  if (isNumeric(ref)) return fuzzyRange(ref, value, options.fuzziness, scope);
  if (options.maxExpansions < 1) {
    throw new EngineError('IllegalArgumentException', 'maxExpansions must be positive.', {
      status: 400,
    });
  }
  return fuzzyTerm(ref, termText(ref, value), valueText(value), options, scope);
}

/** @param measured the text whose length counts for `AUTO` and fractions */
export function fuzzyTerm(
  ref: FieldRef,
  term: string,
  measured: string,
  options: FuzzyOptions,
  { context }: ParseScope,
): Query {
  return {
    kind: 'fuzzy',
    ...fieldOf(ref, searchable(ref)),
    term,
    maxEdits: options.fuzziness.editsFor(measured),
    prefixLength: options.prefixLength,
    maxExpansions: Math.min(options.maxExpansions, context.meter.limits.maxClauseCount),
    transpositions: options.transpositions,
    boost: 1,
    rewrite: options.rewrite,
  };
}

function fuzzyRange(ref: FieldRef, value: Scalar, fuzziness: Fuzziness, scope: ParseScope): Query {
  const kind = kindOf(ref);
  if (kind === 'long') {
    const centre = isDate(ref) ? dateOf(ref, value, scope) : BigInt(numberOf(ref, value));
    const distance = isDate(ref) ? fuzziness.asMillis() : fuzziness.asLong();
    return around(ref, centre - distance, centre + distance);
  }
  const centre = Number(numberOf(ref, value));
  if (kind === 'int') {
    const distance = fuzziness.asInt();
    return around(ref, centre - distance, centre + distance);
  }
  const round = kind === 'float' ? Math.fround : (number: number) => number;
  const distance = round(fuzziness.asDouble());
  return around(ref, round(centre - distance), round(centre + distance));
}

function dateOf(ref: FieldRef, value: Scalar, scope: ParseScope): bigint {
  const options = { roundUp: false, format: null, timeZone: null, now: scope.context.now };
  return BigInt(ref.mapped?.boundOf(value, options) ?? 0);
}

function around(ref: FieldRef, from: number | bigint, to: number | bigint): Query {
  return { kind: 'numericRange', field: ref.id, from, to, boost: 1 };
}
