// Loading and searching at the same time, and refreshing while a merge runs: how long does everyone wait?

import { createIndex, loadCorpus, sendOrThrow } from './load';
import { figure, type Table } from './report';
import { percentile } from './statistics';
import type { OwnServer, Target } from './target';
import type { WorkloadInput } from './workload';
import { openWorkload, selectWorkloads } from './workloads';
import { TYPE } from './corpus';
import { Connection } from './connection';

const SEARCHES = ['match common', 'or 2', 'sort filtered', 'tags / broad', 'dashboard', 'get'];
const SEARCHERS = 3;
const REFRESHED_WRITES = 100;

/** Runs the scenario on one server; `own` gives event loop delays. */
export async function runMixed(
  target: Target,
  own: OwnServer | null,
  input: WorkloadInput,
  corpus: string,
  onProgress: (documents: number) => void,
): Promise<Table> {
  const { documents: index, writes } = input.indices;
  await createIndex(target, index);
  await createIndex(target, writes);
  await own?.loopDelay();
  const latencies: number[] = [];
  let isLoading = true;
  const searching = Array.from({ length: SEARCHERS }, (_, searcher) =>
    searchWhile(
      () => isLoading,
      target,
      input,
      searcher,
      (ms) => latencies.push(ms),
    ),
  );
  const loaded = await loadCorpus(target, index, corpus, Infinity, onProgress);
  isLoading = false;
  await Promise.all(searching);
  const loadDelay = (await own?.loopDelay()) ?? null;

  const merging = mergeAll(target, index);
  const refreshes: number[] = [];
  const writer = openWorkload(selectWorkloads(['put new'])[0]!, input, 0);
  const overlapping: number[] = [];
  for (let write = 0; write < REFRESHED_WRITES; write++) {
    const request = writer.next();
    const wasMerging = merging.isRunning();
    const path = `/${index}/${TYPE}/refreshed-${write}?refresh=true`;
    const started = performance.now();
    await sendOrThrow(target, 'PUT', path, request.body);
    const took = performance.now() - started;
    refreshes.push(took);
    if (wasMerging) overlapping.push(took);
  }
  const mergeDelay = (await own?.loopDelay()) ?? null;
  await merging.done;
  return {
    title: `Loading and searching together, ${loaded.documents.toLocaleString('en')} documents`,
    head: ['', target.label],
    rows: [
      ['loading, docs/s', figure(loaded.documents / loaded.seconds)],
      ['searches meanwhile, per s', figure(latencies.length / loaded.seconds)],
      ['search median, ms', figure(percentile(latencies, 0.5))],
      ['search p99, ms', figure(percentile(latencies, 0.99))],
      ['event loop delay p99 meanwhile, ms', figure(loadDelay?.p99 ?? NaN)],
      ['event loop delay max meanwhile, ms', figure(loadDelay?.max ?? NaN)],
      ['writes with refresh=true while merging', String(overlapping.length)],
      ['their median, ms', figure(percentile(overlapping, 0.5))],
      ['their p99, ms', figure(percentile(overlapping, 0.99))],
      [`p99 of all ${REFRESHED_WRITES}, ms`, figure(percentile(refreshes, 0.99))],
      ['event loop delay p99 meanwhile, ms', figure(mergeDelay?.p99 ?? NaN)],
    ],
  };
}

/**
 * Sends searches of several kinds one after the other on a connection of its own.
 *
 * @param took told how many milliseconds each took
 * @throws Error when one fails
 */
export async function searchWhile(
  isWanted: () => boolean,
  target: Target,
  input: WorkloadInput,
  stream: number,
  took: (ms: number) => void,
): Promise<void> {
  const connection = await Connection.open(target.url);
  const workloads = SEARCHES.flatMap((name) => selectWorkloads([name])).map((kind) =>
    openWorkload(kind, input, stream),
  );
  for (let sent = stream; isWanted(); sent++) {
    const request = workloads[sent % workloads.length]!.next();
    const started = performance.now();
    const { status, body } = await connection.send(request);
    took(performance.now() - started);
    // A document that is not loaded yet is not found.
    if (status >= 400 && status !== 404) {
      throw new Error(`${request.path}: ${status} ${body.toString('utf8', 0, 300)}`);
    }
  }
  connection.close();
}

/** Merges to one segment on a connection of its own. */
function mergeAll(
  target: Target,
  index: string,
): { readonly isRunning: () => boolean; readonly done: Promise<void> } {
  let isRunning = true;
  const merge = async () => {
    const connection = await Connection.open(target.url);
    const path = `/${index}/_optimize?max_num_segments=1`;
    const { status } = await connection.send({ method: 'POST', path, body: '' });
    connection.close();
    isRunning = false;
    if (status >= 400) throw new Error(`_optimize: ${status}`);
  };
  return { isRunning: () => isRunning, done: merge() };
}
