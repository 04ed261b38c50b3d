#!/usr/bin/env node
// `facetd repair`, also facetd-repair: keeps what is whole of a damaged data folder and builds segments again
// from the document log.

import { DEFAULT_LIMITS, openEngine, type NodeSettings } from '../../engine/index';
import { repairFolder } from '../../storage/inspect/rewrite';
import {
  EXIT,
  parseFolderOptions,
  print,
  report,
  showProgress,
  showUsage,
  withIndexNames,
  runCommand,
} from './folder-command';

const USAGE = `usage: facetd repair --data FOLDER --yes

Copies all that is whole into new databases, builds the segments of damaged shards again from the document log,
and says what is lost. The old databases are moved aside, into FOLDER/damaged-*, for you to delete. The server
must not run; twice as much free space as the folder takes is needed. Run it as the user of the service.
Exit codes: 0 nothing lost, 1 something is lost, 2 could not run, 64 bad options, 78 the folder has a format that
this release does not read.
`;

const MEMORY = 256 * 1024 * 1024;

/** Runs the command. @returns its exit code @throws StorageError when it could not run */
async function repairCommand(args: readonly string[]): Promise<number> {
  const options = parseFolderOptions(args);
  if (options.kind !== 'run') return showUsage(USAGE, options.kind);
  if (!options.isConfirmed) return showUsage(USAGE, 'mistake');
  process.umask(0o077);
  const { inspection, setAside } = await repairFolder(options.data, showProgress());
  report(inspection);
  if (setAside === null) {
    process.stdout.write('nothing to repair\n');
    return EXIT.whole;
  }
  const engine = await openEngine({ settings: settings(options.data) });
  await engine.close();
  print('lost', withIndexNames(inspection, inspection.lost));
  process.stdout.write(`repaired; the old databases are in ${setAside}\n`);
  return inspection.lost.length === 0 ? EXIT.whole : EXIT.damaged;
}

/** Enough of a node to build segments. */
function settings(dataPath: string): NodeSettings {
  return {
    dataPath,
    configPath: '/nonexistent',
    clusterName: 'repair',
    nodeName: 'repair',
    indexDefaults: new Map(),
    defaultSearchType: 'query_then_fetch',
    memoryBytes: MEMORY,
    minFreeBytes: 0,
    workers: 0,
    limits: DEFAULT_LIMITS,
    autoCreateIndex: false,
    destructiveRequiresName: true,
    acceptDataLoss: false,
    repositoryPaths: [],
  };
}

runCommand('facetd repair', () => repairCommand(process.argv.slice(2)));
