#!/usr/bin/env node
// facetd-reindex: copies an index of a running server while it is written to, shows how far it is, and moves
// an alias to the copy.
// Its options and exit codes: scripts/cli/table.ts. Interrupted (Ctrl-C), it has the server stop.

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './common/client';
import { readOptions, REINDEX } from './cli/index';
import { EXIT, ExitError, HELP_SHOWN, orUsage, readCount, runProgram } from './common/program';
import { Progress } from './common/progress';

const POLL_MS = 300;

/** The outcome, as the server tells it. */
interface Response {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly noops: number;
  readonly canceled?: string;
  readonly failures: readonly unknown[];
}

/** Failures that are told to people. */
const SHOWN_FAILURES = 20;

interface Task {
  readonly completed: boolean;
  readonly error?: string;
  readonly response?: Response;
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
  const line = readOptions(REINDEX);
  if (line === null) return HELP_SHOWN;
  const options = line.values;
  const { source, dest, swap, script } = options;
  if (source === undefined || dest === undefined) {
    throw new ExitError(
      EXIT.usage,
      '--source and --dest are needed; facetd reindex --help lists all',
    );
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
  return {
    code: isWhole ? EXIT.done : EXIT.damaged,
    text: outcomeText(response!, dest, swap),
    summary: { ok: isWhole, ...response },
  };
});

/** What was done, for people. */
function outcomeText(
  { total, created, updated, noops, canceled, failures }: Response,
  dest: string,
  swap: string | undefined,
): string {
  const isWhole = canceled === undefined && failures.length === 0;
  const left = noops > 0 ? `, ${noops} left out` : '';
  return [
    `${created + updated} documents copied to ${dest}${left}; ${total} looked at`,
    ...(canceled === undefined ? [] : [`CANCELLED: ${canceled}; the alias is where it was`]),
    ...failures.slice(0, SHOWN_FAILURES).map((failure) => `not copied: ${JSON.stringify(failure)}`),
    ...(failures.length > SHOWN_FAILURES
      ? [`and ${failures.length - SHOWN_FAILURES} more; --json shows all`]
      : []),
    ...(swap !== undefined && isWhole ? [`${swap} is ${dest} now`] : []),
  ].join('\n');
}

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
