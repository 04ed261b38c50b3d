// facetd-verify and facetd-repair on a really damaged copy of a data folder.

import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine, type Engine } from '../../engine/index';
import { inspectFolder } from '../../storage/inspect/inspect';
import { KeyPrefix, shardOfKey } from '../../storage/keys';
import { LevelDatabase } from '../../storage/level-database';
import { getRequest, indexRequest, nodeSettings, OPEN_INDICES } from '../support/engine';

const SCRIPTS = join(__dirname, '..', '..', 'dist', 'scripts', 'check');
const DOCUMENTS = 60;

let root: string;
let intact: string;
let copies = 0;

function open(dataPath: string): Promise<Engine> {
  return openEngine({ settings: nodeSettings(dataPath, { workers: 0 }) });
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'facetd-repair-'));
  intact = join(root, 'intact');
  const engine = await open(intact);
  for (let i = 0; i < DOCUMENTS; i++) {
    const source = { n: i, text: `word${i % 5} common ${'x'.repeat(i * 7)}` };
    for (const index of ['one', 'two']) {
      await engine.index(indexRequest(index, 'doc', String(i), source));
    }
    if (i % 12 !== 11) continue;
    await engine.index(indexRequest('one', 'doc', String(i - 4), { n: -i }));
    await engine.delete({ ...indexRequest('one', 'doc', String(i - 3), {}), id: `${i - 3}` });
    await engine.maintenance.refresh(['one', 'two'], OPEN_INDICES);
  }
  await engine.close();
  // Opened once more: what was written is in table files then.
  await (await open(intact)).close();
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function copy(): Promise<string> {
  const folder = join(root, `copy-${++copies}`);
  await cp(intact, folder, { recursive: true });
  return folder;
}

/** Changes the stored values for which `damage` returns something else; null removes them. */
async function rewrite(
  folder: string,
  name: 'log' | 'segments',
  damage: (key: Buffer, value: Buffer) => Buffer | null | undefined,
): Promise<number> {
  const database = await LevelDatabase.open(name, join(folder, name), false);
  let changed = 0;
  const range = { gte: Buffer.from([0]), lt: Buffer.from([0xff]) };
  for await (const slice of database.scan(range, { sliceBytes: 1 << 20 })) {
    for (const [key, value] of slice) {
      const next = damage(key, value);
      if (next === undefined) continue;
      changed++;
      await database.batch([
        next === null ? { type: 'del', key } : { type: 'put', key, value: next },
      ]);
    }
  }
  await database.close();
  return changed;
}

function flipped(value: Buffer): Buffer {
  const other = Buffer.from(value);
  other[other.length >> 1]! ^= 4;
  return other;
}

function run(program: 'verify' | 'repair', ...args: string[]): [number | null, string] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [
    join(SCRIPTS, `${program}.js`),
    ...args,
  ]);
  return [status, stdout.toString() + stderr.toString()];
}

/** All files of a folder with their contents. */
async function contents(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) files.set(name, (await readFile(path)).toString('base64'));
  }
  return files;
}

/** Numbers of documents, by index, as a search counts them. */
async function counts(folder: string): Promise<number[]> {
  const engine = await open(folder);
  try {
    const stats = await engine.maintenance.stats(['one', 'two']);
    return stats.map(({ shards }) => shards.reduce((sum, { docCount }) => sum + docCount, 0));
  } finally {
    await engine.close();
  }
}

test('a whole folder is whole, and not changed by being looked at', async () => {
  const folder = await copy();
  const before = await contents(folder);
  const [code, output] = run('verify', '--data', folder);
  expect(output).toContain(' 115 documents: 0 problems');
  expect(code).toBe(0);
  expect(await contents(folder)).toEqual(before);
  expect(run('repair', '--data', folder, '--yes')[1]).toContain('nothing to repair');
});

test('damaged blocks are found, and built again from the document log', async () => {
  const folder = await copy();
  const damaged = await rewrite(folder, 'segments', (key, value) =>
    key[0] === KeyPrefix.block ? flipped(value) : undefined,
  );
  expect(damaged).toBeGreaterThan(0);
  const [code, output] = run('verify', '--data', folder);
  expect(code).toBe(1);
  expect(output).toMatch(/damage: segments: block 0 of segment \d+/);
  expect(run('repair', '--data', folder)[0]).toBe(64);
  const [repaired, told] = run('repair', '--data', folder, '--yes');
  expect(told).toContain('repaired; the old databases are in');
  expect(repaired).toBe(0);
  expect(run('verify', '--data', folder)).toEqual([0, expect.stringContaining(' 0 problems')]);
  expect(await counts(folder)).toEqual(await counts(await copy()));
});

test('a commit point and uid entries are made again; a damaged record is lost by name', async () => {
  const folder = await copy();
  let records = 0;
  await rewrite(folder, 'log', (key, value) => {
    if (key[0] === KeyPrefix.commit && shardOfKey(key) === 1) return flipped(value);
    if (key[0] === KeyPrefix.uid && value[0] === 0 && key.at(-1) === 0x37) return flipped(value);
    if (key[0] === KeyPrefix.record && ++records === 3) return flipped(value);
    return undefined;
  });
  const [code, output] = run('repair', '--data', folder, '--yes');
  expect(code).toBe(1);
  expect(output.match(/^lost: .*/gm)).toEqual([
    expect.stringMatching(
      /^lost: document \[doc\]\[\d+\] of shard \d+ \((one|two)\[0\]\): record 3 of shard/,
    ),
  ]);
  expect(run('verify', '--data', folder)[1]).toContain(' 0 problems');
  const engine = await open(folder);
  const { found } = await engine.get(getRequest('two', 'doc', '17'));
  expect(found).toBe(true);
  await engine.close();
  const [one, two] = await counts(folder);
  const [allOne, allTwo] = await counts(await copy());
  expect(one! + two!).toBe(allOne! + allTwo! - 1);
});

test('every flipped bit of a table file is seen', async () => {
  const folder = await copy();
  const tables = (await readdir(join(folder, 'log'))).filter((name) => name.endsWith('.ldb'));
  expect(tables.length).toBeGreaterThan(0);
  const path = join(folder, 'log', tables[0]!);
  const bytes = await readFile(path);
  for (let i = 1; i <= 20; i++) {
    const other = Buffer.from(bytes);
    // Not the padding of the footer, which nobody reads.
    other[Math.floor(((bytes.length - 64) * i) / 21)]! ^= 1 << (i % 8);
    await writeFile(path, other);
    const seen = await inspectFolder(folder, () => undefined).then(
      ({ problems }) => problems.join('\n'),
      (error: Error) => error.message,
    );
    expect(seen).toMatch(/checksum|damaged|corrupt|bounds|missing/i);
  }
});

test('a folder in use is refused', async () => {
  const folder = await copy();
  const engine = await open(folder);
  try {
    expect(run('verify', '--data', folder)).toEqual([2, expect.stringContaining('is in use')]);
    expect(run('repair', '--data', folder, '--yes')[0]).toBe(2);
  } finally {
    await engine.close();
  }
});
