// Nodes of OpenSearch are killed while two facetd write, search and move an alias: nothing that was
// acknowledged is lost, no update is lost between the two, and nobody sees half of a move.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OpenSearchNodes } from '../../scripts/dev/opensearch/nodes';
import { note } from '../support/figures';
import { onlyWhere } from '../support/only-where';
import { repetitions } from '../support/random';
import { freePort, type HttpAnswer, ServerProcess } from '../support/server-process';

const home = process.env['OPENSEARCH_HOME'] ?? '';
const there = onlyWhere(home !== '', 'OPENSEARCH_HOME');
const NODES = 3;
const KILLS = repetitions('OPENSEARCH_KILLS', 3, 20);
const WRITERS = 4;
const UPDATERS = 4;
const READERS = 8;
const COUNTERS = 2;
const DOCUMENTS = 20;
/** A majority of copies is there while one node is away. */
const SETTINGS = { settings: { number_of_shards: 2, number_of_replicas: 2 } };

let folder: string;
let cluster: OpenSearchNodes;
const servers: ServerProcess[] = [];
let isOver = false;

beforeAll(async () => {
  if (home === '') return;
  folder = await mkdtemp(join(tmpdir(), 'facetd-opensearch-'));
  cluster = await OpenSearchNodes.start({ home, folder, count: NODES, heap: '384m' });
  for (const name of ['a', 'b']) {
    const settings = [
      'engine.backend=opensearch',
      `opensearch.hosts=${cluster.urls.join(',')}`,
      'opensearch.timeout=10s',
      'opensearch.state_poll=200ms',
    ];
    servers.push(await ServerProcess.start(join(folder, name), await freePort(), settings));
  }
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  if (home === '') return;
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

/** An answer that is none where the connection breaks. */
async function send(
  turn: number,
  method: string,
  path: string,
  body?: string | object,
): Promise<HttpAnswer> {
  try {
    return await servers[turn % servers.length]!.send(method, path, body);
  } catch {
    return { status: 0, body: null };
  }
}

/** Sends it until it is done. */
async function insist(turn: number, method: string, path: string, body?: object): Promise<unknown> {
  for (const end = Date.now() + 120_000; ; await sleep(100)) {
    const answer = await send(turn, method, path, body);
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    if (Date.now() > end) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  }
}

/** Ids that were acknowledged, and how many were not. */
class Writer {
  readonly acknowledged: string[] = [];
  refused = 0;

  constructor(private readonly number: number) {}

  async run(): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const ids = Array.from({ length: n % 4 === 0 ? 5 : 1 }, (_, i) => `${this.number}-${n}-${i}`);
      const [id] = ids;
      if (ids.length === 1) {
        const { status } = await send(n, 'PUT', `/written/t/${id}`, { writer: this.number });
        if (status === 201) this.acknowledged.push(id!);
        else this.refused++;
        continue;
      }
      const lines = ids.map((own) => `{"index":{"_id":"${own}"}}\n{"writer":${this.number}}\n`);
      const { status, body } = await send(n, 'POST', '/written/t/_bulk', lines.join(''));
      const { items = [] } = (status === 200 ? body : {}) as {
        items?: readonly { readonly index: { readonly _id: string; readonly status: number } }[];
      };
      for (const { index } of items)
        if (index.status === 201 || index.status === 200) this.acknowledged.push(index._id);
      this.refused += ids.length - items.filter(({ index }) => index.status < 300).length;
    }
  }
}

interface Counter {
  readonly _version: number;
  readonly _source: { readonly value: number };
}

/** Adds one to a counter again and again, bound to the version that it has read. */
class Updater {
  /** Versions that were acknowledged, by counter. */
  readonly versions: number[][] = Array.from({ length: COUNTERS }, () => []);

  constructor(private readonly number: number) {}

  async run(): Promise<void> {
    for (let n = this.number; !isOver; n++) {
      const counter = n % COUNTERS;
      const read = await send(n, 'GET', `/counters/t/${counter}`);
      if (read.status !== 200) continue;
      const { _version: version, _source: source } = read.body as Counter;
      // It is written through the other one.
      const path = `/counters/t/${counter}?version=${version}`;
      const { status, body } = await send(n + 1, 'PUT', path, { value: source.value + 1 });
      if (status === 200) this.versions[counter]!.push((body as Counter)._version);
    }
  }
}

/** Moves the alias from one pair of indices to the other, and back. */
async function flip(flips: { done: number; refused: number }): Promise<void> {
  for (let n = 0, side = 0; !isOver; n++) {
    const action = (kind: string, to: number) =>
      ['x', 'y'].map((name) => ({ [kind]: { index: `${name}${to}`, alias: 'view' } }));
    const actions = [...action('remove', side), ...action('add', 1 - side)];
    const { status } = await send(n, 'POST', '/_aliases', { actions });
    // Without an answer it may have been done: the next one says so.
    if (status === 200) {
      side = 1 - side;
      flips.done++;
    } else {
      flips.refused++;
      const found = (await insist(n, 'GET', '/*/_alias/view')) as object;
      side = Object.keys(found).includes('x0') ? 0 : 1;
    }
  }
}

interface Facets {
  readonly hits: { readonly total: number };
  readonly _shards: { readonly failed: number };
  readonly facets: {
    readonly side: { readonly terms: readonly { readonly term: number; readonly count: number }[] };
  };
}

/** Counts what the alias leads to; what is not one of its two states is wrong. */
class Reader {
  /** The first answers of the kind. */
  readonly wrong: string[] = [];
  whole = 0;
  partial = 0;
  refused = 0;

  async run(number: number): Promise<void> {
    const facets = { side: { terms: { field: 'side' } } };
    for (let n = number; !isOver; n++) {
      const answer = await send(n, 'POST', '/view/_search', { size: 0, facets });
      if (answer.status !== 200) {
        this.refused++;
        continue;
      }
      const { hits, _shards: shards, facets: counted } = answer.body as Facets;
      const { terms } = counted.side;
      const isWhole = shards.failed === 0;
      if (isWhole) this.whole++;
      else this.partial++;
      const isRight = isWhole
        ? hits.total === 2 * DOCUMENTS && terms.length === 1 && terms[0]!.count === 2 * DOCUMENTS
        : terms.length <= 1;
      if (!isRight && this.wrong.length < 5) this.wrong.push(JSON.stringify(answer.body));
    }
  }
}

async function prepare(): Promise<void> {
  await insist(0, 'PUT', '/written', SETTINGS);
  await insist(0, 'PUT', '/counters', SETTINGS);
  for (const side of [0, 1]) {
    for (const name of ['x', 'y']) {
      await insist(0, 'PUT', `/${name}${side}`, SETTINGS);
      for (let i = 0; i < DOCUMENTS; i++)
        await insist(i, 'PUT', `/${name}${side}/t/${i}`, { side });
    }
  }
  for (let i = 0; i < COUNTERS; i++) await insist(0, 'PUT', `/counters/t/${i}`, { value: 1 });
  const add = ['x0', 'y0'].map((index) => ({ add: { index, alias: 'view' } }));
  await insist(0, 'POST', '/_aliases', { actions: add });
  await insist(0, 'POST', '/_refresh');
  await cluster.allThere();
  // The other one sees it, too.
  await insist(1, 'GET', '/view/_count');
}

there(`${KILLS} killed nodes lose nothing that was acknowledged, and mix nothing`, async () => {
  await prepare();
  const writers = Array.from({ length: WRITERS }, (_, n) => new Writer(n));
  const updaters = Array.from({ length: UPDATERS }, (_, n) => new Updater(n));
  const flips = { done: 0, refused: 0 };
  const reader = new Reader();
  const work = [
    ...writers.map((writer) => writer.run()),
    ...updaters.map((updater) => updater.run()),
    ...Array.from({ length: READERS }, (_, n) => reader.run(n)),
    flip(flips),
  ];
  try {
    for (let k = 0; k < KILLS; k++) {
      await sleep(2000);
      await cluster.kill(k % NODES);
      await sleep(5000);
      cluster.revive(k % NODES);
      await cluster.allThere();
    }
    await sleep(2000);
  } finally {
    isOver = true;
    await Promise.all(work);
  }
  expect(reader.wrong).toEqual([]);

  const acknowledged = writers.flatMap((writer) => writer.acknowledged);
  const lost: string[] = [];
  for (let from = 0; from < acknowledged.length; from += 500) {
    const ids = acknowledged.slice(from, from + 500);
    const found = (await insist(from, 'POST', '/written/t/_mget', { ids })) as {
      readonly docs: readonly { readonly _id: string; readonly found: boolean }[];
    };
    lost.push(...found.docs.filter((doc) => !doc.found).map((doc) => doc._id));
  }
  expect(lost).toEqual([]);

  for (let counter = 0; counter < COUNTERS; counter++) {
    const versions = updaters.flatMap((updater) => updater.versions[counter]!);
    // No two have written the same version, and each one added one to the value before it.
    expect(new Set(versions).size).toBe(versions.length);
    const last = (await insist(counter, 'GET', `/counters/t/${counter}`)) as Counter;
    expect(last._version).toBeGreaterThanOrEqual(1 + versions.length);
    expect(last._source.value).toBe(last._version);
  }
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(flips.done).toBeGreaterThan(0);
  expect(reader.whole).toBeGreaterThan(0);
  note('nodes of OpenSearch killed', {
    kills: KILLS,
    written: acknowledged.length,
    refused: writers.reduce((sum, writer) => sum + writer.refused, 0),
    updates: updaters.reduce((sum, { versions }) => sum + versions.flat().length, 0),
    flips: flips.done,
    flipsRefused: flips.refused,
    searches: reader.whole,
    searchesInPart: reader.partial,
    searchesRefused: reader.refused,
  });
});
