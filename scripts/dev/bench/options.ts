// Command line of the benchmark.

import { parseArgs } from 'node:util';

export const USAGE = `usage: npm run bench -- [options]

  --corpus FILE        reuse this NDJSON file; it is written first if it does not exist
  --times N            size of a corpus that is written: copies of the package list (1)
  --url URL            measure this server instead of one of our own
  --pid PID            its process, for CPU and memory
  --vs URL             run the same requests, interleaved, against a second server, and print ratios
  --vs-pid PID         its process
  --vs-disk DIR        its data folder, for disk use
  --rows a,b           only rows whose name contains one of these
  --scenario NAME      rows (default), or mixed: delays while loading and searching together
  --requests N         requests per row, run and number of connections (120)
  --connections 1,8    numbers of connections
  --runs N             measured runs; ratios are geometric means over them (1)
  --warmup N           requests per row before the first run, for 4 s at most (300)
  --segments N         merge down to this many segments after loading (as merging leaves them)
  --keep-index         measure what is already loaded under the benchmark's index name
  --set KEY=VALUE      setting for our own server; may be repeated
  --seed N             choice of terms, bounds and ids (1)
  --json FILE          everything that was measured
  --markdown FILE      the tables as Markdown
  --svg FILE           a plot of the summary
`;

/** What was asked for on the command line. */
export interface BenchOptions {
  readonly corpus: string | null;
  readonly times: number;
  readonly url: string | null;
  readonly pid: number | null;
  readonly vsUrl: string | null;
  readonly vsPid: number | null;
  readonly vsDisk: string | null;
  readonly rows: readonly string[];
  readonly scenario: 'rows' | 'mixed';
  readonly requests: number;
  readonly connections: readonly number[];
  readonly runs: number;
  readonly warmup: number;
  /** Null leaves the segments as the merge policy of each server made them. */
  readonly segments: number | null;
  readonly keepIndex: boolean;
  readonly settings: readonly string[];
  readonly seed: number;
  readonly json: string | null;
  readonly markdown: string | null;
  readonly svg: string | null;
}

/**
 * Reads the command line.
 *
 * @returns null when help was asked for
 * @throws Error for an unknown option or a value that cannot be used
 */
export function parseOptions(args: readonly string[]): BenchOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      corpus: { type: 'string' },
      times: { type: 'string', default: '1' },
      url: { type: 'string' },
      pid: { type: 'string' },
      vs: { type: 'string' },
      'vs-pid': { type: 'string' },
      'vs-disk': { type: 'string' },
      rows: { type: 'string', default: '' },
      scenario: { type: 'string', default: 'rows' },
      requests: { type: 'string', default: '120' },
      connections: { type: 'string', default: '1,8' },
      runs: { type: 'string', default: '1' },
      warmup: { type: 'string', default: '300' },
      segments: { type: 'string' },
      'keep-index': { type: 'boolean', default: false },
      set: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string', default: '1' },
      json: { type: 'string' },
      markdown: { type: 'string' },
      svg: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const { scenario } = values;
  if (scenario !== 'rows' && scenario !== 'mixed') {
    throw new Error(`--scenario is rows or mixed, not ${scenario}`);
  }
  return {
    corpus: values.corpus ?? null,
    times: wholeNumber('times', values.times, 1),
    url: values.url ?? null,
    pid: values.pid === undefined ? null : wholeNumber('pid', values.pid, 1),
    vsUrl: values.vs ?? null,
    vsPid: values['vs-pid'] === undefined ? null : wholeNumber('vs-pid', values['vs-pid'], 1),
    vsDisk: values['vs-disk'] ?? null,
    rows: values.rows.split(',').filter((row) => row !== ''),
    scenario,
    requests: wholeNumber('requests', values.requests, 1),
    connections: values.connections.split(',').map((part) => wholeNumber('connections', part, 1)),
    runs: wholeNumber('runs', values.runs, 1),
    warmup: wholeNumber('warmup', values.warmup, 0),
    segments: values.segments === undefined ? null : wholeNumber('segments', values.segments, 1),
    keepIndex: values['keep-index'],
    settings: values.set,
    seed: wholeNumber('seed', values.seed, 0),
    json: values.json ?? null,
    markdown: values.markdown ?? null,
    svg: values.svg ?? null,
  };
}

/** The number an option was given. @throws Error when it is not a whole number from `atLeast` */
export function wholeNumber(option: string, text: string, atLeast: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < atLeast) {
    throw new Error(`--${option} needs a whole number from ${atLeast}, not ${text}`);
  }
  return value;
}
