#!/usr/bin/env node
// facetd-import: moves what a server of 0.90 to 1.7 has to facetd, or to files, or from files.
// Its options and exit codes: scripts/cli/table.ts.

import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { prettyJson, writeJson } from '../engine/json/index';
import { Connection, UnreachableError, type ConnectionOptions } from './importing/connection';
import { ServerCopy } from './importing/copy';
import { ServerDump } from './importing/dump';
import { dumpItem, filesOf, type Files } from './importing/files';
import { FileLoad } from './importing/load';
import { OldServer } from './importing/old-server';
import { reportLines, type ImportReport } from './importing/report';
import { ImportState } from './importing/state';
import { Target } from './importing/target';
import { VERIFY_LEVELS, type VerifyLevel } from './importing/verify';
import { startServer } from './common/client';
import { IMPORT, readOptions, type OptionValues } from './cli/index';
import { EXIT, ExitError, HELP_SHOWN, orUsage, readCount, runProgram } from './common/program';

void runProgram(async () => {
  const line = readOptions(IMPORT);
  if (line === null) return HELP_SHOWN;
  const { values: options } = line;
  const { from, report: reportFile } = options;
  if (from === undefined) {
    throw new ExitError(EXIT.usage, '--from is needed; facetd import --help lists all');
  }
  if (options['dry-run']) {
    const text = await dryRun(from, options);
    return { code: EXIT.done, summary: null, text };
  }
  const open: Connection[] = [];
  try {
    const report = await importAll(from, options, open);
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
    for (const connection of open) connection.close();
  }
});

type Options = OptionValues<(typeof IMPORT)['options']>;

/** Imports from and to what the options name. @param open takes the connections, for closing */
async function importAll(
  from: string,
  options: Options,
  open: Connection[],
): Promise<ImportReport> {
  const { to, indices, state: stateFile, quiet: isQuiet, merge: isMerge } = options;
  const level = readLevel(options.verify);
  const retries = readCount('retries', options.retries)!;
  const parallel = readCount('parallel', options.parallel)!;
  const connect = (side: Omit<ConnectionOptions, 'retries'>): Connection => {
    const connection = orUsage(() => new Connection({ ...side, retries }));
    open.push(connection);
    if (connection.showsItsKey) {
      process.stderr.write(`the key for ${connection.url} crosses the network unencrypted\n`);
    }
    return connection;
  };
  const openSource = (): Promise<OldServer> =>
    OldServer.open(
      connect({
        option: '--from',
        url: from,
        key: process.env['FACETD_SOURCE_KEY'],
        headers: options['from-header'],
        ca: options['from-ca'],
      }),
    );
  const openState = (left: string, right: string): ImportState => {
    const state = ImportState.open(stateFile, left, right);
    if (state.isResumed) process.stderr.write(`going on with ${stateFile}\n`);
    return state;
  };
  if (options.into === undefined && !isServer(to)) {
    if (!isServer(from))
      throw new ExitError(EXIT.usage, 'one of --from and --to has to be a server');
    const source = await openSource();
    const folder = resolve(to);
    const state = openState(source.connection.url, folder);
    const dump = { indices, parallel, level, isQuiet };
    return new ServerDump(source, folder, state, dump, dumpItem).run();
  }
  const how = { indices, parallel, level, isQuiet, isMerge, isMirror: options.mirror };
  // Nothing is begun at the target before what is to be read has been found.
  const source = isServer(from) ? await openSource() : null;
  const path = resolve(from);
  const found = source === null ? await files(path, options) : null;
  const load = (target: Target): Promise<ImportReport> => {
    const state = openState(source?.connection.url ?? path, target.name);
    return source === null
      ? new FileLoad(path, found!.items, found!.templates, target, state, how).run()
      : new ServerCopy(source, target, state, how).run();
  };
  if (options.into === undefined) {
    const key = process.env['FACETD_CLIENT_KEY'];
    const headers = options['to-header'];
    const connection = connect({ option: '--to', url: to, key, headers, ca: options['to-ca'] });
    return await load(await Target.open(connection, retries));
  }
  const folder = resolve(options.into);
  const server = await startServer(folder, ['http.authentication=false']);
  try {
    const connection = connect({ option: '--into', url: server.client.url });
    return await load(await Target.open(connection, retries, folder));
  } finally {
    await server.stop();
  }
}

/** @throws ExitError (usage) for what cannot be read */
async function files(path: string, options: Options): Promise<Files> {
  const idField = options['id-field'];
  try {
    return await filesOf(path, { ...options, idField });
  } catch (error) {
    throw new ExitError(EXIT.usage, error instanceof Error ? error.message : String(error));
  }
}

/** What would be made of a file. @throws ExitError (usage) for what needs no guess */
async function dryRun(from: string, options: Options): Promise<string> {
  const guessed = isServer(from) ? null : (await files(resolve(from), options)).guessed;
  if (guessed === null) {
    throw new ExitError(EXIT.usage, '--dry-run shows what is guessed of a CSV or JSON file');
  }
  const { name, mappings } = guessed.item.definition!;
  return [
    `${guessed.documents} documents for the index [${name}], with these mappings:`,
    prettyJson(writeJson(mappings)).trimEnd(),
    `the first one: ${guessed.first ?? 'none'}`,
    'to change the mappings, make the index with others and run this with --merge',
  ].join('\n');
}

/** Whether an option names a server, and not a file; host and port alone are told apart from a name. */
function isServer(text: string): boolean {
  return text.includes('://') || (/^[\w.-]+:\d+/.test(text) && !existsSync(text));
}

function readLevel(text: string): VerifyLevel {
  const found = VERIFY_LEVELS.find((level) => level === text);
  if (found !== undefined) return found;
  throw new ExitError(EXIT.usage, `--verify is one of ${VERIFY_LEVELS.join(', ')}, not ${text}`);
}
