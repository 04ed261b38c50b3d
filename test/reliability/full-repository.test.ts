// A repository on a disk that is full to its last byte: snapshots are deleted from it, by one node at a time,
// also after a kill. Where this process may not mount a file system the tests are skipped. `npm test` builds
// first.

import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RepositoryLock } from '../../engine/snapshots/repository-lock';
import { FileFolder } from '../../storage/index';
import { SILENT_LOGGER } from '../../engine/common/index';
import { freePort, ServerProcess, type HttpAnswer } from '../support/server-process';
import { onSmallDisk, SmallDisk } from '../support/small-disk';

let disk: SmallDisk;

onSmallDisk('a repository on a full disk', () => {
  beforeEach(async () => {
    disk = await SmallDisk.mount(16);
  });
  afterEach(async () => {
    await disk.unmount();
  });

  describe('servers', () => {
    let root: string;
    let servers: ServerProcess[];
    beforeEach(async () => {
      root = await mkdtemp(join(tmpdir(), 'facetd-full-repository-'));
      servers = [];
    });
    afterEach(async () => {
      for (const server of servers) await server.kill();
      await rm(root, { recursive: true, force: true });
    });

    async function start(name: string): Promise<ServerProcess> {
      const settings = [`path.repo=${disk.path}`, 'node.workers=0'];
      const server = await ServerProcess.start(join(root, name), await freePort(), settings);
      servers.push(server);
      const repository = { type: 'fs', settings: { location: 'shared' } };
      expect((await server.send('PUT', '/_snapshot/r', repository)).status).toBe(200);
      return server;
    }

    test('all snapshots are deleted by two nodes at once, and the space comes back', async () => {
      const a = await start('a');
      const b = await start('b');
      const names: string[] = [];
      for (let i = 0; i < 6; i++) {
        const name = `s${i}`;
        const document = { text: `${i}`.repeat(10_000) };
        expect((await a.send('PUT', `/i/t/${i}`, document)).status).toBe(201);
        const path = `/_snapshot/r/${name}?wait_for_completion=true`;
        expect((await a.send('PUT', path)).status).toBe(200);
        names.push(name);
      }
      await disk.takeAll();
      // The first one alone: nothing else gives back a byte.
      expect(await a.send('DELETE', '/_snapshot/r/s0')).toMatchObject({ status: 200 });
      const filler = await disk.takeAll();
      const remove = (server: ServerProcess, name: string): Promise<HttpAnswer> =>
        server.send('DELETE', `/_snapshot/r/${name}`);
      for (const [mine, theirs] of [
        ['s1', 's2'],
        ['s3', 's4'],
      ] as const) {
        const answers = await Promise.all([remove(a, mine), remove(b, theirs)]);
        const statuses = answers.map(({ status }) => status);
        expect(statuses).toContain(200);
        for (const [i, name] of [mine, theirs].entries()) {
          if (statuses[i] === 200) continue;
          expect(statuses[i]).toBe(503);
          expect((await remove(a, name)).status).toBe(200);
        }
      }
      const { body } = await b.send('GET', '/_snapshot/r/_all');
      expect(body).toMatchObject({ snapshots: [{ snapshot: 's5' }] });
      expect((await b.send('POST', '/_snapshot/r/s5/_verify')).status).toBe(200);
      expect(await readdir(join(disk.path, 'shared', 'snapshots'))).toHaveLength(1);
      await rm(filler);
      expect((await b.send('PUT', '/_snapshot/r/later?wait_for_completion=true')).status).toBe(200);
    });
  });

  describe('its lock', () => {
    let folder: FileFolder;
    let lock: string;
    const take = (): Promise<RepositoryLock> =>
      RepositoryLock.take(folder, { repository: 'r', nodeId: 'n', logger: SILENT_LOGGER });
    beforeEach(async () => {
      folder = await FileFolder.open(disk.path, join(disk.path, 'r'), true);
      lock = join(folder.path, 'lock');
      await disk.takeAll();
    });

    test('excludes others although it is empty', async () => {
      const attempts = await Promise.allSettled([take(), take(), take(), take()]);
      const taken = attempts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(taken).toHaveLength(1);
      expect((await stat(lock)).size).toBe(0);
      await expect(take()).rejects.toMatchObject({ status: 503 });
      await taken[0]!.check();
      await taken[0]!.release();
      expect(await readdir(folder.path)).toEqual([]);
      await (await take()).release();
    });

    test('is lost to one that came in its place', async () => {
      const mine = await take();
      await rm(lock);
      await writeFile(lock, '');
      await expect(mine.check()).rejects.toThrow('has gone to another node');
      await mine.release();
      expect(await readdir(folder.path)).toEqual(['lock']);
    });

    test('of an owner that was killed is taken over when it is old', async () => {
      await writeFile(lock, '');
      await expect(take()).rejects.toMatchObject({ status: 503 });
      const old = new Date(Date.now() - 61_000);
      await utimes(lock, old, old);
      await (await take()).release();
    });

    test('stays new, and says whose it is as soon as there is room', async () => {
      const file = (await folder.create('lock', Buffer.from('whose')))!;
      const old = new Date(Date.now() - 61_000);
      await utimes(lock, old, old);
      await file.renew();
      expect(await folder.ageOf('lock')).toBeLessThan(60_000);
      expect((await stat(lock)).size).toBe(0);
      await rm(join(disk.path, 'filler'));
      await file.renew();
      expect(await readFile(lock, 'utf8')).toBe('whose');
      await file.close();
    });
  });
});
