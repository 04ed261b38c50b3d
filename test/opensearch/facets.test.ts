// Facets of all types by OpenSearch, beside those of the embedded engine, over the same random documents.
//
// OPENSEARCH_URL says where the server is. TEST_SEED says which documents are the first.

import {
  dateHistogram,
  filter,
  geoDistance,
  histogram,
  query,
  range,
  statistical,
  termsStats,
} from '../support/facets/number-facets';
import { terms } from '../support/facets/terms-facet';
import type { Asked } from '../support/facets/things';
import type { Random } from '../support/random';
import { countsAreEqual } from './counted-things';

// So few terms are named that most lists have more.
jest.mock('../../engine/opensearch/counting/top-terms', () => ({
  ...jest.requireActual<object>('../../engine/opensearch/counting/top-terms'),
  namedTerms: (wanted: number) => wanted + 1,
}));

const KINDS: readonly ((random: Random) => Asked)[] = [
  terms,
  terms,
  terms,
  termsStats,
  statistical,
  histogram,
  dateHistogram,
  range,
  filter,
  query,
  geoDistance,
];

/** A facet in a frame. */
function definition(random: Random, kind: (random: Random) => Asked): object {
  const isNested = random.chance(0.3);
  const path = isNested ? 'kids.' : '';
  const only = { term: { [`${path}one`]: random.below(5) } };
  return {
    ...kind(random).request(path),
    global: random.chance(0.2),
    ...(isNested ? { nested: 'kids' } : {}),
    ...(random.chance(0.3) ? { facet_filter: random.chance(0.3) ? { not: only } : only } : {}),
    ...(random.chance(0.2) ? { exclude_filter: ['least'] } : {}),
  };
}

countsAreEqual(
  'facets of all types',
  (random) => KINDS.map((kind) => ({ facets: { f: definition(random, kind) } })),
  null,
);
