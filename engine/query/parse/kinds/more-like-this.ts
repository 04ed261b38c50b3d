// `more_like_this` and `more_like_this_field`: documents that share characteristic words with a text or
// with other documents. Which words are characteristic is decided per shard (expand-similar.ts).

import { boolQuery } from '../../ast/bool-query';
import { type Analyzer, KEYWORD_ANALYZER } from '../../../analysis/index';
import { illegalArgument } from '../../../errors';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  decodeUtf8,
  parseJsonObject,
  extractValues,
} from '../../../json/index';
import { isNumeric, type FieldRef } from '../scope/field-ref';
import { searchAnalyzer } from '../fields/text-fields';
import { named, withBoost, type KindParser, type ParseScope } from '../scope/parse-scope';
import type { Query, SimilarTerms, WordCount } from '../../ast/query';
import {
  booleanOf,
  CommonOptions,
  firstMember,
  floatOf,
  intOf,
  isScalar,
  members,
  optionName,
  textOf,
  type Scalar,
} from '../scope/members';

/** Words of a text that are counted at most. */
const MAX_TOKENS = 5000;

/** A document to be like. */
interface SourceDocument {
  readonly index: string;
  readonly type: string | null;
  readonly id: string | null;
  readonly routing: string | undefined;
  /** Given in the request instead of stored. */
  readonly source: JsonObject | null;
  readonly fields: readonly string[] | null;
}

/** The options of both kinds, with their defaults. */
class SimilarOptions {
  readonly common = new CommonOptions();
  text: string | null = null;
  minTermFreq = 2;
  maxQueryTerms = 25;
  minDocFreq = 5;
  maxDocFreq = 2147483647;
  minWordLength = 0;
  maxWordLength = 0;
  boostTerms = 0;
  minimumShouldMatch = '30%';
  analyzer: Analyzer | null = null;
  failsOnUnsupported = true;
  include = false;
  readonly stopWords = new Set<string>();

  constructor(private readonly scope: ParseScope) {}

  /** True when `name` is one of the options with a plain value. */
  read(name: string, value: Scalar): boolean {
    const option = optionName(name);
    switch (option) {
      case 'like_text':
      case 'like':
        this.text = textOf(value);
        return true;
      case 'min_term_freq':
        this.minTermFreq = intOf(value);
        return true;
      case 'max_query_terms':
        this.maxQueryTerms = intOf(value);
        return true;
      case 'min_doc_freq':
        this.minDocFreq = intOf(value);
        return true;
      case 'max_doc_freq':
        this.maxDocFreq = intOf(value);
        return true;
      case 'min_word_len':
      case 'min_word_length':
        this.minWordLength = intOf(value);
        return true;
      case 'max_word_len':
      case 'max_word_length':
        this.maxWordLength = intOf(value);
        return true;
      case 'boost_terms':
        this.boostTerms = floatOf(value);
        return true;
      case 'minimum_should_match':
        this.minimumShouldMatch = textOf(value);
        return true;
      case 'percent_terms_to_match':
        this.minimumShouldMatch = `${Math.round(floatOf(value) * 100)}%`;
        return true;
      case 'analyzer':
        this.analyzer = this.scope.context.mapping.analyzer(textOf(value));
        return true;
      case 'fail_on_unsupported_field':
        this.failsOnUnsupported = booleanOf(value);
        return true;
      case 'include':
        this.include = booleanOf(value);
        return true;
      default:
        return this.common.read(option, value);
    }
  }

  readStopWords(list: readonly JsonValue[]): void {
    for (const word of list) if (isScalar(word)) this.stopWords.add(textOf(word));
  }
}

/** `{fields, like_text | ids | docs, ...}`. */
export const parseMoreLikeThis: KindParser = (body, scope) => {
  const options = new SimilarOptions(scope);
  let fields: string[] | null = null;
  const sources: SourceDocument[] = [];
  for (const member of members(body, 'array')) {
    const { name } = member;
    const option = optionName(name);
    if (member.sort === 'value') {
      if (!options.read(name, member.value)) throw unsupported('mlt', name, scope);
      continue;
    }
    scope.context.meter.add(option === 'fields' ? 'fields' : 'terms', member.value.length);
    if (option === 'fields') {
      fields = member.value.filter(isScalar).map(textOf);
    } else if (option === 'stop_words') {
      options.readStopWords(member.value);
    } else if (option === 'ids') {
      for (const id of member.value)
        if (isScalar(id)) sources.push(storedDocument(textOf(id), scope));
    } else if (option === 'docs') {
      for (const item of member.value) {
        if (isJsonObject(item)) sources.push(readSourceDocument(item, scope));
      }
    } else {
      throw unsupported('mlt', name, scope);
    }
  }
  if (options.text === null && sources.length === 0) {
    throw scope.error("more_like_this requires at least 'like_text' or 'ids/docs' to be specified");
  }
  if (fields?.length === 0) throw scope.error("more_like_this requires 'fields' to be non-empty");
  const refs = supported(
    (fields ?? [scope.context.defaultField]).map((name) => scope.field(name)),
    options,
  );
  if (refs.length === 0) return null;
  const texts = options.text === null ? [] : [ofText(refs, options.text, options, scope)];
  const documents = ofDocuments(fields === null ? null : refs, sources, options, scope);
  const parts: Query[] = [...(documents.length === 0 ? [] : [similar(documents, options)])];
  for (const text of texts) {
    parts.push(likeText(text, options, scope));
  }
  const query: Query = parts.length === 1 ? parts[0]! : boolQuery({ should: parts });
  const excluded = options.include ? [] : uidsOf(sources, scope);
  const boosted = withBoost(query, options.common.boost);
  return named(options.common.name, withoutSources(boosted, excluded));
};

/** `{field: {like_text, ...}}`. */
export const parseMoreLikeThisField: KindParser = (body, scope) => {
  const [field, content] = firstMember(body) ?? [null, null];
  if (field === null || !isJsonObject(content)) {
    throw scope.error(
      field === null
        ? 'more_like_this_field query malformed, no field'
        : 'more_like_this_field query malformed, no start_object',
    );
  }
  const options = new SimilarOptions(scope);
  for (const member of members(content, 'array')) {
    if (member.sort === 'array') {
      if (optionName(member.name) !== 'stop_words')
        throw unsupported('mlt_field', member.name, scope);
      options.readStopWords(member.value);
    } else if (!options.read(member.name, member.value)) {
      throw unsupported('mlt_field', member.name, scope);
    }
  }
  if (options.text === null) {
    throw scope.error("more_like_this_field requires 'like_text' to be specified");
  }
  const [ref] = supported([scope.field(field)], options, 'more_like_this_field');
  if (ref === undefined) return null;
  const query = likeText(ofText([ref], options.text, options, scope), options, scope);
  return named(options.common.name, withBoost(query, options.common.boost));
};

/** Documents like a text. */
function likeText(terms: SimilarTerms, options: SimilarOptions, scope: ParseScope): Query {
  return scope.shown(similar([terms], options), () => `like:[${options.text}]`);
}

function unsupported(query: string, name: string, scope: ParseScope): Error {
  return scope.error(`[${query}] query does not support [${name}]`);
}

/** Fields with words. @throws EngineError when there are others and they are not to be passed over */
function supported(
  refs: readonly FieldRef[],
  options: SimilarOptions,
  kind = 'more_like_this',
): readonly FieldRef[] {
  return refs.filter((ref) => {
    if (!isNumeric(ref) && ref.mapped?.type !== 'binary') return true;
    if (!options.failsOnUnsupported) return false;
    throw illegalArgument(`${kind} doesn't support binary/numeric fields: [${ref.name}]`);
  });
}

function storedDocument(id: string, scope: ParseScope): SourceDocument {
  const index = scope.context.indexName;
  return { index, type: null, id, routing: undefined, source: null, fields: null };
}

function readSourceDocument(item: JsonObject, scope: ParseScope): SourceDocument {
  const text = (...names: readonly string[]): string | null => {
    for (const name of names) {
      const value = item.get(name);
      if (value !== undefined && isScalar(value)) return textOf(value);
    }
    return null;
  };
  const source = item.get('doc') ?? null;
  const fields = item.get('fields') ?? item.get('_fields') ?? null;
  return {
    index: text('_index', 'index') ?? scope.context.indexName,
    type: text('_type', 'type'),
    id: text('_id', 'id'),
    routing: text('_routing', 'routing') ?? undefined,
    source: isJsonObject(source) ? source : null,
    fields: Array.isArray(fields) ? fields.filter(isScalar).map(textOf) : null,
  };
}

/** The type of a source document that names none: the only one that is searched. */
function typeOf(source: SourceDocument, scope: ParseScope): string {
  if (source.type !== null) return source.type;
  const types = scope.queryTypes;
  const [only] = types;
  if (only !== undefined && types.length === 1) return only;
  throw scope.error(`ambiguous type for item with id: ${source.id} and index: ${source.index}`);
}

function ofText(
  refs: readonly FieldRef[],
  text: string,
  options: SimilarOptions,
  scope: ParseScope,
): SimilarTerms {
  // compat: the first field says how the text is analyzed for all of them.
  const analyzer = options.analyzer ?? searchAnalyzer(refs[0]!, scope);
  const counts = new Map<string, number>();
  countWords(analyzer, text, options, counts, scope);
  return { fields: refs.map(({ id }) => id), words: toWords(counts) };
}

/** The words of source documents, field by field; fields null: all fields that have words. */
function ofDocuments(
  refs: readonly FieldRef[] | null,
  sources: readonly SourceDocument[],
  options: SimilarOptions,
  scope: ParseScope,
): SimilarTerms[] {
  const byField = new Map<number, Map<string, number>>();
  for (const item of sources) {
    const document = item.source ?? storedSource(item, scope);
    if (document === null) continue;
    scope.context.meter.add('fields', item.fields?.length ?? 0);
    const own = item.fields?.map((name) => scope.field(name)) ?? refs ?? wordFields(scope);
    for (const { id, mapped } of own) {
      if (mapped === null) continue;
      const counts = byField.get(id) ?? new Map<string, number>();
      byField.set(id, counts);
      const { field } = mapped;
      const analyzer = (field?.kind === 'string' ? field.analyzer : null) ?? KEYWORD_ANALYZER;
      for (const value of valuesAt(document, mapped.path)) {
        countWords(analyzer, value, options, counts, scope);
      }
    }
  }
  return [...byField]
    .filter(([, counts]) => counts.size > 0)
    .map(([field, counts]) => ({ fields: [field], words: toWords(counts) }));
}

function storedSource(item: SourceDocument, scope: ParseScope): JsonObject | null {
  if (item.id === null) return null;
  const source = scope.context.getSource(item.index, typeOf(item, scope), item.id, item.routing);
  return source === undefined ? null : parseJsonObject(decodeUtf8(source), Infinity);
}

function wordFields(scope: ParseScope): FieldRef[] {
  const { mapping, types } = scope.context;
  const names = mapping
    .match('*', types)
    .filter(({ path, field }) => field?.kind === 'string' && !path.startsWith('_'))
    .map(({ path }) => path);
  return [...new Set(names)].map((name) => scope.field(name));
}

/** Values of a field in a document; those of a multi-field are its parent's. */
function valuesAt(document: JsonObject, path: string): string[] {
  let values = extractValues(document, path);
  const parent = path.lastIndexOf('.');
  if (values.length === 0 && parent > 0) values = extractValues(document, path.slice(0, parent));
  return values.filter((value) => value !== null).map(String);
}

function countWords(
  analyzer: Analyzer,
  text: string,
  options: SimilarOptions,
  counts: Map<string, number>,
  scope: ParseScope,
): void {
  scope.context.meter.add('text', text.length);
  const { minWordLength, maxWordLength, stopWords } = options;
  let tokens = 0;
  const count = (term: string): void => {
    if (tokens++ >= MAX_TOKENS) return;
    if (minWordLength > 0 && term.length < minWordLength) return;
    if (maxWordLength > 0 && term.length > maxWordLength) return;
    if (!stopWords.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  };
  analyzer.forEachTerm(text, count, scope.tokenBudget);
}

function toWords(counts: ReadonlyMap<string, number>): WordCount[] {
  return [...counts].map(([word, count]) => ({ word, count }));
}

function similar(terms: readonly SimilarTerms[], options: SimilarOptions): Query {
  const { minTermFreq, maxQueryTerms, minDocFreq, maxDocFreq, boostTerms, minimumShouldMatch } =
    options;
  return {
    kind: 'similar',
    terms,
    minTermFreq,
    maxQueryTerms,
    minDocFreq,
    maxDocFreq,
    boostTerms,
    minimumShouldMatch,
    boost: 1,
  };
}

function uidsOf(sources: readonly SourceDocument[], scope: ParseScope): string[] {
  return sources
    .filter(({ id, index }) => id !== null && index === scope.context.indexName)
    .map((item) => `${typeOf(item, scope)}#${item.id}`);
}

function withoutSources(query: Query, uids: readonly string[]): Query {
  if (uids.length === 0) return query;
  return boolQuery({ should: [query], mustNot: [{ kind: 'uids', uids, boost: 1 }] });
}
