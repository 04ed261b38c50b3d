#!/usr/bin/env node
// facetd-restore: brings indices back from a backup, into a running server or a data folder.
//
//   facetd-restore --list
//   facetd-restore --snapshot NAME [--indices LIST] [--rename PATTERN=REPLACEMENT] [--force]
//                  [--url URL | --into FOLDER --location REPOSITORY-FOLDER]
//
// Every file is verified before anything is changed. The last line on standard output is a summary in JSON.
// Exit codes: 0 done, 1 failed or refused, 2 the backup is damaged, 78 wrong options.

import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, startServer, type RunningServer } from './client';
import { EXIT, ExitError, orUsage, runProgram } from './program';
import {
  listSnapshots,
  progressOfReading,
  sendAndWait,
  setUpRepository,
  snapshotPath,
  verifySnapshot,
  withProgress,
  type ListedSnapshot,
} from './snapshot-client';

const HELP = `facetd-restore: restores a backup of facetd-backup

  --list              list the backups of the repository
  --snapshot NAME     the backup to restore; the newest complete one
  --indices LIST      indices of the backup; all
  --rename P=R        rename indices: regular expression and replacement, such as (.+)=restored-$1
  --force             replace indices that exist, and restore into a data folder that is not empty
  --url URL           the running server to restore into; http://127.0.0.1:9200
  --into FOLDER       restore into a data folder that no server has open, instead
  --repository NAME   repository on the server; backup
  --location FOLDER   folder of the repository, where the server does not know it; with --into it is needed
`;

interface Options {
  readonly repository: string;
  readonly snapshot?: string | undefined;
  readonly indices?: string | undefined;
  readonly rename?: string | undefined;
  readonly force: boolean;
}

void runProgram(async () => {
  const options = orUsage(
    () =>
      parseArgs({
        options: {
          list: { type: 'boolean', default: false },
          snapshot: { type: 'string' },
          indices: { type: 'string' },
          rename: { type: 'string' },
          force: { type: 'boolean', default: false },
          url: { type: 'string', default: 'http://127.0.0.1:9200' },
          into: { type: 'string' },
          repository: { type: 'string', default: 'backup' },
          location: { type: 'string' },
          help: { type: 'boolean', default: false },
        },
      }).values,
  );
  if (options.help) {
    process.stdout.write(HELP);
    return { code: EXIT.done, summary: null };
  }
  const { into, location } = options;
  if (into === undefined) {
    const client = new Client(options.url);
    if (location !== undefined) await setUpRepository(client, options.repository, location);
    return options.list ? list(client, options.repository) : restore(client, options);
  }
  if (location === undefined) throw new ExitError(EXIT.usage, '--into needs --location');
  const server = await serverOver(into, resolve(location), options.force);
  try {
    await setUpRepository(server.client, options.repository, resolve(location));
    return options.list
      ? await list(server.client, options.repository)
      : await restore(server.client, options);
  } finally {
    await server.stop();
  }
});

/** A server over a data folder that is empty, unless that does not matter. */
async function serverOver(
  folder: string,
  repositoryFolder: string,
  force: boolean,
): Promise<RunningServer> {
  if (!existsSync(repositoryFolder)) {
    throw new ExitError(EXIT.usage, `there is no repository in ${repositoryFolder}`);
  }
  if (!force && existsSync(folder) && readdirSync(folder).length > 0) {
    throw new ExitError(
      EXIT.failed,
      `${folder} is not empty; --force restores into it all the same`,
    );
  }
  return startServer(resolve(folder), [`path.repo=${repositoryFolder}`]);
}

async function list(client: Client, repository: string) {
  const snapshots = await listSnapshots(client, repository);
  for (const { snapshot, state, start_time, indices } of snapshots) {
    process.stderr.write(`${snapshot}  ${state}  ${start_time}  ${indices.join(',')}\n`);
  }
  return { code: EXIT.done, summary: { ok: true, repository, snapshots } };
}

async function restore(client: Client, options: Options) {
  const { repository, force } = options;
  const chosen = choose(await listSnapshots(client, repository), options.snapshot);
  const rename = readRename(options.rename);
  const path = snapshotPath(repository, chosen.snapshot);
  const verified = await verifySnapshot(client, repository, chosen.snapshot);
  const closed = force ? await closeTargets(client, chosen, options.indices, rename) : [];
  try {
    const answer = await withProgress(
      sendAndWait(client, 'POST', `${path}/_restore?wait_for_completion=true`, {
        ...(options.indices === undefined ? {} : { indices: options.indices }),
        ...(rename ?? {}),
      }),
      () => progressOfReading(client, path),
    );
    const { indices, shards } = answer['snapshot'] as { indices: string[]; shards: object };
    const summary = { ok: true, repository, snapshot: chosen.snapshot, indices, shards, verified };
    return { code: EXIT.done, summary };
  } catch (error) {
    await open(client, closed);
    throw error;
  }
}

function choose(snapshots: readonly ListedSnapshot[], name: string | undefined): ListedSnapshot {
  const found =
    name === undefined
      ? snapshots.findLast(({ state }) => state === 'SUCCESS')
      : snapshots.find(({ snapshot }) => snapshot === name);
  if (found === undefined) {
    throw new ExitError(
      EXIT.failed,
      `there is no backup ${name ?? 'that is complete'}; see --list`,
    );
  }
  return found;
}

interface Rename {
  readonly rename_pattern: string;
  readonly rename_replacement: string;
}

function readRename(text: string | undefined): Rename | null {
  if (text === undefined) return null;
  const at = text.indexOf('=');
  if (at < 1) throw new ExitError(EXIT.usage, '--rename needs PATTERN=REPLACEMENT');
  return { rename_pattern: text.slice(0, at), rename_replacement: text.slice(at + 1) };
}

/** Closes the open indices that have names of the backup: only closed ones are replaced. */
async function closeTargets(
  client: Client,
  { indices }: ListedSnapshot,
  wanted: string | undefined,
  rename: Rename | null,
): Promise<readonly string[]> {
  // Which names patterns lead to is the server's to say: it refuses, and names the index in the way.
  if (rename !== null || (wanted ?? '').includes('*')) return [];
  const answer = await client.send('GET', '/_cluster/state/metadata');
  const metadata = answer['metadata'] as { indices: Record<string, { state: string }> };
  const targets = wanted === undefined ? indices : wanted.split(',');
  const closed = targets.filter((index) => metadata.indices[index]?.state === 'open');
  for (const index of closed) await client.send('POST', `/${encodeURIComponent(index)}/_close`);
  return closed;
}

async function open(client: Client, indices: readonly string[]): Promise<void> {
  for (const index of indices) await client.send('POST', `/${encodeURIComponent(index)}/_open`);
}
