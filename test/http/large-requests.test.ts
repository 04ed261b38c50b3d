// Requests with very many of something: each is answered or refused with a clear error, and never holds the
// node or ends it.

import { HttpClient } from '../support/http-client';

const MANY = 100_000;
const many = <T>(count: number, of: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => of(i));

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/i', {
    mappings: { t: { properties: { k: { type: 'string', index: 'not_analyzed' } } } },
  });
  await http.ok('PUT', '/i/t/1?refresh', { k: 'k1', n: 1, s: 'some text' });
});
afterAll(() => http.close());

const clauses = many(20_000, (i) => ({ term: { k: `k${i}` } }));
const REFUSED: readonly (readonly [string, object, string])[] = [
  ['and', { filter: { and: clauses } }, 'search.max_queries'],
  ['or', { filter: { or: clauses } }, 'search.max_queries'],
  ['bool filter', { filter: { bool: { should: clauses } } }, 'search.max_queries'],
  ['bool', { query: { bool: { must: clauses } } }, 'search.max_queries'],
  ['dis_max', { query: { dis_max: { queries: clauses } } }, 'search.max_queries'],
  [
    'functions',
    { query: { function_score: { functions: many(20_000, () => ({ weight: 1 })) } } },
    'search.max_queries',
  ],
  [
    'phrase',
    { query: { match_phrase: { s: many(1025, (i) => `w${i}`).join(' ') } } },
    'TooManyClauses[maxClauseCount is set to 1024]',
  ],
  [
    'phrase of a query string',
    { query: { query_string: { query: `s:"${many(1025, (i) => `w${i}`).join(' ')}"~5` } } },
    'TooManyClauses[maxClauseCount is set to 1024]',
  ],
  ['terms filter', { filter: { terms: { k: many(MANY, String) } } }, 'search.max_terms'],
  ['ids', { query: { ids: { values: many(MANY, String) } } }, 'search.max_terms'],
  [
    'exclude',
    { facets: { f: { terms: { field: 'k', exclude: many(MANY, String) } } } },
    'search.max_terms',
  ],
  ['like ids', { query: { mlt: { ids: many(MANY, String) } } }, 'search.max_terms'],
  [
    'facets',
    { facets: Object.fromEntries(many(1001, (i) => [`f${i}`, { terms: { field: 'k' } }])) },
    'search.max_facets',
  ],
  [
    'ranges',
    { facets: { f: { range: { field: 'n', ranges: many(5000, (i) => ({ from: i })) } } } },
    'search.max_ranges',
  ],
  ['sort', { sort: many(129, () => 'n') }, 'search.max_sort_keys'],
  ['fields', { fields: many(MANY, String) }, 'search.max_fields'],
  ['_source', { _source: { exclude: many(MANY, String) } }, 'search.max_fields'],
  [
    'partial fields',
    { partial_fields: Object.fromEntries(many(3000, (i) => [`p${i}`, { include: 'k' }])) },
    'search.max_fields',
  ],
  [
    'script fields',
    { script_fields: Object.fromEntries(many(300, (i) => [`s${i}`, { script: '1' }])) },
    'search.max_scripts',
  ],
  [
    'words of suggestions',
    { suggest: { text: 'ab '.repeat(5000), a: { term: { field: 's' } } } },
    'search.max_suggestions',
  ],
  [
    'options of suggestions',
    { suggest: { text: 'ab ab', a: { term: { field: 's', size: 500_001 } } } },
    'search.max_suggest_options',
  ],
  ['fielddata fields', { fielddata_fields: many(MANY, String) }, 'search.max_fields'],
  ['text', { query: { match_phrase: { s: 'ab '.repeat(100_000) } } }, 'search.max_text'],
  [
    'fields of text',
    { query: { multi_match: { query: 'a', fields: many(3000, (i) => `f${i}`) } } },
    'search.max_fields',
  ],
  [
    'words by fields',
    { query: { query_string: { query: 'a '.repeat(500), fields: many(100, (i) => `f${i}`) } } },
    'search.max_queries',
  ],
  [
    'corners',
    { filter: { geo_polygon: { g: { points: many(5000, () => [1, 2]) } } } },
    'search.max_corners',
  ],
  ['wildcard', { query: { wildcard: { k: '*a'.repeat(501) } } }, 'search.max_pattern_length'],
  ['prefix', { filter: { prefix: { k: 'a'.repeat(1001) } } }, 'search.max_pattern_length'],
  [
    'wildcard in a query string',
    { query: { query_string: { query: `k:${'a*'.repeat(501)}b` } } },
    'search.max_pattern_length',
  ],
  [
    'facet regex',
    { facets: { f: { terms: { field: 'k', regex: 'a'.repeat(1001) } } } },
    'search.max_pattern_length',
  ],
  [
    'facet regex that becomes large',
    { facets: { f: { terms: { field: 'k', regex: '(k{1000})'.repeat(50) } } } },
    'make it too large',
  ],
  [
    'clauses of clauses',
    { filter: { or: many(MANY, () => ({ term: { k: 'k' } })) } },
    'names and values',
  ],
  ['values', { stats: many(200_001, () => 1) }, 'more than [200000] names and values'],
];

test.each(REFUSED)('refuses too many: %s', async (_name, body, reason) => {
  const { status, text } = await http.send('POST', '/i/_search', body);
  expect([status, text.includes(reason)]).toEqual([400, true]);
  // The source of a request is not repeated as a whole.
  expect(text.length).toBeLessThan(20_000);
});

const ANSWERED: readonly (readonly [string, object])[] = [
  ['terms filter', { filter: { terms: { k: many(65_536, (i) => `k${i}`) } } }],
  ['numbers', { filter: { terms: { n: many(65_536, (i) => i) } } }],
  ['ids', { filter: { ids: { values: many(65_536, (i) => `${i}`) } } }],
  ['or', { filter: { or: many(16_000, (i) => ({ term: { k: `k${i}` } })) } }],
  ['page', { size: 2_147_483_647 }],
  ['sorted page', { size: 2_147_483_647, sort: ['n'] }],
];
test.each(ANSWERED)('answers many: %s', async (_name, body) => {
  const { status, body: answer } = await http.send('POST', '/i/_search', body);
  expect([status, (answer as { hits: { total: number } }).hits.total]).toEqual([200, 1]);
});

/** Requests answered while `work` runs, and what it gives. */
async function meanwhile<T>(work: Promise<T>): Promise<{ turns: number; result: T }> {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work;
  isOver = true;
  return { turns, result };
}

test('gives others turns while very many documents are got', async () => {
  const { turns, result } = await meanwhile(
    http.send('POST', '/i/t/_mget', { ids: many(MANY, String) }),
  );
  const { docs } = result.body as { docs: { _id: string; found: boolean }[] };
  expect(result.status).toBe(200);
  expect(docs).toHaveLength(MANY);
  expect(docs.filter(({ found }) => found).map(({ _id }) => _id)).toEqual(['1']);
  expect(docs[MANY - 1]!._id).toBe(String(MANY - 1));
  expect(turns).toBeGreaterThan(20);
});

test('gives others turns while very many searches run', async () => {
  const body = '{}\n{"size":0}\n'.repeat(5_000);
  const { turns, result } = await meanwhile(http.send('POST', '/i/_msearch', body));
  const { responses } = result.body as { responses: { hits: { total: number } }[] };
  expect(responses).toHaveLength(5_000);
  expect(responses.every(({ hits }) => hits.total === 1)).toBe(true);
  expect(turns).toBeGreaterThan(20);
});

test('says of very many problems how many there are', async () => {
  const body = '{"index":{}}\n{}\n'.repeat(MANY);
  for (const [path, content] of [
    ['/_bulk', body],
    ['/_mget', { ids: many(MANY, String) }],
    ['/_aliases', { actions: many(5000, () => ({ add: { index: 'i' } })) }],
  ] as const) {
    const { status, text } = await http.send('POST', path, content);
    expect([status, text.length < 100_000]).toEqual([400, true]);
    expect(text).toMatch(/1000: [^;]*;and \d+ more;/);
  }
});

test('refuses very many alias actions', async () => {
  const actions = many(65_537, (i) => ({ add: { index: 'i', alias: `a${i}` } }));
  expect(await http.error('POST', '/_aliases', { actions })).toContain(
    'request has more than [65536] alias actions',
  );
});

test('refuses very many patterns of index names', async () => {
  for (let i = 0; i < 250; i++) await http.ok('PUT', `/i/_alias/alias${i}`);
  const header = JSON.stringify({ index: many(9000, (i) => `*x${i}`), ignore_unavailable: true });
  const { text } = await http.send('POST', '/_msearch', `${header}\n{}\n`);
  expect(text).toContain('patterns of index names are too many for');
  expect((await http.send('GET', `/${many(500, (i) => `*x${i}`).join()},i/_search`)).status).toBe(
    200,
  );
});

test('a bulk whose items all have long errors is answered in pieces that make one answer', async () => {
  const names = many(2000, (i) => `${'h'.repeat(300)}${i}`);
  const lines = names.map((name) => `{"index":{"_index":"${name}","_type":"t"}}\n{}\n`);
  const { status, body } = await http.send('POST', '/_bulk', lines.join(''));
  const { errors, items } = body as { errors: boolean; items: { index: { _index: string } }[] };
  expect([status, errors]).toEqual([200, true]);
  expect(items.map(({ index }) => index._index)).toEqual(names);
});

test('small bodies are all that most requests take, documents may be larger', async () => {
  const large = ' '.repeat(11_000_000);
  expect(await http.error('POST', '/i/_search', large)).toContain(
    '413 ContentTooLargeException[content length [11000000] is larger than [10485760] (http.max_body_length)]',
  );
  expect((await http.send('PUT', '/i/t/large', `${large}{}`)).status).toBe(201);
});

describe('with little memory for requests', () => {
  let small: HttpClient;
  beforeAll(async () => {
    small = await HttpClient.start({
      'indices.breaker.total.limit': '4mb',
      'indices.breaker.request.limit': '3mb',
    });
    for (let i = 0; i < 20; i++) await small.ok('PUT', `/i/t/${i}`, { text: 'x'.repeat(100_000) });
    await small.ok('POST', '/_refresh');
  });
  afterAll(() => small.close());

  interface Breakers {
    readonly nodes: Record<
      string,
      { breakers: Record<string, { tripped: number; estimated_size_in_bytes: number }> }
    >;
  }
  const breakers = async () => {
    const { nodes } = (await small.ok('GET', '/_nodes/stats/breaker')) as Breakers;
    return Object.values(nodes)[0]!.breakers;
  };

  test('refuses bodies, what they inflate to, and answers that are too large for it', async () => {
    const bulk = `{"index":{"_index":"i","_type":"t"}}\n{"a":"${'x'.repeat(4_000_000)}"}\n`;
    const refusal = /^503 CircuitBreakingException\[\[REQUEST\] Data too large/;
    expect(await small.error('POST', '/_bulk', bulk)).toMatch(refusal);
    expect(await small.error('POST', '/i/_search', { size: 1000, sort: ['_doc'] })).toBe('200 ');
    const searches = '{"index":"i"}\n{"size":1000}\n'.repeat(3);
    expect(await small.error('POST', '/_msearch', searches)).toMatch(refusal);
    const { request, parent } = await breakers();
    expect(request!.tripped).toBe(2);
    // All of it was given back.
    expect([request!.estimated_size_in_bytes, parent!.estimated_size_in_bytes]).toEqual([0, 0]);
  });

  test('says when to try again', async () => {
    const { headers } = await small.send(
      'POST',
      '/_bulk',
      `{"index":{}}\n${' '.repeat(3_500_000)}\n`,
    );
    expect(headers['retry-after']).toBe('1');
  });
});

describe('texts of which analysis makes too much', () => {
  const SHORT = 'a'.repeat(2000);
  const FIELDS = ['grams', 'longer', 'longer_terms', 'same'];
  const longer = { type: 'pattern_replace', pattern: '(.)', replacement: '$1'.repeat(100) };
  const words = many(2000, (i) => `w${i}`);
  const text = (field: string): string =>
    field === 'same' ? words.slice(0, 500).join(' ') : SHORT;

  beforeAll(() =>
    http.ok('PUT', '/analyzed', {
      settings: {
        analysis: {
          char_filter: { longer, mapped: { type: 'mapping', mappings: [`b=>${SHORT}`] } },
          filter: {
            longer,
            grams: { type: 'nGram', min_gram: 1, max_gram: 1000 },
            same: { type: 'synonym', synonyms: [words.join(',')] },
          },
          analyzer: {
            grams: { tokenizer: 'keyword', filter: ['grams'] },
            longer: { tokenizer: 'keyword', char_filter: ['longer', 'longer', 'longer'] },
            longer_terms: { tokenizer: 'keyword', filter: ['longer', 'longer', 'longer'] },
            same: { tokenizer: 'whitespace', filter: ['same'] },
          },
        },
      },
      mappings: {
        t: {
          properties: {
            ...Object.fromEntries(FIELDS.map((name) => [name, { type: 'string', analyzer: name }])),
            count: { type: 'token_count', analyzer: 'longer' },
          },
        },
      },
    }),
  );

  const queries = (field: string, like: string): Record<string, object> => ({
    match: { [field]: like },
    match_phrase: { [field]: like },
    multi_match: { fields: [field], query: like },
    common: { [field]: { query: like } },
    query_string: { default_field: field, query: `"${like}"` },
    mlt: { fields: [field], like_text: like, min_term_freq: 1 },
    flt_field: { [field]: { like_text: like } },
  });

  test.each(FIELDS)('are refused in queries: %s', async (field) => {
    for (const [kind, body] of Object.entries(queries(field, text(field)))) {
      const answer = await http.send('POST', '/analyzed/_search', { query: { [kind]: body } });
      expect([kind, answer.status, answer.text.slice(0, 10_000)]).toEqual([
        kind,
        400,
        expect.stringContaining(
          'request has more than [33554432] bytes of tokens made of its text (search.max_analyzed_size)',
        ),
      ]);
    }
    const few = await http.send('POST', '/analyzed/_search', {
      query: { match: { [field]: 'ab' } },
    });
    expect(few.status).toBe(field.startsWith('longer') ? 400 : 200);
  });

  test.each([`${'a'.repeat(2000)}*`, `${'a'.repeat(900)}*b`])(
    'are refused in wildcards of a query string',
    async (query) => {
      const body = { default_field: 'grams', query, analyze_wildcard: true };
      expect(
        await http.error('POST', '/analyzed/_search', { query: { query_string: body } }),
      ).toContain('(search.max_analyzed_size)');
    },
  );

  test('are refused by _analyze', async () => {
    for (const field of FIELDS) {
      const answer = await http.send('POST', `/analyzed/_analyze?analyzer=${field}`, text(field));
      expect([field, answer.status]).toEqual([field, 400]);
    }
  });

  test('are refused in documents, token counts included', async () => {
    for (const field of ['longer', 'longer_terms']) {
      expect(await http.error('PUT', '/analyzed/t/1', { [field]: SHORT })).toContain(
        '[index.max_analyzed_size] allows',
      );
    }
    expect(await http.error('PUT', '/analyzed/t/1', { count: SHORT })).toContain(
      'field [count] would count more tokens than [134217728] bytes',
    );
    // No word of it is one of the rule.
    expect(await http.error('PUT', '/analyzed/t/1', { same: 'other '.repeat(5000) })).toBe('201 ');
  });
});
