import { HttpClient } from '../support/http-client';

// Answers of the reference server.

const FOX =
  'The quick brown fox jumps over the lazy dog. The fox is quick and the dog sleeps all day long under the old oak tree while the sun shines. Later the quick fox returns to find the dog awake & barking <loudly> at the moon.';

const string = { type: 'string' };
const vectors = { ...string, term_vector: 'with_positions_offsets' };
const PROPERTIES = {
  t: string,
  u: string,
  f: vectors,
  g: vectors,
  p: { ...string, index_options: 'offsets' },
  k: { ...string, index: 'not_analyzed' },
  no: { ...string, index: 'no' },
  n: { type: 'integer' },
  c: { ...string, copy_to: ['cc', 'cs'] },
  cc: string,
  cs: { ...string, store: true },
  m: { ...vectors, fields: { e: { ...vectors, analyzer: 'english' } } },
  ne: { type: 'nested', properties: { x: string, z: { ...string, index_options: 'offsets' } } },
  o: { properties: { x: string } },
  a: vectors,
  many: string,
};

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/h', {
    settings: { number_of_shards: 1 },
    mappings: { d: { properties: PROPERTIES }, hidden: { _source: { enabled: false } } },
  });
  await http.ok('PUT', '/h/d/1', {
    t: FOX,
    u: 'another fox',
    f: FOX,
    g: 'fox stone water',
    p: 'The quick brown fox. Jumps over the fox! no fox',
    k: 'fox',
    no: 'fox here',
    n: 7,
    c: 'copied fox',
    m: 'running foxes',
    ne: [{ x: 'nested fox', z: 'nested fox' }],
    o: [{ x: 'obj fox' }, { x: ['two fox', 'three'] }],
    many: Array.from({ length: 1500 }, (_, i) => `w${i}`).join(' '),
    a: ['of the valley water dog', 'quick old', 'fox stone cross'],
  });
  await http.ok('PUT', '/h/hidden/2', { u: 'hidden cat' });
  await http.ok('POST', '/h/_refresh');
});
afterAll(() => http.close());

interface Answer {
  hits: { hits: { highlight?: Record<string, string[]> }[] };
}

async function highlights(query: object, highlight: object): Promise<unknown> {
  const answer = await http.ok('POST', '/h/_search', { query, highlight, _source: false });
  return (answer as Answer).hits.hits[0]?.highlight;
}

test('stands behind the fields of a hit and before its sort values', async () => {
  const { text } = await http.send('POST', '/h/_search', {
    query: { match: { u: 'fox' } },
    fields: ['n'],
    sort: 'n',
    highlight: { fields: { u: {} } },
  });
  expect(text).toContain(
    '"_score":null,"fields":{"n":[7]},"highlight":{"u":["another <em>fox</em>"]},"sort":[7]}',
  );
});

test.each<[string, object, object, object | undefined]>([
  [
    'the best fragments, with what stands before their first word',
    { match: { t: 'fox quick' } },
    { fields: { t: { fragment_size: 30 } } },
    {
      t: [
        'The <em>quick</em> brown <em>fox</em> jumps',
        ' <em>quick</em> <em>fox</em> returns to find the',
        ' over the lazy dog. The <em>fox</em> is',
        ' <em>quick</em> and the dog sleeps all day',
      ],
    },
  ],
  // There all fields of such a highlighter take the query of the first.
  [
    'of each field what its own query marks',
    { match: { t: 'fox' } },
    {
      fields: [
        { a: { highlight_query: { match: { a: 'old' } } } },
        { g: { highlight_query: { match: { g: 'water' } } } },
        { k: {} },
      ],
    },
    { a: ['quick <em>old</em>'], g: ['fox stone <em>water</em>'], k: ['<em>fox</em>'] },
  ],
  // There such a field is refused.
  [
    'more terms of a text than a bool query may have clauses',
    { wildcard: { many: 'w*' } },
    { fields: { many: { fragment_size: 5, number_of_fragments: 1 } } },
    { many: [' <em>w1</em> <em>w2</em>'] },
  ],
])('shows %s', async (_name, query, highlight, expected) => {
  expect(await highlights(query, highlight)).toEqual(expected);
});

const FAILED = 'Failed to execute phase [query_fetch], all shards failed';

test.each<[object, string, string]>([
  [
    { fields: { t: { type: 'bogus' } } },
    '400',
    'unknown highlighter type [bogus] for the field [t]',
  ],
  [
    { fields: { t: { type: 'fvh' } } },
    '400',
    'the field [t] should be indexed with term vector with position offsets to be used with fast vector highlighter',
  ],
  [
    { fields: { n: { type: 'postings' } } },
    '400',
    'the field [n] should be indexed with positions and offsets in the postings list to be used with postings highlighter',
  ],
  [
    { fields: { t: { fragmenter: 'x' } } },
    '400',
    'unknown fragmenter option [x] for the field [t]',
  ],
  [
    { fields: { f: { fragment_size: 10 } } },
    '500',
    'Fetch Failed [Failed to highlight field [f]]]; nested: IllegalArgumentException[fragCharSize(10) is too small. It must be 18 or higher.]',
  ],
  [{ fields: { t: { number_of_fragments: -2 } } }, '500', 'NegativeArraySizeException[-1]'],
  [
    { fields: { f: { number_of_fragments: -2 } } },
    '500',
    'maxNumFragments(-2) must be positive number.',
  ],
  [
    { pre_tags: [], fields: { t: {} } },
    '500',
    'ArrayIndexOutOfBoundsException[Index 0 out of bounds',
  ],
  [{ pre_tags: [], fields: { f: {} } }, '500', 'ArithmeticException[/ by zero]'],
  [{ fields: ['t'] }, '400', 'Error while trying to parse Highlighter element in request'],
  [{ fields: [{ t: {}, u: {} }] }, '400', 'Error while trying to parse Highlighter element'],
  [
    { fields: { t: { fragment_size: 'x' } } },
    '400',
    'NumberFormatException[For input string: "x"]',
  ],
  [{ highlight_query: { zzz: {} }, fields: {} }, '400', 'No query registered for [zzz]'],
])('%j is refused', async (highlight, status, text) => {
  const error = await http.error('POST', '/h/_search', {
    query: { match: { t: 'fox' } },
    highlight,
  });
  expect(error.startsWith(status)).toBe(true);
  expect(error).toContain(FAILED);
  expect(error).toContain(text);
});

test.each<[unknown]>([['x'], [null], [[{ fields: {} }]]])(
  'a highlight that is no object is refused: %j',
  async (highlight) => {
    expect(await http.error('POST', '/h/_search', { highlight })).toMatch(/^400 .*ParseException/);
  },
);

test('what a forced highlighter does not fit is passed over among the fields of a pattern', async () => {
  const fields = { '*': { type: 'fvh', number_of_fragments: 0 } };
  const found = await highlights({ match: { g: 'stone' } }, { fields });
  expect(Object.keys(found as object)).toEqual(['a', 'g']);
});

test('nothing is shown of what is not in the source', async () => {
  const query = { match: { u: 'hidden' } };
  expect(await highlights(query, { fields: { u: { no_match_size: 10 } } })).toBeUndefined();
});

test('names of objects are fields like others', async () => {
  await http.ok('PUT', '/w/constructor/1?refresh=true', {
    __proto__2: 'x',
    constructor: 'odd fox',
  });
  const answer = await http.ok('POST', '/w/_search', {
    query: { match: { constructor: 'fox' } },
    highlight: { fields: { constructor: {}, __proto__: {}, toString: {} } },
    _source: false,
  });
  expect((answer as Answer).hits.hits[0]!.highlight).toEqual({ constructor: ['odd <em>fox</em>'] });
});
