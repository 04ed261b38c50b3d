#!/usr/bin/env node
// facetd-verify: looks through a data folder that no server uses, and changes nothing.

import { inspectFolder } from '../../storage/index';
import { EXIT, parseFolderOptions, report, runCommand, showProgress } from './folder-command';

const USAGE = `usage: facetd-verify --data FOLDER

Checks all checksums (files, records, blocks), that everything referred to is there, and that no acknowledged
batch is missing. The server must not run. Exit codes: 0 whole, 1 damaged, 2 could not run, 64 bad options.
`;

runCommand('facetd-verify', async () => {
  const options = parseFolderOptions(process.argv.slice(2));
  if (options === null || options.isConfirmed) {
    process.stderr.write(USAGE);
    return EXIT.usage;
  }
  const inspection = await inspectFolder(options.data, showProgress());
  report(inspection);
  return inspection.problems.length === 0 ? EXIT.whole : EXIT.damaged;
});
