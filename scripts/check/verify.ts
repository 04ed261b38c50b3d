#!/usr/bin/env node
// `facetd verify`, also facetd-verify: looks through a data folder that no server uses, and changes nothing.

import { inspectFolder } from '../../storage/inspect/inspect';
import { readOptions, VERIFY } from '../cli/index';
import { dataFolder, EXIT, report, runCommand, showProgress } from './folder-command';

/** Runs the command. @returns its exit code @throws StorageError when it could not run */
async function verifyCommand(): Promise<number> {
  const line = readOptions(VERIFY);
  if (line === null) return EXIT.whole;
  const inspection = await inspectFolder(dataFolder('verify', line.values.data), showProgress());
  report(inspection);
  return inspection.problems.length === 0 ? EXIT.whole : EXIT.damaged;
}

runCommand('facetd verify', verifyCommand);
