// Nothing is left behind: after updates, deletes, merges, deleted indices, restarts and failures, and after
// the time for which deleted versions are kept, both databases hold what the live state needs and no more.

import type { Engine } from '../../engine/index';
import { EngineError } from '../../engine/errors';
import { EngineFolder, indexRequest, OPEN_INDICES, toSegments } from '../support/engine';
import { FaultPlan } from '../support/faulty-database';
import { propertyRuns, Random, testSeed } from '../support/random';
import { GRACE_MS, StoredKeys } from '../support/stored-keys';

const INDICES = ['a', 'b', 'c'];
const STEPS = 150;

const ALL_INDICES = { ...OPEN_INDICES, expandClosed: true, forbidClosed: false };

/** One shard each, refreshed only when told to. */
const ONE_SHARD = new Map([['settings', new Map([['refresh_interval', '-1']])]]);

class Node {
  readonly keys = new StoredKeys();
  readonly plan = new FaultPlan();
  now = 1_700_000_000_000;
  private constructor(
    readonly folder: EngineFolder,
    public engine: Engine,
  ) {}

  static async start(): Promise<Node> {
    const folder = await EngineFolder.create();
    const node = new Node(folder, null as unknown as Engine);
    await node.restart();
    return node;
  }

  async restart(): Promise<void> {
    this.plan.failAt = 0;
    this.engine = await this.folder.restart({
      wrap: this.keys.wrap(this.plan.wrap),
      now: () => this.now,
    });
  }

  /** What stays behind when everything that may go has gone. */
  async leftovers(): Promise<string[]> {
    const { engine } = this;
    await engine.admin.openIndices(['_all'], ALL_INDICES);
    await engine.maintenance.refresh([], OPEN_INDICES);
    this.now += GRACE_MS;
    // A new snapshot of each shard sets clearing away in motion.
    for (const index of engine.state().indices.keys()) {
      await engine.index(indexRequest(index, 'doc', 'last', { n: 0 }, { refresh: true }));
    }
    return this.keys.settle(engine);
  }
}

/** A missing or closed index is part of the game, and so is a failing disk. */
async function tolerate(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    expect([400, 403, 404, 503]).toContain(error.status);
    // Let it heal, or the rest of the session would be refused.
    if (error.status === 503) await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

async function step(node: Node, random: Random): Promise<void> {
  const { engine } = node;
  const index = random.pick(INDICES);
  const id = String(random.below(12));
  const dice = random.next();
  if (dice < 0.45) {
    const options = { refresh: random.chance(0.3) };
    await tolerate(engine.index(indexRequest(index, 'doc', id, { n: dice, [id]: 1 }, options)));
  } else if (dice < 0.65) {
    await tolerate(
      engine.delete({ ...indexRequest(index, 'doc', id, {}), id, refresh: random.chance(0.3) }),
    );
  } else if (dice < 0.75) await tolerate(engine.maintenance.flush([], OPEN_INDICES));
  else if (dice < 0.83)
    await tolerate(engine.maintenance.optimize([index], OPEN_INDICES, toSegments(1)));
  else if (dice < 0.87) await tolerate(engine.admin.createIndex(index, ONE_SHARD));
  else if (dice < 0.9) await tolerate(engine.admin.deleteIndices([index], ALL_INDICES));
  else if (dice < 0.93) await tolerate(engine.admin.closeIndices([index], OPEN_INDICES));
  else if (dice < 0.97) {
    await tolerate(engine.admin.openIndices([index], ALL_INDICES));
  } else node.now += 20_000;
}

const SEEDS = Array.from({ length: propertyRuns(2) }, (_, i) => testSeed(8501) + i);

describe.each([
  ['undisturbed', 0, 0],
  ['with restarts', 0.04, 0],
  ['with failing batches', 0.01, 0.05],
])('a random session %s', (_name, restarts, failures) => {
  test.each(SEEDS)('leaves nothing behind (seed %i)', async (seed) => {
    const random = new Random(seed);
    const node = await Node.start();
    try {
      const running: Promise<void>[] = [];
      for (let i = 0; i < STEPS; i++) {
        if (random.chance(restarts)) await node.restart();
        if (random.chance(failures)) {
          node.plan.landed = random.chance(0.5);
          node.plan.failAt = node.plan.count + 1 + random.below(4);
        }
        // Some steps run side by side.
        running.push(step(node, random));
        if (random.chance(0.7)) await Promise.all(running.splice(0));
      }
      await Promise.all(running);
      await node.restart();
      expect(await node.leftovers()).toEqual([]);
      await node.restart();
      expect(await node.leftovers()).toEqual([]);
    } finally {
      await node.folder.remove();
    }
  });
});

test('the version of a deleted document counts for its time, whether or not it was cleared away', async () => {
  const node = await Node.start();
  try {
    const { engine } = node;
    await engine.admin.createIndex('a', ONE_SHARD);
    const write = () => engine.index(indexRequest('a', 'doc', '1', { n: 1 }));
    const remove = () => engine.delete({ ...indexRequest('a', 'doc', '1', {}), id: '1' });
    await write();
    await remove();
    node.now += 59_000;
    expect(await write()).toMatchObject({ version: 3, created: true });
    await remove();
    node.now += 60_000;
    // Nothing was refreshed, so nothing can have been cleared away.
    expect(await write()).toMatchObject({ version: 1, created: true });
    expect(await node.leftovers()).toEqual([]);
  } finally {
    await node.folder.remove();
  }
});
