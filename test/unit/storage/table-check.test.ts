// Damage in tables is found wherever it is, and marked so that LevelDB refuses it.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LevelDatabase } from '../../../storage/level-database';
import { extendCrc, maskCrc, maskedCrc } from '../../../storage/level-files/crc32c';
import { listedTables } from '../../../storage/level-files/file-list';
import { tableProblems } from '../../../storage/level-files/table-blocks';
import { checkTables, listTables, type CheckPace } from '../../../storage/table-check';
import { Random, testSeed } from '../../support/random';
import { removeFolders, temporaryFolder } from './support';

const AT_ONCE: CheckPace = { checked: async () => undefined, isOver: () => false };
const ALL = { gte: Buffer.from([0]), lt: Buffer.from([255]) };

afterEach(removeFolders);

/** A folder whose `log` has tables. @returns the folder */
async function folderOfTables(): Promise<string> {
  const folder = temporaryFolder();
  const path = join(folder, 'log');
  const random = new Random(5);
  for (let round = 0; round < 3; round++) {
    const database = await LevelDatabase.open('log', path, round === 0);
    for (let i = 0; i < 400; i += 20) {
      const operations = Array.from({ length: 20 }, (_, n) => ({
        type: 'put' as const,
        key: Buffer.from(`key${String(i + n).padStart(6, '0')}`),
        value: Buffer.from(Array.from({ length: 30 }, () => random.below(1e6)).join()),
      }));
      await database.batch(operations);
    }
    await database.flush();
    await database.close();
  }
  return folder;
}

async function tableNames(folder: string): Promise<string[]> {
  return (await readdir(join(folder, 'log'))).filter((name) => name.endsWith('.ldb')).sort();
}

async function readAll(folder: string): Promise<string> {
  const database = await LevelDatabase.open('log', join(folder, 'log'), false);
  try {
    let count = 0;
    for await (const slice of database.scan(ALL, { sliceBytes: 1e6 })) count += slice.length;
    return `${count} entries`;
  } catch (error) {
    return String(error);
  } finally {
    await database.close();
  }
}

test('the sum of eight bytes at a time is that of one at a time', () => {
  expect(maskedCrc(Buffer.from('x123456789'), 1, 10)).toBe(maskCrc(~0xe3069283));
  const random = new Random(3);
  const bytes = Buffer.from(Array.from({ length: 100 }, () => random.below(256)));
  for (let from = 0; from < 10; from++) {
    for (let to = from; to < bytes.length; to++) {
      let sum = 0xffffffff;
      for (let i = from; i < to; i++) sum = extendCrc(sum, bytes[i]!);
      expect(maskedCrc(bytes, from, to)).toBe(maskCrc(sum));
    }
  }
});

test('the tables of a database are those of its list, with their sizes', async () => {
  const folder = await folderOfTables();
  const path = join(folder, 'log');
  const names = await tableNames(folder);
  expect(names.length).toBeGreaterThan(0);
  const sizes = new Map<string, number | null>(
    names.map((name) => [name, statSync(join(path, name)).size]),
  );
  expect((await listTables(folder, 'log')).tables).toEqual(sizes);
  // Left over from a compaction that was not finished.
  writeFileSync(join(path, '999999.ldb'), 'half of a table');
  expect((await listTables(folder, 'log')).tables).toEqual(sizes);
  expect(await checkTables(folder, await listTables(folder, 'log'), AT_ONCE)).toEqual([]);
  const manifest = join(path, readFileSync(join(path, 'CURRENT'), 'latin1').trim());
  const list = readFileSync(manifest);
  list[12]! ^= 4;
  expect(() => listedTables(list)).toThrow('wrong checksum');
  // LevelDB says what is wrong with its list; until then every table counts.
  writeFileSync(manifest, list);
  const all = await listTables(folder, 'log');
  expect([...all.tables.keys()]).toEqual([...names, '999999.ldb']);
});

test('each flipped bit is found, and LevelDB refuses what it is in', async () => {
  const folder = await folderOfTables();
  const whole = await readAll(folder);
  const [name] = await tableNames(folder);
  const path = join(folder, 'log', name!);
  const intact = await readFile(path);
  const random = new Random(testSeed(20_150_101));
  const footer = intact.length - 48;
  let refused = 0;
  for (let round = 0; round < 60; round++) {
    const file = Buffer.from(intact);
    // Half of them near the end, where filter, lists and footer are.
    const at = round % 2 === 0 ? random.below(file.length) : footer - 200 + random.below(248);
    file[at]! ^= 1 << random.below(8);
    await writeFile(path, file);
    const [damage, ...others] = await checkTables(folder, await listTables(folder, 'log'), AT_ONCE);
    expect({ at, damage }).toMatchObject({ at, damage: { file: `log/${name!}` } });
    expect(others).toEqual([]);
    // What is marked is damage as before, but no news.
    const again = await checkTables(folder, await listTables(folder, 'log'), AT_ONCE);
    expect(again).toMatchObject([{ file: `log/${name!}`, isNew: false }]);
    expect(tableProblems(await readFile(path)).every(({ mark }) => mark === null)).toBe(true);
    const answer = await readAll(folder);
    if (answer === whole) continue;
    expect(`${at}: ${answer}`).toMatch(/^\d+: Corr.*Error/);
    refused++;
  }
  expect(refused).toBeGreaterThan(30);
});

test('a table that is cut short, or gone in the meantime', async () => {
  const folder = await folderOfTables();
  const [name] = await tableNames(folder);
  const path = join(folder, 'log', name!);
  const list = await listTables(folder, 'log');
  await writeFile(path, (await readFile(path)).subarray(0, 1000));
  const [damage] = await checkTables(folder, list, AT_ONCE);
  expect(damage?.problem).toContain('it has 1000 bytes, not ');
  const gone = { ...list, tables: new Map([['000001.ldb', 5]]) };
  expect(await checkTables(folder, gone, AT_ONCE)).toEqual([]);
});
