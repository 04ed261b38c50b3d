// Open scrolls hold what they show and nothing else: on disk there is what was live when they were opened and
// what is live now, however much is written meanwhile; and it is free again when they have ended. `npm test`
// builds first.

import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random, testSeed } from '../support/random';
import { note } from '../support/figures';
import { freePort, ServerProcess } from '../support/server-process';
import { until } from '../support/until';

const LONG = ['1', '2'].includes(process.env['LONG'] ?? '');
const SCROLLS = 500;
const DOCUMENTS = 4000;
/** Every document is written again so many times while the scrolls are open. */
const ROUNDS = LONG ? 60 : 6;
const random = new Random(testSeed(20130613));

let folder: string;
let server: ServerProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-scrolls-'));
  server = await ServerProcess.start(join(folder, 'data'), await freePort(), [
    'node.workers=1',
    'index.refresh_interval=-1',
    'index.number_of_shards=1',
    'search.keep_alive_interval=100ms',
    'node.min_free_disk=0',
  ]);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Writes all documents anew, with text that does not shrink. */
async function writeAll(round: number): Promise<void> {
  for (let from = 0; from < DOCUMENTS; from += 500) {
    const lines: string[] = [];
    for (let id = from; id < from + 500; id++) {
      const text = Array.from({ length: 60 }, () => random.next().toString(36).slice(2)).join(' ');
      lines.push(`{"index":{"_id":"${id}"}}`, JSON.stringify({ round, id, text }));
    }
    const { status } = await server.send('POST', '/i/t/_bulk', `${lines.join('\n')}\n`);
    expect(status).toBe(200);
  }
  expect((await server.send('POST', '/i/_refresh')).status).toBe(200);
}

async function bytesIn(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const name = join(path, entry.name);
    if (entry.isDirectory()) bytes += await bytesIn(name);
    // Files come and go.
    else bytes += (await stat(name).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}

test(`${SCROLLS} open scrolls keep what they show, and let go of it`, async () => {
  const data = join(folder, 'data');
  await writeAll(0);
  await server.send('POST', '/i/_optimize?max_num_segments=1');
  let live = Infinity;
  // What it takes when all is tidy.
  await until(async () => {
    const before = live;
    live = await bytesIn(data);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return live >= before && live < Infinity;
  });
  const ids: string[] = [];
  for (let i = 0; i < SCROLLS; i++) {
    const path = `/i/_search?scroll=30m&size=20${i % 2 === 0 ? '' : '&search_type=scan'}`;
    const { body } = await server.send('POST', path, { sort: ['id'] });
    ids.push((body as { _scroll_id: string })._scroll_id);
  }
  let largest = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    await writeAll(round);
    largest = Math.max(largest, await bytesIn(data));
  }
  // Compaction takes its time; what is held does not shrink by waiting.
  let settled = Infinity;
  await until(
    async () => (settled = await bytesIn(data)) < 2 * live * 1.1,
    () => `${settled} bytes with scrolls, ${live} without`,
  );
  for (const id of ids.filter((_, i) => i % 50 < 2)) {
    const { body } = await server.send('GET', `/_search/scroll?scroll=30m&scroll_id=${id}`);
    const { hits } = body as { hits: { hits: { _source: { round: number } }[] } };
    expect(hits.hits.map(({ _source }) => _source.round)).toEqual(new Array(20).fill(0));
  }
  for (const id of ids) await server.send('GET', `/_search/scroll?scroll=1ms&scroll_id=${id}`);
  let after = Infinity;
  await until(
    async () => (after = await bytesIn(data)) < 1.3 * live,
    () => `${after} bytes after all scrolls ended, ${live} live`,
  );
  note('scroll-disk', { live, largest, settled, after });
});
