// Filter bodies and the trees they become. Filters are sets: no boosts, no coord.

import { extractValues } from '../../../../../engine/json/source-filter';
import { EngineError } from '../../../../../engine/errors';
import { parseFilter, parseQuery } from '../../../../../engine/query/parse/parse';
import { context, emptyContext, failure, filter, json, query } from './support';

test.each<[string, string]>([
  ['{}', 'null'],
  ['null', 'null'],
  ['{term: {k: "Foo"}}', 'k:{Foo}'],
  ['{term: {k: {value: "Foo"}, _name: "x", _cache: false}}', 'x@k:{Foo}'],
  ['{term: {k: "a", u: "b"}}', 'u:{b}'],
  ['{term: {k: ["a", "b"]}}', 'k:{b}'],
  ['{term: {n: 2.7}}', 'n:{2}'],
  ['{term: {b: "no"}}', 'b:{F}'],
  ['{term: {dt: 1388534400000}}', 'dt:{1388534400000L}'],
  ['{term: {nosuch: "a"}}', '?:{a}'],
  ['{term: {"d.k": "a"}}', 'filtered(k:{a} -> types(d))'],
  ['{term: {_type: "d"}}', 'types(d)'],
  ['{terms: {k: ["b", "a", "b"]}}', 'k:{a,b}'],
  ['{in: {n: [3, 1, "2"]}}', 'n:{1,2,3}'],
  ['{terms: {k: []}}', 'none'],
  ['{terms: {k: ["a", "b"], execution: "and"}}', '(+k:{a} +k:{b})!'],
  ['{terms: {k: ["a", "b"], execution: "fielddata", _cache_key: "z"}}', 'k:{a,b}'],
  ['{terms: {_id: ["1", "2"]}}', 'uids(child#1,child#2,d#1,d#2,e#1,e#2)'],
  ['{terms: {_type: ["d", "e"]}}', 'types(d,e)'],
  ['{range: {n: {gt: 1, lte: 5}, execution: "fielddata", _cache: true}}', 'n:[2 TO 5]'],
  // Unlike in queries, gt does not round up.
  ['{range: {dt: {gt: "2014-01-01", lte: "2014-01-01"}}}', 'dt:[1388534400001L TO 1388620799999L]'],
  // The last field holds, with the bounds of all.
  ['{range: {b: {gt: 1}, n: {lte: 5}}}', 'n:[2 TO 5]'],
  ['{numeric_range: {n: {from: 1, to: "5", include_lower: false}, _name: "x"}}', 'x@n:[2 TO 5]'],
  ['{numericRange: {b: {ge: 1}, n: {lt: 6}}}', 'n:[1 TO 5]'],
  ['{prefix: {k: "Fo"}}', 'k:Fo*'],
  ['{prefix: {k: {value: "Fo"}}}', '?:Fo*'],
  ['{prefix: {_id: "1"}}', '(_uid:d#1* _uid:e#1* _uid:child#1*)'],
  ['{regexp: {k: "F.o"}}', 'k:/F.o/'],
  ['{regexp: {k: {value: "F.o", flags: "NONE"}, _name: "x"}}', 'x@k:/F.o/0'],
  ['{exists: {field: "k"}}', 'exists(k)'],
  ['{exists: {field: "o"}}', 'exists(o.x,o.y)'],
  ['{exists: {field: "o.*"}}', 'exists(o.x,o.y)'],
  ['{exists: {field: "d.k"}}', '(+types(d) +exists(k))!'],
  ['{exists: {field: "d"}}', 'none'],
  ['{exists: {field: "zz*"}}', 'none'],
  ['{exists: {field: "nosuch"}}', 'none'],
  ['{exists: {field: "_uid"}}', '*:*'],
  ['{exists: {field: "_id"}}', 'none'],
  ['{missing: {field: "k"}}', '(+*:* -exists(k))!'],
  ['{missing: {field: "d"}}', '*:*'],
  ['{missing: {field: "nosuch"}}', '(+*:* -none)!'],
  ['{missing: {field: "nv", null_value: true}}', '((+*:* -exists(nv))! nv:{-1})~1!'],
  ['{missing: {field: "nv", null_value: true, existence: false}}', 'nv:{-1}'],
  ['{missing: {field: "n", null_value: true, existence: false}}', 'null'],
  ['{and: [{term: {k: "a"}}, {}, {term: {k: "b"}}]}', '(+k:{a} +k:{b})!'],
  ['{and: {filters: [{term: {k: "a"}}], _name: "x"}}', 'x@k:{a}'],
  ['{and: [{}]}', 'null'],
  ['{or: [{term: {k: "a"}}, {term: {k: "b"}}]}', '(k:{a} k:{b})~1!'],
  ['{not: {term: {k: "a"}}}', '(+*:* -k:{a})!'],
  ['{not: {filter: {term: {k: "a"}}, _name: "x"}}', 'x@(+*:* -k:{a})!'],
  ['{not: {and: [{term: {k: "a"}}]}}', '(+*:* -k:{a})!'],
  ['{not: {filter: {}}}', 'null'],
  // A should clause has to match even beside must.
  ['{bool: {must: {term: {k: "a"}}, should: [{term: {k: "b"}}]}}', '(+k:{a} k:{b})~1!'],
  ['{bool: {mustNot: {term: {k: "a"}}}}', '(+*:* -k:{a})!'],
  ['{bool: {must: [{}]}}', 'null'],
  ['{bool: {must: []}}', 'null'],
  ['{ids: {values: ["1"], type: "d", _name: "x"}}', 'x@uids(d#1)'],
  ['{type: {value: "d"}}', 'types(d)'],
  ['{limit: {value: 2}}', 'limit(2)'],
  ['{match_all: {foo: 1}}', '*:*'],
  ['{query: {match: {t: "a b"}}}', '(t:a t:b)'],
  ['{fquery: {query: {term: {k: "a"}}, _cache: true, _name: "x"}}', 'x@k:a'],
  [
    '{nested: {path: "c", filter: {term: {"c.a": "x"}}, _name: "n"}}',
    'n@nested(>c none const(c.a:{x}))',
  ],
  ['{nested: {path: "c", filter: {term: {"c.a": "x"}}, join: false}}', 'const(c.a:{x})'],
  ['{indices: {index: "i", filter: {term: {k: "a"}}}}', 'k:{a}'],
  ['{indices: {index: "zz", filter: {term: {k: "a"}}, no_match_filter: "none"}}', 'none'],
  ['{wrapper: {filter: "eyJ0ZXJtIjp7InQiOiJhIn19"}}', 't:{a}'],
  // Stored filters: the first member counts, a list stands for its object.
  ['{term: {k: "a"}, range: {n: {gt: 1}}}', 'k:{a}'],
  ['[{term: {k: "a"}}]', 'k:{a}'],
])('%s', (body, tree) => {
  expect(filter(body)).toBe(tree);
});

test('empty filters in queries', () => {
  expect(query('{filtered: {filter: {bool: {must: [{}]}}}}')).toBe('*:*');
  expect(query('{constant_score: {filter: {bool: {must: [{}]}}}}')).toBe('none');
});

describe('terms lookup', () => {
  const documents: ReadonlyMap<string, string> = new Map([
    ['i/d/1/', '{"users": [{"id": "x"}, {"id": ["y", "z"]}], "n": [1, 2]}'],
    ['other/d/2/r', '{"users": "w"}'],
  ]);
  const lookup = {
    getSource(index: string, type: string, id: string, routing: string | undefined) {
      if (index === 'zz') throw new EngineError('IndexMissingException', '[zz] missing');
      const source = documents.get(`${index}/${type}/${id}/${routing ?? ''}`);
      return source === undefined ? undefined : Buffer.from(source);
    },
  };

  test('takes values from another document', () => {
    expect(extractValues(Buffer.from(documents.get('i/d/1/') ?? ''), 'n')).toHaveLength(2);
    const cases: [string, string][] = [
      ['{terms: {k: {type: "d", id: 1, path: "users.id"}}}', 'k:{x,y,z}'],
      ['{terms: {n: {type: "d", id: "1", path: "n", cache: false}}}', 'n:{1,2}'],
      ['{terms: {k: {index: "other", type: "d", id: "2", routing: "r", path: "users"}}}', 'k:{w}'],
      ['{terms: {k: {index: "other", type: "d", id: "2", path: "users"}}}', 'none'],
      ['{terms: {k: {type: "d", id: "1", path: "nosuch"}}}', 'none'],
    ];
    for (const [body, tree] of cases) expect(filter(body, lookup)).toBe(tree);
  });

  test('names a missing index', () => {
    expect(
      failure(() => filter('{terms: {k: {index: "zz", type: "d", id: "1", path: "p"}}}', lookup)),
    ).toBe(
      'UncheckedExecutionException[org.elasticsearch.indices.IndexMissingException: [zz] missing]; nested: IndexMissingException[[zz] missing]; ',
    );
  });
});

describe('strict field resolution (alias filters)', () => {
  const strict = { strictFields: true };
  const unknown = (name: string): string =>
    `QueryParsingException[[i] Strict field resolution and no field mapping can be found for the field with name [${name}]]`;

  test.each([
    '{term: {nope: "a"}}',
    '{terms: {nope: ["a"]}}',
    '{range: {nope: {gt: 1}}}',
    '{prefix: {nope: "a"}}',
    '{exists: {field: "nope"}}',
    '{missing: {field: "nope"}}',
    '{query: {match: {nope: "a"}}}',
    '{query: {query_string: {query: "nope:a"}}}',
    '{and: [{term: {k: "a"}}, {not: {term: {nope: "a"}}}]}',
  ])('%s', (body) => {
    expect(failure(() => filter(body, strict))).toBe(unknown('nope'));
  });

  test.each([
    '{exists: {field: "o.*"}}',
    '{exists: {field: "o"}}',
    '{term: {"d.k": "a"}}',
    '{term: {_type: "d"}}',
    '{term: {_id: "1"}}',
    '{ids: {values: ["1"]}}',
    '{type: {value: "nope"}}',
    '{match_all: {}}',
    '{limit: {value: 1}}',
  ])('accepts %s', (body) => {
    expect(() => filter(body, strict)).not.toThrow();
  });

  test('without any mapping even _type is unknown', () => {
    const body = json('{term: {_type: "d"}}');
    expect(failure(() => parseFilter(body, emptyContext(strict)))).toBe(unknown('_type'));
    expect(parseFilter(body, emptyContext())).not.toBeNull();
  });
});

describe('inside nested documents', () => {
  test('further levels join to the place that the filter runs on', () => {
    const body = '{nested: {path: "c.r", filter: {term: {z: "x"}}}}';
    expect(filter(body, { nestedPath: 'c' })).toBe('nested(c>c.r none const(c.r.z:{x}))');
  });
});

test('parsers do not touch the body', () => {
  const body = json('{"bool": {"must": [{"term": {"k": "a"}}]}}');
  const before = JSON.stringify(body);
  parseFilter(body, context());
  if (body instanceof Map) parseQuery(body, context());
  expect(JSON.stringify(body)).toBe(before);
});
