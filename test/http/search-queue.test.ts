// Searches beyond those that may wait are refused, whatever they are asked through, and statistics say so.

import { InlineExecutor } from '../../engine/search/run/inline-executor';
import { HttpClient } from '../support/http-client';
import { until } from '../support/until';

let http: HttpClient;
/** Lets the searches go on that are held. */
let held: (() => void)[] = [];

beforeAll(async () => {
  http = await HttpClient.start({
    'threadpool.search.queue_size': '1',
    'node.workers': '0',
  });
  await http.ok('PUT', '/i', { settings: { number_of_shards: 2 } });
  await http.ok('PUT', '/i/t/1?refresh=true', { n: 1 });
});
afterAll(() => http.close());

/** Two searches are under way, one of which waits for the other, while `then` runs. */
async function whileFull(then: () => Promise<void>): Promise<void> {
  const { search } = InlineExecutor.prototype as unknown as {
    search: (this: InlineExecutor, ...args: never) => Promise<never>;
  };
  const spy = jest.spyOn(InlineExecutor.prototype, 'search').mockImplementation(async function (
    this: InlineExecutor,
    ...args
  ) {
    await new Promise<void>((go) => held.push(go));
    return search.apply(this, args as never);
  });
  const searches = [http.send('GET', '/i/_search'), http.send('GET', '/i/_search')];
  try {
    await until(() => held.length === 2);
    await then();
  } finally {
    spy.mockRestore();
    held.forEach((go) => go());
    held = [];
  }
  for (const answer of await Promise.all(searches)) expect(answer.status).toBe(200);
}

const REFUSED = 'EsRejectedExecutionException[rejected execution (queue capacity 1) on search]';

test('searches, counts and items are refused as the reference refuses them', async () => {
  await whileFull(async () => {
    const { status, text } = await http.send('GET', '/i/_search');
    expect(status).toBe(429);
    expect(text.replace(/\[[\w-]{22}\]/g, '[node]')).toBe(
      JSON.stringify({
        error:
          'SearchPhaseExecutionException[Failed to execute phase [query], all shards failed; ' +
          `shardFailures {[node][i][0]: ${REFUSED}}{[node][i][1]: ${REFUSED}}]`,
        status: 429,
      }),
    );
    const count = await http.send('GET', '/i/_count');
    expect(count.status).toBe(429);
    const failure = (shard: number) => ({
      index: 'i',
      shard,
      status: 429,
      reason: `BroadcastShardOperationFailedException[[i][${shard}] ]; nested: ${REFUSED}; `,
    });
    expect(count.body).toEqual({
      count: 0,
      _shards: { total: 2, successful: 0, failed: 2, failures: [failure(0), failure(1)] },
    });
    const several = await http.send('POST', '/_msearch', '{"index":"i"}\n{}\n');
    expect(several.status).toBe(200);
    expect(several.text).toContain(REFUSED);
    // What is no search goes on.
    expect((await http.send('GET', '/i/t/1')).status).toBe(200);
    expect((await http.send('GET', '/')).status).toBe(200);
  });
  expect((await http.send('GET', '/i/_search')).status).toBe(200);
});

test('statistics tell of the queue', async () => {
  const before = await figures();
  await whileFull(async () => {
    await http.send('GET', '/i/_search');
    expect(await figures()).toEqual({
      ...before,
      ...{ active: 1, queue: 1, rejected: before['rejected']! + 1 },
    });
    const row = await http.send(
      'GET',
      '/_cat/thread_pool?h=search.type,search.size,search.active,search.queue,search.queueSize,search.rejected',
    );
    expect(row.text).toMatch(/^fixed 1 1 1 1 \d+ \n$/);
  });
  expect(await figures()).toMatchObject({
    active: 0,
    queue: 0,
    completed: before['completed']! + 2,
  });
  const { nodes } = (await http.ok('GET', '/_nodes/thread_pool')) as {
    nodes: Record<string, { thread_pool: Record<string, unknown> }>;
  };
  expect(Object.values(nodes)[0]!.thread_pool['search']).toEqual({
    ...{ type: 'fixed', min: 1, max: 1, queue_size: '1' },
  });
});

test('the cluster setting changes it while the node runs', async () => {
  const set = (value: string) =>
    http.ok('PUT', '/_cluster/settings', {
      transient: { 'threadpool.search.queue_size': value },
    });
  await set('2');
  await whileFull(async () => {
    const third = http.send('GET', '/i/_search');
    await until(() => held.length === 3);
    expect(await figures()).toMatchObject({ active: 1, queue: 2 });
    expect((await http.send('GET', '/i/_search')).text).toContain('(queue capacity 2)');
    held.forEach((go) => go());
    expect((await third).status).toBe(200);
  });
  await set('1');
});

async function figures(): Promise<Record<string, number>> {
  const { nodes } = (await http.ok('GET', '/_nodes/stats/thread_pool')) as {
    nodes: Record<string, { thread_pool: Record<string, Record<string, number>> }>;
  };
  return Object.values(nodes)[0]!.thread_pool['search']!;
}
