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
