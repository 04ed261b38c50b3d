// `_mlt`: a search for documents like one (reference server).

import { decodeUtf8, splitCommas } from '../../engine/index';
import {
  type ApiRequest,
  type ApiResponse,
  type RouteContext,
  indicesOptions,
  SEARCH_OPTIONS,
  type Params,
} from '../request/index';
import { searchAnswer } from '../render/index';
import { jsonObjectBody } from './json-body';
import { parseSearchType } from './search';

/** `GET|POST /{index}/{type}/{id}/_mlt`; the body, or `search_source`, is that of the search. */
export async function moreLikeThis(
  { params, body, signal, memory }: ApiRequest,
  { engine }: RouteContext,
): Promise<ApiResponse> {
  const index = params.get('index') ?? '';
  const type = params.get('type') ?? '';
  const searchIndices = params.list('search_indices');
  const searchTypes = params.list('search_types');
  const source = body.length === 0 ? Buffer.from(params.get('search_source') ?? '') : body;
  const result = await engine.moreLikeThis({
    index,
    type,
    id: params.get('id') ?? '',
    routing: params.get('routing'),
    fields: params.list('mlt_fields'),
    include: params.flag('include'),
    options: {
      minimumShouldMatch: minimumShouldMatch(params),
      minTermFreq: params.int('min_term_freq'),
      maxQueryTerms: params.int('max_query_terms'),
      minDocFreq: params.int('min_doc_freq'),
      maxDocFreq: params.int('max_doc_freq'),
      minWordLength: params.int('min_word_len') ?? params.int('min_word_length'),
      maxWordLength: params.int('max_word_len') ?? params.int('max_word_length'),
      boostTerms: params.float('boost_terms'),
      stopWords: splitCommas(params.get('stop_words') ?? ''),
    },
    search: {
      indices: searchIndices.length > 0 ? searchIndices : [index],
      types: searchTypes.length > 0 ? searchTypes : [type],
      options: indicesOptions(params, SEARCH_OPTIONS),
      searchType: parseSearchType(params.get('search_type')),
      scroll: params.timeMs('search_scroll'),
      signal: signal?.(),
      memory,
      body: jsonObjectBody(source, 'Failed to parse the search source'),
      bodyText: source.length === 0 ? null : decodeUtf8(source),
      from: params.int('search_from'),
      size: params.int('search_size'),
    },
  });
  return searchAnswer(result);
}

function minimumShouldMatch(params: Params): string {
  const share = params.float('percent_terms_to_match');
  return (
    params.get('minimum_should_match') ??
    (share === undefined ? '0' : `${Math.round(share * 100)}%`)
  );
}
