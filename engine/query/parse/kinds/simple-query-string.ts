// `simple_query_string` as a query body (reference server); the language itself is in
// engine/query/parse/simple-query-string.

import { JsonNumber } from '../../../json/index';
import { addFields } from '../scope/field-list';
import {
  booleanOf,
  intOf,
  isScalar,
  members,
  optionNameBut,
  textOf,
  type Scalar,
} from '../scope/members';
import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import { ALL_FLAGS, parseFlags } from '../simple-query-string/flags';
import {
  parseSimpleQueryString,
  SimpleQueryOptions,
} from '../simple-query-string/simple-query-string';

/** They have one spelling only. */
const EXACT_OPTIONS: ReadonlySet<string> = new Set([
  'analyze_wildcard',
  'lowercase_expanded_terms',
  'minimum_should_match',
]);

/** `{query, fields, default_operator, flags, ...}`. */
export const parseSimpleQueryStringQuery: KindParser = (body, scope) => {
  const options = new SimpleQueryOptions();
  for (const member of members(body, 'array')) {
    const { name } = member;
    if (member.sort === 'value')
      readOption(optionNameBut(name, EXACT_OPTIONS), member.value, options, scope);
    else if (name === 'fields') {
      for (const field of member.value) {
        if (!isScalar(field)) continue;
        options.fields ??= new Map();
        addFields(textOf(field), scope.context.types, options.fields, scope);
      }
    } else throw scope.error(`[simple_query_string] query does not support [${name}]`);
  }
  return named(options.name, parseSimpleQueryString(options, scope));
};

type OptionReader = (options: SimpleQueryOptions, value: Scalar, scope: ParseScope) => void;

const READERS: ReadonlyMap<string, OptionReader> = new Map<string, OptionReader>([
  ['query', (options, value) => void (options.query = textOf(value))],
  ['analyzer', readAnalyzer],
  ['default_operator', readOperator],
  [
    'flags',
    (options, value) =>
      void (options.flags =
        value instanceof JsonNumber ? flagsOf(intOf(value)) : parseFlags(textOf(value))),
  ],
  // compat: the reference reads it, and asks `fields` or the default field nevertheless.
  ['field', () => undefined],
  // Accepted without effect: letters are lower-cased by the rules that hold everywhere.
  ['locale', () => undefined],
  [
    'lowercase_expanded_terms',
    (options, value) => void (options.lowercaseExpandedTerms = booleanOf(value)),
  ],
  ['lenient', (options, value) => void (options.lenient = booleanOf(value))],
  ['analyze_wildcard', (options, value) => void (options.analyzeWildcard = booleanOf(value))],
  ['_name', (options, value) => void (options.name = textOf(value))],
  ['minimum_should_match', (options, value) => void (options.minimumShouldMatch = textOf(value))],
]);

function readOption(
  option: string,
  value: Scalar,
  options: SimpleQueryOptions,
  scope: ParseScope,
): void {
  const reader = READERS.get(option);
  if (reader === undefined) {
    throw scope.error(`[simple_query_string] unsupported field [${option}]`);
  }
  reader(options, value, scope);
}

function flagsOf(number: number): number {
  return number < 0 ? ALL_FLAGS : number;
}

function readAnalyzer(options: SimpleQueryOptions, value: Scalar, scope: ParseScope): void {
  options.analyzer = scope.context.mapping.analyzer(textOf(value));
  if (options.analyzer !== null) return;
  throw scope.error(`[simple_query_string] analyzer [${textOf(value)}] not found`);
}

function readOperator(options: SimpleQueryOptions, value: Scalar, scope: ParseScope): void {
  const operator = textOf(value).toLowerCase();
  if (operator !== 'and' && operator !== 'or') {
    throw scope.error(`[simple_query_string] default operator [${textOf(value)}] is not allowed`);
  }
  options.defaultOperator = operator;
}
