// A real server on a real file system that is too small: it refuses, keeps what it has acknowledged, starts
// when there is no space at all, and heals without a restart. Where this process may not mount a file system
// the tests are skipped. `npm test` builds first.

import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, ServerProcess } from '../support/server-process';
import { onSmallDisk, SmallDisk } from '../support/small-disk';
import { pause, until } from '../support/until';

const MIB = 1024 * 1024;
const SIZE_MIB = 400;
const SETTINGS = ['node.workers=1', 'node.min_free_disk=152mb'];
/** Stored, not searched; such text does not shrink, so that sizes are known. */
const MAPPING = {
  settings: { 'index.refresh_interval': '-1' },
  mappings: { t: { properties: { text: { type: 'string', index: 'no' } } } },
};

let disk: SmallDisk;
let other: string;
let data: string;
let server: ServerProcess | null;

async function start(settings: readonly string[] = SETTINGS): Promise<ServerProcess> {
  const all = [...settings, `path.repo=${other},${disk.path}`];
  server = await ServerProcess.start(data, await freePort(), all);
  return server;
}

/** Indexes documents of 100 KB with the ids from .. to - 1. @returns those that were acknowledged */
async function fill(
  node: ServerProcess,
  index: string,
  from: number,
  to: number,
): Promise<number[]> {
  const acknowledged: number[] = [];
  for (let first = from; first < to; first += 10) {
    const lines: string[] = [];
    for (let id = first; id < Math.min(to, first + 10); id++) {
      const text = randomBytes(75_000).toString('base64');
      lines.push(`{"index":{"_index":"${index}","_type":"t","_id":"${id}"}}`);
      lines.push(JSON.stringify({ n: id, text }));
    }
    const { status, body } = await node.send('POST', '/_bulk', `${lines.join('\n')}\n`);
    if (status !== 200) {
      expect(status).toBe(503);
      break;
    }
    const { items } = body as { items: { index: { _id: string; status: number } }[] };
    for (const { index: item } of items) {
      if (item.status < 300) acknowledged.push(Number(item._id));
      else expect(item.status).toBe(503);
    }
    if (items.some(({ index: item }) => item.status >= 300)) break;
  }
  return acknowledged;
}

async function expectAll(
  node: ServerProcess,
  index: string,
  ids: readonly number[],
): Promise<void> {
  for (const id of ids) {
    const { status, body } = await node.send('GET', `/${index}/t/${id}?_source_include=n`);
    expect({ id, status, body }).toMatchObject({ status: 200, body: { found: true } });
  }
}

async function walBytes(): Promise<number> {
  let bytes = 0;
  for (const name of ['log', 'segments']) {
    for (const file of await readdir(join(data, name))) {
      if (!file.endsWith('.log')) continue;
      bytes += (await stat(join(data, name, file)).catch(() => ({ size: 0 }))).size;
    }
  }
  return bytes;
}

const writes = async (node: ServerProcess): Promise<boolean> =>
  (await node.send('PUT', '/healed/t/1', { n: 1 })).status < 300;

onSmallDisk('on a small disk', () => {
  beforeEach(async () => {
    disk = await SmallDisk.mount(SIZE_MIB);
    other = await mkdtemp(join(tmpdir(), 'facetd-other-disk-'));
    data = join(disk.path, 'data');
    server = null;
  });
  afterEach(async () => {
    await server?.kill();
    await disk.unmount();
    await rm(other, { recursive: true, force: true });
  });

  test('a server that was killed starts on a full disk, answers reads, and heals', async () => {
    let node = await start();
    expect((await node.send('PUT', '/i', MAPPING)).status).toBe(200);
    const ids = await fill(node, 'i', 0, 300);
    expect(ids.length).toBe(300);
    expect((await node.send('POST', '/i/_refresh')).status).toBe(200);
    // What is in write-ahead files is written once more when they are opened.
    await until(async () => {
      const { size } = await stat(join(data, 'reserve')).catch(() => ({ size: 0 }));
      return size >= (await walBytes());
    });
    expect(await walBytes()).toBeGreaterThan(25 * MIB);
    const filler = await disk.takeAll();
    await node.kill();
    node = await start();
    await expectAll(node, 'i', ids);
    const search = await node.send('GET', '/i/_search?size=0&q=n:7');
    expect(search).toMatchObject({ status: 200, body: { hits: { total: 1 } } });
    expect(await writes(node)).toBe(false);
    await rm(filler);
    await until(() => writes(node));
    await expectAll(node, 'i', ids);
    expect(await node.stop()).toBe(0);
  });

  test('a restore ends before the disk is full, and takes back what it wrote', async () => {
    const node = await start();
    expect((await node.send('PUT', '/i', MAPPING)).status).toBe(200);
    const repository = { type: 'fs', settings: { location: other, compress: false } };
    expect((await node.send('PUT', '/_snapshot/there', repository)).status).toBe(200);
    await fill(node, 'i', 0, 150);
    expect((await node.send('PUT', '/_snapshot/there/s?wait_for_completion=true')).status).toBe(
      200,
    );
    await until(async () => (await disk.available()) > 153 * MIB);
    let least = Infinity;
    const watch = setInterval(() => {
      void disk.available().then((bytes) => (least = Math.min(least, bytes)));
    }, 20);
    let status = 200;
    let restored = 0;
    for (; status === 200 && restored < 25; restored++) {
      const path = '/_snapshot/there/s/_restore?wait_for_completion=true';
      const body = { rename_pattern: 'i', rename_replacement: `copy${restored}` };
      const answer = await node.send('POST', path, body);
      ({ status } = answer);
      if (status !== 200) expect(JSON.stringify(answer.body)).toContain('disk space low');
    }
    clearInterval(watch);
    expect(status).toBe(503);
    // Below the limit there are what LevelDB writes twice for a moment, and the reserve.
    expect(least).toBeGreaterThan(16 * MIB);
    expect((await node.send('GET', `/copy${restored - 1}`)).status).toBe(404);
    for (let i = 0; i < restored - 1; i++) await node.send('DELETE', `/copy${i}`);
    await until(() => writes(node));
  });

  test('without a limit: a disk that something else fills is refused when it is full, and heals', async () => {
    disk.resize(256);
    const node = await start(['node.workers=1', 'node.min_free_disk=0']);
    expect((await node.send('PUT', '/i', MAPPING)).status).toBe(200);
    const ids = await fill(node, 'i', 0, 300);
    expect(ids.length).toBe(300);
    for (let round = 0; round < 2; round++) {
      let filler = '';
      const late: number[] = [];
      // A compaction that ends meanwhile gives space back.
      for (let first = 10_000 * (round + 1), isFull = false; !isFull; first += 300) {
        filler = await disk.takeAll();
        const written = await fill(node, 'i', first, first + 300);
        late.push(...written);
        isFull = written.length < 300;
        expect(late.length).toBeLessThan(3000);
      }
      const refused = await node.send('PUT', '/i/t/x', { n: 1 });
      expect(refused).toMatchObject({ status: 503 });
      expect(JSON.stringify(refused.body)).toContain('disk full, writes refused');
      await expectAll(node, 'i', [...ids, ...late]);
      await rm(filler);
      await until(
        () => writes(node),
        () => node.log(),
      );
      await expectAll(node, 'i', [...ids, ...late]);
      ids.push(...late);
    }
    expect((await node.send('POST', '/i/_refresh')).status).toBe(200);
    const { body } = await node.send('GET', '/i/_count');
    expect(body).toMatchObject({ count: ids.length });
    expect(await node.stop()).toBe(0);
  });

  // With a limit it is the shorter way to the same end.
  test.each(process.env['LONG'] === undefined ? ['0'] : ['0', '152mb'])(
    'index and snapshots on one disk, with a limit of %s: it is filled, refused, and heals',
    async (limit) => {
      disk.resize(256);
      const node = await start(['node.workers=1', `node.min_free_disk=${limit}`]);
      const repository = {
        type: 'fs',
        settings: { location: join(disk.path, 'r'), compress: false },
      };
      expect((await node.send('PUT', '/_snapshot/r', repository)).status).toBe(200);
      expect((await node.send('PUT', '/i', MAPPING)).status).toBe(200);
      const ids: number[] = [];
      const snapshots: string[] = [];
      for (let round = 0; ; round++) {
        const first = 100 * round;
        const written = await fill(node, 'i', first, first + 100);
        ids.push(...written);
        const name = `s${round}`;
        const path = `/_snapshot/r/${name}?wait_for_completion=true`;
        const { status, body } = await node.send('PUT', path);
        const { snapshot } = body as { snapshot?: { state: string } };
        if (status === 200 && snapshot?.state === 'SUCCESS') {
          snapshots.push(name);
          continue;
        }
        const told = JSON.stringify(body);
        // Storage is being reopened over the full disk: asked again, it says so.
        if (status === 503 && told.includes('not available at the moment')) {
          await pause(50);
          continue;
        }
        expect(told).toMatch(/disk space low|disk full|no space left|ENOSPC/i);
        break;
      }
      expect(snapshots.length).toBeGreaterThan(0);
      await expectAll(node, 'i', ids);
      // What the operator does: snapshots go.
      for (const name of snapshots.slice(1)) {
        expect(await node.send('DELETE', `/_snapshot/r/${name}`)).toMatchObject({ status: 200 });
      }
      // The first one is as it was.
      const kept = await node.send('GET', `/_snapshot/r/${snapshots[0]}`);
      expect(kept).toMatchObject({ status: 200, body: { snapshots: [{ state: 'SUCCESS' }] } });
      expect((await node.send('DELETE', `/_snapshot/r/${snapshots[0]}`)).status).toBe(200);
      await until(
        () => writes(node),
        () => `${disk.listing()} ${node.log()}`,
      );
      await expectAll(node, 'i', ids);
      expect((await node.send('DELETE', '/i')).status).toBe(200);
      // What was deleted gives its space back, also where little is left.
      await until(
        async () => (await disk.available()) > 200 * MIB,
        () => `${disk.listing()} ${node.log()}`,
      );
      expect(await node.stop()).toBe(0);
    },
  );
});
