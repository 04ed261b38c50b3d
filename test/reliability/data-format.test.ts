// Data folders that earlier builds wrote (test/fixtures): each is opened and answers as it did then. A format
// that is not known is refused, by the server and by the commands that look at folders.

import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32, gunzipSync } from 'node:zlib';
import { openEngine } from '../../engine/index';
import { FORMAT_VERSION } from '../../storage/stamp';
import { inspectFolder } from '../../storage/inspect/inspect';
import { repairFolder } from '../../storage/inspect/rewrite';
import { nodeSettings } from '../support/engine';
import { HttpClient } from '../support/http-client';
import { MAIN } from '../support/server-process';

const FIXTURES = join(__dirname, '..', 'fixtures');
const NEWEST = `data-format-${FORMAT_VERSION}`;

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly answer: unknown;
}

let root: string;
let copies = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'facetd-format-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Puts the files of a fixture in a new folder. */
async function unpack(fixture: string): Promise<string> {
  const folder = join(root, `copy-${++copies}`);
  const packed = await readFile(join(FIXTURES, fixture, 'files.json.gz'));
  const files = JSON.parse(gunzipSync(packed).toString()) as Record<string, string>;
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, name), Buffer.from(content, 'base64'), { mode: 0o600 });
  }
  return folder;
}

async function setFormat(folder: string, format: number): Promise<void> {
  const file = join(folder, 'facetd.stamp');
  const text = await readFile(file, 'utf8');
  const changed = text.replace(/format \d+\n/, `format ${format}\n`).replace(/crc32 .*\n$/, '');
  await writeFile(file, `${changed}crc32 ${crc32(changed).toString(16).padStart(8, '0')}\n`);
}

test('there is a fixture of the present format', async () => {
  expect(await readdir(FIXTURES)).toContain(NEWEST);
});

test('every fixture is whole, and answers as it did when it was made', async () => {
  const fixtures = (await readdir(FIXTURES)).filter((name) => name.startsWith('data-format-'));
  for (const fixture of fixtures) {
    const folder = await unpack(fixture);
    if (fixture === NEWEST) {
      const { problems, documents } = await inspectFolder(folder, () => undefined);
      expect(problems).toEqual([]);
      expect(documents).toBe(43);
    }
    const client = await HttpClient.start({
      'path.data': folder,
      'search.default_search_type': 'dfs_query_then_fetch',
    });
    try {
      await client.ok('POST', '/_refresh');
      const recorded = await readFile(join(FIXTURES, fixture, 'answers.json'), 'utf8');
      for (const { method, path, body, answer } of JSON.parse(recorded) as Recorded[]) {
        const { text, body: parsed } = await client.send(method, path, body);
        const given = text.startsWith('{') ? parsed : text.trim().split(/\s+/).at(-1);
        expect({ fixture, path, body, answer: withoutTime(given) }).toEqual({
          ...{ fixture, path, body, answer: withoutTime(answer) },
        });
      }
      // It can be written to as well.
      await client.ok('PUT', '/books/book/new?refresh=true', { title: 'new', price: 1 });
      expect(await client.ok('GET', '/books/_count')).toMatchObject({ count: 38 });
    } finally {
      await client.close();
    }
  }
});

test.each([
  [FORMAT_VERSION + 1, 'use a newer release'],
  [0, 'neither reads nor upgrades'],
])('format %i is refused with exit code 78, and nothing is touched', async (format, message) => {
  const folder = await unpack(NEWEST);
  await setFormat(folder, format);
  const before = await readdir(folder, { recursive: true });
  const refused = {
    name: 'FormatVersionError',
    message: expect.stringContaining(message) as string,
  };
  await expect(openEngine({ settings: nodeSettings(folder) })).rejects.toMatchObject(refused);
  await expect(repairFolder(folder, () => undefined)).rejects.toMatchObject(refused);
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'verify', '--data', folder]);
  expect(stderr.toString()).toMatch(/^facetd verify: the data folder has format \d+, .*\n$/);
  expect(status).toBe(78);
  expect(await readdir(folder, { recursive: true })).toEqual(before);
});

function withoutTime(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const { took: _took, ...rest } = answer as Record<string, unknown>;
  return rest;
}
