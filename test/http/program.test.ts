// The compiled program itself: its exit codes and its end. `npm test` builds first.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNode, type NodeChild } from '../support/child';
import { until } from '../support/until';

const MAIN = join(__dirname, '..', '..', 'dist', 'server', 'main.js');

let folder: string;
const running: NodeChild[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facetd-program-'));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function start(...args: string[]): { child: NodeChild; output: () => string } {
  const child = startNode(MAIN, args, folder);
  running.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}
async function run(...args: string[]): Promise<[number | null, string]> {
  const { child, output } = start(...args);
  const [code] = (await once(child, 'close')) as [number | null];
  return [code, output()];
}
async function listening(output: () => string): Promise<string> {
  const address = () => /listening on (http:[^"\s]+)/.exec(output())?.[1];
  await until(() => address() !== undefined, output);
  return address()!;
}

test('version and help end at once', async () => {
  expect(await run('--version')).toEqual([0, expect.stringMatching(/^facetd \d+\.\d+\.\d+\n$/)]);
  const [code, help] = await run('--help');
  expect(code).toBe(0);
  expect(help).toContain('http.max_content_length (default: 100mb)');
});

test('a bad configuration is one clear line and exit code 78', async () => {
  expect(await run('--set', 'htp.port=1')).toEqual([
    78,
    'facetd: unknown setting htp.port in --set; --help lists all\n',
  ]);
  const [code, output] = await run('--host', '0.0.0.0');
  expect(code).toBe(78);
  expect(output).toContain('network.insecure_bind');
});

test('sub-commands are programs with the exit codes and the output of their own', async () => {
  expect(await run('verify')).toEqual([64, expect.stringMatching(/^usage: facetd verify /)]);
  expect(await run('repair', '--help')).toEqual([
    0,
    expect.stringMatching(/^usage: facetd repair /),
  ]);
  expect(await run('verify', '--data', 'nowhere')).toEqual([
    2,
    expect.stringMatching(/^facetd verify: .*\n$/),
  ]);
});

test('serves until SIGTERM, keeps what it acknowledged, and ends with 0', async () => {
  const options = ['--port', '0', '--data', 'data', '--set', 'node.workers=0'];
  const first = start(...options);
  const address = await listening(first.output);
  const put = await fetch(`${address}/i/t/1`, { method: 'PUT', body: '{"a":1}' });
  expect(put.status).toBe(201);
  first.child.kill('SIGTERM');
  expect(await once(first.child, 'close')).toEqual([0, null]);

  const second = start(...options);
  const again = await fetch(`${await listening(second.output)}/i/t/1/_source`);
  expect(await again.text()).toBe('{"a":1}');
  second.child.kill('SIGINT');
  expect(await once(second.child, 'close')).toEqual([0, null]);
});

test('a port that is taken is a failure', async () => {
  const first = start('--port', '0', '--data', 'data', '--set', 'node.workers=0');
  const port = new URL(await listening(first.output)).port;
  const [code, output] = await run('--port', port, '--data', 'other', '--set', 'node.workers=0');
  expect(code).toBe(1);
  expect(output).toContain('EADDRINUSE');
});
