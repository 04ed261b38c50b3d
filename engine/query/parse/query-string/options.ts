// The options of query_string, as bodies and URLs give them.

import type { Analyzer } from '../../../analysis/index';
import type { JsonValue } from '../../../json/index';
import { timeZone } from '../../../mapping/index';
import { Fuzziness } from '../scope/fuzziness';
import {
  booleanOf,
  CommonOptions,
  floatOf,
  intOf,
  isScalar,
  members,
  optionName,
  textOf,
  type Scalar,
  type KindBody,
} from '../scope/members';
import { parseRewrite } from '../fields/multi-term-fields';
import type { ParseScope } from '../scope/parse-scope';
import type { Rewrite } from '../../ast/query';
import { addFields } from '../scope/field-list';

/** How a query text is read. */
export class QueryStringOptions {
  query: string | null = null;
  defaultField: string;
  /** Names with their boosts (null: none given); null: {@link defaultField}. */
  fields: Map<string, number | null> | null = null;
  defaultOperator: 'and' | 'or' = 'or';
  analyzer: Analyzer | null = null;
  quoteAnalyzer: Analyzer | null = null;
  allowLeadingWildcard = true;
  lowercaseExpandedTerms = true;
  analyzeWildcard = false;
  lenient = false;
  autoGeneratePhraseQueries = false;
  phraseSlop = 0;
  /** Similarity of a bare `~`. */
  fuzziness = '2.0';
  fuzzyPrefixLength = 0;
  fuzzyMaxExpansions = 50;
  fuzzyRewrite: Rewrite | null = null;
  useDisMax = true;
  tieBreaker = 0;
  minimumShouldMatch: string | null = null;
  quoteFieldSuffix: string | null = null;
  escape = false;
  rewrite: Rewrite = { method: 'constant' };
  timeZone: string | null = null;
  readonly common = new CommonOptions();

  constructor(defaultField: string) {
    this.defaultField = defaultField;
  }
}

/** Reads the body of a `query_string` query. @throws EngineError */
export function readQueryStringOptions(body: KindBody, scope: ParseScope): QueryStringOptions {
  const options = new QueryStringOptions(scope.context.defaultField);
  for (const member of members(body, 'array')) {
    const { name } = member;
    const option = optionName(name);
    if (member.sort === 'array') {
      if (option !== 'fields') throw unsupported(name, scope);
      readFields(member.value, options, scope);
    } else if (!readOption(option, member.value, options, scope)) {
      throw unsupported(name, scope);
    }
  }
  return options;
}

function unsupported(name: string, scope: ParseScope): Error {
  return scope.error(`[query_string] query does not support [${name}]`);
}

function readFields(
  list: readonly JsonValue[],
  options: QueryStringOptions,
  scope: ParseScope,
): void {
  for (const item of list) {
    if (!isScalar(item)) continue;
    options.fields ??= new Map();
    addFields(textOf(item), scope.context.types, options.fields, scope);
  }
}

type OptionReader = (options: QueryStringOptions, value: Scalar, scope: ParseScope) => void;

const READERS: ReadonlyMap<string, OptionReader> = new Map<string, OptionReader>([
  ['query', (options, value) => void (options.query = textOf(value))],
  ['default_field', (options, value) => void (options.defaultField = textOf(value))],
  [
    'default_operator',
    (options, value, scope) => void (options.defaultOperator = readOperator(value, scope)),
  ],
  [
    'analyzer',
    (options, value, scope) => void (options.analyzer = readAnalyzer('analyzer', value, scope)),
  ],
  [
    'quote_analyzer',
    (options, value, scope) =>
      void (options.quoteAnalyzer = readAnalyzer('quote_analyzer', value, scope)),
  ],
  [
    'allow_leading_wildcard',
    (options, value) => void (options.allowLeadingWildcard = booleanOf(value)),
  ],
  [
    'auto_generate_phrase_queries',
    (options, value) => void (options.autoGeneratePhraseQueries = booleanOf(value)),
  ],
  // Accepted without effect: one has only one sensible value, the others concern the reference's internals.
  ['max_determinized_states', (_, value) => void intOf(value)],
  ['enable_position_increments', () => undefined],
  ['locale', () => undefined],
  [
    'lowercase_expanded_terms',
    (options, value) => void (options.lowercaseExpandedTerms = booleanOf(value)),
  ],
  ['escape', (options, value) => void (options.escape = booleanOf(value))],
  ['use_dis_max', (options, value) => void (options.useDisMax = booleanOf(value))],
  ['fuzzy_prefix_length', (options, value) => void (options.fuzzyPrefixLength = intOf(value))],
  ['fuzzy_max_expansions', (options, value) => void (options.fuzzyMaxExpansions = intOf(value))],
  [
    'fuzzy_rewrite',
    (options, value, scope) =>
      void (options.fuzzyRewrite = parseRewrite(textOf(value), null, scope)),
  ],
  ['phrase_slop', (options, value) => void (options.phraseSlop = intOf(value))],
  ['fuzziness', (options, value) => void (options.fuzziness = Fuzziness.of(value).asSimilarity())],
  [
    'fuzzy_min_sim',
    (options, value) => void (options.fuzziness = Fuzziness.of(value).asSimilarity()),
  ],
  ['tie_breaker', (options, value) => void (options.tieBreaker = floatOf(value))],
  ['analyze_wildcard', (options, value) => void (options.analyzeWildcard = booleanOf(value))],
  [
    'rewrite',
    (options, value, scope) =>
      void (options.rewrite = parseRewrite(textOf(value), options.rewrite, scope)),
  ],
  ['minimum_should_match', (options, value) => void (options.minimumShouldMatch = textOf(value))],
  ['quote_field_suffix', (options, value) => void (options.quoteFieldSuffix = textOf(value))],
  ['lenient', (options, value) => void (options.lenient = booleanOf(value))],
  ['time_zone', (options, value, scope) => void (options.timeZone = readTimeZone(value, scope))],
]);

function readOption(
  option: string,
  value: Scalar,
  options: QueryStringOptions,
  scope: ParseScope,
): boolean {
  const reader = READERS.get(option);
  if (reader === undefined) return options.common.read(option, value);
  reader(options, value, scope);
  return true;
}

function readOperator(value: Scalar, scope: ParseScope): 'and' | 'or' {
  const operator = textOf(value).toLowerCase();
  if (operator === 'and' || operator === 'or') return operator;
  throw scope.error(`Query default operator [${textOf(value)}] is not allowed`);
}

function readAnalyzer(option: string, value: Scalar, scope: ParseScope): Analyzer {
  const analyzer = scope.context.mapping.analyzer(textOf(value));
  if (analyzer !== null) return analyzer;
  throw scope.error(`[query_string] ${option} [${textOf(value)}] not found`);
}

function readTimeZone(value: Scalar, scope: ParseScope): string {
  try {
    return timeZone(textOf(value)).id;
  } catch {
    throw scope.error(`[query_string] time_zone [${textOf(value)}] is unknown`);
  }
}
