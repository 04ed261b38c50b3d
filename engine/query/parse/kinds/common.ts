// `common`: frequent terms only raise the scores of documents that the rare ones find.

import { EngineError } from '../../../errors';
import { isJsonObject, type JsonObject } from '../../../json/index';
import type { Analyzer } from '../../../analysis/index';
import { isNumeric, restrict } from '../scope/field-ref';
import { searchAnalyzer, tokenQuery } from '../fields/text-fields';
import { named, withBoost, type KindParser, type ParseScope } from '../scope/parse-scope';
import type { Query } from '../../ast/query';
import { EXACT_MATCH_OPTIONS } from './match';
import {
  booleanOf,
  CommonOptions,
  firstMember,
  floatOf,
  isScalar,
  members,
  optionName,
  optionNameBut,
  textOf,
  valueText,
  type Scalar,
} from '../scope/members';

type Operator = 'and' | 'or';

/** The options, with their defaults. */
class TermsOptions {
  readonly common = new CommonOptions();
  query: Scalar | null = null;
  analyzer: Analyzer | null = null;
  cutoff: number = Math.fround(0.01);
  lowOperator: Operator = 'or';
  highOperator: Operator = 'or';
  lowMinimum: string | null = null;
  highMinimum: string | null = null;
  disableCoord = true;
}

/** `{field: text}` or `{field: {query, cutoff_frequency, low_freq_operator, ...}}`. */
export const parseCommon: KindParser = (body, scope) => {
  const [field, content] = firstMember(body) ?? [null, null];
  if (field === null) throw scope.error('[common] query malformed, no field');
  const options = new TermsOptions();
  if (isJsonObject(content)) {
    readOptions(content, options, scope);
  } else if (Array.isArray(content) || (isJsonObject(body) && body.size > 1)) {
    throw scope.error(
      "[common] query parsed in simplified form, with direct field name, but included more options than just the field name, possibly use its 'options' form, with 'query' element?",
    );
  } else if (isScalar(content)) {
    options.query = content;
  }
  if (options.query === null) throw scope.error('No text specified for text query');
  const query = build(field, options.query, options, scope);
  return query === null ? null : named(options.common.name, query);
};

function readOptions(body: JsonObject, options: TermsOptions, scope: ParseScope): void {
  for (const member of members(body, 'object')) {
    const { name } = member;
    const option = optionNameBut(name, EXACT_MATCH_OPTIONS);
    if (member.sort === 'object') {
      if (option !== 'minimum_should_match') throw unsupported(name, scope);
      readMinimums(name, member.value, options, scope);
    } else if (!readOption(option, member.value, options, scope)) {
      throw unsupported(name, scope);
    }
  }
}

function unsupported(name: string, scope: ParseScope): EngineError {
  return scope.error(`[common] query does not support [${name}]`);
}

function readOption(
  option: string,
  value: Scalar,
  options: TermsOptions,
  scope: ParseScope,
): boolean {
  switch (option) {
    case 'query':
      options.query = value;
      return true;
    case 'analyzer':
      options.analyzer = scope.context.mapping.analyzer(textOf(value));
      if (options.analyzer !== null) return true;
      throw scope.error(`[common] analyzer [${textOf(value)}] not found`);
    case 'cutoff_frequency':
      options.cutoff = floatOf(value);
      return true;
    case 'low_freq_operator':
      options.lowOperator = readOperator(value, scope);
      return true;
    case 'high_freq_operator':
      options.highOperator = readOperator(value, scope);
      return true;
    case 'minimum_should_match':
      options.lowMinimum = textOf(value);
      return true;
    case 'disable_coord':
      options.disableCoord = booleanOf(value);
      return true;
    default:
      return options.common.read(option, value);
  }
}

/** `minimum_should_match: {low_freq, high_freq}` */
function readMinimums(
  option: string,
  body: JsonObject,
  options: TermsOptions,
  scope: ParseScope,
): void {
  for (const { name, value } of members(body)) {
    const part = optionName(name);
    if (part === 'low_freq') options.lowMinimum = textOf(value);
    else if (part === 'high_freq') options.highMinimum = textOf(value);
    else throw scope.error(`[common] query does not support [${name}] for [${option}]`);
  }
}

function readOperator(value: Scalar, scope: ParseScope): Operator {
  const operator = textOf(value).toLowerCase();
  if (operator === 'and' || operator === 'or') return operator;
  throw scope.error(
    `[common] query requires operator to be either 'and' or 'or', not [${textOf(value)}]`,
  );
}

/** Null when analysis leaves no term; tokens at one place count as terms of their own. */
function build(
  field: string,
  text: Scalar,
  options: TermsOptions,
  scope: ParseScope,
): Query | null {
  const ref = scope.field(field);
  if (isNumeric(ref)) {
    throw new EngineError(
      'IllegalArgumentException',
      'NumericTokenStream does not support CharTermAttribute.',
    );
  }
  const analyzer = options.analyzer ?? searchAnalyzer(ref, scope);
  const terms: string[] = [];
  scope.context.meter.add('text', valueText(text).length);
  analyzer.forEachTerm(valueText(text), (term) => terms.push(term), scope.tokenBudget);
  const [first, second] = terms;
  if (first === undefined) return null;
  scope.checkClauses(terms.length);
  if (second === undefined) {
    return restrict(ref, withBoost(tokenQuery(ref, first), options.common.boost));
  }
  return restrict(ref, {
    kind: 'commonTerms',
    field: ref.id,
    terms,
    cutoff: options.cutoff,
    lowOperator: options.lowOperator,
    highOperator: options.highOperator,
    lowMinimum: options.lowMinimum,
    highMinimum: options.highMinimum,
    disableCoord: options.disableCoord,
    boost: options.common.boost,
  });
}
