#!/usr/bin/env node
// facetd-restore: brings indices back from a backup, into a running server or a data folder.
// Its options and exit codes: scripts/cli/table.ts. Every file is verified before anything is changed.

import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Client, RequestError, startServer, type RunningServer } from './common/client';
import { readOptions, RESTORE } from './cli/index';
import { EXIT, ExitError, HELP_SHOWN, runProgram, type Outcome } from './common/program';
import {
  lastReason,
  listSnapshots,
  progressOfReading,
  sendAndWait,
  setUpRepository,
  snapshotPath,
  verifySnapshot,
  withProgress,
  type ListedSnapshot,
} from './snapshot-client';

interface Options {
  readonly repository: string;
  readonly snapshot?: string | undefined;
  readonly indices?: string | undefined;
  readonly rename?: string | undefined;
  readonly force: boolean;
}

void runProgram(async () => {
  const line = readOptions(RESTORE);
  if (line === null) return HELP_SHOWN;
  const options = line.values;
  const { into, location } = options;
  if (into === undefined) {
    const client = new Client(options.url);
    if (location !== undefined) await setUpRepository(client, options.repository, location);
    return options.list ? list(client, options.repository) : restore(client, options);
  }
  if (location === undefined)
    throw new ExitError(
      EXIT.usage,
      '--into needs --location: the folder of the repository, in which chunks and snapshots are',
    );
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

async function list(client: Client, repository: string): Promise<Outcome> {
  const snapshots = await listSnapshots(client, repository);
  const lines = snapshots.map(
    ({ snapshot, state, start_time, indices }) =>
      `${snapshot}  ${state}  ${start_time}  ${indices.join(',')}`,
  );
  const text = lines.length === 0 ? `there is no backup in ${repository}` : lines.join('\n');
  return { code: EXIT.done, text, summary: { ok: true, repository, snapshots } };
}

async function restore(client: Client, options: Options): Promise<Outcome> {
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
    const text = `${chosen.snapshot}: every file of it is whole; restored ${indices.join(', ')}`;
    return { code: EXIT.done, text, summary };
  } catch (error) {
    await open(client, closed);
    throw withWayOut(error);
  }
}

/** An index in the way is the usual reason for a refusal. */
function withWayOut(error: unknown): unknown {
  if (!(error instanceof RequestError) || !/because it's open|with same name/.test(error.message)) {
    return error;
  }
  return new ExitError(
    EXIT.failed,
    `nothing was restored, an index of that name is open: --force replaces it, ` +
      `--rename '(.+)=restored-$1' restores beside it; the server says: ${lastReason(error.message)}`,
  );
}

function choose(snapshots: readonly ListedSnapshot[], name: string | undefined): ListedSnapshot {
  const found =
    name === undefined
      ? snapshots.findLast(({ state }) => state === 'SUCCESS')
      : snapshots.find(({ snapshot }) => snapshot === name);
  if (found === undefined) {
    throw new ExitError(
      EXIT.failed,
      `there is no backup ${name ?? 'that is complete'}; facetd restore --list shows what there is`,
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
