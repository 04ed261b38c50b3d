// Query bodies and the trees they become.

import { parseQuery } from '../../../../../engine/query/parse/parse';
import { queryFromParams } from '../../../../../engine/search/parse/extra-source';
import { writeJson } from '../../../../../engine/json/write';
import { context, failure, query, show } from './support';

type Case = readonly [body: string, tree: string];

function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    test.each(cases)('%s', (body, tree) => {
      expect(query(body)).toBe(tree);
    });
  });
}

table('match', [
  ['{match: {t: "quick fox"}}', '(t:quick t:fox)'],
  ['{match: {t: {query: "quick fox", operator: "AND"}}}', '(+t:quick +t:fox)'],
  ['{match: {t: "fox fox"}}', '(t:fox t:fox)'],
  ['{match: {t: "fox"}}', 't:fox'],
  ['{match: {t: {query: "fox", boost: 2}}}', 't:fox^2'],
  ['{match: {k: "Foo Bar"}}', 'k:Foo Bar'],
  ['{match: {s: "fast wifi"}}', '((s:fast s:quick)! (s:wifi s:wlan)!)'],
  ['{match: {s: {query: "wifi", minimum_should_match: 2}}}', '(s:wifi s:wlan)~2!'],
  ['{match: {s: {query: "a wifi", operator: "and"}}}', '(+s:a +(s:wifi s:wlan)!)'],
  ['{match: {st: "the fox"}}', 'st:fox'],
  ['{match: {st: "the"}}', 'none'],
  ['{match: {st: {query: "the", zero_terms_query: "all"}}}', '*:*'],
  ['{match: {t: {query: "a b c", minimumShouldMatch: "75%"}}}', '(t:a t:b t:c)~2'],
  ['{match: {t: {query: "a", minimum_should_match: "x"}}}', 't:a'],
  ['{match: {t: {query: "quick", fuzziness: "AUTO"}}}', 't:quick~1'],
  ['{match: {t: {query: "quick fox", fuzziness: 2}}}', '(t:quick~2 t:fox~2)'],
  ['{match_phrase: {t: {query: "quick", fuzziness: 1}}}', 't:quick~1'],
  ['{match_phrase: {t: {query: "quick fox", fuzziness: 1}}}', 't:"quick fox"'],
  ['{match: {t: {query: "a b", analyzer: "keyword"}}}', 't:a b'],
  ['{match: {t: 1.50}}', 't:1.5'],
  ['{match: {t: 1e3}}', 't:1000.0'],
  ['{match: {n: "5"}}', 'n:{5}'],
  ['{match: {n: {query: "5", analyzer: "standard"}}}', 'n:{5}'],
  ['{match: {n: {query: "x", lenient: true}}}', 'none'],
  ['{match: {b: "off"}}', 'b:F'],
  ['{match: {_id: "1 2"}}', 'uids(child#1 2,d#1 2,e#1 2)'],
  ['{match: {_all: "Quick"}}', '_all:quick'],
  ['{match: {nosuch: "A b"}}', '(?:a ?:b)'],
  ['{match_phrase: {t: "quick fox"}}', 't:"quick fox"'],
  ['{matchPhrase: {t: {query: "quick fox", slop: 2, boost: 3}}}', 't:"quick fox"~2^3'],
  ['{match: {t: {query: "quick fox", type: "phrase"}}}', 't:"quick fox"'],
  ['{match_phrase: {t: "fox"}}', 't:fox'],
  ['{match_phrase: {st: "the king of the hill"}}', 'st:"? king ? ? hill"'],
  ['{match_phrase: {s: "a wifi"}}', 's:"a (wifi wlan)"'],
  ['{match_phrase_prefix: {t: "quick br"}}', 't:"quick br*"'],
  ['{match_phrase_prefix: {t: "br"}}', 't:"br*"'],
  ['{match_phrase_prefix: {s: "a wifi"}}', 's:"a (wifi wlan)*"'],
  // The reference makes a new query of it and forgets the boost.
  ['{match_phrase_prefix: {t: {query: "quick br", boost: 3}}}', 't:"quick br*"'],
  [
    '{match: {"d.t": {query: "a b", minimum_should_match: 2, boost: 2}}}',
    'filtered((t:a t:b) -> types(d))^2',
  ],
  ['{match: {t: {query: "a", _name: "x"}}}', 'x@t:a'],
]);

table('multi_match', [
  ['{multi_match: {query: "fox", fields: ["t^3"]}}', 't:fox'],
  ['{multi_match: {query: "fox", fields: "t", boost: 2}}', 't:fox^2'],
  ['{multi_match: {query: "fox", fields: ["t^3", "u"], boost: 2}}', '(t:fox^3 | u:fox)^2'],
  [
    '{multi_match: {query: "a b", fields: ["t", "u"], type: "most_fields"}}',
    '((t:a t:b) (u:a u:b))',
  ],
  [
    '{multi_match: {query: "a b", fields: ["t", "u"], operator: "and"}}',
    '((+t:a +t:b) | (+u:a +u:b))',
  ],
  [
    '{multi_match: {query: "a b", fields: ["t", "u"], minimum_should_match: 2}}',
    '((t:a t:b)~2 | (u:a u:b)~2)',
  ],
  ['{multi_match: {query: "a b", fields: ["t", "u"], type: "phrase"}}', '(t:"a b" | u:"a b")'],
  [
    '{multi_match: {query: "a b", fields: ["t^2", "u"], type: "phrase_prefix"}}',
    '(t:"a b*" | u:"a b*")',
  ],
  ['{multi_match: {query: "a", fields: ["t", "u"], tie_breaker: 0.5}}', '(t:a | u:a)~0.5'],
  ['{multi_match: {query: "a", fields: ["t", "u"], tie_breaker: 1}}', '(t:a u:a)'],
  ['{multi_match: {query: "a", fields: ["t", "u"], use_dis_max: false}}', '(t:a u:a)'],
  ['{multi_match: {query: "abc", fields: ["n", "t"], lenient: true}}', 't:abc'],
  ['{multiMatch: {query: "abc", fields: ["o.*"], lenient: true}}', 'o.x:abc'],
]);

table('words across fields and common terms', [
  [
    '{multi_match: {query: "a b", fields: ["t", "u^2"], type: "cross_fields"}}',
    '(blended(t:a | u:a^2) blended(t:b | u:b^2))',
  ],
  [
    '{multi_match: {query: "a b", fields: ["t", "u"], type: "cross_fields", operator: "and", boost: 3}}',
    '(+blended(t:a | u:a) +blended(t:b | u:b))^3',
  ],
  [
    '{multi_match: {query: "a b", fields: ["t", "u"], type: "cross_fields", minimum_should_match: 2}}',
    '(blended(t:a | u:a) blended(t:b | u:b))~2',
  ],
  [
    '{multi_match: {query: "a b", fields: ["t^3", "u^2", "k"], type: "cross_fields", tie_breaker: 1}}',
    '(k:a b (blended(t:a^3 u:a^2) blended(t:b^3 u:b^2)))',
  ],
  [
    '{multi_match: {query: "a b", fields: ["t", "u", "st"], type: "cross_fields", tie_breaker: 0.5}}',
    '(st:b (blended(t:a | u:a)~0.5 blended(t:b | u:b)~0.5))',
  ],
  [
    '{multi_match: {query: "a b", fields: ["t^3", "k^2"], type: "cross_fields"}}',
    '((t:a t:b) k:a b)',
  ],
  [
    '{multi_match: {query: "5", fields: ["t", "u", "n"], type: "cross_fields"}}',
    '(n:{5} blended(t:5 | u:5))',
  ],
  [
    '{multi_match: {query: "a", fields: ["t", "u", "n"], type: "cross_fields", lenient: true}}',
    'blended(t:a | u:a)',
  ],
  ['{multi_match: {query: "a b", fields: ["s"], type: "cross_fields"}}', '(s:a s:b)'],
  ['{common: {t: "a b"}}', 'common(t:a,b 0.009999999776482582 or or)!'],
  [
    '{common: {t: {query: "a b", cutoff_frequency: 1, low_freq_operator: "AND", highFreqOperator: "and", disable_coord: false, boost: 2}}}',
    'common(t:a,b 1 and and)^2',
  ],
  [
    '{common: {t: {query: "a b", minimum_should_match: 2}}}',
    'common(t:a,b 0.009999999776482582 or2 or)!',
  ],
  [
    '{common: {t: {query: "a b", cutoff_frequency: 1, minimum_should_match: {low_freq: 2, high_freq: "50%"}}}}',
    'common(t:a,b 1 or2 or50%)!',
  ],
  ['{common: {s: {query: "wifi", cutoff_frequency: 1}}}', 'common(s:wifi,wlan 1 or or)!'],
  ['{common: {t: {query: "a", boost: 2, _name: "x"}}}', 'x@t:a^2'],
  ['{common: {"d.t": "a"}}', 'filtered(t:a -> types(d))'],
  ['{common: {t: ""}}', 'none'],
  ['{match: {t: {query: "a b", cutoff_frequency: 1}}}', 'common(t:a,b 1 or or)'],
  [
    '{match: {t: {query: "a b", cutoff_frequency: 1, operator: "and", minimum_should_match: 2}}}',
    'common(t:a,b 1 and2 and)',
  ],
  ['{match: {s: {query: "a wifi", cutoff_frequency: 1}}}', '(s:a (s:wifi s:wlan)!)'],
  ['{match: {t: {query: "a", cutoff_frequency: 1}}}', 't:a'],
  ['{match_phrase: {t: {query: "a b", cutoff_frequency: 1}}}', 't:"a b"'],
  [
    '{multi_match: {query: "a b", fields: ["t", "u"], cutoff_frequency: 1, minimum_should_match: 2}}',
    '(common(t:a,b 1 or or) | common(u:a,b 1 or or))',
  ],
]);

table('bool', [
  [
    '{bool: {must: {term: {k: "a"}}, should: [{term: {k: "b"}}], must_not: [{term: {k: "c"}}]}}',
    '(+k:a k:b -k:c)',
  ],
  ['{bool: {}}', '*:*'],
  ['{bool: {must: [], should: null}}', '*:*'],
  ['{bool: {mustNot: {term: {k: "a"}}}}', '(+*:* -k:a)'],
  ['{bool: {must_not: {term: {k: "a"}}, adjust_pure_negative: false}}', '(-k:a)'],
  ['{bool: {must: {term: {k: "a"}}, boost: 3}}', 'k:a^3'],
  ['{bool: {must: {term: {k: {value: "a", boost: 2}}}, boost: 3}}', 'k:a^6'],
  ['{bool: {should: {term: {k: "a"}}, minimum_should_match: 1}}', '(k:a)~1'],
  [
    '{bool: {should: [{term: {k: "a"}}, {term: {k: "b"}}], minimum_number_should_match: "50%", disable_coord: true}}',
    '(k:a k:b)~1!',
  ],
  ['{bool: {must: [[{term: {k: "a"}}]]}}', 'k:a'],
  ['{bool: {must: {constant_score: {filter: {}}}, should: {term: {k: "a"}}}}', 'k:a'],
  [
    '{bool: {must: {boosting: {positive: {term: {k: "a"}}, negative: {term: {k: "b"}}, negative_boost: 0.5}}, boost: 2}}',
    '(+boosting(k:a, k:b, 0.5))^2',
  ],
  ['{bool: {must: {bool: {must: {term: {k: "a"}}, _name: "x"}}, boost: 3}}', 'x@k:a^3'],
]);

table('wrappers', [
  ['{match_all: {}}', '*:*'],
  ['{matchAll: []}', '*:*'],
  ['{match_all: {boost: 2}}', '*:*^2'],
  ['{constant_score: {filter: {term: {k: "a"}}, boost: 2.5, _cache: true}}', 'const(k:{a})^2.5'],
  ['{constantScore: {query: {term: {k: "a"}}}}', 'const(k:a)'],
  ['{constant_score: {filter: {}}}', 'none'],
  ['{filtered: {}}', '*:*'],
  ['{filtered: {query: {term: {k: "a"}}, filter: {}}}', 'k:a'],
  ['{filtered: {query: {term: {k: "a"}}, filter: null}}', 'k:a'],
  ['{filtered: {query: {term: {k: "a"}}, filter: {match_all: {}}, boost: 3}}', 'k:a'],
  [
    '{filtered: {query: {term: {k: "a"}}, filter: {term: {k: "b"}}, boost: 3}}',
    'filtered(k:a -> k:{b})^3',
  ],
  [
    '{filtered: {query: {match_all: {boost: 4}}, filter: {term: {k: "b"}}, boost: 3}}',
    'const(k:{b})^12',
  ],
  ['{filtered: {filter: [{term: {k: "a"}}, {term: {k: "b"}}]}}', 'const(k:{b})'],
  ['{filtered: {filter: {term: {k: "a"}}, _name: "x", strategy: "leap_frog"}}', 'const(k:{a})'],
  [
    '{boosting: {positive: {term: {k: "a"}}, negative: {term: {k: "b"}}, negative_boost: 0.5, boost: 9}}',
    'boosting(k:a, k:b, 0.5)',
  ],
  [
    '{dis_max: {queries: [{term: {k: "a"}}, {term: {k: "b"}}], tie_breaker: 0.25, boost: 2}}',
    '(k:a | k:b)~0.25^2',
  ],
  ['{disMax: {queries: {term: {k: "a"}}, boost: 2}}', 'k:a^2'],
  ['{ids: {values: ["1", 2], type: "d"}}', 'uids(d#1,d#2)'],
  ['{ids: {values: ["1"], types: ["d", "e"], boost: 2}}', 'uids(d#1,e#1)^2'],
  ['{ids: {values: ["1"], type: "_all"}}', 'uids(child#1,d#1,e#1)'],
  ['{ids: {values: []}}', 'none'],
  ['{indices: {index: "i", query: {term: {k: "a"}}}}', 'k:a'],
  ['{indices: {indices: ["zz", "i*"], query: {term: {k: "a"}}, no_match_query: "none"}}', 'k:a'],
  ['{indices: {indices: ["zz"], query: {term: {k: "a"}}, no_match_query: "none"}}', 'none'],
  ['{indices: {index: "zz", query: {nosuch: {}}}}', '*:*'],
  ['{indices: {index: "zz", query: {nosuch: {}}, no_match_query: {term: {k: "b"}}}}', 'k:b'],
  ['{wrapper: {query: "eyJ0ZXJtIjp7InQiOiJhIn19"}}', 't:a'],
  [
    '{nested: {path: "c", query: {term: {"c.a": "x"}}, score_mode: "total", boost: 2}}',
    'nested(>c sum c.a:x)^2',
  ],
  ['{nested: {path: "d.c", filter: {term: {a: "x"}}}}', 'nested(>c avg const(c.a:{x}))'],
  ['{nested: {path: "c.r", query: {match_all: {}}}}', 'nested(>c.r avg *:*)'],
  [
    '{nested: {path: "c", query: {nested: {path: "c.r", query: {term: {"c.r.z": "x"}}}}}}',
    'nested(>c avg nested(c>c.r avg c.r.z:x))',
  ],
]);

table('terms and values', [
  ['{term: {k: "Foo"}}', 'k:Foo'],
  ['{term: {k: {value: "Foo", boost: "2"}}}', 'k:Foo^2'],
  ['{term: {k: {term: "Foo", _name: "x"}}}', 'x@k:Foo'],
  // The short form is read as text, the long one as a value.
  ['{term: {t: 1.50}}', 't:1.50'],
  ['{term: {t: {value: 1.50}}}', 't:1.5'],
  ['{term: {t: null}}', 't:null'],
  ['{term: {n: {value: 2.7}}}', 'n:{2}'],
  ['{term: {l: 9007199254740993}}', 'l:{9007199254740993L}'],
  ['{term: {dt: {value: 1388534400000}}}', 'dt:{1388534400000L}'],
  ['{term: {dt: "2014-01-01"}}', 'dt:{1388534400000L}'],
  ['{term: {fl: "0.1"}}', 'fl:{0.10000000149011612}'],
  ['{term: {ip: "10.0.0.1"}}', 'ip:{167772161L}'],
  ['{term: {b: true}}', 'b:T'],
  ['{term: {nosuch: "a"}}', '?:a'],
  ['{term: {"d.k": "a"}}', 'filtered(k:a -> types(d))'],
  ['{term: {_id: "1"}}', 'uids(child#1,d#1,e#1)'],
  ['{term: {_uid: "d#1"}}', '_uid:d#1'],
  ['{term: {_type: "d"}}', 'types(d)'],
  ['{term: {_parent: "x"}}', '_parent:{d#x,e#x}'],
  ['{term: {_parent: "e#x"}}', '_parent:{e#x}'],
  ['{terms: {k: ["a", "b"], minimum_match: 2, boost: 2}}', '(k:a k:b)~2^2'],
  ['{in: {k: ["a", "b"], disable_coord: true}}', '(k:a k:b)!'],
  ['{terms: {k: ["a"]}}', 'k:a'],
  ['{terms: {k: []}}', 'none'],
  ['{terms: {n: [1, 2.7]}}', '(n:{1} n:{2})'],
  ['{terms: {"d.k": ["a", "b"]}}', 'filtered((k:a k:b) -> types(d))'],
  ['{prefix: {k: "Fo"}}', 'k:Fo*'],
  ['{prefix: {k: {prefix: "Fo", boost: 2, rewrite: "top_terms_3", foo: 1}}}', 'k:Fo*<topTerms3>^2'],
  ['{prefix: {n: "1"}}', 'n:{1}'],
  ['{prefix: {_id: "1"}}', '(_uid:d#1* _uid:e#1* _uid:child#1*)'],
  ['{prefix: {_type: "d"}}', '_type:d*'],
  ['{wildcard: {k: "F?o*"}}', 'k:F?o*'],
  ['{wildcard: {k: {wildcard: "F*", rewrite: "constant_score_boolean"}}}', 'k:F*'],
  ['{wildcard: {n: "1"}}', 'n:{1}'],
  ['{regexp: {k: "F.o"}}', 'k:/F.o/'],
  ['{regexp: {k: {value: "F.o", flags: "INTERSECTION|INTERVAL"}}}', 'k:/F.o/33'],
  ['{regexp: {k: {value: "F.o", flags: "NONE"}}}', 'k:/F.o/0'],
  ['{regexp: {k: {value: "F.o", flags: ""}}}', 'k:/F.o/'],
  ['{fuzzy: {t: "quik"}}', 't:quik~1'],
  ['{fuzzy: {t: {value: "quik", fuzziness: 0.5}}}', 't:quik~2'],
  ['{fuzzy: {t: {value: "quik", min_similarity: 7}}}', 't:quik~2'],
  ['{fuzzy: {n: {value: 5, fuzziness: 2}}}', 'n:[3 TO 7]'],
  ['{fuzzy: {n: 5}}', 'n:[4 TO 6]'],
  ['{fuzzy: {fl: {value: 5, fuzziness: 0.5}}}', 'fl:[4.5 TO 5.5]'],
  [
    '{fuzzy: {dt: {value: "2014-01-01", fuzziness: "1d"}}}',
    'dt:[1388448000000L TO 1388620800000L]',
  ],
]);

table('range', [
  ['{range: {n: {gte: 1, lt: 5}}}', 'n:[1 TO 4]'],
  [
    '{range: {n: {from: 1, to: 5, include_lower: false, includeUpper: false, boost: 2}}}',
    'n:[2 TO 4]^2',
  ],
  ['{range: {n: {gt: 2.5, lt: 4.5}}}', 'n:[3 TO 3]'],
  ['{range: {n: {from: null, ge: "3"}}}', 'n:[3 TO *]'],
  ['{range: {n: {}}}', 'n:[* TO *]'],
  ['{range: {l: {gt: 9007199254740993}}}', 'l:[9007199254740994L TO *]'],
  ['{range: {fl: {gt: 1.5, lt: 9.1}}}', 'fl:[1.5000001192092896 TO 9.09999942779541]'],
  ['{range: {db: {gt: 1.5, lt: 0}}}', 'db:[1.5000000000000002 TO -5e-324]'],
  ['{range: {k: {gte: "A", lt: "c"}}}', 'k:[A TO c}'],
  ['{range: {b: {gte: false}}}', 'b:[F TO *]'],
  ['{range: {ip: {gte: "10.0.0.0", lt: "10.0.1.0"}}}', 'ip:[167772160L TO 167772415L]'],
  ['{range: {nosuch: {gt: "x", time_zone: "+01:00"}}}', '?:{x TO *]'],
  [
    '{range: {dt: {gte: "2014-01-01", lte: "2014-01-01"}}}',
    'dt:[1388534400000L TO 1388620799999L]',
  ],
  ['{range: {dt: {gt: "2014-01-01", lt: "2014-01-03"}}}', 'dt:[1388620800000L TO 1388707199999L]'],
  ['{range: {dt: {gte: "01/02/2014", format: "dd/MM/yyyy"}}}', 'dt:[1391212800000L TO *]'],
  ['{range: {dt: {gte: "2014-01-01", time_zone: "+02:00"}}}', 'dt:[1388527200000L TO *]'],
  ['{range: {dt: {gte: "now/d"}}}', `dt:[${Date.UTC(2014, 5, 15)}L TO *]`],
  ['{range: {"d.n": {gte: 1}}}', 'filtered(n:[1 TO *] -> types(d))'],
  ['{range: {n: {gte: 1, _name: "x"}}}', 'x@n:[1 TO *]'],
]);

describe('types of the URL', () => {
  test('restrict _id and win over the first type', () => {
    expect(query('{term: {_id: "1"}}', { types: ['e'] })).toBe('uids(e#1)');
    expect(query('{ids: {values: ["1"]}}', { types: ['e'] })).toBe('uids(e#1)');
    expect(query('{term: {_id: "1"}}', { types: ['_all'] })).toBe('uids(child#1,d#1,e#1)');
  });
});

const TOO_DEEP = 'QueryParsingException[[i] query nesting deeper than [200]]';

describe('limits', () => {
  const deep = (depth: number): string =>
    '{bool: {must: '.repeat(depth - 1) + '{match_all: {}}' + '}}'.repeat(depth - 1);

  test('queries in queries', () => {
    expect(query(deep(200))).toBe('*:*');
    expect(failure(() => query(deep(201)))).toBe(TOO_DEEP);
  });

  test('filters in queries count along', () => {
    const filters = (depth: number): string =>
      '{not: '.repeat(depth) + '{term: {k: "a"}}' + '}'.repeat(depth);
    const both = (depth: number): string =>
      deep(100).replace('{match_all: {}}', `{filtered: {filter: ${filters(depth)}}}`);
    expect(query(both(99))).toContain('k:{a}');
    expect(failure(() => query(both(100)))).toBe(TOO_DEEP);
  });

  test('clauses', () => {
    const words = (count: number): string =>
      Array.from({ length: count }, (_, i) => `w${i}`).join(' ');
    const tooMany = 'TooManyClauses[maxClauseCount is set to 1024]';
    expect(query({ match: { t: words(1024) } })).toContain('t:w1023');
    expect(failure(() => query({ match: { t: words(1025) } }))).toBe(tooMany);
    expect(failure(() => query({ terms: { k: words(1025).split(' ') } }))).toBe(tooMany);
    const should = words(1025)
      .split(' ')
      .map((word) => ({ term: { k: word } }));
    expect(failure(() => query({ bool: { should } }))).toBe(tooMany);
    expect(query({ filtered: { filter: { terms: { k: words(5000).split(' ') } } } })).toContain(
      'w4999',
    );
  });
});

describe('URL parameters', () => {
  test('become a query_string body in the order of the reference', () => {
    const params = new Map([
      ['lenient', 'true'],
      ['analyze_wildcard', ''],
      ['q', 'a b'],
      ['default_operator', 'AND'],
      ['df', 't'],
    ]);
    const body = queryFromParams(params);
    expect(writeJson(body)).toBe(
      '{"query_string":{"query":"a b","default_field":"t","default_operator":"and","lowercase_expanded_terms":true,"analyze_wildcard":true,"lenient":true}}',
    );
    expect(show(parseQuery(body!, context()))).toBe('(+t:a +t:b)');
  });

  test('are no query without q; an empty one matches nothing', () => {
    expect(queryFromParams(new Map())).toBeNull();
    expect(show(parseQuery(queryFromParams(new Map([['q', '']]))!, context()))).toBe('none');
  });

  test('operators are upper case', () => {
    const params = new Map([
      ['q', 'a'],
      ['default_operator', 'and'],
    ]);
    expect(failure(() => queryFromParams(params))).toBe(
      'ElasticsearchIllegalArgumentException[Unsupported defaultOperator [and], can either be [OR] or [AND]]',
    );
  });
});
