// The command line of install-service.

import { totalmem } from 'node:os';

export const USAGE = `install-service: runs facetd as a systemd service

usage: install-service [options]

  --memory SIZE   node.memory of the service, such as 512mb or 2gb; the unit's limits follow it
                  (default: a quarter of the machine, at most 2gb)
  --no-start      install and enable, but start nothing
  --uninstall     remove units and links; data, configuration and user stay
  --dry-run       print what would be done
  --root DIR      install below DIR and run no commands
  --help

It may be run again at any time: what is there is compared and only changed where it differs. An existing
configuration is never touched.
`;

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

/** What the operator did wrong. */
export class UsageError extends Error {}

/** @returns null when help was asked for. @throws UsageError */
export function parseOptions(args: readonly string[]): InstallOptions | null {
  let memoryBytes = Math.min(MOST_BY_DEFAULT, Math.floor(totalmem() / 4 / MIB) * MIB);
  let starts = true;
  let uninstall = false;
  let dryRun = false;
  let root = '/';
  for (let i = 0; i < args.length; i++) {
    const option = args[i] ?? '';
    switch (option) {
      case '--help':
      case '-h':
        return null;
      case '--no-start':
        starts = false;
        break;
      case '--uninstall':
        uninstall = true;
        break;
      case '--dry-run':
        dryRun = true;
        break;
      case '--memory':
        memoryBytes = parseMemory(valueOf(option, args[++i]));
        break;
      case '--root':
        root = valueOf(option, args[++i]);
        break;
      default:
        throw new UsageError(`unknown option ${option}; --help lists all`);
    }
  }
  return { memoryBytes, starts, uninstall, dryRun, root };
}

function valueOf(option: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`option ${option} needs a value`);
  return value;
}

function parseMemory(text: string): number {
  const match = /^(\d{1,6})(mb|gb)$/.exec(text.toLowerCase());
  const bytes = Number(match?.[1] ?? NaN) * (UNITS.get(match?.[2] ?? '') ?? NaN);
  if (!(bytes >= LEAST_MEMORY)) {
    throw new UsageError(`--memory ${text} is not a size such as 512mb or 2gb, at least 64mb`);
  }
  return bytes;
}
