// What changes beside snapshots: files of the repository.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SnapshotNode } from '../support/snapshot-node';

let node: SnapshotNode;
beforeAll(async () => {
  node = await SnapshotNode.start();
});
afterEach(() => node.reset());
afterAll(() => node.close());

test('a chunk that was damaged is written again by the next snapshot', async () => {
  const { http, root } = node;
  await node.repo('r', 'flipped');
  await node.fill('a', 0, 100);
  await node.take('r/before');
  for (const name of await node.chunks('flipped')) {
    const path = join(root, 'flipped', 'chunks', name);
    const bytes = await readFile(path);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(path, bytes);
  }
  expect((await http.send('POST', '/_snapshot/r/before/_verify')).status).not.toBe(200);
  await node.take('r/after');
  await http.ok('DELETE', '/a');
  await node.restore('r/after');
  expect(await node.count('a')).toBe(100);
  await http.ok('POST', '/_snapshot/r/before/_verify');
});
