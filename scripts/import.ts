#!/usr/bin/env node
// facetd-import: moves what a server of 0.90 to 1.7 has to facetd.
// Its options and exit codes: scripts/cli/table.ts.

import { writeFileSync } from 'node:fs';
import { Connection, UnreachableError } from './importing/connection';
import { ServerCopy } from './importing/copy';
import { OldServer } from './importing/old-server';
import { reportLines } from './importing/report';
import { ImportState } from './importing/state';
import { Target } from './importing/target';
import { VERIFY_LEVELS, type VerifyLevel } from './importing/verify';
import { IMPORT, readOptions } from './cli/index';
import { EXIT, ExitError, HELP_SHOWN, orUsage, readCount, runProgram } from './program';

void runProgram(async () => {
  const line = readOptions(IMPORT);
  if (line === null) return HELP_SHOWN;
  const options = line.values;
  const { from, report: reportFile } = options;
  if (from === undefined) {
    throw new ExitError(EXIT.usage, '--from is needed; facetd import --help lists all');
  }
  const level = readLevel(options.verify);
  const retries = readCount('retries', options.retries)!;
  const parallel = readCount('parallel', options.parallel)!;
  const left = orUsage(
    () =>
      new Connection({
        option: '--from',
        url: from,
        key: process.env['FACETD_SOURCE_KEY'],
        headers: options['from-header'],
        ca: options['from-ca'],
        retries,
      }),
  );
  const right = orUsage(
    () =>
      new Connection({
        option: '--to',
        url: options.to,
        key: process.env['FACETD_CLIENT_KEY'],
        headers: options['to-header'],
        ca: options['to-ca'],
        retries,
      }),
  );
  for (const { url, showsItsKey } of [left, right]) {
    if (showsItsKey) process.stderr.write(`the key for ${url} crosses the network unencrypted\n`);
  }
  const source = await OldServer.open(left);
  const target = await Target.open(right, retries);
  const state = ImportState.open(options.state, left.url, right.url);
  if (state.isResumed) process.stderr.write(`going on with ${options.state}\n`);
  const copy = new ServerCopy(source, target, state, {
    indices: options.indices,
    parallel,
    level,
    isMirror: options.mirror,
    isMerge: options.merge,
    isQuiet: options.quiet,
  });
  try {
    const report = await copy.run();
    if (reportFile !== undefined) writeFileSync(reportFile, JSON.stringify(report, null, 2));
    return {
      code: report.ok ? EXIT.done : EXIT.damaged,
      text: reportLines(report).join('\n'),
      summary: { ...report },
    };
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    throw new ExitError(EXIT.failed, `${error.message}; run this again to go on from here`);
  } finally {
    left.close();
    right.close();
  }
});

function readLevel(text: string): VerifyLevel {
  const found = VERIFY_LEVELS.find((level) => level === text);
  if (found !== undefined) return found;
  throw new ExitError(EXIT.usage, `--verify is one of ${VERIFY_LEVELS.join(', ')}, not ${text}`);
}
