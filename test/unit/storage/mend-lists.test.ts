// A last change of LevelDB's list of files that a power cut made garbage of is cut off, and nothing else is.

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LevelDatabase } from '../../../storage/level-database';
import { mendLists } from '../../../storage/mend-lists';
import { removeFolders, temporaryFolder } from './support';

const ALL = { gte: Buffer.from([0]), lt: Buffer.from([255]) };

let before: string;
let after: string;
let warnings: string[];

/** Folders as they were before a flush and after it, which is one change of the list. */
beforeEach(async () => {
  const folder = temporaryFolder();
  before = temporaryFolder();
  after = temporaryFolder();
  warnings = [];
  const database = await LevelDatabase.open('log', join(folder, 'log'), true);
  for (let n = 0; n < 50; n++) {
    await database.batch([{ type: 'put', key: Buffer.of(65, n), value: Buffer.alloc(100, n) }]);
    if (n === 20) await database.flush();
  }
  cpSync(folder, before, { recursive: true });
  await database.flush();
  cpSync(folder, after, { recursive: true });
  await database.close();
});
afterEach(removeFolders);

function listFile(folder: string): string {
  return join(folder, 'log', readFileSync(join(folder, 'log', 'CURRENT'), 'latin1').trim());
}

/** The list after the change, whose bytes from `from` on are something else. */
function garbled(from: number): Buffer {
  const list = Buffer.from(readFileSync(listFile(after)));
  for (let at = from + 8; at < list.length; at++) list[at]! ^= 0x5a;
  return list;
}

async function count(folder: string): Promise<number> {
  const database = await LevelDatabase.open('log', join(folder, 'log'), false);
  try {
    let entries = 0;
    for await (const slice of database.scan(ALL, { sliceBytes: 1e6 })) entries += slice.length;
    return entries;
  } finally {
    await database.close();
  }
}

const mend = (folder: string): Promise<void> =>
  mendLists(folder, (message) => warnings.push(message));

test('a change that was not written to its end is cut off, and nothing is lost', async () => {
  const whole = readFileSync(listFile(before));
  writeFileSync(listFile(before), garbled(whole.length));
  await expect(count(before)).rejects.toThrow('checksum mismatch');
  await mend(before);
  expect(warnings.join()).toMatch(/^log\/MANIFEST-\d+: \d+ bytes of a change/);
  expect(readFileSync(listFile(before))).toEqual(whole);
  expect(await count(before)).toBe(50);
});

test('a change that was made is not taken back when it is damaged later', async () => {
  // What it made unnecessary is gone.
  const damaged = garbled(readFileSync(listFile(before)).length);
  writeFileSync(listFile(after), damaged);
  await mend(after);
  expect([warnings, readFileSync(listFile(after))]).toEqual([[], damaged]);
});

test('damage in the middle, and a whole list, stay as they are', async () => {
  const whole = readFileSync(listFile(before));
  await mend(before);
  const damaged = Buffer.from(whole);
  damaged[9]! ^= 1;
  writeFileSync(listFile(before), damaged);
  await mend(before);
  expect([warnings, readFileSync(listFile(before))]).toEqual([[], damaged]);
});
