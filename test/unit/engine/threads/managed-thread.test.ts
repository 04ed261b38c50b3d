// Threads that die, hang and are told to stop: only the request that they worked on may suffer.

import { join } from 'node:path';
import { ManagedThread } from '../../../../engine/threads/managed-thread';
import { SILENT_LOGGER } from '../../../../engine/common/logger';

let thread: ManagedThread;
beforeEach(() => {
  thread = newThread(false);
  thread.open();
});
afterEach(() => thread.close());

/** @param stuckMs when a thread counts as stuck; a slow one must not */
function newThread(repeatsRunning: boolean, stuckMs = 600_000): ManagedThread {
  return new ManagedThread({
    name: 'odd',
    entry: join(__dirname, '../../../support/odd-thread.js'),
    data: {},
    limits: {},
    stuckMs,
    repeatsRunning,
    logger: SILENT_LOGGER,
    encode: (_kind, payload) => payload,
    forgetSent: () => undefined,
    onEvent: () => undefined,
  });
}

test('answers in any order, and counts', async () => {
  const [slow, quick] = await Promise.all([
    thread.request('slow-echo', 1),
    thread.request('echo', { a: [1n, new Map([['x', 'y']])] }),
  ]);
  expect(slow).toBe(1);
  expect(quick).toEqual({ a: [1n, new Map([['x', 'y']])] });
  expect(thread.stats()).toEqual({
    name: 'odd',
    pending: 0,
    largest: 2,
    completed: 2,
    replaced: 0,
    busyMs: expect.any(Number) as number,
    isAnswering: true,
  });
});

test.each([
  ['exit', undefined],
  ['throw-outside', undefined],
  ['hang', 4000],
])('a thread that does %s is replaced, and nobody else notices', async (kind, stuckMs) => {
  await thread.close();
  thread = newThread(false, stuckMs);
  thread.open();
  await thread.request('echo', 0);
  const other = thread.request('slow-echo', 'other');
  const odd = thread.request(kind, null);
  await expect(odd).rejects.toMatchObject({ status: 503 });
  expect(await other).toBe('other');
  expect(await thread.request('echo', 'later')).toBe('later');
  expect(thread.stats().replaced).toBe(1);
});

test('jobs that may be repeated get a second try', async () => {
  const patient = newThread(true);
  patient.open();
  await expect(patient.request('exit', null)).rejects.toMatchObject({ status: 503 });
  expect(patient.stats().replaced).toBe(2);
  await patient.close();
});

test('an aborted request is given up, also when it was aborted before', async () => {
  const abort = new AbortController();
  const waiting = thread.request('wait-for-cancel', null, abort.signal);
  setTimeout(() => abort.abort(), 20);
  await expect(waiting).rejects.toThrow('cancelled');
  await expect(thread.request('wait-for-cancel', null, abort.signal)).rejects.toThrow('cancelled');
});

test('what cannot be sent fails alone', async () => {
  await expect(thread.request('echo', () => 1)).rejects.toThrow();
  expect(await thread.request('echo', 2)).toBe(2);
});

test('closing waits for what runs and refuses what comes after; it may be opened again', async () => {
  const last = thread.request('slow-echo', 'last');
  const closed = thread.close();
  await expect(thread.request('echo', 1)).rejects.toThrow('closed');
  expect(await last).toBe('last');
  await closed;
  thread.open();
  expect(await thread.request('echo', 3)).toBe(3);
});
