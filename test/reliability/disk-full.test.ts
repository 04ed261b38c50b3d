// A full disk is a clean refusal: reads go on, writes get 503, and when there is space again the node heals
// by itself, without a restart.

import type { Engine } from '../../engine/index';
import { EngineError } from '../../engine/errors';
import { DiskFullError } from '../../storage/errors';
import { EngineFolder, getRequest, indexRequest, OPEN_INDICES, searchFor } from '../support/engine';
import { FaultPlan } from '../support/faulty-database';
import { PATIENCE_MS, until } from '../support/until';

const REFUSED = {
  status: 503,
  wireName: 'ClusterBlockException',
  message: 'blocked by: [SERVICE_UNAVAILABLE/100/disk full, writes refused];',
};

let folder: EngineFolder;
let plan: FaultPlan;
beforeEach(async () => {
  folder = await EngineFolder.create();
  plan = new FaultPlan();
});
afterEach(() => folder.remove());

function fillDisk(): void {
  plan.outage = new DiskFullError('no space left on device');
}

/** Waits until writes are accepted again. */
async function healed(engine: Engine): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      await engine.index(indexRequest('i', 'doc', 'healed', { n: 0 }));
      return;
    } catch (error) {
      if (!(error instanceof EngineError) || performance.now() > end) throw error;
      expect(error.status).toBe(503);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

async function write(engine: Engine, from: number): Promise<void> {
  for (let i = from; i < from + 5; i++) {
    await engine.index(indexRequest('i', 'doc', String(i), { n: i }, { refresh: i % 2 === 0 }));
  }
}

test('reads go on, writes are refused, and space heals it', async () => {
  const engine = await folder.open({ wrap: plan.wrap });
  for (let round = 0; round < 2; round++) {
    await write(engine, round * 5);
    await engine.maintenance.refresh([], OPEN_INDICES);
    fillDisk();
    for (let turn = 0; turn < 30; turn++) {
      await expect(engine.index(indexRequest('i', 'doc', 'x', { n: 1 }))).rejects.toMatchObject(
        REFUSED,
      );
      await expect(engine.admin.createIndex('other', new Map())).rejects.toMatchObject(REFUSED);
      expect((await searchFor(engine, 'i', { query: { range: { n: { gte: 1 } } } })).total).toBe(
        round * 5 + 4,
      );
      expect((await engine.get(getRequest('i', 'doc', '3'))).found).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    plan.outage = null;
    await healed(engine);
    expect((await engine.get(getRequest('i', 'doc', 'x'))).found).toBe(false);
  }
  expect(plan.writesAfterFailure).toBe(0);
});

test('a node that starts on a full disk serves what it has, and heals', async () => {
  let engine = await folder.open({ wrap: plan.wrap });
  await write(engine, 0);
  await engine.index(indexRequest('i', 'doc', 'late', { n: 9 }));
  await engine.admin.deleteIndices(['nothing*'], OPEN_INDICES).catch(() => undefined);
  // As killed: the shutdown finds no space to index the tail of the log.
  fillDisk();
  engine = await folder.restart({ wrap: plan.wrap });
  expect((await engine.get(getRequest('i', 'doc', 'late'))).found).toBe(true);
  expect((await searchFor(engine, 'i', {})).total).toBe(5);
  await expect(engine.index(indexRequest('i', 'doc', 'x', { n: 1 }))).rejects.toMatchObject(
    REFUSED,
  );
  plan.outage = null;
  await healed(engine);
  await engine.maintenance.refresh([], OPEN_INDICES);
  expect((await searchFor(engine, 'i', {})).total).toBe(7);
});

test('space is looked for at a steady pace, so that writes do not wait long when it is back', async () => {
  let looks = 0;
  let available = 0;
  const engine = await folder.open({
    wrap: plan.wrap,
    reopenDelayMs: 10,
    diskCheckMs: 24 * 3600 * 1000,
    readSpace: async () => {
      looks++;
      return { total: 1e9, free: available, available };
    },
  });
  await write(engine, 0);
  fillDisk();
  await expect(engine.index(indexRequest('i', 'doc', 'x', { n: 1 }))).rejects.toMatchObject(
    REFUSED,
  );
  const before = looks;
  // With pauses that double this would take hours.
  await until(() => looks > before + 25);
  plan.outage = null;
  available = 1e9;
  await healed(engine);
});

test('a node that waits for space stops at once', async () => {
  const engine = await folder.open({ wrap: plan.wrap, reopenDelayMs: 24 * 3600 * 1000 });
  await write(engine, 0);
  fillDisk();
  await expect(engine.index(indexRequest('i', 'doc', 'x', { n: 1 }))).rejects.toMatchObject(
    REFUSED,
  );
  // Else the test would run out of time.
  await engine.close();
});
