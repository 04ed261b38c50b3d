// Scrolls over the real jobs: what they hold, and what a client that goes away costs.

import type { CancelSignal } from '../../../../engine/common/index';
import { hitsOf, SearchNode } from '../../../support/search-node';

const DOCUMENTS = 200;

let node: SearchNode;
beforeEach(() => {
  node = new SearchNode();
  node.createIndex('shop', { n: 'integer' }, { shards: 2 });
  for (let id = 0; id < DOCUMENTS; id++) node.add('shop', String(id), { n: id });
  node.refresh('shop');
});

/** A client that goes away when it was looked for so many times. */
class Leaving implements CancelSignal {
  looks = 0;
  constructor(private readonly at: number) {}
  get aborted(): boolean {
    return ++this.looks > this.at;
  }
  addEventListener(): void {}
  removeEventListener(): void {}
}

const BODY = { sort: ['n'], size: 60 };
const numbers = (response: Parameters<typeof hitsOf>[0]) =>
  hitsOf(response).map(({ sort }) => (sort as number[])[0]);

test('a page that nobody waits for is given up at the next look, and made again when it is asked for', async () => {
  const first = await node.search('shop', BODY, { scroll: 60_000 });
  const scrollId = first.scrollId!;
  const ask = (signal?: CancelSignal) =>
    node.searcher.scroller.page({ scrollId, keepAlive: 60_000, signal });
  const patient = new Leaving(Infinity);
  expect(numbers(await ask(patient))).toEqual(Array.from({ length: 60 }, (_, i) => 60 + i));
  for (let at = 0; at < patient.looks; at++) {
    const leaving = new Leaving(at);
    await expect(ask(leaving)).rejects.toThrow('cancelled');
    // Not a step was made after the look that found it gone.
    expect(leaving.looks).toBe(at + 1);
  }
  expect(patient.looks).toBeGreaterThan(5);
  expect(numbers(await ask())).toEqual(Array.from({ length: 60 }, (_, i) => 120 + i));
});

test('shards are held once for each scroll, and let go of with it', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    ids.push((await node.search('shop', BODY, { scroll: 60_000 })).scrollId!);
    expect(node.held).toBe(2 * (i + 1));
  }
  const scan = { searchType: 'scan', scroll: 60_000 } as const;
  const { scrollId } = await node.search('shop', { size: 150 }, scan);
  expect(node.held).toBe(12);
  await node.searcher.scroller.page({ scrollId: scrollId!, keepAlive: 60_000 });
  expect(node.held).toBe(10);
  expect(node.searcher.scroller.clear([ids[0]!, ids[1]!])).toBe(true);
  expect(node.held).toBe(6);
  await node.searcher.scroller.page({ scrollId: ids[2]!, keepAlive: undefined });
  expect(node.held).toBe(4);
  await expect(node.search('shop', '{"bogus":1}', { scroll: 60_000 })).rejects.toThrow();
  await expect(node.search('shop', BODY, { ...scan, searchType: 'count' })).rejects.toThrow();
  expect(node.held).toBe(4);
  expect(node.searcher.scroller.clear(['_all'])).toBe(true);
  expect(node.held).toBe(0);
});

test('a scroll that ends while a page is made is let go of behind it', async () => {
  const { scrollId } = await node.search('shop', BODY, { scroll: 60_000 });
  const page = node.searcher.scroller.page({ scrollId: scrollId!, keepAlive: 60_000 });
  expect(node.searcher.scroller.clear([scrollId!])).toBe(true);
  expect(node.held).toBe(2);
  await expect(page).rejects.toThrow('No search context found');
  expect(node.held).toBe(0);
});

test('a shard that is lost where its documents are is missing from then on', async () => {
  const { executor } = node;
  let lost: readonly number[] = [];
  node.host.executor = {
    ...executor,
    search: async (job, signal) => {
      const outcome = await executor.search(job, signal);
      const failures = lost.map((shard) => ({ index: 'shop', shard, status: 404, reason: 'gone' }));
      return { ...outcome, lost, failures };
    },
  };
  const { scrollId } = await node.search('shop', BODY, { scroll: 60_000 });
  const page = () => node.searcher.scroller.page({ scrollId: scrollId!, keepAlive: 60_000 });
  lost = [1];
  for (let i = 0; i < 2; i++) {
    const { shards } = await page();
    expect(shards).toMatchObject({ total: 2, successful: 1, failed: 1 });
    const reason = shards.failures[0]!.reason;
    expect(reason).toMatch(
      /^SearchContextMissingException\[No search context found for id \[\d+\]\]$/,
    );
    lost = [];
  }
  expect(node.held).toBe(1);
  lost = [0];
  await expect(page()).rejects.toMatchObject({ status: 404 });
  expect(node.held).toBe(0);
});
