#!/usr/bin/env node
// facetd-backup: takes a snapshot of a running server into a repository of its own, and deletes old ones.
//
//   facetd-backup [--url URL] [--repository NAME] [--location FOLDER] [--indices LIST]
//                 [--keep N] [--keep-days N] [--verify]
//
// The last line on standard output is a summary in JSON. Exit codes: 0 done, 1 failed, 2 incomplete or
// damaged, 78 wrong options or a server without path.repo.

import { parseArgs } from 'node:util';
import { Client } from './client';
import { backupName, outdated } from './retention';
import { EXIT, orUsage, readCount, runProgram } from './program';
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

const HELP = `facetd-backup: snapshots a running facetd

  --url URL           the server; http://127.0.0.1:9200
  --repository NAME   repository on the server; backup
  --location FOLDER   where the repository is made on first use, below path.repo of the server; backup
  --indices LIST      index expression; all indices
  --keep N            delete all but the N newest backups
  --keep-days N       delete backups older than N days; with --keep what either keeps is kept
  --verify            read every file of the new backup back and compare checksums
`;

void runProgram(async () => {
  const options = orUsage(
    () =>
      parseArgs({
        options: {
          url: { type: 'string', default: 'http://127.0.0.1:9200' },
          repository: { type: 'string', default: 'backup' },
          location: { type: 'string', default: 'backup' },
          indices: { type: 'string' },
          keep: { type: 'string' },
          'keep-days': { type: 'string' },
          verify: { type: 'boolean', default: false },
          help: { type: 'boolean', default: false },
        },
      }).values,
  );
  if (options.help) {
    process.stdout.write(HELP);
    return { code: EXIT.done, summary: null };
  }
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

/** How far the snapshot has got; what is left is the server's estimate. */
async function progressOf(client: Client): Promise<Measured | null> {
  const { snapshots } = (await client.send('GET', '/_snapshot/_status')) as unknown as Running;
  const stats = snapshots[0]?.stats;
  if (stats === undefined) return null;
  const { total_size_in_bytes: total, processed_size_in_bytes: done } = stats;
  return { label: 'writing', done, total };
}
