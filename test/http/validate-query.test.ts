// Asking whether a query can be read, and whether it finds anything. Expected answers are those of the
// reference server.

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  const string = { type: 'string', index: 'not_analyzed' };
  await http.ok('PUT', '/v', {
    settings: { number_of_shards: 3 },
    mappings: {
      t: { properties: { k: string, n: { type: 'integer' }, t: { type: 'string' } } },
      u: {},
    },
    aliases: {
      filtered: { filter: { term: { k: 'a' } } },
      routed: { search_routing: 'a,b' },
    },
  });
  await http.ok('PUT', '/w', { settings: { number_of_shards: 1 } });
  await http.ok('PUT', '/shut', { settings: { number_of_shards: 1 } });
  await http.ok('POST', '/shut/_close');
  await http.ok('PUT', '/v/t/1?refresh=true', { k: 'a', n: 1, t: 'one two' });
});
afterAll(() => http.close());

interface Validation {
  readonly valid: boolean;
  readonly _shards: { readonly total: number };
  readonly explanations?: readonly {
    readonly index: string;
    readonly valid: boolean;
    readonly error?: string;
    readonly explanation?: string;
  }[];
}

async function explained(path: string, body?: object | string): Promise<string | undefined> {
  const answer = (await http.ok('POST', `${path}/_validate/query?explain`, body)) as Validation;
  const [first] = answer.explanations ?? [];
  expect(first?.valid).toBe(answer.valid);
  return first?.error ?? first?.explanation;
}

describe('_validate/query', () => {
  test('asks one shard of each index, or those that the routing of an alias names', async () => {
    const shards = (total: number) => ({ total, successful: total, failed: 0 });
    expect(await http.ok('GET', '/v,w/_validate/query?q=k:a')).toEqual({
      valid: true,
      _shards: shards(2),
    });
    expect(await http.ok('GET', '/routed/_validate/query?q=k:a')).toMatchObject({
      _shards: shards(3),
    });
    expect(await http.ok('GET', '/v/_validate/query?routing=x')).toMatchObject({
      _shards: shards(1),
    });
    expect(await http.ok('GET', '/z*/_validate/query?allow_no_indices=true&explain')).toEqual({
      valid: true,
      _shards: shards(0),
    });
  });

  test('one index that cannot read a query is enough', async () => {
    const answer = (await http.ok('GET', '/v,w/_validate/query?explain&q=n:abc')) as Validation;
    expect(answer.valid).toBe(false);
    const error =
      'org.elasticsearch.index.query.QueryParsingException: [v] Failed to parse; ' +
      'java.lang.NumberFormatException: For input string: "abc"';
    expect(answer.explanations).toContainEqual({ index: 'v', valid: false, error });
    expect(answer.explanations).toContainEqual({ index: 'w', valid: true, explanation: 'n:abc' });
  });

  test.each<[object | string, string]>([
    [{ query: { bogus: {} } }, '[v] No query registered for [bogus]'],
    [{ term: { k: 'a' } }, '[v] request does not support [term]'],
    ['{}', '[v] Required query is missing'],
    ['[]', '[v] Failed to parse; org.elasticsearch.ElasticsearchParseException: Failed to derive'],
    ['{bad', '[v] Failed to parse; org.elasticsearch.common.jackson.core.JsonParseException: '],
    [
      { query: { regexp: { k: 'a[' } } },
      '[v] Failed to parse; java.lang.IllegalArgumentException: ',
    ],
  ])('says what is wrong with %j', async (body, error) => {
    const text = await explained('/v', body);
    expect(text).toContain(`org.elasticsearch.index.query.QueryParsingException: ${error}`);
  });

  test.each<[string, object, string | undefined]>([
    ['/v', { match_all: {} }, 'ConstantScore(*:*)'],
    ['/v', { match_all: { boost: 2 } }, '*:*^2.0'],
    ['/v', { term: { k: { value: 'a', boost: 2 } } }, 'k:a^2.0'],
    ['/v', { match: { t: 'A b' } }, 't:a t:b'],
    ['/v', { match: { t: '' } }, 'MatchNoDocsQuery'],
    ['/v', { match_phrase: { t: { query: 'a b', slop: 2 } } }, 't:"a b"~2'],
    ['/v', { prefix: { k: 'a' } }, 'k:a*'],
    ['/v', { wildcard: { k: 'a?' } }, 'k:a?'],
    ['/v', { regexp: { k: 'a.*' } }, 'k:/a.*/'],
    ['/v', { fuzzy: { k: 'abc' } }, 'k:abc~1'],
    [
      '/v',
      {
        bool: {
          must: [{ term: { k: 'a' } }, { match: { t: 'x y' } }],
          should: { term: { k: 'c' } },
        },
      },
      '+k:a +(t:x t:y) k:c',
    ],
    ['/v', { bool: { must: { term: { k: 'a' } }, must_not: { term: { k: 'b' } } } }, '+k:a -k:b'],
    [
      '/v',
      { bool: { should: [{ term: { k: 'a' } }, { term: { k: 'b' } }], minimum_should_match: 2 } },
      '(k:a k:b)~2',
    ],
    ['/v', { multi_match: { query: 'a', fields: ['t', 'k'] } }, '(t:a | k:a)'],
    ['/v', { constant_score: { filter: { term: { k: 'a' } } } }, 'ConstantScore(cache(k:a))'],
    [
      '/v',
      { filtered: { query: { term: { t: 'x' } }, filter: { terms: { k: ['a', 'b'] } } } },
      'filtered(t:x)->cache(k:a k:b)',
    ],
    ['/v/t,u', { match_all: {} }, 'ConstantScore(cache(_type:t _type:u))'],
    ['/filtered', { term: { k: 'x' } }, 'filtered(k:x)->cache(k:a)'],
    ['/filtered/t', { term: { k: 'x' } }, 'filtered(k:x)->+cache(_type:t) +cache(k:a)'],
    ['/v', { range: { n: { gt: 1, lte: 5 } } }, 'n:{1 TO 5]'],
    ['/v', { bool: { must: [{ range: { n: { gte: 1 } } }] } }, '+n:[1 TO *]'],
    ['/v', { term: { n: 5 } }, 'ConstantScore(n:`\b\0\0\0\u0005)'],
    ['/v', { bool: { must_not: { term: { k: 'a' } } } }, '-k:a +ConstantScore(*:*)'],
    ['/v', { bool: { should: { term: { k: 'a' } }, must: { term: { k: 'b' } } } }, 'k:a +k:b'],
    ['/v', { match_all: { boost: 2 } }, '*:*^2.0'],
  ])('%s: shows %j', async (path, query, text) => {
    expect(await explained(path, { query })).toBe(text);
  });

  test.each<readonly [object, string]>([
    [{ term: { k: 'x', _cache: false } }, 'k:x'],
    [{ term: { nope: 'x' } }, 'cache(nope:x)'],
    [{ terms: { k: ['x', 'y'], execution: 'bool' } }, 'BooleanFilter(cache(k:x) cache(k:y))'],
    [{ terms: { k: ['x', 'y'], execution: 'and' } }, '+cache(k:x) +cache(k:y)'],
    [{ range: { n: { gte: 1, lt: 5 } } }, 'cache(n:[1 TO 5})'],
    [{ range: { n: { gte: 1 }, execution: 'fielddata' } }, 'n:[1 TO *]'],
    [{ prefix: { k: 'x' } }, 'cache(PrefixFilter(k:x))'],
    [{ exists: { field: 'k' } }, 'cache(BooleanFilter(_field_names:k))'],
    [{ missing: { field: 'k' } }, 'cache(NotFilter(cache(BooleanFilter(_field_names:k))))'],
    [{ ids: { type: 't', values: ['1'] } }, '_uid:t#1'],
    [{ query: { match: { t: 'a b' } } }, 'QueryWrapperFilter(t:a t:b)'],
    [{ and: [{ term: { k: 'x' } }, { term: { k: 'y' } }] }, '+cache(k:x) +cache(k:y)'],
    [{ or: [{ term: { k: 'x' } }, { term: { k: 'y' } }] }, 'cache(k:x) cache(k:y)'],
    [{ not: { filter: { term: { k: 'x' } }, _cache: true } }, 'cache(NotFilter(cache(k:x)))'],
    [
      { bool: { must_not: { term: { k: 'x' } }, must: { term: { k: 'y' } } } },
      'BooleanFilter(-cache(k:x) +cache(k:y))',
    ],
    [{ script: { script: 'true' } }, 'ScriptFilter(true)'],
  ])('shows the filter %j', async (filter, text) => {
    const query = { filtered: { query: { term: { k: 'a' } }, filter } };
    expect(await explained('/v', { query })).toBe(`filtered(k:a)->${text}`);
  });

  test('shows nothing for parts that no longer stand apart', async () => {
    const query = { filtered: { query: { term: { k: 'a' } }, filter: { match_all: {} } } };
    expect(await explained('/v', { query })).toBe('k:a');
  });

  test('refuses what no index can be asked about', async () => {
    expect(await http.error('GET', '/nope/_validate/query')).toBe(
      '404 IndexMissingException[[nope] missing]',
    );
    expect(await http.error('GET', '/z*/_validate/query')).toBe(
      '404 IndexMissingException[[z*] missing]',
    );
    expect(await http.error('GET', '/shut/_validate/query')).toBe(
      '403 ClusterBlockException[blocked by: [FORBIDDEN/4/index closed];]',
    );
    expect(await http.error('GET', '/v/_validate/query?q=a&default_operator=odd')).toBe(
      '400 ElasticsearchIllegalArgumentException[Unsupported defaultOperator [odd], can either be [OR] or [AND]]',
    );
  });
});

describe('_search/exists', () => {
  const FOUND = [200, { exists: true }];
  const NOTHING = [404, { exists: false }];

  test.each<[string, object | string | undefined, unknown]>([
    ['/v', undefined, FOUND],
    ['/v', { query: { term: { k: 'a' } } }, FOUND],
    ['/v', { query: { term: { k: 'b' } } }, NOTHING],
    ['/v/u', undefined, NOTHING],
    ['/filtered', { query: { term: { n: 1 } } }, FOUND],
    ['/z*', undefined, NOTHING],
    // Broken queries find nothing.
    ['/v', { query: { bogus: {} } }, NOTHING],
    ['/v', { query: { match_all: {} }, size: 0 }, NOTHING],
    ['/v', '{bad', NOTHING],
  ])('%s %j', async (path, body, answer) => {
    expect(await http.pair('POST', `${path}/_search/exists`, body)).toEqual(answer);
  });

  test('takes the query of the URL', async () => {
    expect(await http.pair('GET', '/v/_search/exists?q=t:two&min_score=5')).toEqual(FOUND);
    expect(await http.pair('GET', '/v/_search/exists?q=t:three')).toEqual(NOTHING);
  });

  test.each([
    ['/nope/_search/exists', '404 IndexMissingException[[nope] missing]'],
    ['/shut/_search/exists', '403 IndexClosedException[[shut] closed]'],
    [
      '/v/_search/exists?preference=_odd',
      '400 ElasticsearchIllegalArgumentException[no Preference for [_odd]]',
    ],
    [
      '/v/_search/exists?min_score=z',
      '400 ElasticsearchIllegalArgumentException[Failed to parse float parameter [min_score] with value [z]]; nested: NumberFormatException[For input string: "z"]; ',
    ],
  ])('%s is refused', async (path, error) => {
    expect(await http.error('GET', path)).toBe(error);
  });
});
