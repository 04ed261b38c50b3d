// What changes beside snapshots: files of the repository, and aliases while an index is restored.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IndicesService } from '../../engine/shard/indices-service';
import { SnapshotNode } from '../support/snapshot-node';

// Called with the service that it is a method of.
// oxlint-disable-next-line typescript/unbound-method
const admit = IndicesService.prototype.admit;

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

test('aliases that are changed while a closed index is replaced stay as they were changed', async () => {
  const { http } = node;
  await node.repo('r', 'aliased');
  await node.fill('a', 0, 10);
  await node.take('r/s');
  await http.ok('PUT', '/a/_alias/old');
  await http.ok('POST', '/a/_close');
  const spy = jest.spyOn(IndicesService.prototype, 'admit').mockImplementation(async function (
    this: IndicesService,
    ...args
  ) {
    await http.ok('POST', '/_aliases', {
      actions: [{ remove: { index: 'a', alias: 'old' } }, { add: { index: 'a', alias: 'new' } }],
    });
    return admit.apply(this, args);
  });
  try {
    await node.restore('r/s', { include_aliases: false });
  } finally {
    spy.mockRestore();
  }
  expect(await http.ok('GET', '/a/_aliases')).toEqual({ a: { aliases: { new: {} } } });
});
