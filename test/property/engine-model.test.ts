// Random operation sequences with restarts and failing batches in between, against a model of a few lines:
// a map from id to value and version, and the names an alias stands for.

import { EngineError } from '../../engine/errors';
import type { Engine } from '../../engine/index';
import {
  EngineFolder,
  getRequest,
  indexRequest,
  OPEN_INDICES,
  toSegments,
  searchFor,
} from '../support/engine';
import { FaultPlan } from '../support/faulty-database';
import { propertyRuns, Random, rounds, testSeed } from '../support/random';
import { TEST_WORKERS } from '../support/workers';
import type { VersionType } from '../../engine/api/documents';

interface ModelDocument {
  /** null: deleted, the version goes on. */
  n: number | null;
  version: number;
}

const INDICES = ['one', 'two'];
const IDS = ['1', '2', '3', '__proto__', 'constructor', 'ü', 'a#b', ''];
const OPERATIONS = TEST_WORKERS === 0 ? 200 : rounds(60, 150);

/** Lets one of the next batches fail, before or after it took effect. */
function failSoon(plan: FaultPlan, skip: number, landed: boolean): void {
  plan.failAt = plan.count + 1 + skip;
  plan.landed = landed;
}

class Model {
  readonly documents = new Map<string, ModelDocument>();
  alias: string[] = [];

  key(index: string, id: string): string {
    return `${index}/${id}`;
  }
}

async function runSequence(seed: number, faults: boolean): Promise<void> {
  const random = new Random(seed);
  const folder = await EngineFolder.create();
  const model = new Model();
  const plan = new FaultPlan();
  let engine = await folder.open({ wrap: plan.wrap });
  /** Documents whose last write was not acknowledged: either state is right, the next read decides. */
  const unsure = new Map<string, ModelDocument>();
  try {
    for (const index of INDICES) {
      await engine.admin.createIndex(
        index,
        new Map([['settings', new Map([['number_of_shards', '3']])]]),
      );
    }
    for (let step = 0; step < OPERATIONS; step++) {
      const index = random.pick(INDICES);
      const id = random.pick(IDS);
      const dice = random.next();
      if (faults && random.chance(0.04)) failSoon(plan, random.below(3), random.chance(0.5));
      if (dice < 0.5) await write(engine, model, unsure, random, index, id);
      else if (dice < 0.65) await remove(engine, model, unsure, index, id);
      else if (dice < 0.75) await checkGet(engine, model, unsure, index, id);
      else if (dice < 0.85) await flip(engine, model, random);
      else if (dice < 0.9)
        await engine.maintenance.refresh([], OPEN_INDICES).catch(ignoreStorageFailure);
      else if (dice < 0.93)
        await engine.maintenance
          .optimize([], OPEN_INDICES, toSegments(1))
          .catch(ignoreStorageFailure);
      else if (dice < 0.96) {
        plan.failAt = 0;
        engine = await folder.restart({ wrap: plan.wrap });
      } else if (unsure.size === 0) await checkSearch(engine, model);
    }
    plan.failAt = 0;
    engine = await folder.restart();
    for (const index of INDICES) {
      for (const id of IDS) await checkGet(engine, model, unsure, index, id);
    }
    await checkSearch(engine, model);
  } catch (error) {
    throw new Error(`seed ${seed}`, { cause: error });
  } finally {
    plan.failAt = 0;
    await folder.remove();
  }
}

function isStorageFailure(error: unknown): boolean {
  return error instanceof EngineError && error.status === 503;
}

function ignoreStorageFailure(error: unknown): void {
  if (!isStorageFailure(error)) throw error;
}

async function write(
  engine: Engine,
  model: Model,
  unsure: Map<string, ModelDocument>,
  random: Random,
  index: string,
  id: string,
): Promise<void> {
  const key = model.key(index, id);
  if (id === '' || unsure.has(key)) return;
  const old = model.documents.get(key);
  const n = random.below(1000);
  const versionType: VersionType = random.chance(0.2) ? 'external' : 'internal';
  const version =
    versionType === 'external'
      ? random.below(20)
      : random.chance(0.2)
        ? random.between(1, 4)
        : undefined;
  const conflict =
    versionType === 'external'
      ? old !== undefined && version! <= old.version
      : version !== undefined && version !== (old?.version ?? -1);
  const next = {
    n,
    version: versionType === 'external' ? version! : (old?.version ?? 0) + 1,
  };
  try {
    const result = await engine.index(
      indexRequest(index, 'doc', id, { n }, { version, versionType, refresh: random.chance(0.1) }),
    );
    expect(conflict).toBe(false);
    expect(result).toMatchObject({ version: next.version, created: (old?.n ?? null) === null });
    model.documents.set(key, next);
  } catch (error) {
    if (isStorageFailure(error)) unsure.set(key, next);
    else if (error instanceof EngineError && error.status === 409) expect(conflict).toBe(true);
    else throw error;
  }
}

async function remove(
  engine: Engine,
  model: Model,
  unsure: Map<string, ModelDocument>,
  index: string,
  id: string,
): Promise<void> {
  const key = model.key(index, id);
  if (id === '' || unsure.has(key)) return;
  const old = model.documents.get(key);
  const next = { n: null, version: (old?.version ?? 0) + 1 };
  try {
    const result = await engine.delete({
      ...indexRequest(index, 'doc', id, {}),
      id,
    });
    expect(result).toMatchObject({ version: next.version, found: (old?.n ?? null) !== null });
    model.documents.set(key, next);
  } catch (error) {
    if (!isStorageFailure(error)) throw error;
    unsure.set(key, next);
  }
}

async function checkGet(
  engine: Engine,
  model: Model,
  unsure: Map<string, ModelDocument>,
  index: string,
  id: string,
): Promise<void> {
  const key = model.key(index, id);
  let answer;
  try {
    answer = await engine.get(getRequest(index, 'doc', id));
  } catch (error) {
    ignoreStorageFailure(error);
    return;
  }
  const found = answer.found ? (JSON.parse(answer.source!.toString()) as { n: number }).n : null;
  const maybe = unsure.get(key);
  if (maybe !== undefined) {
    const before = model.documents.get(key)?.n ?? null;
    expect([before, maybe.n]).toContain(found);
    // A refused delete of a missing document may have left a tombstone: only a live version tells.
    if (answer.found) {
      unsure.delete(key);
      model.documents.set(key, { n: found, version: answer.version });
    } else if (before !== null) {
      unsure.delete(key);
      model.documents.set(key, maybe);
    }
    return;
  }
  expect(found).toBe(model.documents.get(key)?.n ?? null);
  if (answer.found) expect(answer.version).toBe(model.documents.get(key)!.version);
}

async function flip(engine: Engine, model: Model, random: Random): Promise<void> {
  const target = random.pick(INDICES);
  const names = (indices: readonly string[], kind: 'add' | 'remove') =>
    indices.map((index) => ({
      kind,
      indices: [index],
      aliases: ['live'],
      filter: undefined,
      indexRouting: undefined,
      searchRouting: undefined,
    }));
  try {
    await engine.admin.updateAliases([...names(model.alias, 'remove'), ...names([target], 'add')]);
    model.alias = [target];
  } catch (error) {
    if (!isStorageFailure(error)) throw error;
    await settleAlias(engine, model, target);
  }
}

/** After a failed batch the swap is there or not, never half. */
async function settleAlias(engine: Engine, model: Model, target: string): Promise<void> {
  for (;;) {
    try {
      await engine.maintenance.refresh([], OPEN_INDICES);
      break;
    } catch (error) {
      ignoreStorageFailure(error);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  const now = [...engine.state().indices.values()]
    .filter(({ aliases }) => aliases.has('live'))
    .map(({ name }) => name);
  expect([[...model.alias], [target]]).toContainEqual(now);
  model.alias = now;
}

async function checkSearch(engine: Engine, model: Model): Promise<void> {
  try {
    await engine.maintenance.refresh([], OPEN_INDICES);
    for (const index of INDICES) {
      const { hits, total } = await searchFor(engine, index, { size: 100 });
      const expected = IDS.filter(
        (id) => (model.documents.get(model.key(index, id))?.n ?? null) !== null,
      );
      expect(hits.map(({ _id }) => _id).sort()).toEqual([...expected].sort());
      expect(total).toBe(expected.length);
      for (const { _id, _source } of hits) {
        expect(_source['n']).toBe(model.documents.get(model.key(index, _id))!.n);
      }
    }
  } catch (error) {
    ignoreStorageFailure(error);
  }
}

// Every restart starts threads, too.
const SEEDS = Array.from(
  { length: propertyRuns(TEST_WORKERS === 0 ? 3 : 1) },
  (_, i) => testSeed(4711) + i,
);

test.each(SEEDS)('random operations with restarts agree with the model (seed %i)', async (seed) => {
  await runSequence(seed, false);
});

test.each(SEEDS)(
  'random operations with failing batches agree with the model (seed %i)',
  async (seed) => {
    await runSequence(seed, true);
  },
);
