// A key that is granted nothing but an alias with a filter: whatever it asks, it is shown nothing beyond it.
// Everything that it must not see has a marker in it, and answers are searched for that as they are.

import request from 'supertest';
import { parseJsonObject, parseRole } from '../../engine/index';
import { createTestApp, type TestApp } from '../support/app';
import { assertNothingShown, lookUp, MARKER, NUMBER } from '../support/confined-requests';
import { Random, testSeed } from '../support/random';

let app: TestApp;
let secret: string;
const VIEWER = 'viewer';

async function ask(method: string, path: string, body?: object | string) {
  const agent = request(app.handler);
  const verb = method.toLowerCase() as 'get';
  const sent = agent[verb](path).auth(VIEWER, secret);
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return text === undefined ? sent : sent.set('Content-Type', 'application/json').send(text);
}

async function ok<T>(method: string, path: string, body?: object | string): Promise<T> {
  const answer = await ask(method, path, body);
  expect([path, body, answer.status, answer.text]).toEqual([path, body, 200, answer.text]);
  return answer.body as T;
}

interface Found {
  hits: { total: number; hits: { _id: string }[] };
  facets: Record<string, { total?: number; count?: number; terms?: { term: string }[] }>;
  aggregations: Record<string, { doc_count: number; n: { buckets: { key: string }[] } }>;
}

beforeAll(async () => {
  app = await createTestApp({ 'http.authentication': 'true', 'index.refresh_interval': '-1' });
  const { engine } = app;
  const role = (text: string) => parseRole(parseJsonObject(text));
  const all = role('{"cluster":["all"],"indices":[{"names":["*"],"privileges":["all"]}]}');
  const admin = (await engine.access.keys.create({ id: 'admin', role: all, expiresAt: null }))
    .secret;
  const confined = role('{"indices":[{"names":["mine"],"privileges":["read"]}]}');
  ({ secret } = await engine.access.keys.create({ id: VIEWER, role: confined, expiresAt: null }));
  const put = async (method: 'put' | 'post', path: string, body: object | string) => {
    const agent = request(app.handler);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await agent[method](path)
      .auth('admin', admin)
      .set('Content-Type', 'application/json')
      .send(text);
    expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  };
  const text = { type: 'string', term_vector: 'with_positions_offsets' };
  const properties = {
    who: { type: 'string', index: 'not_analyzed' },
    text,
    word: { type: 'string', index: 'not_analyzed' },
    n: { type: 'long' },
    sub: { type: 'nested', properties: { word: { type: 'string', index: 'not_analyzed' } } },
    quick: { type: 'completion', payloads: true },
  };
  await put('put', '/data', {
    settings: { number_of_shards: 1 },
    mappings: { t: { properties }, c: { _parent: { type: 't' }, properties } },
  });
  await put('put', '/hidden', { mappings: { t: { properties } } });
  const lines: object[] = [];
  for (let i = 0; i < 60; i++) {
    const isMine = i % 3 === 0;
    const word = isMine ? `open${i % 7}` : `${MARKER}${i % 7}`;
    const source = {
      who: isMine ? 'me' : MARKER,
      text: `common words about ${word}`,
      word,
      n: isMine ? i : NUMBER,
      sub: [{ word }],
      quick: { input: [word, `all${word}`], payload: { word } },
    };
    lines.push({ index: { _index: 'data', _type: 't', _id: String(i) } }, source);
    // The children of all documents are somebody else's.
    const child = {
      ...source,
      who: MARKER,
      word: `${MARKER}child`,
      text: `common ${MARKER}`,
      n: NUMBER,
    };
    delete (child as { quick?: object }).quick;
    lines.push({ index: { _index: 'data', _type: 'c', _id: `c${i}`, parent: String(i) } }, child);
    if (!isMine) lines.push({ index: { _index: 'hidden', _type: 't', _id: String(i) } }, source);
  }
  await put(
    'post',
    '/_bulk?refresh=true',
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  for (const [id, who] of [
    ['seen', 'me'],
    [`${MARKER}-query`, MARKER],
  ] as const) {
    await put('put', `/data/.percolator/${id}?refresh=true`, {
      query: { match: { text: 'common' } },
      who,
    });
  }
  await put('put', '/data/_warmer/w', { query: { term: { word: MARKER } } });
  await put('post', '/_aliases', {
    actions: [
      { add: { index: 'data', alias: 'mine', filter: { term: { who: 'me' } } } },
      { add: { index: 'data', alias: 'yours', filter: { term: { who: MARKER } } } },
      { add: { index: 'hidden', alias: `${MARKER}-alias` } },
    ],
  });
  // Not refreshed: only reads by id see them.
  await put('put', '/data/t/fresh', { who: 'me', text: 'common fresh' });
  await put('put', '/data/t/fresh-hidden', { who: MARKER, text: MARKER });
});
afterAll(() => app.close());

const MINE = 20;

test('searches, counts and scrolls find what the alias lets pass, by whichever name', async () => {
  for (const name of ['mine', 'data', '_all', '*', 'm*', 'mine,data']) {
    const found = await ok<Found>('POST', `/${name}/_search`, { size: 100 });
    expect([name, found.hits.total]).toEqual([name, MINE]);
    expect(await ok('GET', `/${name}/_count`)).toMatchObject({ count: MINE });
  }
  for (const name of ['yours', 'hidden', 'mine,hidden', `${MARKER}-alias`]) {
    expect((await ask('POST', `/${name}/_search`)).status).toBe(403);
  }
  const counted = await ok<Found>('GET', '/data/_search?search_type=count');
  expect(counted.hits.total).toBe(MINE);
  let page = await ok<Found & { _scroll_id: string }>(
    'GET',
    '/_search?scroll=1m&search_type=scan&size=3',
  );
  let seen = 0;
  do {
    page = await ok('GET', `/_search/scroll?scroll=1m&scroll_id=${page._scroll_id}`);
    seen += page.hits.hits.length;
  } while (page.hits.hits.length > 0);
  expect(seen).toBe(MINE);
});

test('documents are read by id where they are seen, also before a refresh', async () => {
  for (const name of ['mine', 'data']) {
    expect((await ask('GET', `/${name}/t/0`)).status).toBe(200);
    expect((await ask('GET', `/${name}/t/fresh`)).status).toBe(200);
    for (const id of ['1', 'fresh-hidden', 'none']) {
      for (const tail of ['', '/_source', '?realtime=false', '/_mlt?min_doc_freq=1']) {
        const { status, text } = await ask('GET', `/${name}/t/${id}${tail}`);
        expect([id, tail, status, text.includes(MARKER)]).toEqual([id, tail, 404, false]);
      }
    }
  }
  const got = await ok<{ docs: { found: boolean }[] }>('POST', '/data/t/_mget', {
    ids: ['0', '1'],
  });
  expect(got.docs.map(({ found }) => found)).toEqual([true, false]);
});

test('global scopes, children, nested documents and look-ups see nothing else', async () => {
  const found = await ok<Found>('POST', '/mine/_search', {
    query: { match_all: {} },
    facets: {
      everywhere: { terms: { field: 'word', size: 100 }, global: true },
      numbers: { statistical: { field: 'n' }, global: true },
    },
    aggregations: {
      everywhere: { global: {}, aggs: { n: { terms: { field: 'word', size: 100 } } } },
      offspring: { children: { type: 'c' }, aggs: { n: { terms: { field: 'word' } } } },
    },
  });
  expect(found.facets['everywhere']!.total).toBe(MINE);
  expect(found.facets['numbers']!.count).toBe(MINE);
  expect(found.aggregations['everywhere']!.doc_count).toBe(MINE);
  expect(found.aggregations['offspring']!.doc_count).toBe(0);
  const queries: [object, number][] = [
    [{ has_child: { type: 'c', query: { match_all: {} } } }, 0],
    [{ top_children: { type: 'c', query: { match_all: {} } } }, 0],
    [{ nested: { path: 'sub', query: { prefix: { 'sub.word': 'open' } } } }, MINE],
    [{ nested: { path: 'sub', query: { prefix: { 'sub.word': 'zz' } } } }, 0],
    [lookUp('data', '0'), 3],
    [lookUp('data', '1'), 0],
    [{ range: { n: { gte: NUMBER } } }, 0],
  ];
  for (const [query, total] of queries) {
    expect([query, (await ok<Found>('POST', '/data/_search', { query })).hits.total]).toEqual([
      query,
      total,
    ]);
  }
  const percolated = await ok<{ total: number; matches: { _id: string }[] }>(
    'POST',
    '/data/t/_percolate',
    {
      doc: { text: 'common' },
    },
  );
  expect([percolated.total, percolated.matches.map(({ _id }) => _id)]).toEqual([1, ['seen']]);
});

test('what tells of all documents is refused by name', async () => {
  const refused: [string, string, object?][] = [
    ['POST', '/mine/_suggest', { s: { text: 'zzsecre', term: { field: 'word' } } }],
    ['POST', '/mine/_search', { suggest: { s: { text: 'x', term: { field: 'word' } } } }],
    ['GET', '/mine/_field_stats?fields=n'],
    ['GET', '/mine/t/0/_termvector'],
    ['GET', '/mine/t/0/_explain?q=text:common'],
    ['POST', '/mine/_search', { explain: true }],
    ['POST', '/mine/_search', { facets: { f: { terms: { field: 'word', all_terms: true } } } }],
    ['POST', '/mine/_search', { aggs: { f: { terms: { field: 'word', min_doc_count: 0 } } } }],
    ['GET', '/mine/_stats'],
    ['GET', '/_cat/indices'],
    ['GET', '/_cluster/state'],
    ['DELETE', '/mine/_query?q=*:*'],
    ['PUT', '/mine/t/0', {}],
  ];
  for (const [method, path, body] of refused) {
    const { status, text } = await ask(method, path, body);
    expect([path, body, status >= 400, text.includes('AuthorizationException')]).toEqual([
      ...[path, body, true, true],
    ]);
  }
});

test('no random request is shown a marker, nor does one find a bug', async () => {
  await assertNothingShown(new Random(testSeed(19)), ([method, path, body]) =>
    ask(method, path, body),
  );
});
