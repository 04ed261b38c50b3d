// Sub-commands, which work on a folder without a server. Each is a program of its own: the server takes
// nothing from it, and a damaged folder that ends one of them ends nothing else.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { findPackage } from '../engine/index';

/** Programs below the folder of the package by the first word of the command line. */
const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['verify', 'dist/scripts/check/verify.js'],
  ['repair', 'dist/scripts/check/repair.js'],
  ['keys', 'dist/scripts/keys.js'],
]);

/** What a shell adds to the number of the signal that ended a program. */
const SIGNAL_EXIT = 128;
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Where the program of a sub-command is; null: the word names none. */
export function commandProgram(word: string): string | null {
  const program = PROGRAMS.get(word);
  return program === undefined ? null : join(findPackage().folder, program);
}

/**
 * Runs a program in the place of this one: with its streams and signals.
 *
 * @returns the exit code
 * @throws Error when it cannot be started
 */
export async function runProgram(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  // This process waits for the end of the other one, whatever it is told meanwhile.
  const listeners = PASSED_ON.map((signal) => {
    const pass = (): void => void child.kill(signal);
    process.on(signal, pass);
    return { signal, pass };
  });
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code, signal) => resolve(code ?? signalExit(signal)));
    });
  } finally {
    for (const { signal, pass } of listeners) process.off(signal, pass);
  }
}

function signalExit(signal: NodeJS.Signals | null): number {
  return SIGNAL_EXIT + (signal === null ? 0 : constants.signals[signal]);
}
