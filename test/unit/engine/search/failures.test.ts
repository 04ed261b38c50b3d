import { EngineError } from '../../../../engine/errors';
import { hitsOf, idsOf, SearchNode } from '../../../support/search-node';

const MAPPING = {
  tag: 'string',
  n: 'integer',
  loc: 'geo_point',
  o: 'object',
  kids: 'nested',
  'kids.n': 'integer',
} as const;

function node(): SearchNode {
  const made = new SearchNode();
  made.createIndex('shop', MAPPING);
  made.add('shop', '1', { tag: 'a', n: 1 });
  made.add('shop', '2', { tag: 'b' });
  made.refresh('shop');
  return made;
}

/** The error of a search as a client sees it. */
async function errorOf(
  body: string | object,
  made = node(),
  indices = 'shop',
): Promise<{ status: number; text: string }> {
  try {
    await made.search(indices, body);
  } catch (error) {
    if (error instanceof EngineError) return { status: error.status, text: error.toWireString() };
    throw error;
  }
  throw new Error('the search did not fail');
}

/** The text around the cause when the only shard of `shop` rejects a body. */
function rejected(body: string, place: string, cause: string): string {
  return (
    'SearchPhaseExecutionException[Failed to execute phase [query_fetch], all shards failed; shardFailures ' +
    `{[node][shop][0]: SearchParseException[[shop][0]: ${place}: Parse Failure [Failed to parse source [${body}]]]; nested: ${cause}; }]`
  );
}

const PLACE = 'from[-1],size[-1]';
const parse = (message: string, place = PLACE) =>
  `SearchParseException[[shop][0]: ${place}: Parse Failure [${message}]]`;

describe('a rejected body', () => {
  const cases: [string, string, string?][] = [
    ['{"bogus":1}', parse('No parser for element [bogus]')],
    ['{"aggs":{"x":{}}}', parse('Missing definition for aggregation [x]')],
    [
      '{"suggest":{"a":{"b":{}}}}',
      'ElasticsearchIllegalArgumentException[Suggester[b] not supported]',
    ],
    [
      '{"query":null}',
      'QueryParsingException[[shop] [_na] query malformed, must start with start_object]',
    ],
    [
      '{"query":[]}',
      'QueryParsingException[[shop] [_na] query malformed, must start with start_object]',
    ],
    [
      '{"post_filter":5}',
      'QueryParsingException[[shop] [_na] filter malformed, must start with start_object]',
    ],
    ['{"size":-1}', parse('size is set to [-1] and is expected to be higher or equal to 0')],
    ['{"from":-1}', parse('from is set to [-1] and is expected to be higher or equal to 0')],
    ['{"size":"abc"}', 'NumberFormatException[For input string: "abc"]'],
    ['{"size":"1.9"}', 'NumberFormatException[For input string: "1.9"]'],
    ['{"size":[]}', 'ElasticsearchParseException[Expected field name but got END_ARRAY "size"]'],
    [
      '{"size":5,"from":3,"bogus":1}',
      parse('No parser for element [bogus]', 'from[3],size[5]'),
      'from[3],size[5]',
    ],
    [
      '{"size":true}',
      'JsonParseException[Current token (VALUE_TRUE) not numeric, can not use numeric value accessors]',
    ],
    [
      '{"timeout":"x"}',
      'ElasticsearchParseException[Failed to parse [x]]; nested: NumberFormatException[For input string: "x"]',
    ],
    ['{"terminate_after":0}', 'ElasticsearchIllegalArgumentException[terminateAfter must be > 0]'],
    [
      '{"indices_boost":[]}',
      'ElasticsearchParseException[End of query source reached but query is not complete.]',
    ],
    [
      '{"_source":{"bogus":1}}',
      'ElasticsearchParseException[Source definition may not contain bogus]',
    ],
    [
      '{"_source":null}',
      'ElasticsearchParseException[source element value can be of type VALUE_NULL]',
    ],
    [
      '{"fielddata_fields":5}',
      'ElasticsearchIllegalStateException[Expected either a VALUE_STRING or an START_ARRAY but got VALUE_NUMBER]',
    ],
    [
      '{"sort":5}',
      'ElasticsearchIllegalArgumentException[malformed sort format, either start with array, object, or an actual string]',
    ],
    [
      '{"sort":[null]}',
      'ElasticsearchIllegalArgumentException[malformed sort format, within the sort array, an object, or an actual string are allowed]',
    ],
    [
      '{"sort":{"n":5}}',
      'ElasticsearchParseException[End of query source reached but query is not complete.]',
    ],
    ['{"sort":"n:desc"}', parse('No mapping found for [n:desc] in order to sort on')],
    ['{"sort":"o"}', parse('No mapping found for [o] in order to sort on')],
    [
      '{"sort":[{"n":{"bogus":1}}]}',
      'ElasticsearchIllegalArgumentException[sort option [bogus] not supported]',
    ],
    [
      '{"sort":{"n":"DESC"}}',
      'ElasticsearchIllegalArgumentException[sort direction [n] not supported]',
    ],
    [
      '{"sort":{"n":{"mode":"bogus"}}}',
      'ElasticsearchIllegalArgumentException[Illegal sort_mode bogus]',
    ],
    [
      '{"sort":{"zz":{"unmapped_type":"bogus"}}}',
      'ElasticsearchIllegalArgumentException[No mapper found for type [bogus]]',
    ],
    [
      '{"sort":"loc"}',
      "ElasticsearchIllegalArgumentException[can't sort on geo_point field without using specific sorting feature, like geo_distance]",
    ],
    [
      '{"sort":{"n":{"nested_path":"zz"}}}',
      'QueryParsingException[[shop] [nested] failed to find nested object under path [zz]]',
    ],
  ];
  test.each(cases)('%s', async (body, cause, place = PLACE) => {
    expect(await errorOf(body)).toEqual({ status: 400, text: rejected(body, place, cause) });
  });

  test('an unreadable body is shown as _na_ when it is no object', async () => {
    const bodyError = new EngineError('ElasticsearchParseException', 'Failed to derive xcontent');
    await expect(node().search('shop', '', { bodyText: 'abc', bodyError })).rejects.toMatchObject({
      status: 400,
      message: rejected('_na_', PLACE, bodyError.toWireString()).slice(30, -1),
    });
  });

  test('every shard of every index is listed, by index and number', async () => {
    const made = node();
    made.createIndex('a', MAPPING, { shards: 2 });
    const { text } = await errorOf({ bogus: 1 }, made, 'shop,a');
    expect(text.match(/\{\[node\]\[\w+\]\[\d\]/g)).toEqual([
      '{[node][a][0]',
      '{[node][a][1]',
      '{[node][shop][0]',
    ]);
    expect(text).toContain('phase [query], all shards failed');
  });

  test('a window that cannot be counted', async () => {
    const { status, text } = await errorOf({ from: 2147483647, size: 10 });
    expect(status).toBe(500);
    expect(text).toContain(
      'QueryPhaseExecutionException[[shop][0]: from[2147483647],size[10]: Result window is too large, from + size must be less than or equal to: [2147483647] but was [2147483657]]',
    );
  });
});

describe('some shards fail', () => {
  test('an index that rejects the search is left out', async () => {
    const made = node();
    made.createIndex('other', { tag: 'integer' });
    made.add('other', '1', { tag: 5 });
    made.refresh('other');
    const response = await made.search('shop,other', { query: { term: { tag: 'a' } } });
    expect(idsOf(response)).toEqual(['1']);
    expect(response.shards).toEqual({
      total: 2,
      successful: 1,
      failed: 1,
      failures: [
        {
          index: 'other',
          shard: 0,
          status: 400,
          reason:
            'SearchParseException[[other][0]: from[-1],size[-1]: Parse Failure [Failed to parse source [{"query":{"term":{"tag":"a"}}}]]]; nested: NumberFormatException[For input string: "a"]; ',
        },
      ],
    });
  });

  test('a shard that cannot be opened', async () => {
    const made = node();
    made.createIndex('other', MAPPING);
    const { acquire } = made.host;
    made.host.acquire = (index, shard) => {
      if (index.name === 'other') throw new EngineError('CorruptIndexException', 'broken');
      return acquire(index, shard);
    };
    const response = await made.search('shop,other', {});
    expect(response.total).toBe(2);
    expect(response.shards.failures).toEqual([
      { index: 'other', shard: 0, status: 500, reason: 'CorruptIndexException[broken]' },
    ]);
    expect(made.held).toBe(0);
  });

  test('a damaged block fails its shard alone', async () => {
    const made = node();
    made.createIndex('bad', MAPPING);
    made.add('bad', '1', { tag: 'a', n: 5 });
    made.refresh('bad');
    const [segment] = made.segmentsOf('bad');
    made.segments.damage(segment!.id, 0, 0, 0xff);
    const response = await made.search('shop,bad', {});
    expect(idsOf(response)).toEqual(['1', '2']);
    expect(response.shards).toMatchObject({ total: 2, successful: 1, failed: 1 });
    expect(response.shards.failures[0]).toMatchObject({ index: 'bad', shard: 0, status: 500 });
    expect(response.shards.failures[0]!.reason).toMatch(
      /^QueryPhaseExecutionException\[\[bad\]\[0\]: from\[0\],size\[10\]: Query Failed \[Failed to execute main query\]\]; nested: CorruptIndexException\[.*\]; $/,
    );
    expect(await errorOf({}, made, 'bad')).toMatchObject({ status: 500 });
    expect(made.held).toBe(0);
  });

  test('a defect is not a shard failure', async () => {
    const made = node();
    made.host.acquire = () => {
      throw new TypeError('a bug');
    };
    await expect(made.search('shop', {})).rejects.toThrow(TypeError);
  });
});

describe('count', () => {
  test('counts live documents, with a body, with q, and in types', async () => {
    const made = node();
    const place = made.add('shop', '3', { tag: 'a' });
    made.refresh('shop');
    made.remove('shop', place);
    expect(await made.count('shop', null)).toEqual({
      count: 2,
      shards: { total: 1, successful: 1, failed: 0, failures: [] },
      terminatedEarly: undefined,
    });
    expect((await made.count('shop', { query: { term: { tag: 'a' } } })).count).toBe(1);
    expect((await made.count('shop', null, { params: new Map([['q', 'tag:b']]) })).count).toBe(1);
    expect((await made.count('shop', null, { types: ['doc'] })).count).toBe(2);
    expect((await made.count('shop', null, { types: ['other'] })).count).toBe(0);
    const early = await made.count('shop', null, { params: new Map([['terminate_after', '1']]) });
    expect(early).toMatchObject({ count: 1, terminatedEarly: true });
  });

  test.each([
    [{ size: 1 }, 'QueryParsingException[[shop] request does not support [size]]; '],
    [
      { query: { match_all: {} }, facets: {} },
      'QueryParsingException[[shop] request does not support [facets]]; ',
    ],
    [{}, 'QueryParsingException[[shop] Required query is missing]; '],
    [{ query: { bogus: {} } }, 'QueryParsingException[[shop] No query registered for [bogus]]; '],
    [
      { query: { term: { n: 'abc' } } },
      'QueryParsingException[[shop] Failed to parse]; nested: NumberFormatException[For input string: "abc"]; ',
    ],
  ])('%j is a failure of the shard', async (body, cause) => {
    expect(await node().count('shop', body)).toEqual({
      count: 0,
      shards: {
        total: 1,
        successful: 0,
        failed: 1,
        failures: [
          {
            index: 'shop',
            shard: 0,
            status: 400,
            reason: `BroadcastShardOperationFailedException[[shop][0] ]; nested: ${cause}`,
          },
        ],
      },
      terminatedEarly: undefined,
    });
  });
});

describe('targets', () => {
  test('routing, aliases and preference choose shards; alias filters restrict documents', async () => {
    const made = new SearchNode();
    const filter = (tag: string) => ({ filter: new Map([['term', new Map([['tag', tag]])]]) });
    made.createIndex('i', MAPPING, {
      shards: 5,
      aliases: { a: filter('a'), b: filter('b'), all: {}, routed: { searchRouting: '1' } },
    });
    for (let i = 0; i < 10; i++)
      made.add('i', String(i), { tag: i % 2 === 0 ? 'a' : i % 3 === 0 ? 'b' : 'c' });
    made.refresh('i');
    const ask = async (indices: string, request: object = {}) => {
      const response = await made.search(indices, { size: 100 }, request);
      return [response.shards.total, response.total];
    };
    expect(await ask('i')).toEqual([5, 10]);
    expect(await ask('a')).toEqual([5, 5]);
    expect(await ask('a,b')).toEqual([5, 7]);
    expect(await ask('a,all')).toEqual([5, 10]);
    expect(await ask('a,i')).toEqual([5, 10]);
    expect(await ask('routed')).toEqual([1, 2]);
    expect(await ask('i', { routing: '1,1' })).toEqual([1, 2]);
    expect(await ask('i', { routing: '' })).toEqual([0, 0]);
    expect(await ask('i', { preference: '_shards:0,1' })).toEqual([2, 4]);
    expect(await ask('i', { preference: '_shards:0;_local' })).toEqual([1, 2]);
    expect(await ask('i', { preference: '_primary' })).toEqual([5, 10]);
    expect(await ask('i', { preference: 'session' })).toEqual([5, 10]);
    await expect(ask('i', { preference: '_bogus' })).rejects.toMatchObject({
      status: 400,
      message: 'no Preference for [_bogus]',
    });
    await expect(ask('nope')).rejects.toMatchObject({ status: 404, message: '[nope] missing' });
    const hits = hitsOf(await made.search('a', { query: { term: { tag: 'a' } }, size: 1 }));
    expect(hits[0]!['_index']).toBe('i');
  });
});
