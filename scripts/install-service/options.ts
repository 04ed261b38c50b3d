// The command line of install-service.

import { totalmem } from 'node:os';
import { CommandLineError, INSTALL_SERVICE, readOptions } from '../cli/index';

const MIB = 1024 * 1024;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['mb', MIB],
  ['gb', 1024 * MIB],
]);
const LEAST_MEMORY = 64 * MIB;
const MOST_BY_DEFAULT = 2048 * MIB;

export interface InstallOptions {
  readonly memoryBytes: number;
  readonly starts: boolean;
  readonly uninstall: boolean;
  readonly dryRun: boolean;
  /** Below which folder to install; `/` for real. */
  readonly root: string;
}

/** @returns null when help was asked for. @throws CommandLineError */
export function parseOptions(args: readonly string[]): InstallOptions | null {
  const line = readOptions(INSTALL_SERVICE, args);
  if (line === null) return null;
  const { memory, uninstall, root } = line.values;
  const byDefault = Math.min(MOST_BY_DEFAULT, Math.floor(totalmem() / 4 / MIB) * MIB);
  return {
    memoryBytes: memory === undefined ? byDefault : parseMemory(memory),
    starts: !line.values['no-start'],
    uninstall,
    dryRun: line.values['dry-run'],
    root,
  };
}

function parseMemory(text: string): number {
  const match = /^(\d{1,6})(mb|gb)$/.exec(text.toLowerCase());
  const bytes = Number(match?.[1] ?? NaN) * (UNITS.get(match?.[2] ?? '') ?? NaN);
  if (!(bytes >= LEAST_MEMORY)) {
    throw new CommandLineError(
      `--memory ${text} is not a size such as 512mb or 2gb, at least 64mb`,
    );
  }
  return bytes;
}
