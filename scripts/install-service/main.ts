#!/usr/bin/env node
// Installs facetd as a systemd service: user, folders, configuration, units, the timer of the daily backup.

import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CommandLineError } from '../cli/index';
import { packageFolder } from '../common/package-folder';
import { apply, remove, type Outcome, type Owner, type Target } from './apply';
import { ENABLED_UNITS, layout, PLACES, removable, SERVICE_USER, type Program } from './layout';
import { parseOptions, type InstallOptions } from './options';

/** Folders that `ProtectHome=yes` hides from the service. */
const HIDDEN = ['/home/', '/root/', '/run/user/'];

function main(): void {
  const options = parseOptions(process.argv.slice(2));
  if (options === null) return;
  const program = findProgram();
  const isReal = resolve(options.root) === '/';
  if (isReal && !options.dryRun && process.getuid?.() !== 0) {
    throw new CommandLineError('has to be run as root; --dry-run shows what it would do');
  }
  const run = (command: string, ...args: string[]): void => {
    const isRun = isReal && !options.dryRun;
    const word = options.dryRun && isReal ? 'would run' : isRun ? 'run' : 'not run';
    process.stdout.write(`${word}: ${command} ${args.join(' ')}\n`);
    if (isRun) execFileSync(command, args, { stdio: 'inherit' });
  };
  const target: Target = { root: options.root, dryRun: options.dryRun, service: null };
  if (options.uninstall) uninstall(program, target, run);
  else install(program, options, target, isReal, run);
}

type Run = (command: string, ...args: string[]) => void;

function install(
  program: Program,
  { memoryBytes, starts }: InstallOptions,
  target: Target,
  isReal: boolean,
  run: Run,
): void {
  if (isReal && HIDDEN.some((folder) => `${program.folder}/${program.node}`.includes(folder))) {
    throw new CommandLineError(
      `the service cannot see home folders: move ${program.folder} (and Node, ${program.node}) to /opt or /usr`,
    );
  }
  let service = isReal ? findOwner() : null;
  if (service === null) {
    const home = ['--home-dir', PLACES.state, '--no-create-home', '--shell', '/usr/sbin/nologin'];
    run('useradd', '--system', '--user-group', ...home, SERVICE_USER);
    service = isReal ? findOwner() : null;
  }
  for (const item of layout(program, memoryBytes)) {
    show(apply(item, { ...target, service }), item.path, target.dryRun);
  }
  run('systemctl', 'daemon-reload');
  run('systemctl', 'enable', ...(starts ? ['--now'] : []), ...ENABLED_UNITS);
}

function uninstall(program: Program, target: Target, run: Run): void {
  if (existsSync(join(target.root, PLACES.units, ENABLED_UNITS[0]))) {
    run('systemctl', 'disable', '--now', ...ENABLED_UNITS);
  }
  for (const path of removable(program)) show(remove(path, target), path, target.dryRun);
  run('systemctl', 'daemon-reload');
  process.stdout.write(
    `${target.dryRun ? 'would keep' : 'kept'}: ${PLACES.state} (data), ${PLACES.configuration} (configuration), user ${SERVICE_USER}\n`,
  );
}

/** The package that this program is part of, and the Node that runs it. */
function findProgram(): Program {
  const folder = realpathSync(packageFolder());
  if (!existsSync(join(folder, 'dist', 'server', 'main.js'))) {
    throw new CommandLineError(`${folder} is not built; run npm run build first`);
  }
  return { folder, node: process.execPath };
}

/** Ids of the service's user, or null when there is none yet. */
function findOwner(): Owner | null {
  try {
    const id = (flag: string): number =>
      Number(execFileSync('id', [flag, SERVICE_USER], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}

/** What a dry run would do. */
const WOULD: Readonly<Record<Outcome, string>> = {
  created: 'would create',
  changed: 'would change',
  unchanged: 'would leave as it is',
  kept: 'would keep',
  removed: 'would remove',
  absent: 'is not there',
};

function show(outcome: Outcome, path: string, dryRun: boolean): void {
  process.stdout.write(`${dryRun ? WOULD[outcome] : outcome}: ${path}\n`);
}

try {
  main();
} catch (error) {
  process.stderr.write(
    `install-service: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  const isUsage = error instanceof CommandLineError;
  process.exitCode = isUsage ? 2 : 1;
}
