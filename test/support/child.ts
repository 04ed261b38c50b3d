// Node processes that tests start. None outlives its test file, nor a test runner that is killed.

import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A running process whose output can be read. */
export interface NodeChild extends ChildProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

const GUARD = join(__dirname, 'end-with-parent.js');

const running = new Set<ChildProcess>();
/** A test that ran out of time goes on in the background; it must not start anything any more. */
let isOver = false;
afterAll(() => {
  isOver = true;
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a program of ours. @param flags of Node @param environment in addition to that of the tests */
export function startNode(
  program: string,
  args: readonly string[],
  cwd?: string,
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): NodeChild {
  if (isOver) throw new Error('the tests of this file are over');
  const child = spawn(process.execPath, [...flags, '--require', GUARD, program, ...args], {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child as unknown as NodeChild;
}

/** A process with what it has written so far. */
export interface WatchedNode {
  readonly child: NodeChild;
  readonly output: () => string;
}

/** {@link startNode}, with all that it writes. */
export function startWatched(program: string, args: readonly string[], cwd: string): WatchedNode {
  const child = startNode(program, args, cwd);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}
