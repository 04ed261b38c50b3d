// What the programs that ask a running server have in common: exit codes, and how the outcome is told.

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

/** How a program ends. */
export interface Outcome {
  readonly code: number;
  /** One line of JSON; null: nothing is printed. */
  readonly summary: Readonly<Record<string, unknown>> | null;
  /** The same for people, who get the JSON with --json only. */
  readonly text?: string;
}

/** A program that was asked for its help. */
export const HELP_SHOWN: Outcome = { code: EXIT.done, summary: null };

/**
 * Runs a program to its end: prints what it returns, for people or as one line of JSON, and sets the exit
 * code that fits. An error is said once: in words on standard error, or with --json in that line.
 */
export async function runProgram(run: () => Promise<Outcome>): Promise<void> {
  const isJson = process.argv.includes('--json');
  try {
    const { code, summary, text } = await run();
    if (text !== undefined && !isJson) process.stdout.write(`${text}\n`);
    else if (summary !== null) process.stdout.write(`${JSON.stringify(summary)}\n`);
    process.exitCode = code;
  } catch (error) {
    const message = error instanceof Error ? describe(error) : String(error);
    if (isJson) process.stdout.write(`${JSON.stringify({ ok: false, error: message })}\n`);
    else process.stderr.write(`${message}\n`);
    process.exitCode = error instanceof ExitError ? error.code : EXIT.failed;
  }
}

/** The message of an error and of what is behind it, where that says more. */
function describe({ message, cause }: Error): string {
  return cause instanceof Error && !message.includes(cause.message)
    ? `${message}: ${cause.message}`
    : message;
}
