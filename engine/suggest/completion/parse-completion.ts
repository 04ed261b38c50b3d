// The options of a completion.

import { EngineError, illegalArgument } from '../../errors';
import { isJsonObject, lenientBoolean, type JsonObject, type JsonValue } from '../../json/index';
import { CompletionMapper, completionPaths, queryPrefixes } from '../../mapping/index';
import { SizeBudget } from '../../analysis/index';
import { Fuzziness } from '../../query/index';
import {
  CommonOptions,
  integer,
  internalError,
  isValue,
  mappedField,
  type SuggestScope,
} from '../contract/suggest-scope';
import type { CompletionFuzziness, CompletionSpec } from '../contract/completion-spec';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const DEFAULT_FUZZINESS: CompletionFuzziness = {
  maxEdits: 1,
  transpositions: true,
  minLength: 3,
  prefixLength: 1,
  unicodeAware: false,
};

const RESERVED: readonly (readonly [string, string])[] = [
  ['\u001e', 'HOLE character U+001E'],
  ['\u001f', 'unit separator character U+001F'],
];

/**
 * @returns what the suggestion is with its text, which may stand behind it
 * @throws EngineError
 */
export function parseCompletion(
  body: JsonObject,
  scope: SuggestScope,
): (name: string, text: () => string) => CompletionSpec {
  const common = new CommonOptions();
  let fuzziness: CompletionFuzziness | null = null;
  let context: JsonObject | null = null;
  for (const [name, value] of body) {
    if (isValue(value)) {
      if (common.read(name, value, scope)) continue;
      if (name === 'fuzzy' && typeof value === 'boolean') {
        fuzziness = value ? (fuzziness ?? DEFAULT_FUZZINESS) : null;
      }
    } else if (isJsonObject(value) && name === 'fuzzy') {
      fuzziness = parseFuzziness(value);
    } else if (isJsonObject(value) && name === 'context') {
      context = value;
    } else if (isJsonObject(value)) {
      throw illegalArgument(`suggester [completion] doesn't support field [${name}]`);
    } else {
      throw illegalArgument(`suggester[completion]  doesn't support field [${name}]`);
    }
  }
  const mapped = common.field === null ? null : mappedField(scope, common.field);
  if (mapped !== null && !(mapped instanceof CompletionMapper)) {
    throw internalError(
      'ClassCastException',
      `field [${mapped.path}] of type [${mapped.type}] is no completion field`,
    );
  }
  const prefixes = mapped === null ? [''] : prefixesOf(mapped, context);
  return (name, textOf) => {
    const fieldName = common.requireField();
    const text = textOf();
    const field = mapped?.field ?? null;
    if (mapped === null || field === null) {
      throw new EngineError(
        'ElasticsearchException',
        `Field [${fieldName}] is not a completion suggest field`,
      );
    }
    for (const [character, what] of RESERVED) {
      if (!text.includes(character)) continue;
      throw internalError(
        'IllegalArgumentException',
        `lookup key cannot contain ${what}; this character is reserved`,
      );
    }
    const { meter } = scope;
    meter.add('text', text.length);
    meter.add('suggestions', 1);
    meter.add('suggestOptions', common.size);
    const { own } = mapped;
    const paths = completionPaths(
      mapped.searchAnalyzer,
      text,
      // compat: fuzzy completion knows of positions without a token, whatever the mapping says.
      fuzziness === null ? own : { ...own, preservePositionIncrements: true },
      new SizeBudget((bytes) => meter.add('analyzed', bytes)),
    );
    const { size } = common;
    const isFound = mapped.indexName === fieldName;
    return {
      kind: 'completion',
      name,
      text,
      size,
      field: field.id,
      prefixes,
      paths: isFound ? paths : [],
      fuzziness,
    };
  };
}

function prefixesOf({ own }: CompletionMapper, context: JsonObject | null): readonly string[] {
  const { contexts, preserveSeparators } = own;
  if (contexts.size === 0) {
    if (context === null) return [''];
    throw illegalArgument("suggester [completion] doesn't expect any context");
  }
  if (context === null) {
    throw illegalArgument('suggester [completion] requires context to be setup');
  }
  return queryPrefixes(contexts, context, preserveSeparators);
}

type FuzzyReader = (fuzziness: Mutable<CompletionFuzziness>, value: JsonValue) => void;

const readEdits: FuzzyReader = (fuzziness, value) => {
  if (typeof value === 'boolean')
    throw illegalArgument(`Can't parse fuzziness on token: [VALUE_BOOLEAN]`);
  // compat: shares and AUTO are of a text of four characters, whatever was typed.
  fuzziness.maxEdits = Fuzziness.of(value as Parameters<typeof Fuzziness.of>[0]).editsFor('AUTO');
};
const readMinLength: FuzzyReader = (fuzziness, value) => (fuzziness.minLength = integer(value));
const readPrefix: FuzzyReader = (fuzziness, value) => (fuzziness.prefixLength = integer(value));
const readUnicode: FuzzyReader = (fuzziness, value) =>
  (fuzziness.unicodeAware = lenientBoolean(value, false));

const FUZZY: ReadonlyMap<string, FuzzyReader> = new Map<string, FuzzyReader>([
  ['fuzziness', readEdits],
  ['edit_distance', readEdits],
  ['editDistance', readEdits],
  ['transpositions', (to, value) => (to.transpositions = lenientBoolean(value, true))],
  ['min_length', readMinLength],
  ['minLength', readMinLength],
  ['prefix_length', readPrefix],
  ['prefixLength', readPrefix],
  ['unicode_aware', readUnicode],
  ['unicodeAware', readUnicode],
]);

/** Members that are not known are passed over. */
function parseFuzziness(body: JsonObject): CompletionFuzziness {
  const fuzziness = { ...DEFAULT_FUZZINESS };
  for (const [name, value] of body) {
    if (isValue(value)) FUZZY.get(name)?.(fuzziness, value);
  }
  const { maxEdits, minLength, prefixLength } = fuzziness;
  const wrong =
    maxEdits < 0 || maxEdits > 2
      ? 'maxEdits must be between 0 and 2'
      : prefixLength < 0
        ? `nonFuzzyPrefix must not be >= 0 (got ${prefixLength})`
        : minLength < 0
          ? `minFuzzyLength must not be >= 0 (got ${minLength})`
          : null;
  if (wrong !== null) throw internalError('IllegalArgumentException', wrong);
  return fuzziness;
}
