// What OpenSearch makes of each kind of query and of each part of a search, as docs/opensearch.md shows it.

import type { Verdict } from '../counting/verdict';
import type { Query } from '../../query/index';

const EXACT: Verdict = { is: 'exact', but: null };
const EXPANDED = 'more than 65,535 terms of a shard are not looked at where scores depend on them';
const JOINED = 'parents and children are listed by id: more than 65,535 on a shard are refused';

/** By kind. Documents and scores, where these count. */
export const QUERY_VERDICTS: { readonly [Kind in Query['kind']]: Verdict } = {
  matchAll: EXACT,
  matchNone: EXACT,
  term: {
    is: 'near',
    but: 'deleted documents do not count in scores; similarities other than the default one and BM25 are refused where scores of analyzed fields count',
  },
  termSet: EXACT,
  numberSet: EXACT,
  numericRange: EXACT,
  stringRange: EXACT,
  prefix: { is: 'exact', but: EXPANDED },
  wildcard: { is: 'exact', but: EXPANDED },
  regexp: { is: 'exact', but: EXPANDED },
  fuzzy: { is: 'exact', but: `${EXPANDED}; more than 1,024 variants of a word are not` },
  phrase: {
    is: 'near',
    but: 'as terms; one that begins with words left out is also found at the beginning of a text, and one that has the same word at several places may count more or less often',
  },
  phrasePrefix: { is: 'near', but: 'as phrases' },
  spans: {
    is: 'near',
    but: 'scores of spans with places free between their parts, and of parts of several lengths, where more than 1,000 documents of a shard have some, in nested objects, in queries of relatives and where hits are rescored; numbers within spans are no error',
  },
  bool: {
    is: 'near',
    but: 'more than 1,024 clauses, those of parts and of coordination included, are refused',
  },
  blended: { is: 'near', but: 'words more frequent than the smallest of the fields has tokens' },
  commonTerms: EXACT,
  similar: EXACT,
  fuzzyWords: { is: 'exact', but: EXPANDED },
  disMax: EXACT,
  constantScore: EXACT,
  filtered: EXACT,
  boosting: {
    is: 'near',
    but: 'the score of a boosting query within the negative part is not added',
  },
  exists: EXACT,
  nested: {
    is: 'near',
    but: 'words of objects included in outer ones are counted in all of these',
  },
  hasChild: { is: 'exact', but: JOINED },
  hasParent: { is: 'exact', but: JOINED },
  uids: EXACT,
  types: EXACT,
  geo: {
    is: 'near',
    but: 'points are rounded to 1e-7 degrees in polygons, and where a document has several; distances to 1e-6',
  },
  geoShape: { is: 'exact', but: 'shapes of more than 200,000 cells are refused' },
  sequences: EXACT,
  limit: { is: 'refused', but: 'documents have no order there' },
  functionScore: {
    is: 'near',
    but: 'functions that come to less than 0, or to no number, fail; scripts as below',
  },
  script: { is: 'near', but: 'as said of scripts below' },
  named: EXACT,
};

/** By what it is called in requests. */
export const SEARCH_VERDICTS: Readonly<Record<string, Verdict>> = {
  'from, size, version, fields, _source, partial_fields': EXACT,
  'sort by fields, _score, nested fields': EXACT,
  'sort by _doc': { is: 'near', but: 'shows the place in the log of the shard' },
  'sort by _geo_distance': {
    is: 'near',
    but: 'points are rounded to 1e-7 degrees where a document has several; of nested objects without points the farthest counts',
  },
  'sort by _script': {
    is: 'near',
    but: 'as said of scripts below; of nested objects without values the farthest counts',
  },
  'post_filter, min_score, indices_boost, track_scores': EXACT,
  timeout: { is: 'near', but: 'OpenSearch looks at the clock' },
  terminate_after: { is: 'near', but: 'which documents are looked at first is up to OpenSearch' },
  rescore: EXACT,
  'dfs search types, count, query_and_fetch': EXACT,
  'scan, scroll': {
    is: 'exact',
    but: 'kept for a day after the last page at most',
  },
  'highlight, fielddata_fields, script_fields, named queries': {
    is: 'exact',
    but: 'worked out by facetd from the sources of the hits shown',
  },
  explain: { is: 'near', but: 'deleted documents do not count' },
  'inner_hits of nested objects': { is: 'near', but: 'scores by the documents shown only' },
  'inner_hits of parents and children': { is: 'refused', but: 'documents are not joined' },
  suggest: { is: 'refused', but: 'words are not looked up there' },
  'keys that see some fields only': { is: 'refused', but: 'documents are not cut to them there' },
};
