import { queueSizeOf, SearchQueue } from '../../../../engine/search/run/search-queue';

const entered = (queue: SearchQueue, count: number) =>
  Array.from({ length: count }, () => queue.enter()?.toWireString() ?? null);

test('as many searches as threads and places to wait, no more', () => {
  const queue = new SearchQueue(2, () => 3);
  expect(entered(queue, 5)).toEqual([null, null, null, null, null]);
  const refused = queue.enter();
  expect(refused).toMatchObject({
    wireName: 'EsRejectedExecutionException',
    status: 429,
    message: 'rejected execution (queue capacity 3) on search',
  });
  expect(queue.stats()).toEqual({
    ...{ threads: 2, active: 2, queue: 3, capacity: 3, rejected: 1, largest: 2, completed: 0 },
  });
  queue.leave();
  expect(queue.enter()).toBe(null);
  for (let n = 0; n < 5; n++) queue.leave();
  expect(queue.stats()).toMatchObject({ active: 0, queue: 0, completed: 6 });
});

test('a queue of no place still has its threads, one of -1 any number of places', () => {
  expect(entered(new SearchQueue(1, () => 0), 2)).toEqual([
    null,
    'EsRejectedExecutionException[rejected execution (queue capacity 0) on search]',
  ]);
  expect(new Set(entered(new SearchQueue(1, () => -1), 5000))).toEqual(new Set([null]));
});

test('sizes are numbers, also of thousands', () => {
  expect(['200', '1k', '2K', '1m', '-1', '-7', '0'].map(queueSizeOf)).toEqual([
    ...[200, 1000, 2000, 1_000_000, -1, -1, 0],
  ]);
  expect([undefined, '', 'x', '1.5', '10gb', '99999999999'].map(queueSizeOf)).toEqual(
    Array.from({ length: 6 }, () => null),
  );
});
