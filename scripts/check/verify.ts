#!/usr/bin/env node
// `facetd verify`, also facetd-verify: looks through a data folder that no server uses, and changes nothing.

import { inspectFolder } from '../../storage/inspect/inspect';
import {
  EXIT,
  parseFolderOptions,
  report,
  showProgress,
  showUsage,
  runCommand,
} from './folder-command';

const USAGE = `usage: facetd verify --data FOLDER

Checks all checksums (files, records, blocks), that everything referred to is there, and that no acknowledged
batch is missing. The server must not run. Exit codes: 0 whole, 1 damaged, 2 could not run, 64 bad options,
78 the folder has a format that this release does not read.
`;

/** Runs the command. @returns its exit code @throws StorageError when it could not run */
async function verifyCommand(args: readonly string[]): Promise<number> {
  const options = parseFolderOptions(args);
  if (options.kind !== 'run') return showUsage(USAGE, options.kind);
  if (options.isConfirmed) return showUsage(USAGE, 'mistake');
  const inspection = await inspectFolder(options.data, showProgress());
  report(inspection);
  return inspection.problems.length === 0 ? EXIT.whole : EXIT.damaged;
}

runCommand('facetd verify', () => verifyCommand(process.argv.slice(2)));
