// Failing disks at the height of the engine: whatever operation fails, nothing acknowledged is lost, nothing
// is half applied, and the node heals by itself.

import { EngineError } from '../../engine/errors';
import type { Engine } from '../../engine/index';
import { parseJsonObject } from '../../engine/json/parse';
import {
  EngineFolder,
  getRequest,
  indexRequest,
  OPEN_INDICES,
  toSegments,
  searchFor,
} from '../support/engine';
import { FaultPlan } from '../support/faulty-database';
import { note } from '../support/figures';
import { GRACE_MS, StoredKeys } from '../support/stored-keys';
import type { UpdateRequest } from '../../engine/api/documents';
import type { AliasAction } from '../../engine/metadata/alias-action';

function swap(from: string, to: string): AliasAction[] {
  const action = (kind: 'add' | 'remove', index: string): AliasAction => ({
    kind,
    indices: [index],
    aliases: ['live'],
    filter: undefined,
    indexRouting: undefined,
    searchRouting: undefined,
  });
  return [action('remove', from), action('add', to)];
}

/** What must be there afterwards: every entry was acknowledged. */
interface Acknowledged {
  readonly documents: Map<string, number>;
  indices: string[];
  /** Where the alias may point to: one target, or two when the last swap was refused. */
  aliasTargets: string[];
}

const ALL_INDICES = { ...OPEN_INDICES, expandClosed: true, forbidClosed: false };

/** Waits until the node accepts requests again. */
async function healed(engine: Engine): Promise<void> {
  for (;;) {
    try {
      await engine.maintenance.refresh([], OPEN_INDICES);
      return;
    } catch (error) {
      if (!(error instanceof EngineError) || error.status !== 503) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

/** A session of every kind of write; a refused step is skipped, an acknowledged one is noted. */
async function session(engine: Engine): Promise<Acknowledged> {
  const seen: Acknowledged = { documents: new Map(), indices: [], aliasTargets: [] };
  const step = async (work: () => Promise<unknown>, done: () => void, refused = () => {}) => {
    try {
      await work();
      done();
    } catch (error) {
      if (!(error instanceof EngineError) || error.status !== 503) throw error;
      refused();
      await healed(engine);
    }
  };
  /** For what may be done twice. */
  const certainly = async (work: () => Promise<unknown>) => {
    let isDone = false;
    while (!isDone) await step(work, () => (isDone = true));
  };
  for (const index of ['a', 'b']) {
    await step(
      () => engine.admin.createIndex(index, new Map()),
      () => seen.indices.push(index),
      // The outcome of a failed batch is open: make sure of it.
      () => undefined,
    );
    await engine.admin.createIndex(index, new Map()).catch(() => undefined);
    if (!seen.indices.includes(index)) seen.indices.push(index);
  }
  await step(
    () => engine.admin.updateAliases(swap('b', 'a').slice(1)),
    () => (seen.aliasTargets = ['a']),
    () => (seen.aliasTargets = ['a', '']),
  );
  for (let i = 0; i < 6; i++) {
    await step(
      () =>
        engine.index(
          indexRequest('a', 'doc', String(i), { [`field${i}`]: i, n: i }, { refresh: i % 2 === 0 }),
        ),
      () => seen.documents.set(`a/${i}`, i),
    );
  }
  await step(
    () => engine.delete({ ...indexRequest('a', 'doc', '1', {}), id: '1' }),
    () => seen.documents.delete('a/1'),
    () => seen.documents.delete('a/1'),
  );
  await step(
    () => engine.admin.updateAliases(swap('a', 'b')),
    () => (seen.aliasTargets = ['b']),
    () => (seen.aliasTargets = [...seen.aliasTargets, 'b']),
  );
  await step(
    async () => {
      const items = await engine.bulk(
        [7, 8, 9].map((i) => ({
          kind: 'index',
          request: indexRequest('b', 'doc', String(i), { n: i }),
        })),
        true,
      );
      const failed = items.find((item) => item.kind === 'error');
      if (failed?.kind === 'error') throw failed.error;
    },
    () => [7, 8, 9].forEach((i) => seen.documents.set(`b/${i}`, i)),
  );
  await step(
    () => engine.update(updateRequest('a', '2', { n: 22 })),
    () => seen.documents.set('a/2', 22),
    () => seen.documents.delete('a/2'),
  );
  await step(
    () => engine.admin.closeIndices(['a'], OPEN_INDICES),
    () => undefined,
  );
  await certainly(() => engine.admin.openIndices(['a'], ALL_INDICES));
  await step(
    () => engine.maintenance.optimize([], OPEN_INDICES, toSegments(1)),
    () => undefined,
  );
  // 'c' goes with everything it has: segments, deletions, a tail of the log.
  await step(
    () => fillThird(engine),
    () => undefined,
  );
  await certainly(() => engine.admin.deleteIndices(['c'], OPEN_INDICES).catch(acceptMissing));
  return seen;
}

async function fillThird(engine: Engine): Promise<void> {
  for (let i = 0; i < 4; i++) {
    const refresh = i < 3;
    await engine.index(indexRequest('c', 'doc', String(i % 2), { n: i }, { refresh }));
  }
}

function acceptMissing(error: unknown): void {
  if (!(error instanceof EngineError) || error.status !== 404) throw error;
}

function updateRequest(index: string, id: string, doc: Record<string, number>): UpdateRequest {
  const body = parseJsonObject(JSON.stringify({ doc, doc_as_upsert: true }));
  const options = indexRequest(index, 'doc', id, {});
  return { ...options, id, body, retryOnConflict: 0, fields: undefined };
}

async function verify(engine: Engine, seen: Acknowledged): Promise<void> {
  for (const [key, n] of seen.documents) {
    const [index, id] = key.split('/') as [string, string];
    const { found, source } = await engine.get(getRequest(index, 'doc', id));
    expect({ key, found }).toEqual({ key, found: true });
    expect((JSON.parse(source!.toString()) as { n: number }).n).toBe(n);
  }
  const targets = [...engine.state().indices.values()]
    .filter(({ aliases }) => aliases.has('live'))
    .map(({ name }) => name);
  expect(targets.length).toBeLessThanOrEqual(1);
  expect(seen.aliasTargets).toContain(targets[0] ?? '');
  await engine.maintenance.refresh([], OPEN_INDICES);
  for (const index of seen.indices) {
    const { hits } = await searchFor(engine, index, { size: 50 });
    const found = new Set(hits.map(({ _id }) => `${index}/${_id}`));
    for (const key of seen.documents.keys()) {
      if (key.startsWith(`${index}/`)) expect(found).toContain(key);
    }
    // Search and get agree, also about what was refused but took effect.
    for (const { _id } of hits) {
      expect((await engine.get(getRequest(index, 'doc', _id))).found).toBe(true);
    }
  }
}

/** Number of writes of an undisturbed session. */
async function countWrites(): Promise<number> {
  const plan = new FaultPlan();
  const folder = await EngineFolder.create();
  try {
    const engine = await folder.open({ wrap: plan.wrap });
    const start = plan.count;
    await session(engine);
    return plan.count - start;
  } finally {
    await folder.remove();
  }
}

describe.each([
  ['odd', 'without taking effect', 1, false],
  ['even', 'after taking effect', 2, true],
])('every %s write of a session fails once, %s', (_which, _how, first, landed) => {
  test('nothing acknowledged is lost and the node heals', async () => {
    const writes = await countWrites();
    expect(writes).toBeGreaterThan(15);
    note('failing writes', { writes, landed });
    const trial = async (n: number) => {
      const plan = new FaultPlan(0, 'write', landed);
      const folder = await EngineFolder.create();
      try {
        let engine = await folder.open({ wrap: plan.wrap });
        plan.failAt = plan.count + n;
        const seen = await session(engine);
        await healed(engine);
        await verify(engine, seen);
        const keys = new StoredKeys();
        engine = await folder.restart({
          wrap: keys.wrap(),
          now: () => Date.now() + GRACE_MS,
        });
        await verify(engine, seen);
        for (const index of seen.indices) {
          await engine.index(indexRequest(index, 'doc', 'last', { n: 0 }, { refresh: true }));
        }
        expect(await keys.settle(engine)).toEqual([]);
        expect(plan.writesAfterFailure).toBe(0);
      } catch (error) {
        throw new Error(`write ${n} of ${writes}`, { cause: error });
      } finally {
        await folder.remove();
      }
    };
    // Side by side, as most of the time is spent waiting for the disk.
    let next = first;
    const trials = async () => {
      for (let n = next; n <= writes; n = next) {
        next += 2;
        await trial(n);
      }
    };
    await Promise.all(Array.from({ length: 6 }, trials));
  });
});
