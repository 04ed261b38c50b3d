// Proves that the package is whole: packs it, installs it globally below a temporary folder as a user would,
// and runs what was installed, without the sources and what builds them.
//
//   npm run test:package
//
// Dependencies come from npm's cache where they are there, else from the registry.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'facetd-package-'));
const prefix = join(folder, 'prefix');
const began = performance.now();

function say(text) {
  process.stdout.write(
    `${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${text}\n`,
  );
}

/** Runs a command to its end. @returns what it printed on standard output */
function run(command, args, cwd = folder) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

const bin = (name) => join(prefix, 'bin', name);

/** A server as it is installed; it is ended in any case. */
async function withServer(work) {
  const child = spawn(bin('facetd'), ['--port', '0', '--data', 'data'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let output = '';
    const url = await new Promise((resolve, reject) => {
      child.on('exit', (code) => reject(new Error(`facetd ended with ${code}: ${output}`)));
      child.stdout.on('data', (data) => {
        output += data;
        const found = /listening on (http:\/\/[^"\s]+)/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    await work(url);
  } finally {
    child.removeAllListeners('exit');
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }
}

async function ask(url, method, path, body) {
  const response = await fetch(url + path, { method, body: body && JSON.stringify(body) });
  const answer = await response.json();
  assert.ok(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

try {
  run('npm', ['pack', '--pack-destination', folder, '--loglevel', 'error'], ROOT);
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  say(`packed ${file}`);
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error'];
  run('npm', ['install', '--global', '--prefix', prefix, ...options, join(folder, file)]);
  say('installed');

  const installed = join(prefix, 'lib', 'node_modules', 'facetd');
  for (const none of ['server', 'engine', 'test', 'dist/scripts/dev', 'node_modules/esbuild']) {
    assert.ok(!existsSync(join(installed, none)), `${none} has no business in the package`);
  }
  const { version, bin: commands } = JSON.parse(readFileSync(join(installed, 'package.json')));
  assert.equal(run(bin('facetd'), ['--version']), `facetd ${version}\n`);
  for (const name of Object.keys(commands))
    assert.match(run(bin(name), ['--help']), /usage: facetd/);
  const shell = spawnSync('bash', ['-n'], { input: run(bin('facetd'), ['completion', 'bash']) });
  if (shell.error === undefined) assert.equal(shell.status, 0, String(shell.stderr));
  const pages = readdirSync(join(prefix, 'share', 'man', 'man1'));
  assert.ok(pages.includes('facetd.1') && pages.includes('facetd-backup.1'), String(pages));
  say(`${Object.keys(commands).length} commands and ${pages.length} man pages`);

  await withServer(async (url) => {
    await ask(url, 'PUT', '/shirts/shirt/1?refresh=true', {
      name: 'Red polo shirts',
      brand: 'Acme',
    });
    const { hits, facets } = await ask(url, 'POST', '/shirts/_search', {
      query: { match: { name: 'shirts' } },
      facets: { brands: { terms: { field: 'brand' } } },
    });
    assert.equal(hits.total, 1);
    assert.deepEqual(facets.brands.terms, [{ term: 'acme', count: 1 }]);
    const { tokens } = await ask(url, 'GET', '/_analyze?analyzer=german&text=H%C3%A4user');
    assert.equal(tokens[0].token, 'haus');
    const page = await fetch(`${url}/_explorer/page.js`);
    assert.equal(page.status, 200);
  });
  say('the server serves, with worker threads, analyzers and the explorer');
  assert.match(run(bin('facetd'), ['verify', '--data', 'data']), / 0 problems/);
  assert.match(run(bin('facetd'), ['demo']), /Look around/);
  say('verify and demo run');
  run('npm', ['uninstall', '--global', '--prefix', prefix, '--loglevel', 'error', 'facetd']);
  assert.ok(!existsSync(bin('facetd')) && !existsSync(installed));
  say('uninstalled: the package is whole');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
