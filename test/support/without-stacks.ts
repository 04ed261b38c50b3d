// Errors by the hundred thousand, whose stacks nobody reads: recording them takes most of the time.

/** Runs `body` while errors record no stack. */
export function withoutStacks(body: () => void): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    body();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
