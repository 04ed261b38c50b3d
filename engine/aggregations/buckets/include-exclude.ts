// `include` and `exclude`: which terms have buckets (reference server).

import {
  compileTermPattern,
  parseTermPattern,
  type Term,
  termKey,
  type TermPattern,
} from '../../counting/index';
import { numberFormat, parseDouble } from '../../common/index';
import { EngineError } from '../../errors';
import { isJsonObject, javaText, JsonNumber, type JsonValue } from '../../json/index';

/** One of the two. Plain data. */
export type TermChoice =
  | { readonly kind: 'pattern'; readonly pattern: TermPattern }
  | { readonly kind: 'terms'; readonly terms: readonly string[] };

/** Java's flags by their bits. */
const FLAGS: readonly (readonly [bit: number, name: string])[] = [
  [1, 'UNIX_LINES'],
  [2, 'CASE_INSENSITIVE'],
  [4, 'COMMENTS'],
  [8, 'MULTILINE'],
  [16, 'LITERAL'],
  [32, 'DOTALL'],
  [64, 'UNICODE_CASE'],
  [128, 'CANON_EQ'],
  [256, 'UNICODE_CHARACTER_CLASS'],
];

/**
 * Reads `include` or `exclude`; null: it says nothing, undefined: it is neither text, object nor list.
 *
 * @throws ElementFailure, EngineError PatternSyntaxException
 */
export function parseChoice(value: JsonValue): TermChoice | null | undefined {
  if (typeof value === 'string') return { kind: 'pattern', pattern: parseTermPattern(value, null) };
  if (Array.isArray(value)) {
    return {
      kind: 'terms',
      terms: value.map((term) => javaText(term)),
    };
  }
  if (!isJsonObject(value)) return undefined;
  let pattern: string | null = null;
  let flags: string | null = null;
  for (const [member, part] of value) {
    if (member === 'pattern' && typeof part === 'string') pattern = part;
    else if (member === 'flags' && typeof part === 'string') flags = part;
    else if (member === 'flags' && part instanceof JsonNumber) flags = flagNames(part.value);
  }
  if (pattern === null) return null;
  return { kind: 'pattern', pattern: parseTermPattern(pattern, flags) };
}

function flagNames(bits: number): string | null {
  const names = FLAGS.filter(([bit]) => (bits & bit) !== 0).map(([, name]) => name);
  return names.length === 0 ? null : names.join('|');
}

/** How many terms a choice names. */
export function termsIn(choice: TermChoice | null): number {
  return choice?.kind === 'terms' ? choice.terms.length : 0;
}

/** Tests terms; null: all pass. @throws EngineError where numbers are meant by what is none */
export function termTest(
  include: TermChoice | null,
  exclude: TermChoice | null,
  type: 'string' | 'long' | 'double',
): ((term: Term) => boolean) | null {
  const wanted = include === null ? null : testOf(include, type);
  const unwanted = exclude === null ? null : testOf(exclude, type);
  if (unwanted === null) return wanted;
  return (term) => (wanted === null || wanted(term)) && !unwanted(term);
}

/** The same test by the numbers of keys, each tested once; null: all pass. */
export function testedKeys(
  test: ((term: Term) => boolean) | null,
  keyAt: (key: number) => Term,
): ((key: number) => boolean) | null {
  if (test === null) return null;
  /** By key: 1 passes, 2 does not, 0 was not tested. */
  let tested = new Uint8Array(64);
  return (key) => {
    if (key >= tested.length) {
      const larger = new Uint8Array(2 * key);
      larger.set(tested);
      tested = larger;
    }
    const known = tested[key]!;
    if (known !== 0) return known === 1;
    const passes = test(keyAt(key));
    tested[key] = passes ? 1 : 2;
    return passes;
  };
}

function testOf(choice: TermChoice, type: 'string' | 'long' | 'double'): (term: Term) => boolean {
  if (choice.kind === 'pattern') {
    const matches = compileTermPattern(choice.pattern);
    return (term) => matches(term as string);
  }
  const terms = new Set<Term>(choice.terms.map((text) => termKey(termOf(text, type))));
  return (term) => terms.has(termKey(term));
}

function termOf(text: string, type: 'string' | 'long' | 'double'): Term {
  if (type === 'string') return text;
  if (type === 'double') return parseDouble(text);
  if (!/^[+-]?\d+$/.test(text)) throw numberFormat(text);
  return BigInt(text.startsWith('+') ? text.slice(1) : text);
}

/** compat: patterns are about texts only. @throws ElementFailure */
export function refusePatterns(
  name: string,
  choices: readonly (TermChoice | null)[],
): EngineError | null {
  if (!choices.some((choice) => choice?.kind === 'pattern')) return null;
  return new EngineError(
    'AggregationExecutionException',
    `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of numeric values for include/exclude clauses used to filter numeric fields`,
  );
}
