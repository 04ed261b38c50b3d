// What the programs that ask a running server have in common: options, exit codes, the last line of output.

import type { Answer } from './client';

/** Exit codes. */
export const EXIT = { done: 0, failed: 1, damaged: 2, usage: 78 } as const;

/** Why a program ends, in words for the operator. */
export class ExitError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** What reading the command line gives. @throws ExitError (usage) for what cannot be read */
export function orUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ExitError(EXIT.usage, error instanceof Error ? error.message : String(error));
  }
}

/** The number of an option, or undefined when it is not given. @throws ExitError (usage) */
export function readCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new ExitError(EXIT.usage, `--${name} needs a number from 1 on, not ${text}`);
}

/** Runs a program: prints what it returns as one line of JSON, and ends with the code that fits. */
export async function runProgram(
  run: () => Promise<{ readonly code: number; readonly summary: Answer | null }>,
): Promise<void> {
  try {
    const { code, summary } = await run();
    if (summary !== null) process.stdout.write(`${JSON.stringify(summary)}\n`);
    process.exitCode = code;
  } catch (error) {
    const message = error instanceof Error ? describe(error) : String(error);
    process.stderr.write(`${message}\n`);
    process.stdout.write(`${JSON.stringify({ ok: false, error: message })}\n`);
    process.exitCode = error instanceof ExitError ? error.code : EXIT.failed;
  }
}

/** The message of an error and of what is behind it: a refused connection says so only there. */
function describe({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
