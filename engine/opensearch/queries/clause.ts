// From queries to clauses of OpenSearch: a row for each kind of query.

import type { JsonOutput } from '../../json/index';
import type { Query, QueryOf } from '../../query/index';
import { type Clause, type ClauseContext, NOTHING, type Translator } from './clause-context';
import { unsupported } from '../layout/unsupported';
import { painlessScript } from '../scripts/painless';
import { COMPOUND_CLAUSES } from './compound';
import { GEO_CLAUSES } from './geo';
import { SHAPE_CLAUSES } from './geo-shape';
import { NUMBER_CLAUSES } from './numbers';
import { POSITION_CLAUSES } from './positions';
import { TERM_CLAUSES } from './terms';

export { type Clause, type ClauseContext, contextOf } from './clause-context';

/** Why there is no clause of a kind. */
const MISSING: Readonly<Record<string, string>> = {
  hasChild: 'documents are joined in queries and filters of facets only',
  hasParent: 'documents are joined in queries and filters of facets only',
  limit: 'documents have no order there',
};

const CLAUSES: { readonly [Kind in Query['kind']]?: unknown } = {
  ...COMPOUND_CLAUSES,
  ...TERM_CLAUSES,
  ...NUMBER_CLAUSES,
  ...POSITION_CLAUSES,
  ...GEO_CLAUSES,
  ...SHAPE_CLAUSES,
  script: ({ script, now }: QueryOf<'script'>, context: ClauseContext): Clause => ({
    script: { script: painlessScript({ plan: script, now }, 'truth', context) },
  }),
  sequences: ({ after, upTo }: QueryOf<'sequences'>): Clause => ({
    range: { _seq_no: { gt: after, lte: upTo } },
  }),
};

/**
 * The documents of a query as a filter of OpenSearch; scores mean nothing. What depends on the terms of a
 * shard has to be settled before.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException where there is no such filter
 */
export function clauseOf(query: Query, context: ClauseContext): Clause {
  const translator = CLAUSES[query.kind] as Translator<Query> | undefined;
  if (translator === undefined) {
    throw unsupported(`a [${query.kind}] query`, MISSING[query.kind] ?? 'there is no such query');
  }
  return translator(query, context, clauseOf);
}

/** Documents that match all of some filters. */
export function allOf(clauses: readonly Clause[]): Clause {
  if (clauses.length === 1) return clauses[0]!;
  return { bool: { filter: clauses as readonly JsonOutput[] } };
}

export { NOTHING };
