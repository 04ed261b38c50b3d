// Swapping an alias is one step for everybody: readers that never stop see exactly one target at any time,
// whoever swaps, and arrays of actions that fail leave no trace, on disk neither.

import { Agent, createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine, type Engine } from '../../engine/index';
import { createFrontDoor } from '../../server/http/app';
import { createLogger } from '../../server/config/logger';
import { note } from '../support/figures';
import { repetitions } from '../support/random';
import { testSettings } from '../support/settings';

const GENERATIONS = 4;
const SWAPPERS = 8;
const FLIPS = repetitions('ALIAS_FLIPS', 400, 16_000);
const READERS = 8;
const MINIMUM_READS = 1.5 * FLIPS;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

let folder: string;
let engine: Engine;
let server: Server;
let agent: Agent;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-alias-swap-'));
  agent = new Agent({ keepAlive: true, maxSockets: SWAPPERS + READERS });
  await start();
});
afterEach(async () => {
  await stop();
  agent.destroy();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const settings = testSettings({
    'path.data': join(folder, 'data'),
    'index.number_of_shards': '1',
  });
  engine = await openEngine({ settings: settings.node });
  server = createServer(createFrontDoor(engine, settings, createLogger('silent')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function stop(): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await engine.close();
}

function send(method: string, path: string, body?: object): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) }),
      );
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Generations differ in their number of documents and in what document `which` says. */
async function createGenerations(): Promise<void> {
  for (let generation = 0; generation < GENERATIONS; generation++) {
    const index = `books-${generation}`;
    expect((await send('PUT', `/${index}`)).status).toBe(200);
    for (let document = 0; document < generation; document++) {
      await send('PUT', `/${index}/book/${document}`, { title: 'a' });
    }
    await send('PUT', `/${index}/book/which?refresh=true`, { generation });
  }
}

const swapTo = (generation: number) => ({
  actions: [
    { remove: { index: 'books-*', alias: 'books' } },
    { add: { index: `books-${generation}`, alias: 'books' } },
  ],
});

/** Fails in its last action, after the alias has been removed and added elsewhere. */
const failingSwap = (generation: number) => ({
  actions: [
    ...swapTo(generation).actions,
    { add: { index: `books-${generation}`, alias: 'broken', filter: { bogus: {} } } },
  ],
});

/** Every way to read through the alias; each returns the generation it saw. */
const READS: readonly (() => Promise<unknown>)[] = [
  async () => {
    const { status, body } = await send('GET', '/books/_count');
    const { count, _shards } = body as { count: number; _shards: { total: number } };
    return status === 200 && _shards.total === 1 ? count - 1 : body;
  },
  async () => {
    const { body } = await send('GET', '/books/book/which/_source');
    return (body as { generation: number }).generation;
  },
  async () => {
    const { status, body } = await send('GET', '/_alias/books');
    const names = Object.keys(body as object);
    return status === 200 && names.length === 1 ? Number(names[0]?.slice('books-'.length)) : body;
  },
  async () => {
    const { status, body } = await send('POST', '/book*,-books-*/_search', {
      size: 1,
      sort: '_id',
    });
    const { hits } = body as { hits: { total: number; hits: { _index: string }[] } };
    const generation = Number(hits.hits[0]?._index.slice('books-'.length));
    return status === 200 && hits.total === generation + 1 ? generation : body;
  },
  async () => {
    const { status } = await send('HEAD', '/books');
    return status === 200 ? 0 : status;
  },
];

const currentTargets = async () => Object.keys((await send('GET', '/_alias/books')).body as object);

test('concurrent swaps show readers exactly one target, always', async () => {
  await createGenerations();
  await send('POST', '/_aliases', swapTo(0));
  let isSwapping = true;
  let reads = 0;
  const wrong: unknown[] = [];
  const seen = new Set<unknown>();
  const readers = Array.from({ length: READERS }, async (_, reader) => {
    for (let turn = reader; isSwapping || reads < MINIMUM_READS; turn++) {
      const generation = await READS[turn % READS.length]?.();
      if (typeof generation === 'number' && generation >= 0 && generation < GENERATIONS) {
        seen.add(generation);
      } else {
        wrong.push(generation);
      }
      reads++;
    }
  });
  let failed = 0;
  await Promise.all(
    Array.from({ length: SWAPPERS }, async (_, swapper) => {
      for (let turn = 0; turn < FLIPS / SWAPPERS; turn++) {
        const generation = (swapper + turn) % GENERATIONS;
        const { status } = await send('POST', '/_aliases', swapTo(generation));
        expect(status).toBe(200);
        if (turn % 10 !== 0) continue;
        expect((await send('POST', '/_aliases', failingSwap(generation))).status).toBe(400);
        failed++;
      }
    }),
  );
  isSwapping = false;
  await Promise.all(readers);
  note('alias swaps', { flips: FLIPS, refused: failed, reads });
  expect(wrong).toEqual([]);
  expect(reads).toBeGreaterThanOrEqual(MINIMUM_READS);
  expect([...seen].sort()).toEqual([0, 1, 2, 3]);
  expect(failed).toBeGreaterThan(0);

  const targets = await currentTargets();
  expect(targets).toHaveLength(1);
  await stop();
  await start();
  expect(await currentTargets()).toEqual(targets);
});

test('an array that fails changes nothing, also after a restart', async () => {
  await createGenerations();
  await send('POST', '/_aliases', swapTo(1));
  const before = (await send('GET', '/_aliases')).body;
  const failures: [number, object][] = [
    [400, failingSwap(2)],
    [404, { actions: [...swapTo(2).actions, { add: { index: 'missing', alias: 'books' } }] }],
    [400, { actions: [...swapTo(2).actions, { add: { index: 'books-1', alias: 'books-3' } }] }],
    [400, { actions: [...swapTo(2).actions, { rename: { index: 'books-1', alias: 'books' } }] }],
    [
      400,
      {
        actions: [...swapTo(2).actions, { add: { index: 'books-1', alias: 'x', routing: '1,2' } }],
      },
    ],
  ];
  for (const [status, body] of failures) {
    expect((await send('POST', '/_aliases', body)).status).toBe(status);
    expect((await send('GET', '/_aliases')).body).toEqual(before);
  }
  await stop();
  await start();
  expect((await send('GET', '/_aliases')).body).toEqual(before);
});
