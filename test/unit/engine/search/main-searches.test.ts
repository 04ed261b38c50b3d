// Which searches main runs itself, seen from what the one worker was asked, and that it does not matter.

import type { Engine } from '../../../../engine/index';
import { EngineFolder, indexRequest, OPEN_INDICES, searchFor } from '../../../support/engine';
import { TEST_THREADS } from '../../../support/workers';

const DOCS = 200;
const term = (field: string, value: string) => ({ term: { [field]: value } });
const bool = (must: object[], should: object[] = []) => ({ query: { bool: { must, should } } });

const SMALL: Record<string, object> = {
  'a rare term': { query: term('tag', 't3') },
  'a phrase': { query: { match_phrase: { text: 'once near' } } },
  'all of a rare and a frequent term': bool([term('tag', 't3'), term('text', 'word7')]),
  'two rare terms, either': bool([], [term('tag', 't3'), term('tag', 't5')]),
  'a rare term within a filter': {
    query: { filtered: { query: term('tag', 't3'), filter: { range: { n: { gte: 50 } } } } },
  },
  'a rare term, sorted': { query: term('tag', 't3'), sort: [{ n: 'desc' }] },
  'marked hits': { query: term('tag', 't3'), highlight: { fields: { text: {}, tag: {} } } },
  'no match': { query: term('tag', 'nowhere') },
  'facets of few documents': {
    query: term('tag', 't3'),
    facets: { f: { terms: { field: 'tag' } }, s: { statistical: { field: 'n' } } },
  },
  'aggregations of few documents': {
    query: term('tag', 't3'),
    aggs: { f: { terms: { field: 'tag' }, aggs: { s: { stats: { field: 'n' } } } } },
  },
  'aggregations of many documents, counted at once': {
    query: { range: { n: { gte: 1 } } },
    aggs: { s: { stats: { field: 'n' } } },
  },
  'a facet of all documents, which is remembered': {
    facets: { f: { filter: { term: { tag: 't3' } } } },
  },
};

const LARGE: Record<string, object> = {
  'a frequent term': { query: term('text', 'near') },
  'any of a rare and a frequent term': bool([], [term('tag', 't3'), term('text', 'near')]),
  'facets of many documents': {
    query: { range: { n: { gte: 1 } } },
    facets: { f: { terms: { field: 'tag' } }, s: { statistical: { field: 'n' } } },
  },
  'aggregations of many documents': {
    query: { range: { n: { gte: 1 } } },
    aggs: { f: { terms: { field: 'tag' }, aggs: { s: { stats: { field: 'n' } } } } },
  },
  'an aggregation of all documents below few': {
    query: term('tag', 't3'),
    aggs: { all: { global: {}, aggs: { f: { terms: { field: 'tag' } } } } },
  },
  'an aggregation by a script': {
    query: term('tag', 't3'),
    aggs: { s: { stats: { script: '1 + 1' } } },
  },
  'an aggregation of very many buckets': {
    query: term('tag', 't3'),
    aggs: { f: { terms: { field: 'tag', size: 5000 } } },
  },
  'hits of buckets': {
    query: term('tag', 't3'),
    aggs: { f: { terms: { field: 'tag' }, aggs: { h: { top_hits: {} } } } },
  },
  'a facet by a script': {
    query: term('tag', 't3'),
    facets: { f: { statistical: { script: '1 + 1' } } },
  },
  'hits marked by a query of their own': {
    query: term('tag', 't3'),
    highlight: { fields: { text: { highlight_query: term('text', 'near') } } },
  },
  'hits marked in any field': { query: term('tag', 't3'), highlight: { fields: { '*': {} } } },
  'marked hits of long texts': { query: term('tag', 'long'), highlight: { fields: { text: {} } } },
  'a long page': { query: term('tag', 't3'), size: 60 },
  'an expanded query': { query: { fuzzy: { tag: 't3' } } },
  'a script': {
    query: { filtered: { query: term('tag', 't3'), filter: { script: { script: 'true' } } } },
  },
};

let folder: EngineFolder;
let engine: Engine;

async function answer(body: object): Promise<object> {
  const { total, hits, facets, aggregations } = await searchFor(engine, 'i', body);
  return { total, hits, facets, aggregations };
}

/** The answer, and how many requests the worker got for it. */
async function ask(body: object): Promise<{ result: object; sent: number }> {
  const completed = async () => (await engine.local.threads()).search[0]!.completed;
  const before = await completed();
  const result = await answer(body);
  return { result, sent: (await completed()) - before };
}

beforeAll(async () => {
  folder = await EngineFolder.create();
  engine = await open(100);
  for (let i = 0; i < DOCS; i++) {
    const source = {
      n: i,
      tag: `t${i % 20}`,
      text: `word${i % 50} ${i === 5 ? 'once' : ''} near words`,
    };
    await engine.index(indexRequest('i', 'doc', String(i), source));
    if (i % 60 === 59) await engine.maintenance.refresh([], OPEN_INDICES);
  }
  const source = { tag: 'long', text: 'words words '.repeat(4000) };
  await engine.index(indexRequest('i', 'doc', 'long', source));
  await engine.maintenance.refresh([], OPEN_INDICES);
});
afterAll(() => folder.remove());

function open(smallSearchPostings: number): Promise<Engine> {
  const threads = { ...TEST_THREADS, smallSearchPostings };
  return folder.restart({ changes: { workers: 1 }, threads });
}

test('small searches run on main, others in a worker, with the same answers', async () => {
  const results = new Map<string, object>();
  for (const [name, body] of Object.entries({ ...SMALL, ...LARGE })) {
    const { result, sent } = await ask(body);
    expect([name, sent]).toEqual([name, name in SMALL ? 0 : 1]);
    results.set(name, result);
  }
  engine = await open(0);
  for (const [name, body] of Object.entries({ ...SMALL, ...LARGE })) {
    const { result, sent } = await ask(body);
    expect([name, sent]).toEqual([name, 1]);
    expect([name, result]).toEqual([name, results.get(name)]);
  }
});
