// The drill of docs/snapshots.md with the real programs: back up, lose everything, restore, compare.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNode } from '../support/child';
import { freePort, ServerProcess } from '../support/server-process';

const SCRIPTS = join(__dirname, '..', '..', 'dist', 'scripts');

interface Ended {
  readonly code: number | null;
  readonly summary: Record<string, unknown>;
}

let folder: string;
let port: number;
let server: ServerProcess | null = null;

async function run(program: 'backup' | 'restore', ...args: string[]): Promise<Ended> {
  const child = startNode(join(SCRIPTS, `${program}.js`), [...args, '--json']);
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const last = output.trim().split('\n').at(-1) ?? '{}';
  return { code, summary: JSON.parse(last) as Record<string, unknown> };
}

async function start(data: string): Promise<ServerProcess> {
  server = await ServerProcess.start(join(folder, data), port, [
    `path.repo=${join(folder, 'repositories')}`,
    'node.workers=0',
  ]);
  return server;
}

/** What people are told: on standard output, and of what went wrong on standard error. */
async function told(
  program: 'backup' | 'restore' | 'reindex',
  ...args: string[]
): Promise<string[]> {
  const child = startNode(join(SCRIPTS, `${program}.js`), args);
  const output = ['', ''];
  for (const [i, stream] of [child.stdout, child.stderr].entries()) {
    stream.on('data', (data: Buffer) => (output[i] += data.toString()));
  }
  await once(child, 'close');
  return output;
}

/** Number and SHA-256 of all documents of an index with their ids and versions. */
async function fingerprint(index: string): Promise<string> {
  const { body } = await server!.send('POST', `/${index}/_search`, {
    version: true,
    size: 10_000,
    sort: ['n'],
  });
  const { hits } = (body as { hits: { hits: Record<string, unknown>[] } }).hits;
  const lines = hits.map((hit) =>
    JSON.stringify([hit['_type'], hit['_id'], hit['_version'], hit['_source']]),
  );
  return `${lines.length} ${createHash('sha256').update(lines.join('\n')).digest('hex')}`;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-drill-'));
  port = await freePort();
});

afterAll(async () => {
  await server?.kill();
  await rm(folder, { recursive: true, force: true });
});

test('back up, wipe, restore, compare', async () => {
  const url = `http://127.0.0.1:${port}`;
  const one = await start('data');
  await one.send('PUT', '/books', { settings: { number_of_shards: 2 }, aliases: { shelf: {} } });
  const lines = Array.from(
    { length: 2000 },
    (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n},"title":"book ${n}"}\n`,
  );
  await one.send('POST', '/books/t/_bulk?refresh=true', lines.join(''));
  await one.send('POST', '/books/t/_bulk?refresh=true', lines.slice(0, 300).join(''));
  const before = await fingerprint('books');
  expect(before).toMatch(/^2000 /);

  const backup = await run('backup', '--url', url, '--verify', '--keep', '3');
  expect(backup.code).toBe(0);
  expect(backup.summary).toMatchObject({ ok: true, verified: { valid: true, documents: 2000 } });

  // Those that are kept no longer go, and nothing else does.
  for (const name of ['backup-a', 'other', 'backup-b']) {
    await one.send('PUT', `/_snapshot/backup/${name}?wait_for_completion=true`, {});
  }
  // Backups are named by the second.
  await sleep(1000);
  const fewer = await run('backup', '--url', url, '--keep', '2');
  const { snapshot: latest } = fewer.summary as { snapshot: string };
  const first = backup.summary['snapshot'];
  expect(fewer).toMatchObject({ code: 0, summary: { ok: true, deleted: [first, 'backup-a'] } });
  const { body: listed } = await one.send('GET', '/_snapshot/backup/_all');
  const names = (listed as { snapshots: { snapshot: string }[] }).snapshots.map((s) => s.snapshot);
  expect(names).toEqual(['other', 'backup-b', latest]);

  const [list] = await told('restore', '--list', '--url', url);
  expect(list!.trim().split('\n').at(-1)).toMatch(`${latest}  SUCCESS  20`);

  // Refused while the index is there, unless told to.
  const [nothing, refusal] = await told('restore', '--url', url);
  expect(nothing).toBe('');
  expect(refusal).toMatch(
    /^nothing was restored, an index of that name is open: --force replaces it.*/m,
  );
  expect(refusal).toContain("cannot restore index [books] because it's open");
  expect(refusal!.match(/because it's open/g)).toHaveLength(1);
  expect((await run('restore', '--url', url)).code).toBe(1);
  expect(await fingerprint('books')).toBe(before);
  await one.send('DELETE', '/books/t/5?refresh=true');
  expect((await run('restore', '--url', url, '--force')).code).toBe(0);
  expect(await fingerprint('books')).toBe(before);
  const renamed = await run('restore', '--url', url, '--rename', '(.+)=$1-copy');
  expect(renamed.summary).toMatchObject({ ok: true, indices: ['books-copy'] });
  expect(await fingerprint('books-copy')).toBe(before);
  const copy = ['--source', 'books', '--dest', 'again', '--swap', 'shelf'];
  const [copied] = await told('reindex', '--url', url, ...copy);
  expect(copied).toBe('2000 documents copied to again; 2000 looked at\nshelf is again now\n');
  await one.stop();

  await rm(join(folder, 'data'), { recursive: true });
  const location = join(folder, 'repositories', 'backup');
  const into = ['--into', join(folder, 'data'), '--location', location];
  const restored = await run('restore', ...into);
  expect(restored.summary).toMatchObject({ ok: true, indices: ['books'] });
  expect((await run('restore', ...into)).code).toBe(1);
  const two = await start('data');
  expect(await fingerprint('books')).toBe(before);
  expect(await two.send('GET', '/_alias/shelf')).toMatchObject({ status: 200 });

  // A damaged backup is refused before anything is touched.
  const [file] = await readdir(join(location, 'chunks'));
  const path = join(location, 'chunks', file!);
  const bytes = await readFile(path);
  bytes[10]! ^= 1;
  await writeFile(path, bytes);
  const damaged = await run('restore', '--url', url, '--location', 'backup', '--force');
  expect(damaged.code).toBe(2);
  expect(damaged.summary['error']).toContain(file);
  expect(await fingerprint('books')).toBe(before);

  expect((await run('backup', '--url', url, '--keep', 'x')).code).toBe(78);
  expect((await run('backup', '--url', url, '--repository', 'q', '--location', '/etc')).code).toBe(
    78,
  );
  expect((await run('backup', '--url', 'http://127.0.0.1:1')).code).toBe(1);
});
