// What many aliases on many indices cost: memory, changing them, listing them, starting.

import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendOrThrow } from './load';
import { anonymousMemory } from './process-stats';
import { median } from './statistics';
import type { OwnServer, Target } from './target';

/** Actions of a measured array. */
const ACTIONS = 100;
const ARRAYS = 50;
const LISTINGS = 20;
const STARTS = 5;
const SYNCS = 50;
const SYNCED_BYTES = 16_384;
/** Creating and adding is not measured; several at a time share their disk syncs. */
const CONNECTIONS = 8;

/** How many of each, and how long a server is left alone before its memory is read. */
interface ScaleOptions {
  readonly indices: number;
  readonly aliases: number;
  /** In every index. */
  readonly documents: number;
  readonly idleSeconds: number;
}

/** Times are medians in ms, memory in bytes. */
export interface ScaleResult {
  /** Writing 16 kB to a file and syncing it, as the file system of the temporary folder does it. */
  readonly syncMs: number;
  /** An `_aliases` request of 100 actions that move 50 aliases. */
  readonly actionsMs: number;
  readonly listMs: number;
  /** From starting the process to the first answered request. */
  readonly startMs: number;
  /** RssAnon that the open indices added. */
  readonly addedMemory: number;
  /** CPU of the process with all indices open while nobody asked anything; a share of one core. */
  readonly idleCpu: number;
}

/** Measures a server that has no index yet. @throws Error when it refuses something */
export async function measureScale(
  server: OwnServer,
  { indices, aliases, documents, idleSeconds }: ScaleOptions,
  onProgress: (step: string, done: number, total: number) => void,
): Promise<ScaleResult> {
  let target = server.target();
  try {
    await idle(idleSeconds, (done) => onProgress('idle without indices', done, idleSeconds));
    const memoryBefore = anonymousMemory(target.pid);
    await inParallel(
      target,
      indices,
      (at) => ['PUT', `/${indexName(at)}`, ''],
      (done) => onProgress('indices', done, indices),
    );
    await inParallel(
      target,
      documents === 0 ? 0 : indices,
      (at) => ['POST', `/${indexName(at)}/book/_bulk`, books(documents)],
      (done) => onProgress('documents', done, indices),
    );
    const cpuBefore = target.cpu.read();
    await idle(idleSeconds, (done) => onProgress('idle with indices', done, idleSeconds));
    const idleCpu = (target.cpu.read() - cpuBefore) / (idleSeconds * 1e6);
    const addedMemory = anonymousMemory(target.pid) - memoryBefore;

    const batches = Math.ceil(aliases / ACTIONS);
    await inParallel(
      target,
      batches,
      (at) => ['POST', '/_aliases', addAliases(at * ACTIONS, aliases, indices)],
      (done) => onProgress('aliases', done, batches),
    );
    const actionTimes: number[] = [];
    for (let array = 0; array < ARRAYS; array++) {
      actionTimes.push(await timed(target, 'POST', '/_aliases', move(array, aliases, indices)));
      onProgress('action arrays', array + 1, ARRAYS);
    }
    const listTimes: number[] = [];
    for (let listing = 0; listing < LISTINGS; listing++) {
      listTimes.push(await timed(target, 'GET', '/_alias', ''));
      onProgress('listings', listing + 1, LISTINGS);
    }
    target.close();
    const startTimes: number[] = [];
    for (let start = 0; start < STARTS; start++) {
      startTimes.push(
        await server.restart({ method: 'GET', path: `/${aliasName(0)}/_count`, body: '' }),
      );
      onProgress('starts', start + 1, STARTS);
    }
    target = server.target();
    return {
      syncMs: await syncTime(),
      actionsMs: median(actionTimes),
      listMs: median(listTimes),
      startMs: median(startTimes),
      addedMemory,
      idleCpu,
    };
  } finally {
    target.close();
  }
}

const indexName = (at: number) => `bench-index-${at}`;
const aliasName = (at: number) => `bench-alias-${at}`;

/** A bulk request of documents that the mapping comes from. */
function books(documents: number): string {
  const lines: string[] = [];
  for (let id = 0; id < documents; id++) {
    const book = { title: `book ${id}`, tags: ['a', 'b'], pages: id, price: 9.5, isNew: true };
    lines.push(`{"index":{"_id":"${id}"}}`, JSON.stringify(book));
  }
  return `${lines.join('\n')}\n`;
}

function addAliases(from: number, aliases: number, indices: number): string {
  const actions: object[] = [];
  for (let at = from; at < Math.min(from + ACTIONS, aliases); at++) {
    actions.push({ add: { index: indexName(at % indices), alias: aliasName(at) } });
  }
  return JSON.stringify({ actions });
}

/**
 * Moves 50 aliases by one index each; every array takes others, on other indices, as long as there are any.
 */
function move(array: number, aliases: number, indices: number): string {
  const moves = ACTIONS / 2;
  const actions: object[] = [];
  const round = Math.floor((array * moves) / aliases);
  for (let at = array * moves; at < (array + 1) * moves; at++) {
    const alias = aliasName(at % aliases);
    const index = (at % aliases) + round;
    actions.push({ remove: { index: indexName(index % indices), alias } });
    actions.push({ add: { index: indexName((index + 1) % indices), alias } });
  }
  return JSON.stringify({ actions });
}

async function timed(
  target: Target,
  method: 'GET' | 'POST',
  path: string,
  body: string,
): Promise<number> {
  const started = performance.now();
  await sendOrThrow(target, method, path, body);
  return performance.now() - started;
}

async function idle(seconds: number, onSecond: (done: number) => void): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await sleep(1000);
    onSecond(second + 1);
  }
}

/** Sends `total` requests over several connections. */
async function inParallel(
  target: Target,
  total: number,
  request: (at: number) => readonly [method: 'PUT' | 'POST', path: string, body: string],
  onProgress: (done: number) => void,
): Promise<void> {
  let next = 0;
  let done = 0;
  const connections = await target.connect(CONNECTIONS);
  await Promise.all(
    connections.map(async (connection) => {
      while (next < total) {
        const [method, path, body] = request(next++);
        const answer = await connection.send({ method, path, body });
        if (answer.status !== 200) {
          throw new Error(`${method} ${path}: ${answer.status} ${answer.body.toString()}`);
        }
        onProgress(++done);
      }
    }),
  );
}

/** Median time of a synced write, in ms. */
async function syncTime(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'facetd-bench-sync-'));
  const times: number[] = [];
  try {
    const file = await open(join(folder, 'file'), 'w');
    try {
      const bytes = Buffer.alloc(SYNCED_BYTES, 1);
      for (let sync = 0; sync < SYNCS; sync++) {
        const started = performance.now();
        await file.write(bytes);
        await file.datasync();
        times.push(performance.now() - started);
      }
    } finally {
      await file.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return median(times);
}
