// `match`, `match_phrase`, `match_phrase_prefix`: text, analyzed for its field.

import type { Analyzer } from '../../../analysis/index';
import { isJsonObject } from '../../../json/index';
import { restrict, takesValues, type FieldRef } from '../scope/field-ref';
import { fuzzyTerm, parseRewrite } from '../fields/multi-term-fields';
import { leniently } from '../fields/range-fields';
import { termQuery } from '../fields/term-fields';
import { searchAnalyzer, textQuery, tokenQuery } from '../fields/text-fields';
import { applyMinimumShouldMatch } from '../../ast/minimum-should-match';
import { named, withBoost, type KindParser, type ParseScope } from '../scope/parse-scope';
import { MATCH_ALL, MATCH_NONE, type Query, type Rewrite } from '../../ast/query';
import { Fuzziness } from '../scope/fuzziness';
import {
  booleanOf,
  CommonOptions,
  firstMember,
  floatOf,
  intOf,
  isScalar,
  members,
  textOf,
  optionName,
  optionNameBut,
  refuseSecondMember,
  valueText,
  type Scalar,
} from '../scope/members';

/** Options of texts on fields that have one spelling only. */
export const EXACT_MATCH_OPTIONS: ReadonlySet<string> = new Set([
  'cutoff_frequency',
  'fuzzy_transpositions',
  'zero_terms_query',
]);

export type MatchType = 'boolean' | 'phrase' | 'phrase_prefix';

/** The options that match and multi_match share. */
export class MatchOptions {
  operator: 'and' | 'or' = 'or';
  analyzer: Analyzer | null = null;
  fuzziness: Fuzziness | null = null;
  prefixLength = 0;
  maxExpansions = 50;
  transpositions = false;
  rewrite: Rewrite | null = null;
  slop = 0;
  zeroTerms: Query = MATCH_NONE;
  lenient = false;
  minimumShouldMatch: string | null = null;
  /** Above this document frequency (or share) terms only raise scores; null: all terms count alike. */
  cutoff: number | null = null;

  constructor(
    private readonly kind: 'match' | 'multi_match',
    private readonly scope: ParseScope,
  ) {}

  /** True when `option` is one of these. @throws EngineError for values that make no sense */
  read(option: string, value: Scalar): boolean {
    switch (option) {
      case 'operator':
        this.operator = this.readOperator(textOf(value));
        return true;
      case 'analyzer':
        this.analyzer = this.scope.context.mapping.analyzer(textOf(value));
        if (this.analyzer !== null) return true;
        throw this.scope.error(`[${this.kind}] analyzer [${textOf(value)}] not found`);
      case 'fuzziness':
        this.fuzziness = Fuzziness.of(value);
        return true;
      case 'prefix_length':
        this.prefixLength = intOf(value);
        return true;
      case 'max_expansions':
        this.maxExpansions = intOf(value);
        return true;
      case 'fuzzy_transpositions':
        if (this.kind === 'multi_match') return false;
        this.transpositions = booleanOf(value);
        return true;
      case 'rewrite':
        this.rewrite = parseRewrite(textOf(value), null, this.scope);
        return true;
      case 'fuzzy_rewrite':
        // Checked, but the reference then uses `rewrite` only.
        parseRewrite(textOf(value), null, this.scope);
        return true;
      case 'slop':
      case 'phrase_slop':
        this.slop = intOf(value);
        return true;
      case 'zero_terms_query':
        this.zeroTerms = this.readZeroTerms(textOf(value));
        return true;
      case 'lenient':
        this.lenient = booleanOf(value);
        return true;
      case 'minimum_should_match':
        this.minimumShouldMatch = textOf(value);
        return true;
      case 'cutoff_frequency':
        this.cutoff = floatOf(value);
        return true;
      default:
        return false;
    }
  }

  private readOperator(text: string): 'and' | 'or' {
    const operator = text.toLowerCase();
    if (operator === 'and' || operator === 'or') return operator;
    throw this.scope.error(
      `text query requires operator to be either 'and' or 'or', not [${text}]`,
    );
  }

  private readZeroTerms(text: string): Query {
    const choice = text.toLowerCase();
    if (choice === 'none') return MATCH_NONE;
    if (choice === 'all') return MATCH_ALL;
    throw this.scope.error(`Unsupported zero_terms_docs value [${text}]`);
  }
}

/**
 * The query of a text on one field. Null: the value does not fit the field and `lenient` is set.
 *
 * @throws EngineError when the value does not fit a numeric or date field
 */
export function matchQuery(
  type: MatchType,
  field: string,
  value: Scalar,
  options: MatchOptions,
  scope: ParseScope,
): Query | null {
  const ref = scope.field(field);
  if (takesValues(ref)) {
    return leniently(options, () => restrict(ref, termQuery(ref, value, scope)));
  }
  const query = analyzed(ref, type, valueText(value), options, scope);
  return query === null ? options.zeroTerms : restrict(ref, query);
}

function analyzed(
  ref: FieldRef,
  type: MatchType,
  text: string,
  options: MatchOptions,
  scope: ParseScope,
): Query | null {
  const query = textQuery(
    ref,
    text,
    {
      analyzer: options.analyzer ?? searchAnalyzer(ref, scope),
      operator: options.operator,
      phrase: type !== 'boolean',
      slop: options.slop,
      term: (term) => oneTerm(ref, term, options, scope),
    },
    scope,
  );
  if (query === null) return null;
  if (type === 'phrase_prefix') return phrasePrefix(ref, query, options);
  return type === 'boolean' ? withCutoff(ref, query, options) : query;
}

function oneTerm(ref: FieldRef, term: string, options: MatchOptions, scope: ParseScope): Query {
  const { fuzziness } = options;
  return fuzziness === null
    ? tokenQuery(ref, term)
    : fuzzyTerm(ref, term, term, { ...options, fuzziness }, scope);
}

/** With a cutoff frequency, several plain terms are divided into rare and frequent ones. */
function withCutoff(ref: FieldRef, query: Query, options: MatchOptions): Query {
  const { cutoff, operator } = options;
  if (cutoff === null || query.kind !== 'bool') return query;
  const terms: string[] = [];
  for (const clause of [...query.must, ...query.should]) {
    if (clause.kind !== 'term') return query;
    terms.push(clause.term);
  }
  return {
    kind: 'commonTerms',
    field: ref.id,
    terms,
    cutoff,
    lowOperator: operator,
    highOperator: operator,
    lowMinimum: null,
    highMinimum: null,
    disableCoord: query.disableCoord,
    boost: 1,
  };
}

/** The last place of a phrase becomes a prefix; a single term is one. */
function phrasePrefix(ref: FieldRef, query: Query, options: MatchOptions): Query {
  const slots =
    query.kind === 'phrase'
      ? query.slots
      : query.kind === 'term'
        ? [{ terms: [query.term], position: 0 }]
        : [];
  const last = slots[slots.length - 1];
  if (last === undefined) return query;
  return {
    kind: 'phrasePrefix',
    field: ref.id,
    slots: slots.slice(0, -1),
    prefixes: last.terms,
    prefixPosition: last.position,
    slop: options.slop,
    maxExpansions: options.maxExpansions,
    boost: 1,
  };
}

function typeOfKind(kind: string): MatchType {
  const name = optionName(kind);
  if (name === 'match_phrase') return 'phrase';
  return name === 'match_phrase_prefix' ? 'phrase_prefix' : 'boolean';
}

/** `{field: text}` or `{field: {query, type, operator, ...}}`. */
export const parseMatch: KindParser = (body, scope, kind) => {
  const member = firstMember(body);
  if (member === null) throw scope.error('[match] query malformed, no field');
  const [field, content] = member;
  const options = new MatchOptions('match', scope);
  const common = new CommonOptions();
  let type = typeOfKind(kind);
  let value: Scalar | null = null;
  if (isJsonObject(content)) {
    for (const { name, value: given } of members(content)) {
      const option = optionNameBut(name, EXACT_MATCH_OPTIONS);
      if (option === 'query') value = given;
      else if (option === 'type') type = readType(textOf(given), scope);
      else if (!options.read(option, given) && !common.read(option, given)) {
        throw scope.error(`[match] query does not support [${name}]`);
      }
    }
  } else if (isScalar(content)) {
    value = content;
  }
  if (Array.isArray(content) || (isJsonObject(body) && body.size > 1 && !isJsonObject(content))) {
    throw scope.error(
      "[match] query parsed in simplified form, with direct field name, but included more options than just the field name, possibly use its 'options' form, with 'query' element?",
    );
  }
  if (value === null) throw scope.error('No text specified for text query');
  if (isJsonObject(body)) refuseSecondMember(body);
  const query = matchQuery(type, field, value, options, scope);
  if (query === null) return null;
  const counted =
    query.kind === 'commonTerms'
      ? { ...query, lowMinimum: options.minimumShouldMatch }
      : applyMinimumShouldMatch(query, options.minimumShouldMatch);
  return named(common.name, withBoost(counted, common.boost));
};

function readType(text: string, scope: ParseScope): MatchType {
  if (text === 'boolean' || text === 'phrase' || text === 'phrase_prefix') return text;
  throw scope.error(`[match] query does not support type ${text}`);
}
