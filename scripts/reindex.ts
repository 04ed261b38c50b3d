#!/usr/bin/env node
// facetd-reindex: copies an index of a running server while it is written to, shows how far it is, and moves
// an alias to the copy.
//
//   facetd-reindex --source INDEX --dest INDEX [--swap ALIAS] [--settings FILE] [--mappings FILE]
//                  [--query JSON] [--script TEXT] [--size N] [--rate N] [--proceed] [--url URL]
//
// Interrupted (Ctrl-C), it has the server stop. The last line on standard output is the server's summary in
// JSON. Exit codes: 0 done, 1 failed or refused, 2 documents could not be copied or it was cancelled, 78
// wrong options.

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from './client';
import { EXIT, ExitError, orUsage, readCount, runProgram } from './program';
import { Progress } from './progress';

const POLL_MS = 300;

const HELP = `facetd-reindex: copies an index while it is written to

  --source INDEX      index or alias to copy; several with commas
  --dest INDEX        where to; made like the source if it does not exist
  --swap ALIAS        move this alias to the copy at the end: no write is lost
  --settings FILE     settings of the new index beside those of the source, in JSON
  --mappings FILE     mappings of the new index by type, instead of those of the source, in JSON
  --query JSON        only documents that match
  --script TEXT       a script that changes each document (ctx._source), or leaves it out (ctx.op = "none")
  --size N            only so many documents
  --rate N            documents per second at most
  --proceed           leave out documents that are there already, or are newer there
  --url URL           the server; http://127.0.0.1:9200
`;

interface Task {
  readonly completed: boolean;
  readonly error?: string;
  readonly response?: {
    readonly canceled?: string;
    readonly failures: readonly unknown[];
    readonly [name: string]: unknown;
  };
  readonly task: {
    readonly status: {
      readonly total: number;
      readonly created: number;
      readonly updated: number;
      readonly noops: number;
      readonly rounds: number;
      readonly behind: number;
    };
  };
}

void runProgram(async () => {
  const options = orUsage(
    () =>
      parseArgs({
        options: {
          source: { type: 'string' },
          dest: { type: 'string' },
          swap: { type: 'string' },
          settings: { type: 'string' },
          mappings: { type: 'string' },
          query: { type: 'string' },
          script: { type: 'string' },
          size: { type: 'string' },
          rate: { type: 'string' },
          proceed: { type: 'boolean', default: false },
          url: { type: 'string', default: 'http://127.0.0.1:9200' },
          help: { type: 'boolean', default: false },
        },
      }).values,
  );
  if (options.help) {
    process.stdout.write(HELP);
    return { code: EXIT.done, summary: null };
  }
  const { source, dest, swap, script } = options;
  if (source === undefined || dest === undefined) {
    throw new ExitError(EXIT.usage, '--source and --dest are needed');
  }
  const request = orUsage(() => ({
    source: { index: source.split(','), query: fromJson(options.query) },
    dest: {
      index: dest,
      settings: fromFile(options.settings),
      mappings: fromFile(options.mappings),
    },
    script,
    size: readCount('size', options.size),
    conflicts: options.proceed ? 'proceed' : undefined,
    swap_alias: swap,
  }));
  const rate = readCount('rate', options.rate);
  const client = new Client(options.url);
  const limit = rate === undefined ? '' : `&requests_per_second=${rate}`;
  const path = `/_reindex?wait_for_completion=false${limit}`;
  const { task } = (await client.send('POST', path, request)) as { task: string };
  process.once('SIGINT', () => void client.send('POST', `/_tasks/${task}/_cancel`));
  const { error, response } = await follow(client, task);
  if (error !== undefined) throw new Error(error);
  const isWhole = response!.canceled === undefined && response!.failures.length === 0;
  return { code: isWhole ? EXIT.done : EXIT.damaged, summary: { ok: isWhole, ...response } };
});

/** Shows how far a task is until it is over. */
async function follow(client: Client, task: string): Promise<Task> {
  let bar: Progress | null = null;
  let isShown = false;
  let shownRounds = 1;
  for (;;) {
    const answer = (await client.send('GET', `/_tasks/${task}`)) as unknown as Task;
    const { total, created, updated, noops, rounds, behind } = answer.task.status;
    const isCopied = answer.completed || rounds > 1;
    if (total > 0 && !isShown) {
      bar ??= new Progress('copying documents', total);
      bar.update(isCopied ? total : Math.min(created + updated + noops, total - 1));
      isShown = isCopied;
    }
    if (answer.completed) return answer;
    if (rounds > shownRounds) {
      shownRounds = rounds;
      process.stderr.write(`following writes, round ${rounds}, ${behind} behind\n`);
    }
    await sleep(POLL_MS);
  }
}

function fromJson(text: string | undefined): unknown {
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

function fromFile(path: string | undefined): unknown {
  return path === undefined ? undefined : fromJson(readFileSync(path, 'utf8'));
}
