// The more-like-this API: a document's texts as a query for others (reference server).

import { EngineError } from '../errors';
import {
  JsonNumber,
  type JsonObject,
  type JsonValue,
  decodeUtf8,
  parseJsonObject,
  extractValues,
  writeJson,
} from '../json/index';
import type { IndexMapping } from '../mapping/index';
import type { MoreLikeThisRequest, SearchRequest, SimilarityOptions } from '../api/index';

/** The document whose likes are wanted. */
export interface LikedSource {
  readonly type: string;
  readonly id: string;
  readonly source: Buffer | undefined;
}

/**
 * The search that a request for documents like one comes to.
 *
 * @throws EngineError ElasticsearchException (500) when the document has none of the fields
 */
export function similarSearch(
  { search, fields, options, include }: MoreLikeThisRequest,
  document: LikedSource,
  mapping: IndexMapping,
): SearchRequest {
  const body = new Map(search.body).set(
    'query',
    likeDocument(document, mapping, fields, options, include),
  );
  if (search.from !== undefined) body.set('from', new JsonNumber(String(search.from)));
  if (search.size !== undefined) body.set('size', new JsonNumber(String(search.size)));
  return {
    ...search,
    body,
    bodyText: writeJson(body),
    params: new Map(),
    routing: undefined,
    preference: undefined,
  };
}

/**
 * A query for documents like one: a should clause for every value of its fields.
 *
 * @param fields names to look at; empty: all with text
 * @param include whether the document itself may be found
 * @throws EngineError ElasticsearchException (500) when the document has none of the fields
 */
function likeDocument(
  { type, id, source }: LikedSource,
  mapping: IndexMapping,
  fields: readonly string[],
  options: SimilarityOptions,
  include: boolean,
): JsonObject {
  const document = source === undefined ? null : parseJsonObject(decodeUtf8(source), Infinity);
  const should: JsonValue[] = [];
  for (const [name, path] of chosenFields(type, mapping, fields)) {
    const values = document === null ? [] : extractValues(document, path);
    for (const value of values) {
      if (value === null) continue;
      const body = optionMembers(options);
      body.set('like_text', String(value));
      body.set('fail_on_unsupported_field', fields.length > 0);
      should.push(new Map([['mlt_field', new Map([[name, body]])]]));
    }
  }
  if (should.length === 0) {
    throw new EngineError('ElasticsearchException', "No fields found to fetch the 'likeText' from");
  }
  const bool: JsonObject = new Map([['should', should]]);
  if (!include) bool.set('must_not', new Map([['term', new Map([['_uid', `${type}#${id}`]])]]));
  return new Map([['bool', bool]]);
}

/** Name and path in the source of each field. */
function chosenFields(
  type: string,
  mapping: IndexMapping,
  fields: readonly string[],
): Iterable<readonly [string, string]> {
  const chosen = new Map<string, string>();
  for (const name of fields) {
    const mapped = mapping.find(name, [type])?.mapped;
    if (mapped !== undefined && mapped.field !== null) chosen.set(mapped.indexName, mapped.path);
  }
  if (fields.length > 0) return chosen;
  for (const { indexName, path, field } of mapping.match('*', [type])) {
    if (field?.kind === 'string' && !path.startsWith('_')) chosen.set(indexName, path);
  }
  return chosen;
}

function optionMembers(options: SimilarityOptions): JsonObject {
  const body: JsonObject = new Map<string, JsonValue>([
    ['minimum_should_match', options.minimumShouldMatch],
  ]);
  const numbers: readonly (readonly [string, number | undefined])[] = [
    ['min_term_freq', options.minTermFreq],
    ['max_query_terms', options.maxQueryTerms],
    ['min_doc_freq', options.minDocFreq],
    ['max_doc_freq', options.maxDocFreq],
    ['min_word_length', options.minWordLength],
    ['max_word_length', options.maxWordLength],
    ['boost_terms', options.boostTerms],
  ];
  for (const [name, value] of numbers) {
    if (value !== undefined) body.set(name, new JsonNumber(String(value)));
  }
  if (options.stopWords.length > 0) body.set('stop_words', [...options.stopWords]);
  return body;
}
