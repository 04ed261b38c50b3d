// What a facet may cost at most. A request beyond it is refused with a clear error before it is carried out.

import { EngineError } from '../errors';

/** Entries of all facets of a response together. */
export const MAX_FACET_ENTRIES = 1_000_000;

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
