// Group commit over a real database: order, grouping, reads within a batch, roll-back, and the rule that
// nothing is written after a failure.

import { Storage } from '../../../storage/storage';
import { StorageFailure, ClosedError } from '../../../storage/errors';
import type { LogBatch, LogStore } from '../../../storage/types';
import { FaultPlan } from '../../support/faulty-database';
import { record, removeFolders, temporaryFolder, uid } from './support';

let open: Storage[] = [];

/** Batches end when preparing them takes long, which says something about the machine. */
beforeEach(() => {
  jest.spyOn(performance, 'now').mockReturnValue(1000);
});

async function openStorage(
  plan: FaultPlan,
  onFailure: (error: StorageFailure) => void = () => undefined,
) {
  const storage = await Storage.open({ path: temporaryFolder(), wrap: plan.wrap, onFailure });
  open.push(storage);
  plan.batches.length = 0;
  return storage;
}

afterEach(async () => {
  jest.restoreAllMocks();
  for (const storage of open) await storage.close();
  open = [];
  removeFolders();
});

/** Holds back all batches until the returned function is called. */
function hold(plan: FaultPlan): () => void {
  let release = (): void => undefined;
  plan.gate = new Promise((resolve) => (release = resolve));
  return release;
}

function submit<R>(
  log: LogStore,
  prepare: (batch: LogBatch) => R,
  estimatedBytes = 100,
): Promise<R> {
  return log.submit({ estimatedBytes, prepare });
}

function put(log: LogStore, id: string, sequence: number, bytes = 10): Promise<number> {
  return submit(
    log,
    (batch) => {
      batch.putRecord(1, sequence, record(id, { source: Buffer.alloc(bytes) }));
      batch.putUid(1, 'book', id, uid(sequence));
      return sequence;
    },
    bytes,
  );
}

describe('group commit', () => {
  test('puts everything that waits into one batch, in order, with one number', async () => {
    const plan = new FaultPlan();
    const { log } = await openStorage(plan);
    const release = hold(plan);
    const first = put(log, 'a', 1);
    await new Promise(setImmediate);
    const order: number[] = [];
    const rest = [2, 3, 4, 5].map((n) =>
      put(log, `d${n}`, n).then((sequence) => order.push(sequence)),
    );
    release();
    await Promise.all([first, ...rest]);
    expect(plan.batches).toHaveLength(2);
    expect(plan.batches.map(({ operations }) => operations.length)).toEqual([3, 9]);
    expect(order).toEqual([2, 3, 4, 5]);
    expect(plan.mostInFlight).toBe(1);
  });

  test('gives others a turn before it writes a large batch', async () => {
    const plan = new FaultPlan();
    const { log } = await openStorage(plan);
    const turnsBefore = async (bytes: number, sequence: number): Promise<boolean> => {
      const before = plan.batches.length;
      const written = put(log, 'a', sequence, bytes);
      // Microtasks only: a small batch is under way after them.
      for (let n = 0; n < 20; n++) await Promise.resolve();
      const isWaiting = plan.batches.length === before;
      await written;
      return isWaiting;
    };
    expect(await turnsBefore(1000, 1)).toBe(false);
    expect(await turnsBefore(5 * 1024 * 1024, 2)).toBe(true);
  });

  test('takes units alone before those of many, whenever they came', async () => {
    const plan = new FaultPlan();
    const { log } = await openStorage(plan);
    const release = hold(plan);
    const first = put(log, 'first', 1);
    await new Promise(setImmediate);
    const order: string[] = [];
    const unit = (name: string, makesRoom: boolean): Promise<void> =>
      log.submit({
        estimatedBytes: 10,
        makesRoom,
        prepare: (batch) => {
          order.push(name);
          batch.putMetadata(name, Buffer.from('x'));
        },
      });
    const rest = [
      ...['m1', 'm2', 'm3'].map((name) => unit(name, true)),
      ...['a1', 'a2'].map((name) => unit(name, false)),
    ];
    release();
    await Promise.all([first, ...rest]);
    expect(order).toEqual(['a1', 'a2', 'm1', 'm2', 'm3']);
    expect(plan.batches).toHaveLength(2);
  });

  test('takes one of many into each batch, however many others there are', async () => {
    // Each unit takes so long that its batch is over.
    let now = 1000;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    const plan = new FaultPlan();
    const { log } = await openStorage(plan);
    const batches: string[][] = [];
    const unit = (name: string, makesRoom: boolean): Promise<void> =>
      log.submit({
        estimatedBytes: 10,
        makesRoom,
        prepare: (batch) => {
          (batches[plan.batches.length] ??= []).push(name);
          batch.putMetadata(name, Buffer.from('x'));
        },
      });
    await Promise.all([
      ...['m1', 'm2'].map((name) => unit(name, true)),
      ...['a1', 'a2', 'a3'].map((name) => unit(name, false)),
    ]);
    expect(batches).toEqual([['a1', 'm1'], ['a2', 'm2'], ['a3']]);
  });

  test('does not put more into a batch than its cap', async () => {
    const plan = new FaultPlan();
    const { log } = await openStorage(plan);
    await Promise.all(Array.from({ length: 12 }, (_, n) => put(log, `d${n}`, n + 1, 1024 * 1024)));
    const sizes = plan.batches.map(({ operations }) =>
      operations.reduce(
        (sum, { key, ...rest }) => sum + key.length + ('value' in rest ? rest.value.length : 0),
        0,
      ),
    );
    expect(Math.max(...sizes)).toBeLessThan(4.1 * 1024 * 1024);
    expect(sizes.length).toBeGreaterThanOrEqual(3);
  });

  test('ends a batch when preparing it took long', async () => {
    jest.restoreAllMocks();
    const plan = new FaultPlan();
    const { log } = await openStorage(plan);
    const slow = (n: number): Promise<void> =>
      submit(log, (batch) => {
        const until = performance.now() + 20;
        while (performance.now() < until);
        batch.putMetadata(`m${n}`, Buffer.from('x'));
      });
    await Promise.all([1, 2, 3, 4].map(slow));
    expect(plan.batches).toHaveLength(4);
  });

  test('acknowledges only what is synced', async () => {
    const plan = new FaultPlan();
    const { log } = await openStorage(plan);
    const release = hold(plan);
    let acknowledged = false;
    const write = put(log, 'a', 1).then(() => (acknowledged = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(acknowledged).toBe(false);
    release();
    await write;
    expect(log.readUid(1, 'book', 'a')).toEqual(uid(1));
  });

  test('counts units, batches and bytes', async () => {
    let now = 1000;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 0.001));
    const storage = await openStorage(new FaultPlan());
    await Promise.all([put(storage.log, 'a', 1), put(storage.log, 'b', 2)]);
    const { commits, queuedUnits } = storage.stats();
    expect(queuedUnits).toBe(0);
    expect(commits).toMatchObject({ units: { count: 1, sum: 2 }, refusedUnits: 0 });
    expect(commits.bytes.sum).toBeGreaterThan(50);
    expect(commits.syncSeconds.sum).toBeGreaterThan(0);
    // In the bucket of two units.
    expect(commits.units.counts.indexOf(1)).toBe(commits.units.bounds.indexOf(2));

    await storage.reopen();
    const refused = submit(storage.log, () => {
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    expect(storage.stats().commits).toMatchObject({ units: { count: 1 }, refusedUnits: 1 });
  });

  test('units that write nothing need no batch and let the event loop turn', async () => {
    jest.restoreAllMocks();
    const plan = new FaultPlan();
    const { log } = await openStorage(plan);
    let turns = 0;
    const ticker = setInterval(() => turns++, 1);
    const busy = (): Promise<number> =>
      submit(log, () => {
        const until = performance.now() + 5;
        while (performance.now() < until);
        return 7;
      });
    expect(await Promise.all(Array.from({ length: 6 }, busy))).toEqual([7, 7, 7, 7, 7, 7]);
    clearInterval(ticker);
    expect(plan.batches).toHaveLength(0);
    expect(turns).toBeGreaterThan(2);
  });
});

describe('a unit', () => {
  test('sees what earlier units of the same batch and of earlier batches wrote', async () => {
    const plan = new FaultPlan();
    const { log } = await openStorage(plan);
    await put(log, 'old', 1);
    const seen = await Promise.all([
      submit(log, (batch) => batch.putUid(1, 'book', 'new', uid(2, 5))),
      submit(log, (batch) => [
        batch.getUid(1, 'book', 'old')?.sequence,
        batch.getUid(1, 'book', 'new')?.version,
      ]),
      submit(log, (batch) => batch.removeUid(1, 'book', 'old')),
      submit(log, (batch) => [batch.getUid(1, 'book', 'old'), batch.getUid(1, 'book', 'none')]),
    ]);
    expect(seen[1]).toEqual([1, 5]);
    expect(seen[3]).toEqual([undefined, undefined]);
    expect(plan.batches).toHaveLength(2);
  });

  test('that throws is rejected alone and leaves nothing behind', async () => {
    const { log } = await openStorage(new FaultPlan());
    const conflict = new Error('version conflict');
    const [, failed, after] = await Promise.allSettled([
      submit(log, (batch) => batch.putUid(1, 'book', 'a', uid(1, 1))),
      submit(log, (batch) => {
        batch.putUid(1, 'book', 'a', uid(2, 2));
        batch.putUid(1, 'book', 'a', uid(3, 3));
        batch.putUid(1, 'book', 'b', uid(4, 4));
        batch.putRecord(1, 2, record('a'));
        throw conflict;
      }),
      submit(log, (batch) => ({
        a: batch.getUid(1, 'book', 'a'),
        b: batch.getUid(1, 'book', 'b'),
        put: batch.putMetadata('after', Buffer.from('1')),
      })),
    ]);
    expect(failed).toEqual({ status: 'rejected', reason: conflict });
    expect(after).toMatchObject({ value: { a: uid(1, 1), b: undefined } });
    expect(log.readRecord(1, 2)).toBeUndefined();
    expect(log.readUid(1, 'book', 'a')).toEqual(uid(1, 1));
    expect(log.readUid(1, 'book', 'b')).toBeUndefined();
    expect([...(await log.readMetadata()).keys()]).toEqual(['after']);
  });

  test('that throws is told so only when what it may have seen is durable', async () => {
    const plan = new FaultPlan();
    const { log } = await openStorage(plan);
    const release = hold(plan);
    let told = false;
    const first = put(log, 'a', 1);
    const second = submit(log, () => {
      throw new Error('conflict with a');
    }).catch(() => (told = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(told).toBe(false);
    release();
    await Promise.all([first, second]);
    expect(told).toBe(true);
  });

  test('cannot keep its batch', async () => {
    const { log } = await openStorage(new FaultPlan());
    const kept = await submit(log, (batch) => batch);
    expect(() => kept.putMetadata('late', Buffer.alloc(1))).toThrow('after its unit had its turn');
    expect(() => kept.getUid(1, 'a', 'b')).toThrow('after its unit had its turn');
  });
});

describe('after a failed batch', () => {
  test.each([true, false])('nothing more is written on the handle (landed: %s)', async (landed) => {
    const plan = new FaultPlan(0, 'write', landed);
    const failures: StorageFailure[] = [];
    const storage = await openStorage(plan, (error) => failures.push(error));
    const { log } = storage;
    await put(log, 'sure', 1);
    plan.failAt = plan.count + 1;
    const release = hold(plan);
    const failing = [put(log, 'a', 2), put(log, 'b', 3)];
    await new Promise(setImmediate);
    const waiting = [put(log, 'c', 4), submit(log, () => 'reads only')];
    release();
    const outcomes = await Promise.allSettled([...failing, ...waiting]);
    const later = await Promise.allSettled([put(log, 'd', 5)]);
    for (const outcome of [...outcomes, ...later]) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: expect.any(StorageFailure) as unknown,
      });
    }
    expect(failures).toHaveLength(1);
    expect(storage.failure).toBe(failures[0]);
    expect(plan.writesAfterFailure).toBe(0);
    expect(plan.batches).toHaveLength(2);
    expect(log.readUid(1, 'book', 'sure')).toEqual(uid(1));

    await storage.reopen();
    expect(storage.failure).toBeNull();
    expect(storage.log.readUid(1, 'book', 'a')).toEqual(landed ? uid(2) : undefined);
    expect(storage.log.readUid(1, 'book', 'c')).toBeUndefined();
    await put(storage.log, 'c', 6);
    // The old store stays broken: what was decided before the failure must not reach the new session.
    await expect(put(log, 'e', 7)).rejects.toThrow(StorageFailure);
    expect(storage.log.readUid(1, 'book', 'c')).toEqual(uid(6));
  });

  test('a conflict that was judged by the failed batch is not reported as one', async () => {
    const plan = new FaultPlan();
    const { log } = await openStorage(plan);
    plan.failAt = plan.count + 1;
    const first = put(log, 'a', 1);
    const second = submit(log, () => {
      throw new Error('document already exists');
    });
    const outcomes = await Promise.allSettled([first, second]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: expect.any(StorageFailure) as unknown,
      });
    }
  });

  test('the other database is not affected, and the same rule holds there', async () => {
    const plan = new FaultPlan();
    const failures: StorageFailure[] = [];
    const storage = await openStorage(plan, (error) => failures.push(error));
    plan.failAt = plan.count + 1;
    const block = Buffer.alloc(100);
    const writes = [
      storage.segments.writeSegment(1, [block]),
      storage.segments.writeSegment(2, [block]),
    ];
    for (const outcome of await Promise.allSettled(writes)) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: expect.any(StorageFailure) as unknown,
      });
    }
    await expect(storage.segments.removeSegments([1])).resolves.toBeUndefined();
    await expect(storage.segments.writeSegment(3, [block])).rejects.toThrow(StorageFailure);
    expect(plan.batches.filter(({ name }) => name === 'segments')).toHaveLength(1);
    expect(failures).toHaveLength(1);
    await put(storage.log, 'a', 1);
    await storage.reopen();
    await storage.segments.writeSegment(3, [block]);
    expect(storage.segments.readBlock(3, 0)).toEqual(block);
  });
});

describe('closing', () => {
  test('settles what waits and refuses what comes later', async () => {
    const plan = new FaultPlan();
    const storage = await openStorage(plan);
    const { log } = storage;
    const release = hold(plan);
    const writes = [put(log, 'a', 1), put(log, 'b', 2)];
    const closing = storage.close();
    await new Promise(setImmediate);
    const late = put(log, 'c', 3);
    release();
    expect(await Promise.all(writes)).toEqual([1, 2]);
    await expect(late).rejects.toThrow(ClosedError);
    await closing;
    expect(() => storage.log).toThrow(ClosedError);
    expect(() => log.readUid(1, 'book', 'a')).toThrow(ClosedError);
    await expect(log.lastSequence(1)).rejects.toThrow(ClosedError);
  });
});
