// Restoring snapshots over HTTP, with the texts of the reference server.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpClient } from '../support/http-client';
import { SnapshotNode } from '../support/snapshot-node';

let node: SnapshotNode;
let http: HttpClient;
let root: string;

beforeAll(async () => {
  node = await SnapshotNode.start();
  http = node.http;
  root = node.root;
});

afterEach(() => node.reset());

afterAll(() => node.close());

describe('restoring', () => {
  beforeEach(() => node.repo('r', 'restoring'));
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
    await node.fill('a', 0, 300);
    await node.fill('a', 100, 150);
    await http.ok('DELETE', '/a/t/7');
    await http.ok('PUT', '/a/t/routed?routing=x&ttl=20000d&timestamp=2014-01-02', { n: 1 });
    await http.ok('PUT', '/a/child/c?parent=1', { n: 2 });
    await http.ok('PUT', '/a/t/v?version=77&version_type=external', { n: 3 });
    await node.take('r/s');
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

    expect(await node.restore('r/s')).toEqual({
      snapshot: { snapshot: 's', indices: ['a'], shards: { total: 3, failed: 0, successful: 3 } },
    });
    expect(await Promise.all(documents.map((path) => http.ok('GET', path)))).toEqual(before);
    expect(await node.count('a')).toBe(302);
    expect(await http.send('GET', '/a/t/7')).toMatchObject({ status: 404 });
    // Writing goes on with the versions that were restored.
    expect(await http.ok('PUT', '/a/t/120', { n: 0 })).toMatchObject({ _version: 3 });
  });

  test('renames, leaves out aliases and changes settings', async () => {
    await http.ok('PUT', '/b-1', { aliases: { al: {} }, settings: { refresh_interval: '7s' } });
    await http.ok('PUT', '/b-2', {});
    await node.take('r/s');
    await node.restore('r/s', {
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
    await node.repo('r', 'recovery');
    await http.ok('PUT', '/a', { settings: { number_of_shards: 2, number_of_replicas: 0 } });
    await http.ok('PUT', '/a/t/1', { n: 1 });
    await node.take('r/s');
    await node.restore('r/s', { rename_pattern: '.+', rename_replacement: 'b' });
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
    await node.fill('c', 0, 10);
    await node.take('r/s');
    await node.fill('c', 10, 20);
    await http.ok('POST', '/c/_close');
    await node.restore('r/s', { indices: 'c' });
    expect(await node.count('c')).toBe(10);
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
    await node.take('r/s');
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
    expect(await node.restore('r/s', { indices: 'nope' })).toEqual({
      snapshot: { snapshot: 's', indices: [], shards: { total: 0, failed: 0, successful: 0 } },
    });
    expect(Object.keys((await http.ok('GET', '/_settings')) as object)).toEqual(['d-1', 'd-2']);
  });

  test('brings templates back when they were asked for both times', async () => {
    await http.ok('PUT', '/_template/te', { template: 'zz*' });
    await node.take('r/with', { indices: 'none' });
    await node.take('r/without', { indices: 'none', include_global_state: false });
    await http.ok('DELETE', '/_template/te');
    await node.restore('r/without');
    await node.restore('r/with', { include_global_state: false });
    expect(await http.send('GET', '/_template/te')).toMatchObject({ status: 404 });
    await node.restore('r/with');
    expect(await http.ok('GET', '/_template/te')).toMatchObject({ te: { template: 'zz*' } });
    await http.ok('DELETE', '/_template/te');
  });
});
