// Damage at random places of a real data folder: verify names each, repair gives a folder that opens, and
// nothing is lost but what it says.

import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine, type Engine } from '../../engine/index';
import { inspectFolder } from '../../storage/inspect/inspect';
import { repairFolder } from '../../storage/inspect/rewrite';
import { getRequest, indexRequest, nodeSettings, OPEN_INDICES, searchFor } from '../support/engine';
import { Random, repetitions, testSeed } from '../support/random';

const DAMAGES = repetitions('DAMAGES', 8, 200);
const DOCUMENTS = 300;
const INDICES = ['one', 'two'];
const IDS = Array.from({ length: DOCUMENTS }, (_, i) => String(i));

let root: string;
let intact: string;
let expected: Map<string, string>;

function open(dataPath: string): Promise<Engine> {
  return openEngine({ settings: nodeSettings(dataPath, { workers: 0 }) });
}

/** What every document is: its version and source, or nothing. */
async function documents(engine: Engine): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const index of INDICES) {
    for (const id of IDS) {
      const { found, version, source } = await engine.get(getRequest(index, 'doc', id));
      all.set(`${index} ${id}`, found ? `${version} ${source?.toString()}` : 'none');
    }
  }
  return all;
}

beforeAll(async () => {
  const random = new Random(20140801);
  root = await mkdtemp(join(tmpdir(), 'facetd-damages-'));
  intact = join(root, 'intact');
  // Opened several times, so that there are several tables, and a write-ahead file with the last writes.
  for (let round = 0; round < 4; round++) {
    const engine = await open(intact);
    for (const index of INDICES) {
      const items = IDS.filter(() => round === 0 || random.chance(0.2)).map((id) => {
        const text = Array.from({ length: 20 }, () => `w${random.below(5000)}`).join(' ');
        return { kind: 'index' as const, request: indexRequest(index, 'doc', id, { round, text }) };
      });
      for (let from = 0; from < items.length; from += 40) {
        await engine.bulk(items.slice(from, from + 40), false);
      }
      for (let i = 0; i < 5; i++) {
        const id = String(random.below(DOCUMENTS));
        await engine.delete({ ...indexRequest(index, 'doc', id, {}), id });
      }
    }
    await engine.maintenance.refresh(INDICES, OPEN_INDICES);
    if (round === 3) {
      for (const id of ['7', '8', '9']) {
        await engine.index(indexRequest('one', 'doc', id, { late: id }));
      }
      expected = await documents(engine);
    }
    await engine.close();
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Damages one file in one place; says what was done. */
async function damage(folder: string, random: Random): Promise<{ file: string; what: string }> {
  const files: string[] = ['facetd.stamp'];
  for (const name of ['log', 'segments']) {
    for (const entry of await readdir(join(folder, name))) {
      const label = `${name}/${entry}`;
      const { size } = await stat(join(folder, label));
      if (/\.(ldb|log)$|^MANIFEST|^CURRENT$/.test(entry) && size > 0) files.push(label);
    }
  }
  // Large files more often, as on a real disk.
  const tables = files.filter((file) => /\.(ldb|log)$/.test(file));
  const file = random.pick(random.chance(0.8) ? tables : files);
  const path = join(folder, file);
  const bytes = await readFile(path);
  const at = random.below(bytes.length);
  const kind = random.below(3);
  if (kind === 0) bytes[at]! ^= 1 << random.below(8);
  if (kind === 1) {
    for (let i = at; i < Math.min(bytes.length, at + 64); i++) bytes[i]! ^= 0xff;
  }
  await writeFile(path, kind === 2 ? bytes.subarray(0, at) : bytes);
  const name = ['a bit flipped', '64 bytes changed', 'cut'][kind]!;
  return { file, what: `${file}: ${name} at ${at} of ${bytes.length}` };
}

test('the folder is whole before', async () => {
  expect((await inspectFolder(intact, () => undefined)).problems).toEqual([]);
});

test(`${DAMAGES} damages`, async () => {
  const random = new Random(testSeed(20140802));
  let repaired = 0;
  for (let round = 0; round < DAMAGES; round++) {
    const folder = join(root, 'copy');
    await rm(folder, { recursive: true, force: true });
    await cp(intact, folder, { recursive: true });
    const { file, what } = await damage(folder, random);
    const { problems, isMetadataDamaged } = await inspectFolder(folder, () => undefined);
    // A write-ahead file that is cut where a batch ends is a shorter one; in `log` the batch numbers tell.
    if (problems.length === 0) expect(what).toMatch(/^segments\/\d+\.log: cut/);
    else {
      const part = /^[a-z]+/.exec(file)![0].replace(/s$/, '');
      expect({ what, problems: problems.join('\n') }).toEqual({
        ...{ what, problems: expect.stringContaining(part) as unknown },
      });
    }
    if (isMetadataDamaged) {
      await expect(repairFolder(folder, () => undefined)).rejects.toThrow('restore a backup');
      continue;
    }
    repaired++;
    const { inspection } = await repairFolder(folder, () => undefined);
    expect({ what, again: (await inspectFolder(folder, () => undefined)).problems }).toEqual({
      ...{ what, again: [] },
    });
    const engine = await open(folder);
    try {
      const shards = new Map(
        INDICES.map((index) => [engine.state().indices.get(index)!.shardIds[0]!, index]),
      );
      const lost = new Set<string>();
      for (const text of inspection.lost) {
        const [, id, shard] = /^document \[doc\]\[(\d+)\] of shard (\d+)/.exec(text) ?? [];
        if (id !== undefined) lost.add(`${shards.get(Number(shard))} ${id}`);
      }
      const unnamed = inspection.lost.filter((text) => !text.startsWith('document '));
      const now = await documents(engine);
      const differing = [...expected].filter(
        ([name, was]) => now.get(name) !== was && !lost.has(name),
      );
      // Without a name only what is counted instead.
      expect({ what, unnamed, differing }).toEqual({
        what,
        unnamed,
        differing: unnamed.length === 0 ? [] : (expect.anything() as unknown),
      });
      await engine.maintenance.refresh(INDICES, OPEN_INDICES);
      for (const index of INDICES) {
        const { total } = await searchFor(engine, index, { size: 1 });
        const live = IDS.filter((id) => now.get(`${index} ${id}`) !== 'none').length;
        expect({ what, index, total }).toEqual({ what, index, total: live });
      }
    } finally {
      await engine.close();
    }
  }
  expect(repaired).toBeGreaterThan(DAMAGES / 2);
});
