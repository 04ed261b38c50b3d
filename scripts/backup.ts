#!/usr/bin/env node
// facetd-backup: takes a snapshot of a running server into a repository of its own, and deletes old ones.
// Its options and exit codes: scripts/cli/table.ts.

import { Client } from './common/client';
import { backupName, outdated } from './retention';
import { BACKUP, readOptions } from './cli/index';
import { EXIT, HELP_SHOWN, readCount, runProgram } from './common/program';
import {
  listSnapshots,
  sendAndWait,
  setUpRepository,
  snapshotPath,
  verifySnapshot,
  withProgress,
  type Measured,
} from './snapshot-client';

interface Made {
  readonly state: string;
  readonly indices: readonly string[];
  readonly duration_in_millis: number;
  readonly shards: { readonly total: number; readonly failed: number };
}

interface Running {
  readonly snapshots: readonly {
    readonly stats: {
      readonly total_size_in_bytes: number;
      readonly processed_size_in_bytes: number;
    };
  }[];
}

void runProgram(async () => {
  const line = readOptions(BACKUP);
  if (line === null) return HELP_SHOWN;
  const options = line.values;
  const rules = {
    keep: readCount('keep', options.keep),
    keepDays: readCount('keep-days', options['keep-days']),
  };
  const { repository } = options;
  const client = new Client(options.url);
  await setUpRepository(client, repository, options.location);

  const snapshot = backupName(new Date());
  const path = snapshotPath(repository, snapshot);
  const made = await withProgress(
    sendAndWait(client, 'PUT', `${path}?wait_for_completion=true`, {
      ...(options.indices === undefined ? {} : { indices: options.indices }),
      partial: true,
    }),
    () => progressOf(client),
  );
  const { state, indices, duration_in_millis, shards } = made['snapshot'] as Made;
  const verified = options.verify ? await verifySnapshot(client, repository, snapshot) : undefined;
  const isComplete = state === 'SUCCESS';
  const deleted: string[] = [];
  // An incomplete backup is no reason to part with an older one.
  if (isComplete) {
    for (const old of outdated(await listSnapshots(client, repository), rules, Date.now())) {
      await sendAndWait(client, 'DELETE', snapshotPath(repository, old));
      deleted.push(old);
    }
  }
  return {
    code: isComplete ? EXIT.done : EXIT.damaged,
    text: backupText(client, repository, {
      snapshot,
      indices,
      shards,
      seconds: duration_in_millis / 1000,
      isComplete,
      isVerified: verified !== undefined,
      deleted,
    }),
    summary: {
      ok: isComplete,
      repository,
      snapshot,
      state,
      indices,
      shards,
      duration_in_millis,
      ...(verified === undefined ? {} : { verified }),
      deleted,
    },
  };
});

/** What was done, for people. */
function backupText(
  { url }: Client,
  repository: string,
  made: {
    readonly snapshot: string;
    readonly indices: readonly string[];
    readonly shards: Made['shards'];
    readonly seconds: number;
    readonly isComplete: boolean;
    readonly isVerified: boolean;
    readonly deleted: readonly string[];
  },
): string {
  const { snapshot, indices, shards, seconds, isComplete, isVerified, deleted } = made;
  const count = `${indices.length} ${indices.length === 1 ? 'index' : 'indices'}`;
  return [
    `${snapshot}: ${count} of ${url} in the repository ${repository}, ${seconds.toFixed(1)} s`,
    ...(isComplete
      ? []
      : [
          `INCOMPLETE: ${shards.failed} of ${shards.total} shards failed; no older backup was deleted.` +
            ` GET /_cluster/health and the log of the server say more`,
        ]),
    ...(isVerified ? ['every file of it was read back and is whole'] : []),
    ...deleted.map((name) => `deleted ${name}`),
    `to bring it back: facetd restore --snapshot ${snapshot}`,
  ].join('\n');
}

/** How far the snapshot has got; what is left is the server's estimate. */
async function progressOf(client: Client): Promise<Measured | null> {
  const { snapshots } = (await client.send('GET', '/_snapshot/_status')) as unknown as Running;
  const stats = snapshots[0]?.stats;
  if (stats === undefined) return null;
  const { total_size_in_bytes: total, processed_size_in_bytes: done } = stats;
  return { label: 'writing', done, total };
}
