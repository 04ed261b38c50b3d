// Sub-commands. Each is a program of its own: the server takes nothing from it, and a damaged folder that
// ends one of them ends nothing else.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { nearest } from '../../engine/common/index';
import { compiledProgram } from '../common/package-folder';
import { PROGRAM_TABLE } from './table';

/** What a shell adds to the number of the signal that ended a program. */
const SIGNAL_EXIT = 128;
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Where the program of a sub-command is; null: the word names none. */
export function commandProgram(word: string): string | null {
  const program = PROGRAM_TABLE.find(({ name }) => name === word);
  return program === undefined ? null : compiledProgram(program.file);
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

/** What is wrong with a first word that looks like a sub-command and is none; null: nothing. */
export function unknownCommand(word: string): string | null {
  if (word === '' || word.startsWith('-') || commandProgram(word) !== null) return null;
  const meant = nearest(
    word,
    PROGRAM_TABLE.map(({ name }) => name),
  );
  const hint = meant === null ? '' : `did you mean facetd ${meant}? `;
  return `there is no command ${word}; ${hint}facetd --help lists all`;
}
