// Sends the requests of a row, in blocks that alternate between the servers, and keeps the time of each.

import type { Connection } from './connection';
import { geometricMean, median, percentile } from './statistics';
import type { Target } from './target';
import type { BenchRequest, WorkloadInput, WorkloadKind } from './workload';
import { openWorkload } from './workloads';

/** Requests of a block on one connection; with more connections each carries this many. */
const BLOCK = 10;
const BLOCK_PER_CONNECTION = 5;
/** Milliseconds after which a measured row ends early. */
export const MEASURING_LIMIT = 12_000;
/** Milliseconds after which the warm-up of a row ends early. */
export const WARMUP_LIMIT = 4_000;

/** What one row cost on one server in one run. */
export interface Sample {
  readonly requests: number;
  /** Milliseconds. */
  readonly median: number;
  /** Milliseconds. */
  readonly p99: number;
  readonly perSecond: number;
  /** CPU time of the whole process per request, in ms. */
  readonly cpu: number;
}

/** A row at one number of connections, over all runs. */
export interface RowResult {
  readonly name: string;
  readonly family: string;
  readonly connections: number;
  /** Per server, one sample per run. */
  readonly samples: readonly (readonly Sample[])[];
}

/** Samples of several runs in one: the middle of each figure. */
export function combine(samples: readonly Sample[]): Sample {
  const middle = (figure: (sample: Sample) => number) => median(samples.map(figure));
  return {
    requests: samples.reduce((sum, { requests }) => sum + requests, 0),
    median: middle((sample) => sample.median),
    p99: middle((sample) => sample.p99),
    perSecond: middle((sample) => sample.perSecond),
    cpu: middle((sample) => sample.cpu),
  };
}

/** How many times less CPU the first server took than the second: geometric mean over the runs. */
export function cpuRatio({ samples: [ours = [], theirs = []] }: RowResult): number {
  return geometricMean(theirs.map(({ cpu }, run) => cpu / (ours[run]?.cpu ?? NaN)));
}

/** How many times more requests the first server answered: geometric mean over the runs. */
export function rateRatio({ samples: [ours = [], theirs = []] }: RowResult): number {
  return geometricMean(
    theirs.map(({ perSecond }, run) => (ours[run]?.perSecond ?? NaN) / perSecond),
  );
}

/**
 * Sends a row to every target.
 *
 * @param stream the same number gives the same requests
 * @param limitMs after how long it ends early, though never before its second block
 * @returns a sample per target
 * @throws Error when a request fails
 */
export async function measureRow(
  kind: WorkloadKind,
  input: WorkloadInput,
  targets: readonly Target[],
  connectionCount: number,
  requestCount: number,
  stream: number,
  limitMs: number,
): Promise<Sample[]> {
  const lanes = await Promise.all(
    targets.map(async (target) => ({
      target,
      connections: await target.connect(connectionCount),
      workload: openWorkload(kind, input, stream),
      latencies: [] as number[],
      wallMs: 0,
      cpuUs: 0,
    })),
  );
  const blockSize = connectionCount === 1 ? BLOCK : BLOCK_PER_CONNECTION * connectionCount;
  const started = performance.now();
  let sent = 0;
  for (let block = 0; sent < requestCount; block++) {
    if (block > 1 && performance.now() - started > limitMs) break;
    const count = Math.min(blockSize, requestCount - sent);
    sent += count;
    // Taking turns at being first keeps what one leaves behind from always meeting the other.
    for (const lane of block % 2 === 0 ? lanes : [...lanes].reverse()) {
      const requests = Array.from({ length: count }, () => lane.workload.next());
      const cpuBefore = lane.target.cpu.read();
      const wallBefore = performance.now();
      await sendAll(lane.connections, requests, lane.latencies);
      lane.wallMs += performance.now() - wallBefore;
      lane.cpuUs += lane.target.cpu.read() - cpuBefore;
    }
  }
  return lanes.map(({ latencies, wallMs, cpuUs }) => ({
    requests: latencies.length,
    median: median(latencies),
    p99: percentile(latencies, 0.99),
    perSecond: (latencies.length / wallMs) * 1000,
    cpu: cpuUs / 1000 / latencies.length,
  }));
}

/** Sends a request and those that follow from its answer. @throws Error when one of them fails */
async function sendOne(connection: Connection, first: BenchRequest): Promise<void> {
  for (let request: BenchRequest | null = first; request !== null;) {
    const { method, path, then }: BenchRequest = request;
    const { status, body } = await connection.send(request);
    if (status >= 400) {
      throw new Error(`${method} ${path}: ${status} ${body.toString('utf8', 0, 300)}`);
    }
    request = then?.(body) ?? null;
  }
}

/** Sends requests over the connections, each taking the next one when it is free. */
async function sendAll(
  connections: readonly Connection[],
  requests: readonly BenchRequest[],
  latencies: number[],
): Promise<void> {
  let next = 0;
  const work = async (connection: Connection) => {
    while (next < requests.length) {
      const request = requests[next++]!;
      const started = performance.now();
      await sendOne(connection, request);
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(connections.map(work));
}
