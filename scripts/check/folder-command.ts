// What `facetd verify` and `facetd repair` share: progress, report and exit codes.

import { resolve } from 'node:path';
import { FormatVersionError, StorageError } from '../../storage/errors';
import type { Inspection, OnProgress } from '../../storage/inspect/inspection';
import { CommandLineError } from '../cli/index';
import { Progress } from '../common/progress';

/**
 * Everything is whole; damage was found (verify) or something is lost (repair); could not run; bad options.
 */
export const EXIT = { whole: 0, damaged: 1, failed: 2, usage: 64 } as const;

/** Lines of one kind that are printed. */
const MAX_LINES = 200;
/** Time between two counts of values. */
const COUNT_EVERY_MS = 2000;

/** The folder that an option names. @throws CommandLineError when it is missing */
export function dataFolder(command: string, data: string | undefined): string {
  if (data !== undefined) return resolve(data);
  throw new CommandLineError(
    `--data FOLDER is needed, the setting path.data of the node; facetd ${command} --help lists all`,
  );
}

/** A progress bar for files, a count for values, whose number is not known before. */
export function showProgress(): OnProgress {
  let files: Progress | null = null;
  let shownAt = performance.now();
  return (phase, done, total) => {
    if (phase === 'files') {
      files ??= new Progress('checking files, bytes', total);
      files.update(done);
      return;
    }
    const now = performance.now();
    if (now - shownAt < COUNT_EVERY_MS) return;
    shownAt = now;
    process.stderr.write(`checking ${phase}, ${done.toLocaleString('en')} values\n`);
  };
}

/** Prints what was found. */
export function report(inspection: Inspection): void {
  const { problems, leftovers, documents, values } = inspection;
  print('damage', withIndexNames(inspection, problems));
  print('left over', leftovers);
  process.stdout.write(
    `${values} values, ${documents} documents: ${problems.length} problems, ${leftovers.length} leftovers\n`,
  );
}

/** Adds to every `shard 7` which shard of which index that is. */
export function withIndexNames({ metadata }: Inspection, lines: readonly string[]): string[] {
  const names = new Map<string, string>();
  for (const [name, value] of metadata) {
    if (!name.startsWith('index/')) continue;
    const { name: index, shardIds } = JSON.parse(value.toString()) as StoredIndex;
    for (const [number, shard] of shardIds.entries())
      names.set(String(shard), `${index}[${number}]`);
  }
  return lines.map((line) =>
    line.replace(/\bshard (\d+)/g, (found, shard: string) => {
      const name = names.get(shard);
      return name === undefined ? found : `${found} (${name})`;
    }),
  );
}

/** What is looked at of an index's metadata. */
interface StoredIndex {
  readonly name: string;
  readonly shardIds: readonly number[];
}

/** Prints findings, a line each, up to a limit. */
export function print(what: string, lines: readonly string[]): void {
  for (const line of lines.slice(0, MAX_LINES)) process.stdout.write(`${what}: ${line}\n`);
  if (lines.length > MAX_LINES) {
    process.stdout.write(`${what}: and ${lines.length - MAX_LINES} more\n`);
  }
}

/** Runs a command to its exit code; what storage refuses is one line. */
export function runCommand(name: string, run: () => Promise<number>): void {
  run().then(
    (code) => (process.exitCode = code),
    (error: unknown) => {
      const isUsage = error instanceof CommandLineError;
      const isExplained = error instanceof StorageError || isUsage;
      const text = error instanceof Error ? (isExplained ? error.message : error.stack) : error;
      process.stderr.write(`${name}: ${String(text)}\n`);
      const code = isUsage ? EXIT.usage : EXIT.failed;
      process.exitCode = error instanceof FormatVersionError ? error.exitCode : code;
    },
  );
}
