// The error texts of bad bodies, word for word: clients and their tests match on them.

import { failure, filter, query } from './support';

const MATCH_FORM =
  "[match] query parsed in simplified form, with direct field name, but included more options than just the field name, possibly use its 'options' form, with 'query' element?";

describe('queries', () => {
  test.each<[string, string]>([
    ['{}', '[_na] query malformed, no field after start_object'],
    ['{term: "x"}', '[_na] query malformed, no field after start_object'],
    ['{nosuch: {}}', 'No query registered for [nosuch]'],
    ['{custom_score: {}}', 'No query registered for [custom_score]'],
    ['{text: {}}', 'No query registered for [text]'],
    ['{field: {}}', 'No query registered for [field]'],
    [
      '{exists: {}}',
      'No query registered for [exists], which is a filter: put it into {"filtered": {"filter": ...}}',
    ],
    ['{mtach: {}}', 'No query registered for [mtach], did you mean [match]?'],
    ['{constructor: {}}', 'No query registered for [constructor]'],
    ['{match: {}}', '[match] query malformed, no field'],
    ['{match: {t: "a", u: "b"}}', MATCH_FORM],
    ['{match: {t: ["a"]}}', MATCH_FORM],
    ['{match: {t: {}}}', 'No text specified for text query'],
    ['{match: {t: null}}', 'No text specified for text query'],
    ['{match: {t: {query: "a", foo: 1}}}', '[match] query does not support [foo]'],
    ['{match: {t: {query: "a", type: "zz"}}}', '[match] query does not support type zz'],
    [
      '{match: {t: {query: "a", operator: "xor"}}}',
      "text query requires operator to be either 'and' or 'or', not [xor]",
    ],
    ['{match: {t: {query: "a", analyzer: "zzz"}}}', '[match] analyzer [zzz] not found'],
    ['{match: {t: {query: "a", zero_terms_query: "x"}}}', 'Unsupported zero_terms_docs value [x]'],
    ['{multi_match: {}}', 'No text specified for multi_match query'],
    ['{multi_match: {query: "a"}}', 'No fields specified for multi_match query'],
    ['{multi_match: {query: "a", fields: ["zz*"]}}', 'No fields specified for multi_match query'],
    [
      '{multi_match: {query: "a", fields: {a: 1}}}',
      '[multi_match] query does not support [fields]',
    ],
    ['{multi_match: {query: "a", fields: ["t"], foo: 1}}', '[match] query does not support [foo]'],
    [
      '{multi_match: {query: "a", fields: ["t"], analyzer: "zz"}}',
      '[multi_match] analyzer [zz] not found',
    ],
    [
      '{multi_match: {query: "a", fields: ["t", "u"], type: "cross_fields", cutoff_frequency: 1}}',
      '[multi_match] cutoff_frequency is not supported with type cross_fields',
    ],
    ['{common: {}}', '[common] query malformed, no field'],
    ['{common: {t: {}}}', 'No text specified for text query'],
    ['{common: {t: {query: "a b", foo: 1}}}', '[common] query does not support [foo]'],
    ['{common: {t: {query: "a b", foo: {}}}}', '[common] query does not support [foo]'],
    ['{common: {t: {query: "a b", analyzer: "zz"}}}', '[common] analyzer [zz] not found'],
    [
      '{common: {t: {query: "a b", low_freq_operator: "x"}}}',
      "[common] query requires operator to be either 'and' or 'or', not [x]",
    ],
    [
      '{common: {t: {query: "a b", minimum_should_match: {foo: 2}}}}',
      '[common] query does not support [foo] for [minimum_should_match]',
    ],
    ['{bool: {foo: 1}}', '[bool] query does not support [foo]'],
    ['{bool: {foo: {}}}', '[bool] query does not support [foo]'],
    ['{bool: {filter: [{term: {k: "a"}}]}}', 'bool query does not support [filter]'],
    ['{bool: {must: 5}}', '[bool] query does not support [must]'],
    ['{bool: {must: [5]}}', '[_na] query malformed, must start with start_object'],
    ['{bool: {must: [{}]}}', '[_na] query malformed, no field after start_object'],
    [
      '{bool: {must: {match_all: {}, term: {k: "a"}}}}',
      '[_na] query malformed, no field after start_object',
    ],
    ['{dis_max: {}}', "[dis_max] requires 'queries' field"],
    ['{dis_max: {queries: []}}', '[_na] query malformed, must start with start_object'],
    ['{dis_max: {foo: 1}}', '[dis_max] query does not support [foo]'],
    [
      '{boosting: {negative: {term: {k: "a"}}}}',
      "[boosting] query requires 'positive' query to be set'",
    ],
    [
      '{boosting: {positive: {term: {k: "a"}}}}',
      "[boosting] query requires 'negative' query to be set'",
    ],
    [
      '{boosting: {positive: {term: {k: "a"}}, negative: {term: {k: "a"}}}}',
      "[boosting] query requires 'negative_boost' to be set'",
    ],
    ['{boosting: {foo: {}}}', '[boosting] query does not support [foo]'],
    ['{constant_score: {}}', "[constant_score] requires either 'filter' or 'query' element"],
    [
      '{constant_score: {filter: null}}',
      "[constant_score] requires either 'filter' or 'query' element",
    ],
    [
      '{constant_score: {filter: {}, _name: "x"}}',
      '[constant_score] query does not support [_name]',
    ],
    ['{filtered: {foo: 1}}', '[filtered] query does not support [foo]'],
    ['{filtered: {filter: "x"}}', '[filtered] query does not support [filter]'],
    ['{filtered: {strategy: "zz"}}', '[filtered] strategy value not supported [zz]'],
    ['{match_all: {foo: 1}}', '[match_all] query does not support [foo]'],
    ['{ids: {}}', '[ids] query, no ids values provided'],
    ['{ids: {values: "a"}}', '[ids] query does not support [values]'],
    [
      '{ids: {values: [null]}}',
      'Illegal value for id, expecting a string or number, got: VALUE_NULL',
    ],
    [
      '{ids: {values: [{a: 1}]}}',
      'Illegal value for id, expecting a string or number, got: START_OBJECT',
    ],
    [
      '{ids: {values: [1, true]}}',
      'Illegal value for id, expecting a string or number, got: VALUE_BOOLEAN',
    ],
    ['{indices: {}}', "[indices] requires 'query' element"],
    ['{indices: {query: {match_all: {}}}}', "[indices] requires 'indices' or 'index' element"],
    [
      '{indices: {indices: ["a"], index: "b", query: {match_all: {}}}}',
      '[indices] indices or index already specified',
    ],
    ['{indices: {foo: 1}}', '[indices] query does not support [foo]'],
    ['{wrapper: {foo: "x"}}', '[wrapper] query malformed'],
    ['{term: {}}', '[term] query malformed, no field'],
    ['{term: {t: {}}}', 'No value specified for term query'],
    ['{term: {t: {value: null}}}', 'No value specified for term query'],
    ['{term: {t: {value: "a", foo: 1}}}', '[term] query does not support [foo]'],
    ['{terms: {}}', 'No field specified for terms query'],
    ['{terms: {t: "x"}}', '[terms] query does not support [t]'],
    ['{terms: {t: {a: 1}}}', '[terms] query does not support [t]'],
    ['{terms: {t: [null]}}', 'No value specified for terms query'],
    ['{terms: {t: ["a"], u: ["b"]}}', '[terms] query does not support multiple fields'],
    ['{prefix: {}}', '[prefix] query malformed, no field'],
    ['{prefix: {t: {foo: 1}}}', 'No value specified for prefix query'],
    ['{wildcard: {}}', '[wildcard] query malformed, no field'],
    ['{wildcard: {t: {}}}', 'No value specified for prefix query'],
    ['{wildcard: {t: {foo: 1}}}', '[wildcard] query does not support [foo]'],
    ['{regexp: {}}', '[regexp] query malformed, no field'],
    ['{regexp: {t: {}}}', 'No value specified for regexp query'],
    ['{fuzzy: {}}', '[fuzzy] query malformed, no field'],
    ['{fuzzy: {t: {}}}', 'No value specified for fuzzy query'],
    ['{fuzzy: {t: {value: "a", foo: 1}}}', '[fuzzy] query does not support [foo]'],
    ['{range: {}}', '[range] query malformed, no field to indicate field name'],
    ['{range: {t: 5}}', '[range] query malformed, after field missing start object'],
    ['{range: {t: {foo: 1}}}', '[range] query does not support [foo]'],
    ['{range: {t: {gt: 1}, u: {gt: 1}}}', '[range] query malformed, does not end with an object'],
    [
      '{range: {n: {gt: 1, time_zone: "+01:00"}}}',
      '[range] time_zone can not be applied to non date field [n]',
    ],
    [
      '{range: {dt: {gt: 1, time_zone: "+01:00"}}}',
      "[range] time_zone when using ms since epoch format as it's UTC based can not be applied to [dt]",
    ],
    ['{nested: {path: "c"}}', "[nested] requires either 'query' or 'filter' field"],
    ['{nested: {query: {match_all: {}}}}', "[nested] requires 'path' field"],
    [
      '{nested: {path: "o", query: {match_all: {}}}}',
      '[nested] nested object under path [o] is not of nested type',
    ],
    [
      '{nested: {path: "zz", query: {match_all: {}}}}',
      '[nested] failed to find nested object under path [zz]',
    ],
    [
      '{nested: {path: "c", query: {match_all: {}}, score_mode: "min"}}',
      'illegal score_mode for nested query [min]',
    ],
    [
      '{nested: {path: "c", query: {match_all: {}}, foo: 1}}',
      '[nested] query does not support [foo]',
    ],
    ['{query_string: {}}', 'query_string must be provided with a [query]'],
    ['{query_string: {query: "a", foo: 1}}', '[query_string] query does not support [foo]'],
    ['{query_string: {query: "a", fields: "t"}}', '[query_string] query does not support [fields]'],
    [
      '{query_string: {query: "a", default_operator: "xx"}}',
      'Query default operator [xx] is not allowed',
    ],
    ['{query_string: {query: "a", analyzer: "zz"}}', '[query_string] analyzer [zz] not found'],
    [
      '{query_string: {query: "a", quote_analyzer: "zz"}}',
      '[query_string] quote_analyzer [zz] not found',
    ],
    ['{query_string: {query: "a", time_zone: "zz"}}', '[query_string] time_zone [zz] is unknown'],
  ])('%s', (body, text) => {
    expect(failure(() => query(body))).toBe(`QueryParsingException[[i] ${text}]`);
  });

  test.each<[string, string]>([
    [
      '{match: []}',
      'ElasticsearchParseException[End of query source reached but query is not complete.]',
    ],
    [
      '{term: []}',
      'ElasticsearchParseException[End of query source reached but query is not complete.]',
    ],
    [
      '{term: {t: "a", u: "b"}}',
      'ElasticsearchParseException[Expected field name but got VALUE_STRING "u"]',
    ],
    [
      '{match_all: {}, term: {t: "a"}}',
      'ElasticsearchParseException[Expected field name but got START_OBJECT "term"]',
    ],
    ['{term: {n: 2.7}}', 'NumberFormatException[For input string: "2.7"]'],
    [
      '{term: {dt: 1388534400000}}',
      'IllegalArgumentException[Invalid format: "1388534400000" is malformed at "0000"]',
    ],
    ['{term: {t: {value: "a", boost: "x"}}}', 'NumberFormatException[For input string: "x"]'],
    [
      '{match: {t: {query: "a b", minimum_should_match: "x"}}}',
      'NumberFormatException[For input string: "x"]',
    ],
    ['{match: {t: {query: "a", fuzziness: "x"}}}', 'NumberFormatException[For input string: "x"]'],
    ['{match: {t: {query: "a", slop: "x"}}}', 'NumberFormatException[For input string: "x"]'],
    [
      '{multi_match: {query: "a", fields: ["t"], type: "zz"}}',
      'ElasticsearchParseException[No type found for value: zz]',
    ],
    [
      '{multi_match: {query: "a", fields: ["t^x"]}}',
      'NumberFormatException[For input string: "x"]',
    ],
    [
      '{prefix: {t: {value: "a", rewrite: "zz"}}}',
      'ElasticsearchIllegalArgumentException[Failed to parse rewrite_method [zz]]',
    ],
    [
      '{regexp: {t: {value: "a", flags: "zz"}}}',
      'ElasticsearchIllegalArgumentException[Unknown regexp flag [zz]]',
    ],
    ['{regexp: {t: "a("}}', 'IllegalArgumentException[unexpected end-of-string]'],
    ['{query_string: {query: "/a(/"}}', 'IllegalArgumentException[unexpected end-of-string]'],
    [
      '{query_string: {query: "a", fuzziness: 3}}',
      "ElasticsearchIllegalArgumentException[Can't get similarity from fuzziness [3]]",
    ],
    ['{wildcard: {n: "1*"}}', 'NumberFormatException[For input string: "1*"]'],
    [
      '{range: {dt: {gt: "2014-01-01", time_zone: "zz"}}}',
      "IllegalArgumentException[The datetime zone id 'zz' is not recognised]",
    ],
  ])('%s', (body, text) => {
    expect(failure(() => query(body))).toBe(text);
  });
});

describe('filters', () => {
  test.each<[string, string]>([
    ['"x"', '[_na] filter malformed, must start with start_object'],
    ['{term: "x"}', '[_na] filter malformed, no field after start_object'],
    ['{nosuch: {}}', 'No filter registered for [nosuch]'],
    [
      '{match: {t: "a"}}',
      'No filter registered for [match], which is a query: put it into {"query": ...}',
    ],
    [
      '{wildcard: {t: "a"}}',
      'No filter registered for [wildcard], which is a query: put it into {"query": ...}',
    ],
    ['{term: {}}', 'No field specified for term filter'],
    ['{term: {t: null}}', 'No field specified for term filter'],
    ['{term: {t: {}}}', 'No value specified for term filter'],
    ['{term: {t: {foo: 1}}}', '[term] filter does not support [foo]'],
    ['{terms: {}}', 'terms filter requires a field name, followed by array of terms'],
    ['{terms: {k: "a"}}', '[terms] filter does not support [k]'],
    ['{terms: {t: [null]}}', 'No value specified for terms filter'],
    ['{terms: {t: ["a"], u: ["a"]}}', '[terms] filter does not support multiple fields'],
    ['{terms: {t: ["a"], execution: "zz"}}', 'terms filter execution value [zz] not supported'],
    ['{terms: {t: {id: 1}}}', '[terms] filter lookup element requires specifying the type'],
    ['{terms: {t: {type: "d"}}}', '[terms] filter lookup element requires specifying the id'],
    [
      '{terms: {t: {type: "d", id: 1}}}',
      '[terms] filter lookup element requires specifying the path',
    ],
    ['{terms: {t: {foo: "d"}}}', '[terms] filter does not support [foo] within lookup element'],
    ['{range: {}}', '[range] filter no field specified for range filter'],
    ['{range: {t: 5}}', '[range] filter does not support [t]'],
    ['{range: {t: {foo: 5}}}', '[range] filter does not support [foo]'],
    ['{range: {t: {gt: "a"}, execution: "zz"}}', "[range] filter doesn't support [zz] execution"],
    [
      '{range: {t: {gt: "a"}, execution: "fielddata"}}',
      '[range] filter field [t] is not a numeric type',
    ],
    ['{numeric_range: {}}', '[numeric_range] filter no field specified for range filter'],
    ['{numeric_range: {n: {foo: 5}}}', '[numeric_range] filter does not support [foo]'],
    [
      '{numeric_range: {n: {gt: 5}, execution: "index"}}',
      '[numeric_range] filter does not support [execution]',
    ],
    ['{numeric_range: {nope: {gt: 5}}}', 'failed to find mapping for field [nope]'],
    ['{numeric_range: {t: {gt: 5}}}', 'Field [t] is not a numeric type'],
    ['{prefix: {}}', 'No value specified for prefix filter'],
    ['{regexp: {t: {}}}', 'No value specified for regexp filter'],
    ['{regexp: {t: {foo: 1}}}', '[regexp] filter does not support [foo]'],
    ['{and: []}', "[and] filter requires 'filters' to be set on it'"],
    ['{and: {term: {n: 1}}}', '[and] filter does not support [n]'],
    ['{or: []}', "[or] filter requires 'filters' to be set on it'"],
    ['{or: {}}', "[or] filter requires 'filters' to be set on it'"],
    ['{not: {}}', 'filter is required when using `not` filter'],
    ['{not: {foo: 1}}', '[not] filter does not support [foo]'],
    ['{not: {nosuch: {}}}', 'No filter registered for [nosuch]'],
    ['{bool: {}}', '[bool] filter has no inner should/must/must_not elements'],
    [
      '{bool: {must: [], minimum_should_match: 1}}',
      '[bool] filter does not support [minimum_should_match]',
    ],
    ['{bool: {foo: []}}', '[bool] filter does not support [foo]'],
    ['{exists: {}}', 'exists must be provided with a [field]'],
    ['{exists: {foo: 1}}', '[exists] filter does not support [foo]'],
    ['{missing: {}}', 'missing must be provided with a [field]'],
    ['{missing: {foo: 1}}', '[missing] filter does not support [foo]'],
    [
      '{missing: {field: "t", existence: false}}',
      'missing must have either existence, or null_value, or both set to true',
    ],
    ['{ids: {}}', '[ids] filter requires providing a values element'],
    ['{ids: {values: "x"}}', '[ids] filter does not support [values]'],
    ['{type: {}}', '[type] filter should have a value field, and the type name'],
    ['{type: {value: 1}}', '[type] filter should have a value field, and the type name'],
    ['{limit: {}}', 'No value specified for limit filter'],
    ['{limit: {foo: 2}}', '[limit] filter does not support [foo]'],
    ['{query: {}}', '[_na] query malformed, no field after start_object'],
    ['{fquery: {}}', "[fquery] requires 'query' element"],
    ['{fquery: {foo: 1}}', '[fquery] filter does not support [foo]'],
    ['{nested: {}}', "[nested] requires either 'query' or 'filter' field"],
    ['{nested: {path: "c", foo: 1}}', '[nested] filter does not support [foo]'],
    ['{indices: {}}', "[indices] requires 'filter' element"],
  ])('%s', (body, text) => {
    expect(failure(() => filter(body))).toBe(`QueryParsingException[[i] ${text}]`);
  });

  test('a value that does not fit', () => {
    expect(failure(() => filter('{term: {n: "abc"}}'))).toBe(
      'NumberFormatException[For input string: "abc"]',
    );
  });
});
