// Snapshot repositories and snapshots over HTTP, with the texts of the reference server.

import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpClient } from '../support/http-client';
import { count, fill } from '../support/numbered-documents';

let root: string;
let http: HttpClient;

const repo = (name: string, location: string): Promise<unknown> =>
  http.ok('PUT', `/_snapshot/${name}`, { type: 'fs', settings: { location } });
const take = (path: string, body?: object): Promise<unknown> =>
  http.ok('PUT', `/_snapshot/${path}?wait_for_completion=true`, body);
const restore = (path: string, body?: object): Promise<unknown> =>
  http.ok('POST', `/_snapshot/${path}/_restore?wait_for_completion=true`, body);
const chunks = (location: string): Promise<string[]> => readdir(join(root, location, 'chunks'));

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'facetd-repositories-'));
  http = await HttpClient.start({ 'path.repo': root });
});

afterEach(async () => {
  await http.reset();
  await http.ok('DELETE', '/_snapshot/*');
});

afterAll(async () => {
  await http.close();
  await rm(root, { recursive: true, force: true });
});

describe('repositories', () => {
  test('are shown with settings as text', async () => {
    await http.ok('PUT', '/_snapshot/r', {
      type: 'fs',
      settings: { location: 'shown', compress: true, chunk_size: '10m', n: 5 },
    });
    const shown = {
      type: 'fs',
      settings: { location: 'shown', compress: 'true', chunk_size: '10m', n: '5' },
    };
    expect(await http.ok('GET', '/_snapshot/r')).toEqual({ r: shown });
    expect(await http.ok('GET', '/_snapshot')).toEqual({ r: shown });
    const verified = (await http.ok('POST', '/_snapshot/r/_verify')) as { nodes: object };
    expect(Object.keys(verified.nodes)).toHaveLength(1);
    expect(await http.error('GET', '/_snapshot/r*')).toBe(
      '404 RepositoryMissingException[[r*] missing]',
    );
  });

  test.each(['/etc/nope', '../nope', 'a/../../nope', `a\0b`])(
    'cannot be at %j, outside of path.repo',
    async (location) => {
      const body = { type: 'fs', settings: { location } };
      const error = await http.error('PUT', '/_snapshot/bad', body);
      expect(error).toMatch(/^500 RepositoryException\[\[bad\] failed to create repository\]/);
      expect(error).toContain(`doesn't match any of the locations specified by path.repo`);
    },
  );

  test('cannot be behind a symbolic link', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'facetd-outside-'));
    await symlink(outside, join(root, 'link'));
    for (const location of ['link', 'link/below']) {
      const body = { type: 'fs', settings: { location } };
      const error = await http.error('PUT', '/_snapshot/bad', body);
      expect(error).toMatch(/^500 RepositoryException\[\[bad\] is not accessible/);
    }
    expect(await readdir(outside)).toEqual([]);
    await rm(outside, { recursive: true });
  });

  test('that lose their folder say so', async () => {
    await repo('r', 'lost');
    await rm(join(root, 'lost'), { recursive: true });
    for (const [method, path] of [
      ['GET', '/_snapshot/r/_all'],
      ['PUT', '/_snapshot/r/s'],
      ['POST', '/_snapshot/r/s/_restore'],
    ] as const) {
      expect(await http.error(method, path)).toMatch(/^500 RepositoryException\[\[r\] is not acc/);
    }
    expect(await http.error('POST', '/_snapshot/r/_verify')).toMatch(/^500 RepositoryException/);
  });
});

describe('names', () => {
  beforeEach(() => repo('r', 'names'));

  test.each([
    ['Upper', 'must be lowercase'],
    ['_under', "must not start with '_'"],
    ['a%20b', 'must not contain whitespace'],
    ['a%2Cb', "must not contain ','"],
    ['a%23b', "must not contain '#'"],
    ['..%2F..%2Fetc', 'must not contain the following characters [\\, /, *, ?, ", <, >, |,  , ,]'],
  ])('%s is refused', async (name, reason) => {
    const plain = decodeURIComponent(name);
    const message = `[r:${plain}] Invalid snapshot name [${plain}], ${reason}`;
    const expected = `400 InvalidSnapshotNameException[${message}]`;
    expect(await http.error('PUT', `/_snapshot/r/${name}`)).toBe(expected);
    expect(await http.error('DELETE', `/_snapshot/r/${name}`)).toBe(expected);
  });

  test('of objects are only names', async () => {
    for (const name of ['__proto__', 'constructor']) {
      await http.ok('PUT', `/_snapshot/${name}`, { type: 'fs', settings: { location: 'names' } });
      expect(await http.send('GET', `/_snapshot/${name}/_all`)).toMatchObject({ status: 200 });
    }
    await take('constructor/constructor');
    const body = (await http.ok('GET', '/_snapshot/constructor/constructor')) as {
      snapshots: { snapshot: string }[];
    };
    expect(body.snapshots.map(({ snapshot }) => snapshot)).toEqual(['constructor']);
  });
});

describe('restoring', () => {
  beforeEach(() => repo('r', 'restoring'));
  afterEach(() => rm(join(root, 'restoring'), { recursive: true, force: true }));

  test('brings documents back with everything that belongs to them', async () => {
    await http.ok('PUT', '/a', {
      settings: { number_of_shards: 3 },
      mappings: {
        child: { _parent: { type: 't' } },
        t: {
          _timestamp: { enabled: true, store: true },
          _ttl: { enabled: true },
          properties: { n: { type: 'long' } },
        },
      },
      aliases: { al: { filter: { term: { n: 1 } } } },
      warmers: { w: { source: { query: { match_all: {} } } } },
    });
    await fill(http, 'a', 0, 300);
    await fill(http, 'a', 100, 150);
    await http.ok('DELETE', '/a/t/7');
    await http.ok('PUT', '/a/t/routed?routing=x&ttl=20000d&timestamp=2014-01-02', { n: 1 });
    await http.ok('PUT', '/a/child/c?parent=1', { n: 2 });
    await http.ok('PUT', '/a/t/v?version=77&version_type=external', { n: 3 });
    await take('r/s');
    const documents = [
      '/a/t/120',
      '/a/t/routed?routing=x&fields=_routing,_timestamp,_source',
      '/a/child/c?parent=1&fields=_parent,_source',
      '/a/t/v',
      '/a/_settings/index.number_of_shards',
      '/a/_mapping',
      '/a/_aliases',
      '/a/_warmer',
    ];
    const before = await Promise.all(documents.map((path) => http.ok('GET', path)));
    await http.ok('DELETE', '/a');

    expect(await restore('r/s')).toEqual({
      snapshot: { snapshot: 's', indices: ['a'], shards: { total: 3, failed: 0, successful: 3 } },
    });
    expect(await Promise.all(documents.map((path) => http.ok('GET', path)))).toEqual(before);
    expect(await count(http, 'a')).toBe(302);
    expect(await http.send('GET', '/a/t/7')).toMatchObject({ status: 404 });
    // Writing goes on with the versions that were restored.
    expect(await http.ok('PUT', '/a/t/120', { n: 0 })).toMatchObject({ _version: 3 });
  });

  test('renames, leaves out aliases and changes settings', async () => {
    await http.ok('PUT', '/b-1', { aliases: { al: {} }, settings: { refresh_interval: '7s' } });
    await http.ok('PUT', '/b-2', {});
    await take('r/s');
    await restore('r/s', {
      indices: 'b-*,-b-2',
      rename_pattern: 'b-(\\d)',
      rename_replacement: 'copy_$1',
      include_aliases: false,
      index_settings: { number_of_replicas: 3 },
      ignore_index_settings: ['index.refresh*'],
    });
    expect(await http.ok('GET', '/copy_1/_aliases')).toEqual({ copy_1: { aliases: {} } });
    const settings = (await http.ok('GET', '/copy_1/_settings')) as {
      copy_1: { settings: { index: Record<string, string> } };
    };
    expect(settings.copy_1.settings.index).toMatchObject({ number_of_replicas: '3' });
    expect(settings.copy_1.settings.index).not.toHaveProperty('refresh_interval');
  });

  test('shows in _recovery where shards came from', async () => {
    await repo('r', 'recovery');
    await http.ok('PUT', '/a', { settings: { number_of_shards: 2, number_of_replicas: 0 } });
    await http.ok('PUT', '/a/t/1', { n: 1 });
    await take('r/s');
    await restore('r/s', { rename_pattern: '.+', rename_replacement: 'b' });
    interface Recovery {
      readonly index: {
        readonly size: { readonly total_in_bytes: number };
        readonly files: { readonly total: number };
      };
      readonly total_time_in_millis: number;
      readonly start_time_in_millis: number;
      readonly stop_time_in_millis: number;
    }
    const { a, b } = (await http.ok('GET', '/a,b/_recovery')) as Record<
      'a' | 'b',
      { shards: Recovery[] }
    >;
    expect(a.shards).toMatchObject([{ type: 'GATEWAY' }, { type: 'GATEWAY' }]);
    const restored = { type: 'SNAPSHOT', stage: 'DONE', primary: true };
    const source = { repository: 'r', snapshot: 's', index: 'a' };
    expect(b.shards).toMatchObject([
      { id: 0, ...restored, source, translog: { total: 0 } },
      { id: 1, ...restored, source },
    ]);
    // One of the two shards has the document.
    const full = b.shards.find(({ index }) => index.files.total === 1)!;
    const bytes = full.index.size.total_in_bytes;
    expect(bytes).toBeGreaterThan(10);
    expect(full.index).toMatchObject({
      size: { reused_in_bytes: 0, recovered_in_bytes: bytes, percent: '100.0%' },
      files: { total: 1, reused: 0, recovered: 1, percent: '100.0%' },
    });
    expect(b.shards.find((shard) => shard !== full)!.index.files).toMatchObject({
      ...{ total: 0, percent: '0.0%' },
    });
    const { start_time_in_millis: from, stop_time_in_millis: to } = full;
    expect(to - from).toBe(full.total_time_in_millis);
    expect(from).toBeGreaterThan(Date.now() - 60_000);
    const { text } = await http.send('GET', '/_cat/recovery/b');
    expect(text).toMatch(/^b +[01] +\d+ +snapshot +done +n\/a +\S+ +r +s +1 +100.0% +\d+ /m);
  });

  test('takes the place of a closed index with as many shards, at once', async () => {
    await fill(http, 'c', 0, 10);
    await take('r/s');
    await fill(http, 'c', 10, 20);
    await http.ok('POST', '/c/_close');
    await restore('r/s', { indices: 'c' });
    expect(await count(http, 'c')).toBe(10);
    await http.ok('DELETE', '/c');
    await http.ok('PUT', '/c', { settings: { number_of_shards: 2 } });
    await http.ok('POST', '/c/_close');
    expect(await http.error('POST', '/_snapshot/r/s/_restore')).toBe(
      '500 SnapshotRestoreException[[r:s] cannot restore index [c] with [2] shard from snapshot with [1] shards]',
    );
  });

  test('refuses what the reference refuses', async () => {
    await http.ok('PUT', '/d-1', { aliases: { dal: {} } });
    await http.ok('PUT', '/d-2', {});
    await take('r/s');
    const error = (body: object): Promise<string> =>
      http.error('POST', '/_snapshot/r/s/_restore?wait_for_completion=true', body);
    const rename = (rename_pattern: string, rename_replacement: string): Promise<string> =>
      error({ indices: 'd-1', rename_pattern, rename_replacement });

    expect(await error({ indices: 'd-1' })).toBe(
      "500 SnapshotRestoreException[[r:s] cannot restore index [d-1] because it's open]",
    );
    expect(await error({ rename_pattern: '.+', rename_replacement: 'same' })).toBe(
      '500 SnapshotRestoreException[[r:s] indices [d-2] and [d-1] are renamed into the same index [same]]',
    );
    expect(await rename('.+', 'UP')).toBe(
      '400 InvalidIndexNameException[[UP] Invalid index name [UP], must be lowercase]',
    );
    expect(await rename('d-1', 'dal')).toBe(
      '400 InvalidIndexNameException[[dal] Invalid index name [dal], already exists as alias]',
    );
    expect(await rename('(', 'x')).toMatch(/^500 PatternSyntaxException\[/);
    expect(await rename('1$', 'x$5')).toBe('500 IndexOutOfBoundsException[No group 5]');
    expect(await error({ bogus: 1 })).toBe(
      '400 ElasticsearchIllegalArgumentException[failed to parse repository source [{"bogus":1}]]; nested: ElasticsearchIllegalArgumentException[Unknown parameter bogus]; ',
    );
    expect(await error({ indices: 'nope', ignore_unavailable: false })).toBe(
      '404 IndexMissingException[[nope] missing]',
    );
    const settings = { rename_pattern: 'd', rename_replacement: 'x' };
    expect(await error({ ...settings, index_settings: { number_of_shards: 3 } })).toBe(
      '500 SnapshotRestoreException[[r:s] cannot modify setting [index.number_of_shards] on restore]',
    );
    const ignored = { ...settings, ignore_index_settings: 'index.number_of_shards' };
    expect(await error(ignored)).toBe(
      '500 SnapshotRestoreException[[r:s] cannot remove setting [index.number_of_shards] on restore]',
    );
    expect(await restore('r/s', { indices: 'nope' })).toEqual({
      snapshot: { snapshot: 's', indices: [], shards: { total: 0, failed: 0, successful: 0 } },
    });
    expect(Object.keys((await http.ok('GET', '/_settings')) as object)).toEqual(['d-1', 'd-2']);
  });

  test('brings templates back when they were asked for both times', async () => {
    await http.ok('PUT', '/_template/te', { template: 'zz*' });
    await take('r/with', { indices: 'none' });
    await take('r/without', { indices: 'none', include_global_state: false });
    await http.ok('DELETE', '/_template/te');
    await restore('r/without');
    await restore('r/with', { include_global_state: false });
    expect(await http.send('GET', '/_template/te')).toMatchObject({ status: 404 });
    await restore('r/with');
    expect(await http.ok('GET', '/_template/te')).toMatchObject({ te: { template: 'zz*' } });
    await http.ok('DELETE', '/_template/te');
  });
});

describe('chunks', () => {
  test('are shared by snapshots and removed with the last one that needs them', async () => {
    await repo('r', 'shared');
    await fill(http, 'a', 0, 500);
    await take('r/one');
    const first = await chunks('shared');
    await take('r/two');
    expect(await chunks('shared')).toEqual(first);
    await fill(http, 'a', 0, 5);
    await take('r/three');
    expect((await chunks('shared')).length).toBeGreaterThan(first.length);
    await http.ok('DELETE', '/_snapshot/r/three');
    expect(await chunks('shared')).toEqual(first);
    await http.ok('DELETE', '/_snapshot/r/one');
    expect(await http.ok('POST', '/_snapshot/r/two/_verify')).toMatchObject({ documents: 500 });
    await http.ok('DELETE', '/_snapshot/r/two');
    expect(await chunks('shared')).toEqual([]);
  });

  test('that are damaged are refused by name before anything changes', async () => {
    await repo('r', 'damaged');
    await fill(http, 'a', 0, 500);
    await take('r/s');
    const [file] = await chunks('damaged');
    const path = join(root, 'damaged', 'chunks', file!);
    const bytes = await readFile(path);
    await http.ok('POST', '/a/_close');
    const flipped = Buffer.from(bytes);
    flipped[bytes.length >> 1]! ^= 1;
    for (const damage of [flipped, bytes.subarray(0, -1), Buffer.alloc(0), null]) {
      await rm(path);
      if (damage !== null) await writeFile(path, damage);
      const error = await http.error('POST', '/_snapshot/r/s/_restore?wait_for_completion=true');
      expect(error).toMatch(new RegExp(`^500 CorruptIndexException.*${file}`));
      expect(await http.error('POST', '/_snapshot/r/s/_verify')).toBe(error);
    }
    await http.ok('POST', '/a/_open');
    expect(await count(http, 'a')).toBe(500);
    // The next snapshot needs the same chunk and writes it again.
    await take('r/again');
    expect(await readFile(path)).toEqual(bytes);
  });

  test('stay when a manifest is damaged', async () => {
    await repo('r', 'manifests');
    await fill(http, 'a', 0, 50);
    await take('r/one');
    const [file] = await readdir(join(root, 'manifests', 'snapshots'));
    const path = join(root, 'manifests', 'snapshots', file!);
    await fill(http, 'a', 50, 100);
    await take('r/two');
    const before = await chunks('manifests');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"one"', '"uno"'));
    expect(await http.error('POST', '/_snapshot/r/one/_restore')).toContain(
      `damaged manifests [snapshots/${file}]`,
    );
    await http.ok('DELETE', '/_snapshot/r/two');
    expect(await chunks('manifests')).toEqual(before);
  });

  test('are not read through a symbolic link', async () => {
    await repo('r', 'linked');
    await fill(http, 'a', 0, 10);
    await take('r/s');
    const [file] = await chunks('linked');
    const path = join(root, 'linked', 'chunks', file!);
    await mkdir(join(root, 'elsewhere'));
    await writeFile(join(root, 'elsewhere', 'copy'), await readFile(path));
    await rm(path);
    await symlink(join(root, 'elsewhere', 'copy'), path);
    expect(await http.error('POST', '/_snapshot/r/s/_verify')).toMatch(/is a symbolic link/);
  });
});

test('what is being made is alone, and can be ended', async () => {
  await repo('r', 'alone');
  await repo('other', 'alone-2');
  for (let from = 0; from < 20_000; from += 5000) await fill(http, 'a', from, from + 5000);
  const made = take('r/s');
  const seen = await http.error('PUT', '/_snapshot/other/t');
  await made;
  // It depends on the machine who is first.
  expect([
    '200 ',
    '503 ConcurrentSnapshotExecutionException[[other:t] a snapshot is already running]',
  ]).toContain(seen);
  expect(await http.ok('GET', '/_snapshot/_status')).toEqual({ snapshots: [] });
  const status = (await http.ok('GET', '/_snapshot/r/s/_status')) as {
    snapshots: { state: string; stats: Record<string, number> }[];
  };
  expect(status.snapshots[0]!.state).toBe('SUCCESS');
  expect(status.snapshots[0]!.stats['number_of_files']).toBe((await chunks('alone')).length);
});
