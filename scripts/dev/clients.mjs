// Sessions of clients in other languages (test/clients), each against a server of its own.
//
//   npm run clients               all whose toolchain is there
//   npm run clients -- python     one of them: python, go
//
// Packages come from the registries of the languages; versions are pinned beside each session. Ends with 1 when
// a step went wrong, and when a session that was asked for by name cannot run here.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const CACHE = resolve('.cache/clients');
const START_MS = 60_000;

/** What each needs, how it is made ready, and how it runs. */
const SESSIONS = {
  python: {
    needs: ['python3', '--version'],
    prepare() {
      const home = join(CACHE, 'python');
      const python = join(home, 'bin', 'python');
      if (!existsSync(python)) command('python3', ['-m', 'venv', home]);
      command(python, ['-m', 'pip', 'install', '-q', '-r', 'test/clients/python/requirements.txt']);
      return [python, ['test/clients/python/session.py']];
    },
  },
  go: {
    needs: ['go', 'version'],
    prepare() {
      const program = join(CACHE, 'go-session');
      command('go', ['build', '-o', program, '.'], 'test/clients/go');
      return [program, []];
    },
  },
};

function command(program, args, cwd = '.') {
  const { status } = spawnSync(program, args, { stdio: 'inherit', cwd });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function answers(address, server) {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(100)) {
    if (server.exitCode !== null) break;
    const answer = await fetch(`http://${address}/`).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error('the server does not answer');
}

/** Whether all went well. */
async function run(name) {
  const [program, args] = SESSIONS[name].prepare();
  const folder = mkdtempSync(join(tmpdir(), `facetd-client-${name}-`));
  const repositories = join(folder, 'repositories');
  const address = `127.0.0.1:${await freePort()}`;
  const settings = [`path.repo=${repositories}`, 'logger.level=warn'].flatMap((s) => ['--set', s]);
  const main = ['dist/server/main.js', '--port', address.split(':')[1]];
  const server = spawn(process.execPath, [...main, '--data', join(folder, 'data'), ...settings], {
    stdio: 'inherit',
  });
  const ended = new Promise((done) => server.once('exit', done));
  try {
    await answers(address, server);
    console.log(`\n${name}`);
    const env = { ...process.env, SERVER: address, REPOSITORIES: repositories };
    return spawnSync(program, args, { stdio: 'inherit', env }).status === 0;
  } finally {
    server.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

mkdirSync(CACHE, { recursive: true });
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(SESSIONS, name));
if (unknown !== undefined)
  throw new Error(`no session ${unknown}: ${Object.keys(SESSIONS).join(', ')}`);
let isWrong = false;
for (const [name, { needs }] of Object.entries(SESSIONS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const [tool, ...args] = needs;
  if (spawnSync(tool, args).status !== 0) {
    console.log(`${name} left out: ${tool} is not there`);
    isWrong ||= wanted.length > 0;
  } else isWrong = !(await run(name)) || isWrong;
}
process.exit(isWrong ? 1 : 0);
