// What the benchmarks that have targets share: their options, and how they end. The exit code is 1 when
// something was wrong or a target is missed.

import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { wholeNumber } from './options';
import { plainTable, type Table } from './report';

/** A whole number: what it is when nobody says, and the least that it may be. */
type NumberOption = readonly [standard: number, least: number];

/** The numbers and texts by name, and what every benchmark of this kind takes. */
export type VerdictOptions<N extends string, T extends string = never> = Readonly<
  Record<N, number> & Record<T, string | null>
> & {
  /** For the server that is started. */
  readonly settings: readonly string[];
  /** The file for everything that was measured. */
  readonly json: string | null;
};

/** What came of it. */
export interface Verdict {
  readonly tables: readonly Table[];
  /** Everything that was measured, by name. */
  readonly stats: Readonly<Record<string, unknown>>;
  readonly targets: Readonly<Record<string, number>>;
  /** Wrong answers and missed targets, in words. */
  readonly misses: readonly string[];
}

/** A benchmark with targets. */
interface Benchmark<N extends string, T extends string> {
  readonly usage: string;
  readonly numbers: Readonly<Record<N, NumberOption>>;
  /** Options with any text. */
  readonly texts: readonly T[];
  readonly measure: (options: VerdictOptions<N, T>) => Promise<Verdict>;
}

/**
 * Runs a benchmark over the command line: prints its tables, what was missed, and writes the statistics to a
 * file if asked to.
 */
export function runBenchmark<N extends string, T extends string>(benchmark: Benchmark<N, T>): void {
  run(benchmark).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}

async function run<N extends string, T extends string>(benchmark: Benchmark<N, T>): Promise<void> {
  const options = parseOptions(process.argv.slice(2), benchmark);
  if (options === null) {
    process.stdout.write(benchmark.usage);
    return;
  }
  const { tables, stats, targets, misses } = await benchmark.measure(options);
  for (const table of tables) console.log(`\n${plainTable(table)}`);
  for (const miss of misses) console.error(miss);
  if (options.json !== null) {
    const { json: _file, ...asked } = options;
    const result = { options: asked, ...stats, targets, misses };
    await writeFile(options.json, `${JSON.stringify(result, null, 1)}\n`);
  }
  if (misses.length > 0) process.exitCode = 1;
}

/**
 * Reads the command line.
 *
 * @returns null when help was asked for
 * @throws Error for an unknown option or a value that cannot be used
 */
export function parseOptions<N extends string, T extends string>(
  args: readonly string[],
  { numbers, texts }: Pick<Benchmark<N, T>, 'numbers' | 'texts'>,
): VerdictOptions<N, T> | null {
  const numberNames = Object.keys(numbers) as N[];
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries([...numberNames, ...texts].map((name) => [name, text])),
      set: { type: 'string', multiple: true, default: [] },
      json: text,
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const given: Readonly<Record<string, unknown>> = values;
  const textOf = (name: string): string | null => {
    const value = given[name];
    return typeof value === 'string' ? value : null;
  };
  const named = [
    ...texts.map((name) => [name, textOf(name)]),
    ...numberNames.map((name) => {
      const [standard, least] = numbers[name];
      return [name, wholeNumber(name, textOf(name) ?? String(standard), least)];
    }),
  ];
  return {
    ...(Object.fromEntries(named) as Record<N, number> & Record<T, string | null>),
    settings: values.set,
    json: values.json ?? null,
  };
}
