// The program over a data folder it cannot use: one clear line, and an exit code that a supervisor
// understands. `npm test` builds first.

import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { startNode } from '../support/child';
import { freePort, MAIN, ServerProcess } from '../support/server-process';

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-refused-'));
  data = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts the program and waits for its end. */
async function run(...options: string[]): Promise<{ code: number | null; output: string }> {
  const child = startNode(MAIN, ['--port', '0', '--data', data, ...options]);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Makes a data folder with one document; ends in order or by SIGKILL. */
async function fill(end: 'stop' | 'kill'): Promise<void> {
  const server = await ServerProcess.start(data, await freePort());
  const { status } = await server.send('PUT', '/i/doc/1', { n: 1 });
  expect(status).toBe(201);
  await server[end]();
}

async function changeStamp(change: (text: string) => string): Promise<void> {
  const file = join(data, 'facetd.stamp');
  const text = change(await readFile(file, 'utf8')).replace(/crc32 .*\n$/, '');
  const sum = crc32(text).toString(16).padStart(8, '0');
  await writeFile(file, `${text}crc32 ${sum}\n`);
}

test('a folder that another process has open', async () => {
  const server = await ServerProcess.start(data, await freePort());
  try {
    const { code, output } = await run();
    expect(code).toBe(1);
    expect(output).toMatch(
      /^facetd: the data folder is in use, another process has .*\/log open.*\n$/,
    );
    expect(output).toContain('stop that one first, or name another folder (--data FOLDER');
    if (process.platform === 'linux') expect(output).toContain(`(process ${server.pid}: `);
    expect((await server.send('GET', '/')).status).toBe(200);
  } finally {
    await server.stop();
  }
});

test('a folder of a newer release: exit code 78, and nothing is touched', async () => {
  await fill('stop');
  await changeStamp((text) => text.replace('format 1\n', 'format 2\n'));
  const before = await readdir(join(data, 'log'));
  const { code, output } = await run();
  expect(code).toBe(78);
  expect(output).toMatch(/^facetd: .*format 2, this release reads up to 1: use a newer release\n$/);
  expect(await readdir(join(data, 'log'))).toEqual(before);
});

test('acknowledged writes that are gone stop the start, until the operator accepts it', async () => {
  await fill('kill');
  const logs = (await readdir(join(data, 'log'))).filter((name) => name.endsWith('.log'));
  for (const name of logs) await writeFile(join(data, 'log', name), '');
  await changeStamp((text) => text.replace(/batch \d+/, 'batch 5'));
  const { code, output } = await run();
  expect(code).toBe(1);
  expect(output).toMatch(/^facetd: acknowledged writes are lost from the log database: .*\n$/);
  expect(output).toContain('node.accept_data_loss');
  const accepted = await ServerProcess.start(data, await freePort(), [
    'node.accept_data_loss=true',
  ]);
  expect(await accepted.stop()).toBe(0);
});

test('a folder that is not empty and not ours', async () => {
  await mkdir(data);
  await writeFile(join(data, 'thesis.txt'), 'precious');
  const { code, output } = await run();
  expect(code).toBe(1);
  expect(output).toContain('is not empty and is not a data folder of facetd');
  expect(await readdir(data)).toEqual(['thesis.txt']);
});

test('a folder that every user may write, until nobody else may', async () => {
  await mkdir(data);
  await chmod(data, 0o777);
  const { code, output } = await run();
  expect(code).toBe(78);
  expect(output).toContain(`facetd: every user may write the data folder ${data}: chmod o-w`);
  expect(await readdir(data)).toEqual([]);
  await chmod(data, 0o755);
  const warned = await ServerProcess.start(data, await freePort(), ['logger.level=warn']);
  expect(await warned.stop()).toBe(0);
  expect(warned.log()).toContain('has mode 755: others can enter it, 700 is recommended');
});
