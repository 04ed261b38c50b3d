// Loading the corpus, and waiting until what it set going has ended.

import { setTimeout as sleep } from 'node:timers/promises';
import { INDEX_BODY, readCorpus, TYPE, type CorpusDocument } from './corpus';
import type { Target } from './target';
import type { BenchRequest } from './workload';

const BATCH = 1000;
const CONNECTIONS = 2;
const QUIET_MS = 1000;
/**
 * So many quiet periods in a row: what a server does only when it was left alone for a while belongs to
 * loading.
 */
const QUIET_PERIODS = 15;
/** Share of one core below which a server counts as idle. */
const QUIET_SHARE = 0.05;
const MAX_WAIT_MS = 600_000;

/** What loading cost. */
export interface LoadResult {
  readonly documents: number;
  /** Until the last document was acknowledged. */
  readonly seconds: number;
  /** CPU µs per document until the last was acknowledged. */
  readonly cpu: number;
  /** CPU µs per document until all were searchable and merging had ended. */
  readonly cpuSettled: number;
  /** Seconds from the last acknowledgement until then. */
  readonly settleSeconds: number;
}

/** Creates an index anew. @throws Error when the server refuses */
export async function createIndex(target: Target, index: string): Promise<void> {
  await sendOrThrow(target, 'DELETE', `/${index}?ignore_unavailable=true`, '', [404]);
  await sendOrThrow(target, 'PUT', `/${index}`, JSON.stringify(INDEX_BODY));
}

/** Removes an index. */
export async function deleteIndex(target: Target, index: string): Promise<void> {
  await sendOrThrow(target, 'DELETE', `/${index}`, '', [404]);
}

/** Sends the whole corpus in batches over two connections. */
export async function loadCorpus(
  target: Target,
  index: string,
  file: string,
  limit: number,
  onProgress: (documents: number) => void,
): Promise<{ readonly documents: number; readonly seconds: number; readonly cpuUs: number }> {
  const connections = await target.connect(CONNECTIONS);
  const batches = inBatches(readCorpus(file), limit);
  const cpuBefore = target.cpu.read();
  const started = performance.now();
  let documents = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (;;) {
        const { value, done } = await batches.next();
        if (done === true) return;
        const { status, body } = await connection.send({
          method: 'POST',
          path: `/${index}/${TYPE}/_bulk`,
          body: value.body,
        });
        if (status !== 200 || !body.includes('"errors":false')) {
          throw new Error(`bulk: ${status} ${body.toString('utf8', 0, 500)}`);
        }
        documents += value.documents;
        onProgress(documents);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  return { documents, seconds, cpuUs: target.cpu.read() - cpuBefore };
}

/**
 * Refreshes, merges if asked to, and waits until the process stays idle. Time and CPU are those until then.
 */
export async function settle(
  target: Target,
  index: string,
  segments: number | null,
): Promise<{ readonly seconds: number; readonly cpuUs: number }> {
  const cpuBefore = target.cpu.read();
  const started = performance.now();
  await sendOrThrow(target, 'POST', `/${index}/_refresh`, '');
  if (segments !== null) {
    await sendOrThrow(target, 'POST', `/${index}/_optimize?max_num_segments=${segments}`, '');
  }
  await sendOrThrow(target, 'POST', `/${index}/_flush`, '');
  const quiet = await waitUntilQuiet(target);
  return { seconds: (quiet.at - started) / 1000, cpuUs: quiet.cpuUs - cpuBefore };
}

/** Loads and settles. */
export async function loadAndSettle(
  target: Target,
  index: string,
  file: string,
  segments: number | null,
  onProgress: (documents: number) => void,
): Promise<LoadResult> {
  await createIndex(target, index);
  const loaded = await loadCorpus(target, index, file, Infinity, onProgress);
  const settled = await settle(target, index, segments);
  return {
    documents: loaded.documents,
    seconds: loaded.seconds,
    cpu: loaded.cpuUs / loaded.documents,
    cpuSettled: (loaded.cpuUs + settled.cpuUs) / loaded.documents,
    settleSeconds: settled.seconds,
  };
}

async function* inBatches(
  documents: AsyncIterable<CorpusDocument>,
  limit: number,
): AsyncGenerator<{ readonly documents: number; readonly body: string }, undefined> {
  let lines: string[] = [];
  let taken = 0;
  for await (const { id, source } of documents) {
    if (taken === limit) break;
    taken++;
    lines.push(`{"index":{"_id":${JSON.stringify(id)}}}\n${source}\n`);
    if (lines.length < BATCH) continue;
    yield { documents: lines.length, body: lines.join('') };
    lines = [];
  }
  if (lines.length > 0) yield { documents: lines.length, body: lines.join('') };
  return undefined;
}

/**
 * Waits until the process does next to nothing for a while.
 *
 * @returns when that began, and what its CPU time was then
 * @throws Error when it does not come to rest
 */
async function waitUntilQuiet(
  target: Target,
): Promise<{ readonly at: number; readonly cpuUs: number }> {
  const deadline = performance.now() + MAX_WAIT_MS;
  let quiet = { at: performance.now(), cpuUs: target.cpu.read() };
  let before = quiet.cpuUs;
  for (let periods = 0; periods < QUIET_PERIODS;) {
    if (performance.now() > deadline) throw new Error(`${target.label} does not come to rest`);
    await sleep(QUIET_MS);
    const now = { at: performance.now(), cpuUs: target.cpu.read() };
    const isBusy = (now.cpuUs - before) / 1000 >= QUIET_SHARE * QUIET_MS;
    before = now.cpuUs;
    periods = isBusy ? 0 : periods + 1;
    if (isBusy) quiet = now;
  }
  return quiet;
}

/** Sends a request that has to succeed. */
export async function sendOrThrow(
  target: Target,
  method: BenchRequest['method'],
  path: string,
  body: string,
  allowed: readonly number[] = [],
): Promise<void> {
  const answer = await target.send({ method, path, body });
  if (answer.status >= 400 && !allowed.includes(answer.status)) {
    const text = answer.body.toString('utf8', 0, 300);
    throw new Error(`${target.label}: ${method} ${path}: ${answer.status} ${text}`);
  }
}
