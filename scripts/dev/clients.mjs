// Sessions of clients in other languages (test/clients), each against a server of its own.
//
//   npm run clients               all whose toolchain is there
//   npm run clients -- python     one of them: python, pyes, go, java
//
// Each runs twice: in the open, and over TLS with a key by Basic authentication.
//
// Packages come from the registries of the languages; versions are pinned beside each session. Ends with 1 when
// a step went wrong, and when a session that was asked for by name cannot run here.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const CACHE = resolve('.cache/clients');
const START_MS = 60_000;

/** What each needs, how it is made ready, and how it runs. */
const SESSIONS = {
  python: { needs: ['python3', '--version'], prepare: () => prepared('python') },
  pyes: { needs: ['python3', '--version'], prepare: () => prepared('pyes') },
  go: {
    needs: ['go', 'version'],
    prepare() {
      const program = join(CACHE, 'go-session');
      command('go', ['build', '-o', program, '.'], 'test/clients/go');
      return [program, []];
    },
  },
  java: {
    needs: ['mvn', '--version'],
    prepare() {
      const folder = join(CACHE, 'java');
      command(
        'mvn',
        ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`],
        'test/clients/java',
      );
      return ['java', ['-cp', join(folder, '*'), 'test/clients/java/Session.java']];
    },
  },
};

/** A Python of its own with the packages that stand beside a session, and that session. */
function prepared(folder) {
  const home = join(CACHE, folder);
  const python = join(home, 'bin', 'python');
  if (!existsSync(python)) command('python3', ['-m', 'venv', home]);
  const session = join('test', 'clients', folder);
  command(python, ['-m', 'pip', 'install', '-q', '-r', join(session, 'requirements.txt')]);
  return [python, [join(session, 'session.py')]];
}

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

async function listens(port, server) {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(100)) {
    if (server.exitCode !== null) break;
    const socket = connect(port, '127.0.0.1');
    const isThere = await new Promise((done) => {
      socket.once('connect', () => done(true)).once('error', () => done(false));
    });
    socket.destroy();
    if (isThere) return;
  }
  throw new Error('the server does not listen');
}

/** The settings of a server with TLS, with a key made in its folder, and what a client needs to get in. */
function secured(folder, data, port) {
  for (const name of ['certificate.pem', 'key.pem']) {
    copyFileSync(join('test', 'fixtures', 'tls', name), join(folder, name));
    chmodSync(join(folder, name), 0o600);
  }
  const made = spawnSync(
    process.execPath,
    ['dist/scripts/keys.js', 'create', 'client', '--role', 'admin', '--data', data],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const { secret } = JSON.parse(made.stdout);
  const CA = join(folder, 'certificate.pem');
  return {
    settings: [
      `http.tls.certificate=${CA}`,
      `http.tls.key=${join(folder, 'key.pem')}`,
      'http.authentication=true',
    ],
    environment: { SERVER: `https://client:${secret}@localhost:${port}`, CA },
  };
}

/** Whether all went well. */
async function run(name, [program, args], isSecured) {
  const folder = mkdtempSync(join(tmpdir(), `facetd-client-${name}-`));
  const repositories = join(folder, 'repositories');
  const data = join(folder, 'data');
  const port = await freePort();
  const { settings, environment } = isSecured
    ? secured(folder, data, port)
    : { settings: [], environment: { SERVER: `127.0.0.1:${port}` } };
  const set = [`path.repo=${repositories}`, 'logger.level=error', ...settings];
  const main = ['dist/server/main.js', '--port', String(port), '--data', data];
  const server = spawn(process.execPath, [...main, ...set.flatMap((each) => ['--set', each])], {
    stdio: 'inherit',
  });
  const ended = new Promise((done) => server.once('exit', done));
  try {
    await listens(port, server);
    console.log(`\n${name}${isSecured ? ' over TLS with a key' : ''}`);
    const env = {
      ...process.env,
      ...environment,
      REPOSITORIES: repositories,
      PYTHONPATH: 'test/clients',
    };
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
    continue;
  }
  const session = SESSIONS[name].prepare();
  for (const isSecured of [false, true])
    isWrong = !(await run(name, session, isSecured)) || isWrong;
}
process.exit(isWrong ? 1 : 0);
