// What a facet may cost at most. A request beyond it is refused with a clear error before it is carried out.

import { EngineError } from '../../errors';
import { RenderedList, type JsonOutput } from '../../json/index';

/** Entries of all facets of a response together. */
const MAX_FACET_ENTRIES = 1_000_000;

/**
 * @param name the facet that would pass the limit
 * @throws EngineError FacetPhaseExecutionException
 */
export function refuseTooManyEntries(name: string, entries: number): void {
  if (entries <= MAX_FACET_ENTRIES) return;
  throw new EngineError(
    'FacetPhaseExecutionException',
    `Facet [${name}]: would return more than [${MAX_FACET_ENTRIES}] entries`,
  );
}

/** The entries of a rendered facet. */
export function entriesIn(facet: JsonOutput): number {
  if (typeof facet !== 'object' || facet === null) return 0;
  let entries = 0;
  for (const member of Object.values(facet)) {
    if (Array.isArray(member) || member instanceof RenderedList) entries += member.length;
  }
  return entries;
}

/** Memory that the facets of one search hold on a shard at a time. */
export class FacetMemory {
  private held = 0;

  /** @param limit in bytes */
  constructor(private readonly limit: number) {}

  /**
   * Counts in what a facet holds from now on.
   *
   * @throws EngineError CircuitBreakingException
   */
  hold(facet: string, bytes: number): void {
    this.held += bytes;
    if (this.held <= this.limit) return;
    throw new EngineError(
      'CircuitBreakingException',
      `[REQUEST] Data too large, data for [facet ${facet}] would be larger than limit of [${this.limit}b]`,
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
