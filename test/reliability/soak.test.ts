// All kinds of work side by side for a given time: memory, open files, disk and latency stay what they were.
// SOAK_MINUTES says for how long; without it this runs with `npm run reliability` only. It prints what it
// saw.

import { readdir, readFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { note } from '../support/figures';
import { onlyWhere } from '../support/only-where';
import { Random, repetitions, testSeed } from '../support/random';
import { freePort, ServerProcess } from '../support/server-process';
import { SoakLoad } from '../support/soak/load';
import { byMinute, median, p99, slope, type Sample } from '../support/soak/trend';
import { pause, until } from '../support/until';

const MINUTES = repetitions('SOAK_MINUTES', 0, 8, 60);
/** What caches, buffers and compiled code take until they have their size. */
const WARM_UP = Math.min(10, MINUTES * 0.4);
const SAMPLE_MS = 5000;
const MB = 1024 * 1024;

const LIMITS = {
  /** MB a minute. */
  growth: 1,
  /** MB: what memory grows by chance, which in a short time is more a minute than that. */
  chance: 40,
  files: 20,
  /** Share of the p99 of latencies that it may grow from the first minute after warming up to the last. */
  drift: 0.2,
  /** ms: growth that a machine with neighbours brings by chance. */
  driftMs: 10,
  /** Bytes on disk for a byte of sources, at rest. */
  disk: 3,
  /** MB that log files may take besides while writes go on, of two databases. */
  buffers: 256,
};

jest.setTimeout((2 * MINUTES + 10) * 60_000);

class Samples {
  readonly resident: Sample[] = [];
  readonly heap: Sample[] = [];
  readonly files: Sample[] = [];
  readonly disk: Sample[] = [];
  readonly latencies: Sample[] = [];

  constructor(
    private readonly server: ServerProcess,
    private readonly data: string,
    private readonly load: SoakLoad,
  ) {}

  async take(minute: number): Promise<void> {
    const status = await readFile(`/proc/${this.server.pid}/status`, 'utf8');
    this.resident.push([minute, Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]) / 1024]);
    this.files.push([minute, (await readdir(`/proc/${this.server.pid}/fd`)).length]);
    const { body } = await this.server.send('GET', '/_metrics');
    const heap = /facetd_memory_bytes\{kind="heap_used"\} (\S+)/.exec(String(body))?.[1];
    this.heap.push([minute, Number(heap) / MB]);
    this.disk.push([minute, (await sizeOf(this.data)) / MB]);
    for (const latency of this.load.take()) this.latencies.push([minute, latency]);
  }
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // LevelDB removes files at any time.
    const file = entry.isFile()
      ? await stat(join(entry.parentPath, entry.name)).catch(() => null)
      : null;
    bytes += file?.size ?? 0;
  }
  return bytes;
}

onlyWhere(MINUTES > 0, 'SOAK_MINUTES, or `npm run reliability`')(
  `${MINUTES} minutes of everything leave memory, files, disk and latency as they were`,
  async () => {
    const random = new Random(testSeed(20_120_607));
    const folder = await mkdtemp(join(tmpdir(), 'facetd-soak-'));
    const data = join(folder, 'data');
    const settings = ['node.memory=128mb', 'node.workers=1', `path.repo=${join(folder, 'repo')}`];
    const server = await ServerProcess.start(data, await freePort(), settings);
    try {
      const load = new SoakLoad(server, random);
      await load.start();
      const samples = new Samples(server, data, load);
      const began = performance.now();
      for (let minute = 0; minute < MINUTES && load.problems.length === 0;) {
        await pause(SAMPLE_MS);
        minute = (performance.now() - began) / 60_000;
        await samples.take(minute);
      }
      await load.stop();
      expect(load.problems.slice(0, 10)).toEqual([]);
      // At rest what is written last goes into tables, and what was removed gives its space back.
      let disk = 0;
      const live = load.liveBytes();
      await until(
        async () => (disk = await sizeOf(data)) <= LIMITS.disk * live,
        () => `${disk} bytes on disk for ${live} of sources`,
      );
      const figures = judge(samples);
      note('soak', {
        seed: random.seed,
        minutes: MINUTES,
        requests: load.requests,
        snapshots: load.snapshots,
        swaps: load.swaps,
        diskForAByteAtRest: disk / live,
        ...figures,
        // Minute by minute: a slope does not say whether it ends.
        residentEachMinute: minima(samples.resident),
        heapEachMinute: minima(samples.heap),
      });
      console.log(
        JSON.stringify({ ...figures, requests: load.requests, diskAtRest: disk, live }, null, 1),
      );
      const { residentGrowth, heapGrowth, fileGrowth, p99Ms, p99Growth, diskMost } = figures;
      const most = Math.max(LIMITS.growth, LIMITS.chance / (MINUTES - WARM_UP));
      expect(residentGrowth).toBeLessThan(most);
      expect(heapGrowth).toBeLessThan(most);
      expect(fileGrowth).toBeLessThan(LIMITS.files);
      expect(p99Growth).toBeLessThan(Math.max(LIMITS.drift * p99Ms!, LIMITS.driftMs));
      expect(diskMost).toBeLessThan((LIMITS.disk * live) / MB + LIMITS.buffers);
      expect(await server.stop()).toBe(0);
    } finally {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

function judge(samples: Samples): Record<string, number> {
  const warm = (all: readonly Sample[]) => all.filter(([minute]) => minute >= WARM_UP);
  const observed = MINUTES - WARM_UP;
  const latencies = byMinute(warm(samples.latencies), p99);
  const values = (all: readonly Sample[]) => all.map(([, value]) => value);
  return rounded({
    residentMb: median(values(warm(samples.resident))),
    // Memory comes and goes with collections and builds: what is left of it in a minute says what stays.
    residentGrowth: slope(byMinute(warm(samples.resident), (all) => Math.min(...all))),
    heapMb: median(values(warm(samples.heap))),
    heapGrowth: slope(byMinute(warm(samples.heap), (all) => Math.min(...all))),
    files: median(values(warm(samples.files))),
    fileGrowth: slope(byMinute(warm(samples.files), median)) * observed,
    p99Ms: median(values(latencies)),
    p99Growth: slope(latencies) * observed,
    diskMost: Math.max(...values(warm(samples.disk))),
    diskGrowth: slope(byMinute(warm(samples.disk), median)),
  });
}

function minima(samples: readonly Sample[]): number[] {
  return byMinute(samples, (values) => Math.min(...values)).map(([, value]) => Math.round(value));
}

function rounded(figures: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, Math.round(value * 100) / 100]),
  );
}
