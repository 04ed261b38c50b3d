// Keys that are granted some fields of an index: whatever they ask, they learn nothing of the others. Two
// indices that differ in nothing but the other fields answer such a key alike, byte for byte; and those that
// one may not see behave as if they were not mapped.

import request from 'supertest';
import { parseJsonObject, parseRole, writeJson } from '../../engine/index';
import { createTestApp, type TestApp } from '../support/app';
import {
  assertNothingShown,
  confinedRequests,
  MARKER,
  NUMBER,
  type Sent,
} from '../support/confined-requests';
import { Random, repetitions, testSeed } from '../support/random';

/** Fields that are granted. */
const FIELDS = ['title', 'tag', 'm', 'at', 'sub.open', 'joint', 'open.*', 'done'];

/** A node of which the key may see as much as of any other of these. */
interface Node {
  readonly app: TestApp;
  readonly secrets: ReadonlyMap<string, string>;
}

let nodes: readonly Node[];
const ROLES = {
  some: { indices: [{ names: ['data'], privileges: ['read'], fields: FIELDS }] },
  // By a field that it does not see.
  mine: {
    indices: [
      { names: ['mine'], privileges: ['read'], fields: FIELDS },
      { names: ['data'], privileges: ['write'] },
    ],
  },
};
type KeyId = keyof typeof ROLES;

async function ask({ app, secrets }: Node, id: KeyId | 'admin', [method, path, body]: Sent) {
  const agent = request(app.handler);
  const verb = method.toLowerCase() as 'get';
  const sent = agent[verb](path).auth(id, secrets.get(id)!);
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return text === undefined ? sent : sent.set('Content-Type', 'application/json').send(text);
}

/** @param variant what stands in the fields that are not granted */
async function nodeWith(variant: number): Promise<Node> {
  const app = await createTestApp({
    'http.authentication': 'true',
    'index.refresh_interval': '-1',
    // What is seen has to reach other threads, too.
    'node.workers': String(2 * variant),
  });
  const secrets = new Map<string, string>();
  const role = (json: object) => parseRole(parseJsonObject(writeJson(json as never)));
  const all = { cluster: ['all'], indices: [{ names: ['*'], privileges: ['all'] }] };
  for (const [id, json] of Object.entries({ admin: all, ...ROLES })) {
    const made = await app.engine.access.keys.create({ id, role: role(json), expiresAt: null });
    secrets.set(id, made.secret);
  }
  const node = { app, secrets };
  const put = async (method: 'PUT' | 'POST', path: string, body: object | string) => {
    const answer = await ask(node, 'admin', [method, path, body]);
    expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  };
  const word = { type: 'string', index: 'not_analyzed' };
  const hidden = {
    who: word,
    text: { type: 'string', term_vector: 'with_positions_offsets', copy_to: ['joint'] },
    word,
    n: { type: 'long' },
    quick: { type: 'completion', payloads: true },
    inner: { path: 'just_name', properties: { shared: word } },
    place: { type: 'geo_point' },
    // A sub-field is not seen without the field that it belongs to.
    outer: { ...word, fields: { open: word } },
    ...(variant === 0 ? {} : { more: { type: 'double' }, [`${MARKER}field`]: word }),
  };
  const properties = {
    ...hidden,
    title: { type: 'string', store: true, fields: { raw: word } },
    tag: word,
    m: { type: 'long' },
    at: { type: 'date' },
    joint: { type: 'string' },
    open: { path: 'just_name', properties: { shared: word, own: word } },
    done: { type: 'completion', context: { by: { type: 'category', path: 'who' } } },
    sub: { type: 'nested', properties: { word, open: word } },
  };
  const mapping = { properties, _timestamp: { enabled: true, path: 'at', store: true } };
  await put('PUT', '/data', {
    settings: { number_of_shards: 1 },
    mappings: {
      t: mapping,
      c: { _parent: { type: 't' }, properties: { ...properties, done: undefined } },
    },
    warmers: { w: { source: { query: { term: { word: MARKER } } } } },
  });
  await put('PUT', '/hidden', { mappings: { t: mapping } });
  const lines: object[] = [];
  for (let i = 0; i < 60; i++) {
    const others = {
      text: `common ${'words '.repeat((i * variant) % 5)}${MARKER}${(i + variant) % 7}`,
      word: `${MARKER}${(i * (variant + 1)) % 7}`,
      n: NUMBER,
      quick: { input: [`${MARKER}${i}`], payload: { word: MARKER } },
      inner: { shared: `${MARKER}inner` },
      place: { lat: variant, lon: i % 30 },
      outer: `${MARKER}${variant}`,
      ...(variant > 0 && i % 2 === 0 ? { more: NUMBER, [`${MARKER}field`]: MARKER } : {}),
    };
    const some = variant > 0 && i % 4 === 0 ? { word: others.word } : others;
    const seen = {
      who: i % 3 === 0 ? 'me' : MARKER,
      title: `Common title ${i % 5}`,
      tag: `open${i % 4}`,
      m: i,
      at: `2015-01-${String(1 + (i % 28)).padStart(2, '0')}`,
      joint: 'own',
      open: { shared: 'seen', own: `own${i % 3}` },
      sub: [
        { word: `${MARKER}${variant}`, open: `open${i % 3}` },
        { word: variant === 0 ? MARKER : 'other' },
        { open: 'second' },
      ],
    };
    const done = { done: { input: [`all${i}`] } };
    lines.push({ index: { _index: 'data', _type: 't', _id: String(i) } });
    lines.push({ ...some, ...seen, ...done });
    lines.push({ index: { _index: 'data', _type: 'c', _id: `c${i}`, parent: String(i) } });
    lines.push({ ...others, ...seen });
    if (i % 2 === variant) {
      lines.push(
        { index: { _index: 'hidden', _type: 't', _id: String(i) } },
        { ...others, ...seen },
      );
    }
  }
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await put('POST', '/_bulk?refresh=true', text);
  await put('PUT', '/data/.percolator/q?refresh=true', {
    query: { match: { title: 'common' } },
    who: MARKER,
  });
  await put('POST', '/_aliases', {
    actions: [
      { add: { index: 'data', alias: 'mine', filter: { term: { who: 'me' } } } },
      { add: { index: 'data', alias: 'yours', filter: { term: { who: MARKER } } } },
      { add: { index: 'hidden', alias: `${MARKER}-alias` } },
    ],
  });
  // Not refreshed: only reads by id see it.
  await put('PUT', '/data/t/fresh-hidden', { who: 'me', title: 'Fresh', word: MARKER });
  return node;
}

beforeAll(async () => {
  nodes = [await nodeWith(0), await nodeWith(1)];
});
afterAll(() => Promise.all(nodes.map(({ app }) => app.close())));

/** An answer without what is another each time. */
function settled(text: string): string {
  return text
    .replace(/"took":\d+/g, '"took":0')
    .replace(/^\d{10} \d\d:\d\d:\d\d /, '')
    .replace(/"_scroll_id":"[^"]*"/g, '"_scroll_id":""')
    .replace(/"(uuid|creation_date|node|_node)":"[^"]*"/g, '"$1":""')
    .replace(/\[[\w-]{22}\]/g, '[]')
    .replace(/"id":"[\w-]{22}"|"[\w-]{22}":/g, '"":');
}

/** What both nodes say. */
async function both(id: KeyId, sent: Sent) {
  const [first, second] = await Promise.all(nodes.map((node) => ask(node, id, sent)));
  const shown = ({ status, text }: typeof first & object) => [sent, status, settled(text)];
  expect(shown(second!)).toEqual(shown(first!));
  return first!;
}

async function ok<T>(id: KeyId, ...sent: Sent): Promise<T> {
  const answer = await both(id, sent);
  expect([sent, answer.status, answer.text]).toEqual([sent, 200, answer.text]);
  return answer.body as T;
}

interface Found {
  hits: {
    total: number;
    hits: {
      _id: string;
      _source?: object;
      fields?: object;
      highlight?: object;
      sort?: unknown[];
    }[];
  };
  facets: Record<string, object>;
  aggregations: Record<string, object>;
}

const SEEN_OF_0 = {
  title: 'Common title 0',
  tag: 'open0',
  m: 0,
  at: '2015-01-01',
  joint: 'own',
  open: { shared: 'seen', own: 'own0' },
  sub: [{ open: 'open0' }, {}, { open: 'second' }],
  done: { input: ['all0'] },
};

test('documents are shown with the fields that are granted', async () => {
  for (const path of ['/data/t/0', '/data/t/0?_source=true']) {
    expect(await ok('some', 'GET', path)).toMatchObject({ _source: SEEN_OF_0 });
  }
  expect(await ok('some', 'GET', '/data/t/0/_source')).toEqual(SEEN_OF_0);
  const got = await ok<{ docs: { _source: object; fields?: object }[] }>('some', 'POST', '/_mget', {
    docs: [
      { _index: 'data', _type: 't', _id: '0' },
      { _index: 'data', _type: 't', _id: 'fresh-hidden' },
      { _index: 'data', _type: 't', _id: '0', fields: ['title', 'word', '_timestamp', '_routing'] },
    ],
  });
  expect(got.docs.map(({ _source, fields }) => _source ?? fields)).toEqual([
    SEEN_OF_0,
    { title: 'Fresh' },
    { title: ['Common title 0'] },
  ]);
  const found = await ok<Found>('some', 'POST', '/data/t/_search', {
    query: { term: { m: 0 } },
    highlight: { fields: { '*': {}, text: {}, title: {} }, require_field_match: false },
    script_fields: {
      seen: { script: "_source.tag + doc['tag'].value" },
      unseen: { script: '_source.word' },
    },
    partial_fields: { part: { include: '*' } },
    fields: ['title', 'word', 'sub.word', '_source', 'text', 'open.own'],
    fielddata_fields: ['tag', 'm', 'title.raw', '_size', '_all', '_timestamp'],
    sort: [{ tag: 'asc' }],
  });
  const [hit] = found.hits.hits;
  expect(hit!._source).toEqual(SEEN_OF_0);
  expect(hit!.sort).toEqual(['open0']);
  expect(hit!.fields).toEqual({
    title: ['Common title 0'],
    'open.own': ['own0'],
    seen: ['open0open0'],
    unseen: [null],
    part: [SEEN_OF_0],
    tag: ['open0'],
    m: [0],
    'title.raw': ['Common title 0'],
  });
});

test('granted fields are searched, counted and sorted by', async () => {
  const found = await ok<Found>('some', 'POST', '/data/t/_search', {
    query: { match: { title: 'common' } },
    facets: {
      tags: { terms: { field: 'tag' } },
      all: { statistical: { field: 'm' }, global: true },
      shared: { terms: { field: 'open.own' } },
    },
    aggs: {
      tags: { terms: { field: 'tag', size: 1 }, aggs: { most: { max: { field: 'm' } } } },
      sub: { nested: { path: 'sub' }, aggs: { open: { terms: { field: 'sub.open', size: 1 } } } },
    },
    highlight: { fields: { title: {} } },
    sort: [{ m: 'desc' }],
    size: 1,
  });
  expect(found.hits.total).toBe(60);
  expect(found.hits.hits[0]).toMatchObject({
    _id: '59',
    highlight: { title: ['<em>Common</em> title 4'] },
  });
  expect(found.facets).toMatchObject({
    tags: { total: 60, other: 0 },
    all: { count: 60, total: 1770 },
    shared: { total: 60 },
  });
  expect(found.aggregations).toMatchObject({
    tags: { buckets: [{ key: 'open0', doc_count: 15, most: { value: 56 } }] },
    sub: { doc_count: 180, open: { buckets: [{ key: 'second', doc_count: 60 }] } },
  });
  const inner = {
    nested: { path: 'sub', query: { term: { 'sub.open': 'second' } }, inner_hits: {} },
  };
  const nested = await ok<Found>('some', 'POST', '/data/t/_search', { query: inner, size: 1 });
  expect(JSON.stringify(nested.hits.hits)).toContain('"_nested":{"field":"sub","offset":2}');
  expect(nested.hits.total).toBe(60);
  // What is not of single documents, as all of them are seen.
  expect(await ok('some', 'GET', '/data/_field_stats?fields=m')).toMatchObject({
    indices: { _all: { fields: { m: { min_value: 0, max_value: 59 } } } },
  });
  const suggest = { s: { text: 'titel', term: { field: 'title' } } };
  expect(JSON.stringify(await ok('some', 'POST', '/data/_suggest', suggest))).toContain('"title"');
  const explained = await ok('some', 'GET', '/data/t/0/_explain?q=title:common');
  expect(explained).toMatchObject({ matched: true });
  const vectors = await ok(
    'some',
    'GET',
    '/data/t/0/_termvector?fields=title,text,word,joint,_all',
  );
  expect(Object.keys((vectors as { term_vectors: object }).term_vectors)).toEqual(
    expect.arrayContaining(['title', 'joint']),
  );
  expect(JSON.stringify(vectors)).not.toMatch(/"text"|"word"/);
});

test('a filter by a field that is not granted still holds', async () => {
  for (const name of ['mine', 'data', '_all', 'm*']) {
    expect(await ok('mine', 'GET', `/${name}/_count`)).toMatchObject({ count: 40 });
  }
  // The key that sees all documents asks through an alias with a filter.
  const role = { names: ['data', 'mine', 'yours'], privileges: ['read'], fields: FIELDS };
  const secret = await Promise.all(
    nodes.map(async ({ app }) => {
      const parsed = parseRole(parseJsonObject(writeJson({ indices: [role] })));
      const made = await app.engine.access.keys.create({
        id: 'both',
        role: parsed,
        expiresAt: null,
      });
      return made.secret;
    }),
  );
  const count = async (path: string, body?: object) => {
    const sent = request(nodes[0]!.app.handler).post(path).auth('both', secret[0]!);
    const answer = await (body === undefined ? sent : sent.send(JSON.stringify(body)));
    return (answer.body as { count?: number; hits?: { total: number } }) ?? {};
  };
  expect((await count('/data/_count')).count).toBe(120);
  expect((await count('/mine/_count')).count).toBe(40);
  expect((await count('/yours/_count')).count).toBe(80);
  expect((await count('/mine,yours/_count')).count).toBe(120);
  expect((await count('/mine/_search', { query: { term: { m: 3 } } })).hits!.total).toBe(2);
  const aliases = await request(nodes[0]!.app.handler).get('/_aliases').auth('both', secret[0]!);
  expect(aliases.body).toEqual({ data: { aliases: { mine: {}, yours: {} } } });
  const validated = await request(nodes[0]!.app.handler)
    .get('/mine/_validate/query?explain=true&q=tag:x')
    .auth('both', secret[0]!);
  expect(validated.text).not.toContain('who');
});

test('mappings show the granted fields only', async () => {
  for (const path of ['/data/_mapping', '/data', '/_mapping/field/*', '/_mapping/t,c', '/_all']) {
    const { text } = await both('some', ['GET', path]);
    expect(text).toMatch(/title/);
    expect(text).not.toMatch(
      /"(who|text|word|n|quick|inner|place|more|outer|done|copy_to|w)"|zzsecret/,
    );
  }
  const analyzed = await both('some', ['GET', '/data/_analyze?field=word&text=Two%20Words']);
  const unmapped = await both('some', ['GET', '/data/_analyze?field=nowhere&text=Two%20Words']);
  expect(analyzed.text).toBe(unmapped.text);
});

/** Fields that are not granted, in different ways. */
const UNSEEN = ['word', 'n', 'inner.shared', 'sub.word', 'outer.open', 'quick'];
const UNMAPPED = 'nowhere';

test('a field that is not granted behaves as one that is not mapped', async () => {
  const value = (field: string) => (field === 'n' ? NUMBER : MARKER);
  const forms: ((field: string) => Sent)[] = [
    (f) => ['POST', '/data/_search', { query: { term: { [f]: value(f) } } }],
    (f) => ['POST', '/data/_search', { query: { match: { [f]: value(f) } } }],
    (f) => ['POST', '/data/_count', { query: { prefix: { [f]: 'zz' } } }],
    (f) => ['POST', '/data/_count', { query: { wildcard: { [f]: 'zz*' } } }],
    (f) => ['POST', '/data/_count', { query: { fuzzy: { [f]: 'zzsecret0' } } }],
    (f) => ['POST', '/data/_count', { query: { regexp: { [f]: 'zz.*' } } }],
    (f) => ['POST', '/data/_count', { query: { range: { [f]: { gte: 0 } } } }],
    (f) => ['POST', '/data/_count', { query: { query_string: { query: `${f}:zz*` } } }],
    (f) => ['POST', '/data/_count', { query: { query_string: { query: 'zz*', fields: [f] } } }],
    (f) => ['POST', '/data/_count', { query: { multi_match: { query: MARKER, fields: [f] } } }],
    (f) => ['POST', '/data/_count', { query: { common: { [f]: { query: MARKER } } } }],
    (f) => ['POST', '/data/_count', { query: { span_term: { [f]: MARKER } } }],
    (f) => [
      'POST',
      '/data/_count',
      { query: { constant_score: { filter: { exists: { field: f } } } } },
    ],
    (f) => [
      'POST',
      '/data/_count',
      { query: { constant_score: { filter: { missing: { field: f } } } } },
    ],
    (f) => [
      'POST',
      '/data/_count',
      { query: { constant_score: { filter: { terms: { [f]: [value(f)] } } } } },
    ],
    (f) => [
      'POST',
      '/data/_count',
      { query: { terms: { tag: { index: 'data', type: 't', id: '0', path: f } } } },
    ],
    (f) => [
      'POST',
      '/data/_count',
      {
        query: {
          filtered: { filter: { terms: { tag: { index: 'data', type: 't', id: '0', path: f } } } },
        },
      },
    ],
    (f) => [
      'POST',
      '/data/_count',
      { query: { has_child: { type: 'c', query: { term: { [f]: value(f) } } } } },
    ],
    (f) => [
      'POST',
      '/data/_search',
      { query: { nested: { path: 'sub', query: { prefix: { [f]: 'zz' } } } } },
    ],
    (f) => ['POST', '/data/_search', { facets: { f: { terms: { field: f }, global: true } } }],
    (f) => ['POST', '/data/_search', { facets: { f: { terms: { field: f, all_terms: true } } } }],
    (f) => ['POST', '/data/_search', { facets: { f: { statistical: { field: f } } } }],
    (f) => [
      'POST',
      '/data/_search',
      { facets: { f: { terms_stats: { key_field: 'tag', value_field: f } } } },
    ],
    (f) => [
      'POST',
      '/data/_search',
      { facets: { f: { terms: { script_field: `_source['${f}']` } } } },
    ],
    (f) => ['POST', '/data/_search', { aggs: { f: { terms: { field: f, min_doc_count: 0 } } } }],
    (f) => ['POST', '/data/_search', { aggs: { f: { cardinality: { field: f } } } }],
    (f) => ['POST', '/data/_search', { aggs: { f: { value_count: { field: f } } } }],
    (f) => ['POST', '/data/_search', { aggs: { f: { missing: { field: f } } } }],
    (f) => ['POST', '/data/_search', { aggs: { f: { significant_terms: { field: f } } } }],
    (f) => ['POST', '/data/_search', { aggs: { f: { terms: { script: `_source['${f}']` } } } }],
    (f) => ['POST', '/data/_search', { sort: [{ [f]: 'asc' }] }],
    (f) => ['POST', '/data/_search', { sort: [{ [f]: { order: 'asc', ignore_unmapped: true } }] }],
    (f) => [
      'POST',
      '/data/_search',
      { sort: { _script: { script: `doc['${f}'].value`, type: 'string' } } },
    ],
    (f) => [
      'POST',
      '/data/_search',
      { highlight: { fields: { [f]: {} } }, query: { match_all: {} } },
    ],
    (f) => ['POST', '/data/_search', { fields: [f], fielddata_fields: [f] }],
    (f) => ['POST', '/data/_search', { script_fields: { s: { script: `doc['${f}'].values` } } }],
    (f) => [
      'POST',
      '/data/_search',
      { query: { function_score: { field_value_factor: { field: f } } } },
    ],
    (f) => ['POST', '/data/_suggest', { s: { text: 'zzsecre', term: { field: f } } }],
    (f) => ['POST', '/data/_suggest', { s: { text: 'zz', completion: { field: f } } }],
    (f) => ['GET', `/data/_field_stats?fields=${f}`],
    (f) => ['GET', `/data/_mapping/field/${f}`],
    (f) => ['GET', `/data/t/0?fields=${f}`],
    (f) => ['GET', `/data/t/0/_termvector?fields=${f}`],
    (f) => ['GET', `/data/t/0/_explain?q=${f}:${MARKER}`],
    (f) => ['GET', `/data/t/0/_mlt?mlt_fields=${f}&min_doc_freq=1&min_term_freq=1`],
    (f) => ['GET', `/data/_validate/query?explain=true&q=${f}:zz*`],
    (f) => ['GET', `/data/_search?q=t.${f}:zz*`],
  ];
  for (const form of forms) {
    const unmapped = await both('some', form(UNMAPPED));
    for (const field of UNSEEN) {
      const sent = form(field);
      const { status, text } = await both('some', sent);
      const name = new RegExp(`\\b${field.replace('.', '\\.')}\\b`, 'g');
      const renamed = (shown: string) =>
        settled(shown)
          .replace(name, UNMAPPED)
          .replaceAll(String(NUMBER), MARKER)
          .replaceAll(`"${MARKER}"`, MARKER);
      expect([sent, status, renamed(text)]).toEqual([
        sent,
        unmapped.status,
        renamed(unmapped.text),
      ]);
    }
  }
});

test('what others put into a granted field is not seen there', async () => {
  const total = async (query: object) =>
    (await ok<Found>('some', 'POST', '/data/t/_search', { query })).hits.total;
  // Copied there out of a field that is not granted.
  expect(await total({ match: { joint: 'common' } })).toBe(0);
  // Indexed under the name that another object has, too.
  expect(await total({ prefix: { 'open.shared': 'zz' } })).toBe(0);
  expect(await total({ prefix: { shared: 'zz' } })).toBe(0);
  expect(await total({ prefix: { 'open.own': 'own' } })).toBe(60);
  // Completed to by the value of another one.
  const suggest = { s: { text: 'all', completion: { field: 'done', context: { by: 'me' } } } };
  expect(
    JSON.stringify((await both('some', ['POST', '/data/_suggest', suggest])).text),
  ).not.toContain('all0');
  for (const q of [MARKER, 'common', `_all:${MARKER}`, 'zz*', `title:${MARKER}`]) {
    expect(await ok('some', 'GET', `/data/_count?q=${q}`)).toMatchObject({ count: 0 });
  }
});

test('what is kept of the answers of others is not shown, nor the other way round', async () => {
  const forms = ['joint', '_all', 'open.shared'].flatMap((field): object[] => [
    { query: { filtered: { filter: { prefix: { [field]: 'zz' } } } } },
    { query: { constant_score: { filter: { terms: { [field]: [MARKER, 'seen', 'words'] } } } } },
    { facets: { f: { terms: { field, size: 3 } } }, size: 0 },
    { aggs: { f: { terms: { field, size: 3 } } }, size: 0 },
  ]);
  for (const [i, form] of forms.entries()) {
    const askers = i % 2 === 0 ? (['admin', 'some'] as const) : (['some', 'admin'] as const);
    const answers: Record<string, string[]> = { admin: [], some: [] };
    for (const id of [...askers, ...askers, ...askers]) {
      for (let again = 0; again < 3; again++) {
        const { text } = await ask(nodes[1]!, id, ['POST', '/data/_search', form]);
        answers[id]!.push(settled(text).replace(/^.*?"hits"/, ''));
      }
    }
    for (const [id, texts] of Object.entries(answers)) {
      expect([form, id, new Set(texts).size]).toEqual([form, id, 1]);
    }
    expect([form, answers['some']![0]]).not.toEqual([form, answers['admin']![0]]);
    expect([form, answers['some']![0]]).toEqual([form, expect.not.stringContaining(MARKER)]);
  }
});

test('what cannot be confined is refused by name', async () => {
  const refused: [KeyId, ...Sent][] = [
    ['some', 'GET', '/data/t/0/_percolate'],
    ['some', 'POST', '/data/t/_percolate', { doc: { title: 'common' } }],
    ['some', 'PUT', '/data/t/9', {}],
    ['some', 'POST', '/data/t/9/_update', { doc: {} }],
    ['some', 'DELETE', '/data/_query?q=word:zz*'],
    ['some', 'GET', '/data/_stats?fields=word'],
    ['some', 'GET', '/_cat/fielddata'],
    ['some', 'GET', '/_cluster/state'],
    ['some', 'GET', '/hidden/_search'],
    // It may write, and an update shows all of what it changes.
    ['mine', 'POST', '/data/t/0/_update?fields=_source', { doc: { tag: 'x' } }],
    ['mine', 'POST', '/data/t/1/_update', { script: 'ctx._source.tag = ctx._source.word' }],
    ['mine', 'POST', '/mine/_suggest', { s: { text: 'x', term: { field: 'title' } } }],
  ];
  for (const [id, ...sent] of refused) {
    const { status, text } = await both(id, sent);
    expect([sent, status >= 400, text]).toEqual([
      sent,
      true,
      expect.stringContaining('Authorization'),
    ]);
  }
  const lines = '{"update":{"_index":"data","_type":"t","_id":"0"}}\n{"doc":{"tag":"x"}}\n';
  const bulk = await both('mine', ['POST', '/_bulk', lines]);
  expect(bulk.text).toContain('AuthorizationException');
});

test.each(['some', 'mine'] as const)('no random request of [%s] is shown a marker', async (id) => {
  const random = new Random(testSeed(20));
  await assertNothingShown(random, (sent) => ask(nodes[1]!, id, sent));
});

test.each(['some', 'mine'] as const)('random requests of [%s] are answered alike', async (id) => {
  const next = confinedRequests(new Random(testSeed(21)));
  for (let i = repetitions('CONFINED_REQUESTS', 250, 10_000); i > 0; i--) await both(id, next());
});

test('grants with fields that cannot be are refused', () => {
  const parse = (grant: object) => () =>
    parseRole(parseJsonObject(writeJson({ indices: [{ names: ['a'], ...grant }] })));
  expect(parse({ privileges: ['read', 'write'], fields: ['x'] })).toThrow('[read] alone');
  expect(parse({ privileges: ['read'], fields: ['_all'] })).toThrow('[_all] cannot be in');
  expect(parse({ privileges: ['read'], fields: 'x' })).toThrow('a list of texts');
  expect(parse({ privileges: ['read'], fields: [] })).not.toThrow();
});
