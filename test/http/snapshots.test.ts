// Making and deleting snapshots over HTTP, and what of them is on disk.

import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
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

describe('chunks', () => {
  test('are shared by snapshots and removed with the last one that needs them', async () => {
    await node.repo('r', 'shared');
    await node.fill('a', 0, 500);
    await node.take('r/one');
    const first = await node.chunks('shared');
    await node.take('r/two');
    expect(await node.chunks('shared')).toEqual(first);
    await node.fill('a', 0, 5);
    await node.take('r/three');
    expect((await node.chunks('shared')).length).toBeGreaterThan(first.length);
    await http.ok('DELETE', '/_snapshot/r/three');
    expect(await node.chunks('shared')).toEqual(first);
    await http.ok('DELETE', '/_snapshot/r/one');
    expect(await http.ok('POST', '/_snapshot/r/two/_verify')).toMatchObject({ documents: 500 });
    await http.ok('DELETE', '/_snapshot/r/two');
    expect(await node.chunks('shared')).toEqual([]);
  });

  test('that are damaged are refused by name before anything changes', async () => {
    await node.repo('r', 'damaged');
    await node.fill('a', 0, 500);
    await node.take('r/s');
    const [file] = await node.chunks('damaged');
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
    expect(await node.count('a')).toBe(500);
    // The next snapshot needs the same chunk and writes it again.
    await node.take('r/again');
    expect(await readFile(path)).toEqual(bytes);
  });

  test('stay when a manifest is damaged', async () => {
    await node.repo('r', 'manifests');
    await node.fill('a', 0, 50);
    await node.take('r/one');
    const [file] = await readdir(join(root, 'manifests', 'snapshots'));
    const path = join(root, 'manifests', 'snapshots', file!);
    await node.fill('a', 50, 100);
    await node.take('r/two');
    const before = await node.chunks('manifests');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"one"', '"uno"'));
    expect(await http.error('POST', '/_snapshot/r/one/_restore')).toContain(
      `damaged manifests [snapshots/${file}]`,
    );
    await http.ok('DELETE', '/_snapshot/r/two');
    expect(await node.chunks('manifests')).toEqual(before);
  });

  test('are not read through a symbolic link', async () => {
    await node.repo('r', 'linked');
    await node.fill('a', 0, 10);
    await node.take('r/s');
    const [file] = await node.chunks('linked');
    const path = join(root, 'linked', 'chunks', file!);
    await mkdir(join(root, 'elsewhere'));
    await writeFile(join(root, 'elsewhere', 'copy'), await readFile(path));
    await rm(path);
    await symlink(join(root, 'elsewhere', 'copy'), path);
    expect(await http.error('POST', '/_snapshot/r/s/_verify')).toMatch(/is a symbolic link/);
  });
});

test('what is being made is alone, and can be ended', async () => {
  await node.repo('r', 'alone');
  await node.repo('other', 'alone-2');
  for (let from = 0; from < 20_000; from += 5000) await node.fill('a', from, from + 5000);
  const made = node.take('r/s');
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
  expect(status.snapshots[0]!.stats['number_of_files']).toBe((await node.chunks('alone')).length);
});
