// Files of a repository that several nodes share.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FileFolder } from '../../../storage/file-folder';
import { removeFolders, temporaryFolder } from './support';

afterEach(removeFolders);

test('a created file has all its bytes from the moment on that it is there', async () => {
  // Else whoever dies in between leaves a lock that does not say whose it is.
  const path = temporaryFolder();
  const folder = await FileFolder.open(path, path, true);
  const bytes = Buffer.alloc(32 * 1024 * 1024, 7);
  const sizes = new Set<number>();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const found = statSync(join(path, 'lock'), { throwIfNoEntry: false });
      if (found !== undefined) sizes.add(found.size);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const created = await Promise.all([folder.create('lock', bytes), folder.create('lock', bytes)]);
  isOver = true;
  await watching;
  expect(created.filter(Boolean)).toHaveLength(1);
  expect(await folder.create('lock', Buffer.of(1))).toBeNull();
  await created.find((file) => file !== null)?.close();
  expect([...sizes]).toEqual([bytes.length]);
  expect(readdirSync(path)).toEqual(['lock']);
});
