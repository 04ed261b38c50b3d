// What threads that read share with main.

import { MessageChannel } from 'node:worker_threads';
import { requestCounts, RequestMemory } from '../../../engine/common/request-memory';
import { type Publication, PublicationReader } from '../../../engine/readers/messages';
import { ReaderGate } from '../../../engine/readers/reader-gate';
import { searchCounts, SearchQueue } from '../../../engine/search/run/search-queue';
import { ShardReadCounters, SharedReadCounters } from '../../../engine/shard/read-stats';
import { until } from '../../support/until';

function channel() {
  const { port1, port2 } = new MessageChannel();
  const epoch = new Int32Array(new SharedArrayBuffer(4));
  const taken: Publication[] = [];
  const reader = new PublicationReader(
    { port: port2, epoch },
    (publication) => taken.push(publication),
    () => undefined,
  );
  return { port: port1, epoch, taken, reader };
}

test('what was counted is taken at once, and what is sent only when it comes', async () => {
  const { port, epoch, taken, reader } = channel();
  port.postMessage({ kind: 'resume' });
  port.postMessage({ kind: 'resume' });
  Atomics.add(epoch, 0, 1);
  expect(taken).toHaveLength(0);
  reader.catchUp();
  expect(taken).toHaveLength(1);
  // The second is taken before it is counted: nothing is missing then.
  await until(() => taken.length === 2);
  reader.catchUp();
  Atomics.add(epoch, 0, 1);
  reader.catchUp();
  expect(taken).toHaveLength(2);
  port.close();
});

test('answers to searches are not counted', async () => {
  const { port, epoch, taken, reader } = channel();
  port.postMessage({ kind: 'failed', id: 1, error: {} });
  port.postMessage({ kind: 'resume' });
  Atomics.add(epoch, 0, 1);
  reader.catchUp();
  expect(taken).toHaveLength(1);
  port.close();
});

test('reads wait while storage is closed, and are refused when it cannot be opened', async () => {
  const gate = new ReaderGate();
  const waiting = gate.read(async () => 'read');
  expect([gate.isClosed, gate.running]).toEqual([true, 0]);
  gate.open();
  expect(await waiting).toBe('read');
  gate.close();
  const refused = gate.read(async () => 'read');
  gate.refuse(new Error('damaged'));
  await expect(refused).rejects.toThrow('damaged');
  await expect(gate.read(async () => 'read')).rejects.toThrow('damaged');
  gate.open();
  expect(await gate.read(async () => gate.running)).toBe(1);
  expect(gate.running).toBe(0);
});

test('searches of all threads count against one limit; those of a thread that is gone do not', () => {
  const counts = searchCounts(2);
  const main = new SearchQueue(1, () => 1, counts);
  const other = new SearchQueue(1, () => 1, counts, 1);
  expect([main.enter(), other.enter()]).toEqual([null, null]);
  expect(main.enter()?.wireName).toBe('EsRejectedExecutionException');
  expect(main.stats()).toMatchObject({ active: 1, queue: 1, rejected: 1 });
  const next = new SearchQueue(1, () => 1, counts, 1);
  expect(next.enter()).toBeNull();
  next.leave();
  expect(main.stats()).toMatchObject({ active: 1, queue: 0, rejected: 1, completed: 1 });
});

test('what requests of all threads hold counts against one limit', () => {
  const counts = requestCounts(2);
  const main = new RequestMemory(100, 80, counts);
  const other = new RequestMemory(100, 80, counts, 1);
  const lease = main.lease();
  lease.grow(60);
  expect(() => other.lease().grow(50)).toThrow('[PARENT] Data too large');
  expect([other.used, main.tripped, main.trippedAlone]).toEqual([60, 1, 0]);
  other.lease().grow(40);
  expect(main.used).toBe(100);
  // The thread is replaced.
  new RequestMemory(100, 80, counts, 1);
  expect(main.used).toBe(60);
});

test('reads of a shard on other threads are added where they are asked for', () => {
  const counters = new ShardReadCounters();
  const threads = [0, 1].map((i) => new SharedReadCounters(counters.share(2), i));
  counters.addGet(true, 1);
  threads[0]!.addGet(true, 2);
  threads[1]!.addGet(false, 3);
  threads[1]!.beginSearch();
  expect(counters.snapshot()).toMatchObject({
    found: { total: 2, ms: 3 },
    missed: { total: 1, ms: 3 },
    searches: { total: 0, current: 1 },
  });
  threads[1]!.endSearch(5);
  const sum = new ShardReadCounters();
  sum.absorb(counters);
  expect(sum.searches).toMatchObject({ total: 1, ms: 5 });
  expect(counters.snapshot().searches).toEqual({ total: 1, ms: 5, current: 0 });
  // A thread that is gone has nothing under way.
  threads[0]!.beginSearch();
  new SharedReadCounters(counters.share(2), 0);
  expect(counters.snapshot().searches.current).toBe(0);
});
