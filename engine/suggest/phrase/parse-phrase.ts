// The options of a phrase suggestion.

import { illegalArgument } from '../../errors';
import {
  isJsonObject,
  javaText,
  lenientBoolean,
  type JsonObject,
  type JsonValue,
} from '../../json/index';
import { analysisSource, type Analyzer } from '../../analysis/index';
import type { FieldId } from '../../metadata/index';
import {
  analyzerOf,
  CommonOptions,
  float,
  integer,
  isValue,
  mappedField,
  termsField,
  tokensOf,
  type SuggestScope,
} from '../contract/suggest-scope';
import { defaultSpelling, readSpelling } from '../words/spell-options';
import type { CandidateSource, Collate, LanguageModel, PhraseSpec } from '../contract/phrase-spec';
import { parseCollate } from './parse-collate';
import { parseSmoothing } from './parse-smoothing';

interface Draft {
  readonly common: CommonOptions;
  realWordLikelihood: number;
  confidence: number;
  maxErrors: number;
  gramSize: number | null;
  separator: string;
  requiresUnigrams: boolean;
  tokenLimit: number;
  sources: CandidateSource[];
  model: LanguageModel | null;
  preTag: string | null;
  postTag: string | null;
  collate: Collate | null;
}

type ValueReader = (draft: Draft, value: JsonValue) => void;

const VALUES: ReadonlyMap<string, ValueReader> = new Map<string, ValueReader>(
  (
    [
      ['real_word_error_likelihood', 'realWorldErrorLikelihood', readLikelihood],
      ['confidence', 'confidence', readConfidence],
      ['separator', 'separator', (draft, value) => (draft.separator = javaText(value))],
      ['max_errors', 'maxErrors', readMaxErrors],
      ['gram_size', 'gramSize', readGramSize],
      ['force_unigrams', 'forceUnigrams', readForceUnigrams],
      ['token_limit', 'tokenLimit', readTokenLimit],
    ] as const satisfies readonly (readonly [string, string, ValueReader])[]
  ).flatMap(([name, camelCase, read]): [string, ValueReader][] => [
    [name, read],
    [camelCase, read],
  ]),
);

function readLikelihood(draft: Draft, value: JsonValue): void {
  draft.realWordLikelihood = float(value);
  if (draft.realWordLikelihood <= 0) {
    throw illegalArgument('real_word_error_likelihood must be > 0.0');
  }
}

function readConfidence(draft: Draft, value: JsonValue): void {
  draft.confidence = float(value);
  if (draft.confidence < 0) throw illegalArgument('confidence must be >= 0.0');
}

function readMaxErrors(draft: Draft, value: JsonValue): void {
  draft.maxErrors = float(value);
  if (draft.maxErrors <= 0) throw illegalArgument('max_error must be > 0.0');
}

function readGramSize(draft: Draft, value: JsonValue): void {
  draft.gramSize = integer(value);
  if (draft.gramSize < 1) throw illegalArgument('gram_size must be >= 1');
}

function readForceUnigrams(draft: Draft, value: JsonValue): void {
  draft.requiresUnigrams = lenientBoolean(value, true);
}

function readTokenLimit(draft: Draft, value: JsonValue): void {
  draft.tokenLimit = integer(value);
  if (draft.tokenLimit <= 0) throw illegalArgument('token_limit must be >= 1');
}

const DEFAULT_TOKEN_LIMIT = 10;

/**
 * @returns what the suggestion is with its text, which may stand behind it
 * @throws EngineError
 */
export function parsePhrase(
  body: JsonObject,
  scope: SuggestScope,
): (name: string, text: () => string) => PhraseSpec {
  const draft: Draft = {
    common: new CommonOptions(),
    realWordLikelihood: Math.fround(0.95),
    confidence: 1,
    maxErrors: 0.5,
    gramSize: null,
    separator: ' ',
    requiresUnigrams: true,
    tokenLimit: DEFAULT_TOKEN_LIMIT,
    sources: [],
    model: null,
    preTag: null,
    postTag: null,
    collate: null,
  };
  for (const [name, value] of body) readMember(draft, name, value, scope);
  const fieldName = draft.common.requireField();
  const mapped = mappedField(scope, fieldName);
  if (mapped === null) throw illegalArgument(`No mapping found for field [${fieldName}]`);
  const field = termsField(mapped, fieldName);
  const fieldAnalyzer = mapped.searchAnalyzer;
  settleGrams(draft, fieldName, draft.common.analyzer ?? fieldAnalyzer, field);
  return (name, textOf) => {
    const text = textOf();
    const { common, sources } = draft;
    const tokens = tokensOf(scope, common.analyzer ?? fieldAnalyzer, text);
    const words = draft.requiresUnigrams ? tokens.filter(({ type }) => type !== 'shingle') : tokens;
    const { optionsPerShard } = common;
    const perWord = sources.reduce((sum, { size }) => sum + Math.max(0, size), 0);
    scope.meter.add('suggestOptions', optionsPerShard + common.size + words.length * perWord);
    const filters = sources.some(({ preFilter, postFilter }) => (preFilter ?? postFilter) !== null);
    return {
      kind: 'phrase',
      name,
      text,
      size: common.size,
      field,
      words: words.map(({ term, type, positionIncrement }) => ({
        term,
        isSynonym: positionIncrement === 0 && type === 'SYNONYM',
      })),
      lacksUnigrams: tokens.length > 0 && words.length === 0,
      shardSize: optionsPerShard,
      sources,
      analysis: filters ? analysisSource(scope.index) : null,
      model: draft.model ?? { kind: 'stupidBackoff', discount: Math.fround(0.4) },
      separator: draft.separator,
      realWordLikelihood: draft.realWordLikelihood,
      confidence: draft.confidence,
      maxErrors: draft.maxErrors,
      gramSize: draft.gramSize ?? 1,
      tokenLimit: draft.tokenLimit,
      collate: draft.collate,
      highlight: draft.preTag === null ? null : { pre: draft.preTag, post: draft.postTag },
    };
  };
}

function readMember(draft: Draft, name: string, value: JsonValue, scope: SuggestScope): void {
  if (isValue(value)) {
    if (draft.common.read(name, value, scope)) return;
    const reader = VALUES.get(name);
    if (reader === undefined) {
      throw illegalArgument(`suggester[phrase] doesn't support field [${name}]`);
    }
    reader(draft, value);
  } else if (Array.isArray(value) && (name === 'direct_generator' || name === 'directGenerator')) {
    for (const generator of value) {
      if (!isJsonObject(generator)) break;
      scope.meter.add('suggestions', 1);
      draft.sources.push(parseSource(generator, scope));
    }
  } else if (isJsonObject(value) && name === 'smoothing') {
    draft.model = parseSmoothing(value, draft.model);
  } else if (isJsonObject(value) && name === 'highlight') {
    readHighlight(draft, value);
  } else if (isJsonObject(value) && name === 'collate') {
    draft.collate = parseCollate(value, scope);
  } else if (value === null) {
    throw illegalArgument(`suggester[phrase] doesn't support field [${name}]`);
  } else {
    throw illegalArgument(`suggester[phrase]  doesn't support array field [${name}]`);
  }
}

function readHighlight(draft: Draft, body: JsonObject): void {
  for (const [name, value] of body) {
    if (!isValue(value)) continue;
    if (name === 'pre_tag' || name === 'preTag') draft.preTag = javaText(value);
    else if (name === 'post_tag' || name === 'postTag') draft.postTag = javaText(value);
    else throw illegalArgument(`suggester[phrase][highlight] doesn't support field [${name}]`);
  }
}

function parseSource(body: JsonObject, scope: SuggestScope): CandidateSource {
  const spelling = defaultSpelling();
  let field: FieldId | null = null;
  let hasField = false;
  let size = 5;
  let preFilter: string | null = null;
  let postFilter: string | null = null;
  const filter = (value: JsonValue): string => {
    const name = javaText(value);
    analyzerOf(scope, name);
    return name;
  };
  for (const [name, value] of body) {
    if (!isValue(value) || readSpelling(spelling, name, value)) continue;
    if (name === 'field') {
      const fieldName = javaText(value);
      const mapped = mappedField(scope, fieldName);
      if (mapped === null) throw illegalArgument(`No mapping found for field [${fieldName}]`);
      field = termsField(mapped, fieldName);
      hasField = true;
    } else if (name === 'size') {
      size = integer(value);
      if (size <= 0) throw illegalArgument('Size must be positive');
    } else if (name === 'pre_filter' || name === 'preFilter') preFilter = filter(value);
    else if (name === 'post_filter' || name === 'postFilter') postFilter = filter(value);
    else throw illegalArgument(`CandidateGenerator doesn't support [${name}]`);
  }
  if (!hasField) throw illegalArgument('The required field option is missing');
  return { field, size, spelling, preFilter, postFilter };
}

/** What the shingles of the analyzer say where the request says nothing. */
function settleGrams(
  draft: Draft,
  fieldName: string,
  analyzer: Analyzer | null,
  field: FieldId | null,
): void {
  const shingles = analyzer?.shingles ?? null;
  const lacksUnigrams = shingles !== null && shingles.min > 1 && !shingles.unigrams;
  if (draft.gramSize === null && shingles !== null) {
    draft.gramSize = shingles.max;
    if (draft.common.analyzer === null && lacksUnigrams) {
      throw illegalArgument(
        `The default analyzer for field: [${fieldName}] doesn't emit unigrams. If this is intentional try to set the analyzer explicitly`,
      );
    }
  }
  if (draft.sources.length > 0) return;
  if (lacksUnigrams && draft.requiresUnigrams) {
    throw illegalArgument(
      `The default candidate generator for phrase suggest can't operate on field: [${fieldName}] since it doesn't emit unigrams. If this is intentional try to set the candidate generator field explicitly`,
    );
  }
  draft.sources.push({
    field,
    size: 5,
    spelling: defaultSpelling(),
    preFilter: null,
    postFilter: null,
  });
}
