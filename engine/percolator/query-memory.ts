// The memory that stored queries take, those of all shards together.

import { EngineError } from '../errors';

/** What stored queries may take. */
export class QueryMemory {
  private held = 0;

  /** @param limit in bytes */
  constructor(private readonly limit: number) {}

  /** Counts in bytes; below 0: given back. */
  grow(bytes: number): void {
    this.held += bytes;
  }

  /** Whether no further query may be kept. */
  get isFull(): boolean {
    return this.held >= this.limit;
  }

  /** @throws EngineError CircuitBreakingException (503) where no further query may be kept */
  assertRoom(): void {
    if (!this.isFull) return;
    throw new EngineError(
      'CircuitBreakingException',
      `[PERCOLATOR] stored queries would be larger than limit of [${this.limit}b] (percolator.memory)`,
      { status: 503 },
    );
  }
}
