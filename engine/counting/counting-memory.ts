// What counting may hold in memory.

import { EngineError } from '../errors';

/** Memory that what one search counts holds on a shard at a time. */
export class CountingMemory {
  private held = 0;

  /** @param limit in bytes */
  constructor(private readonly limit: number) {}

  /**
   * Counts in what a facet or aggregation holds from now on.
   *
   * @param what it is, by kind and name
   * @throws EngineError CircuitBreakingException
   */
  hold(what: string, bytes: number): void {
    this.held += bytes;
    if (this.held <= this.limit) return;
    throw new EngineError(
      'CircuitBreakingException',
      `[REQUEST] Data too large, data for [${what}] would be larger than limit of [${this.limit}b]`,
    );
  }
}

/** The bytes of all typed arrays in plain data. */
export function arrayBytes(data: unknown): number {
  if (typeof data !== 'object' || data === null) return 0;
  if (ArrayBuffer.isView(data)) return data.byteLength;
  const members: unknown[] = Array.isArray(data) ? data : Object.values(data);
  // Lists are of one kind: where the first element holds no array, none does.
  if (Array.isArray(data) && (typeof members[0] !== 'object' || members[0] === null)) return 0;
  let bytes = 0;
  for (const member of members) bytes += arrayBytes(member);
  return bytes;
}
