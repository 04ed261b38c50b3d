#!/usr/bin/env node
// `facetd repair`, also facetd-repair: keeps what is whole of a damaged data folder and builds segments again
// from the document log.

import { DEFAULT_LIMITS, openEngine, type NodeSettings } from '../../engine/index';
import { repairFolder } from '../../storage/inspect/rewrite';
import { CommandLineError, readOptions, REPAIR } from '../cli/index';
import {
  dataFolder,
  EXIT,
  print,
  report,
  runCommand,
  showProgress,
  withIndexNames,
} from './folder-command';

const MEMORY = 256 * 1024 * 1024;

/** Runs the command. @returns its exit code @throws StorageError when it could not run */
async function repairCommand(): Promise<number> {
  const line = readOptions(REPAIR);
  if (line === null) return EXIT.whole;
  const data = dataFolder('repair', line.values.data);
  if (!line.values.yes) {
    throw new CommandLineError(
      'nothing was changed: --yes is needed, because repairing rewrites the folder; facetd verify --data ' +
        `${data} says first what is damaged`,
    );
  }
  process.umask(0o077);
  const { inspection, setAside } = await repairFolder(data, showProgress());
  report(inspection);
  if (setAside === null) {
    process.stdout.write('nothing to repair\n');
    return EXIT.whole;
  }
  const engine = await openEngine({ settings: settings(data) });
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

runCommand('facetd repair', repairCommand);
