// Giving the event loop a turn.

/** Lets timers, messages and acknowledgements run before the next turn of work. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
