// Scrolls over OpenSearch beside those of the embedded engine: pages show the documents as they were when the
// search began, whatever is written meanwhile, and nothing is held there when they end.
//
// OPENSEARCH_URL says where the server is.

import { onlyWhere } from '../support/only-where';
import { until } from '../support/until';
import { BothNodes } from './both-nodes';

const url = process.env['OPENSEARCH_URL'] ?? '';
const there = onlyWhere(url !== '', 'OPENSEARCH_URL');

interface Page {
  readonly _scroll_id: string;
  readonly _shards: { readonly failed: number; readonly failures?: readonly object[] };
  readonly hits: { readonly total: number; readonly hits: readonly { readonly _id: string }[] };
}

const DOCUMENTS = 40;
let nodes: BothNodes;

beforeAll(async () => {
  if (url === '') return;
  nodes = await BothNodes.open(url);
});
afterAll(async () => {
  if (url !== '') await nodes.close();
});

/** Makes both indices anew: documents that are deleted count in scores of the embedded engine. */
async function fill(): Promise<void> {
  for (const [index, shards] of [
    ['s', 3],
    ['one', 1],
  ] as const) {
    for (const node of [nodes.embedded, nodes.remote]) await node.send('DELETE', `/${index}`);
    await nodes.ok('PUT', `/${index}`, { settings: { number_of_shards: shards } });
    const documents = Array.from({ length: DOCUMENTS }, (_, i) => {
      const source = { n: i, text: i % 3 === 0 ? 'fox' : 'dog fox' };
      return `${JSON.stringify({ index: { _id: String(i) } })}\n${JSON.stringify(source)}\n`;
    });
    await nodes.ok('POST', `/${index}/t/_bulk?refresh=true`, documents.join(''));
  }
}

/** Points in time that OpenSearch holds. */
async function held(): Promise<number> {
  const answer = await nodes.ask('GET', '/_search/point_in_time/_all');
  return (answer['pits'] as readonly object[] | undefined)?.length ?? 0;
}

/** Changes documents behind open scrolls. */
async function change(): Promise<void> {
  for (const index of ['s', 'one']) {
    await nodes.ok('DELETE', `/${index}/t/7`);
    await nodes.ok('PUT', `/${index}/t/8`, { n: -1, text: 'other' });
    await nodes.ok('PUT', `/${index}/t/new?refresh=true`, { n: 5, text: 'fox' });
  }
}

const SEARCHES: readonly [name: string, path: string, body: object][] = [
  ['in an order', '/s/_search?scroll=1m', { size: 7, sort: [{ n: 'asc' }], version: true }],
  ['of one shard', '/one/_search?scroll=1m', { size: 9, sort: [{ n: 'desc' }] }],
  ['by scores', '/s/_search?scroll=1m', { size: 6, query: { match: { text: 'dog fox' } } }],
  ['longer than hits are brought along', '/s/_search?scroll=1m', { size: 25, sort: ['n'] }],
  ['by a shard each', '/s/_search?scroll=1m&search_type=query_and_fetch', { size: 4, sort: ['n'] }],
  ['scans', '/s/_search?scroll=1m&search_type=scan', { size: 5, query: { term: { text: 'fox' } } }],
];

there('pages show what there was when the search began', async () => {
  expect(await held()).toBe(0);
  for (const [name, path, body] of SEARCHES) {
    await fill();
    const first = await nodes.answers('POST', path, body);
    await change();
    const pages = await Promise.all(
      [nodes.embedded, nodes.remote].map(async (client, which) => {
        const shown: Page['hits'][] = [];
        let page = first[which]![1] as Page;
        for (let n = 0; n < 20 && (n === 0 || page.hits.hits.length > 0); n++) {
          shown.push(page.hits);
          const next = `/_search/scroll?scroll=1m&scroll_id=${page._scroll_id}`;
          page = (await client.ok('GET', next)) as Page;
        }
        await client.send('DELETE', `/_search/scroll/${page._scroll_id}`);
        return shown;
      }),
    );
    expect({ name, pages: pages[1] }).toEqual({ name, pages: pages[0] });
    expect(pages[1]!.reduce((sum, { hits }) => sum + hits.length, 0)).toBe(pages[1]![0]!.total);
  }
  await until(async () => (await held()) === 0);
});

there('nothing is held of searches that end or fail', async () => {
  await fill();
  const { remote } = nodes;
  const first = (await remote.ok('POST', '/s/_search?scroll=1m', { size: 2 })) as Page;
  expect(await held()).toBe(3);
  await remote.ok('GET', `/_search/scroll?scroll_id=${first._scroll_id}`);
  await until(async () => (await held()) === 0);
  await remote.send('POST', '/s/_search?scroll=1m', { query: { limit: { value: 1 } } });
  await remote.send('POST', '/s/_search?scroll=1m&search_type=count', {});
  await until(async () => (await held()) === 0);
});

there('what is gone there is a search context that is not found', async () => {
  await fill();
  const { remote } = nodes;
  const next = (page: Page) => `/_search/scroll?scroll=1m&scroll_id=${page._scroll_id}`;
  const first = (await remote.ok('POST', '/s/_search?scroll=1m', { size: 2 })) as Page;
  await nodes.ask('DELETE', '/_search/point_in_time/_all');
  const missing = /^404 SearchPhaseExecutionException.*No search context found for id \[\d+\]/;
  expect(await remote.error('GET', next(first))).toMatch(missing);
  expect(await remote.error('GET', next(first))).toMatch(missing);
  const path = '/s/_search?scroll=1m&search_type=scan';
  const scan = (await remote.ok('POST', path, { size: 2 })) as Page;
  await nodes.ask('DELETE', '/_search/point_in_time/_all');
  const page = (await remote.send('GET', next(scan))).body as Page;
  expect(page._shards).toMatchObject({ failed: 3 });
  expect(JSON.stringify(page._shards.failures)).toContain('No search context found for id');
  expect(page.hits.hits).toEqual([]);
});
