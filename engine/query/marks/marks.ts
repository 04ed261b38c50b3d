// What of a query can be seen in a text: its terms and phrases, without what only selects documents. Whoever
// highlights walks a query with visitMarks and decides what the parts mean for the text at hand.
//
// Behaviour as on the reference server: filters and prohibited clauses mark nothing, the negative part of a
// boosting query does.

import { replaceBoost } from '../ast/boost';
import type { Query, QueryKind } from '../ast/query';
import type { QueryOf } from '../ast/traits';

const f = Math.fround;

/** Kinds that mark something themselves. */
type MarkKind =
  | 'term'
  | 'stringRange'
  | 'prefix'
  | 'wildcard'
  | 'regexp'
  | 'fuzzy'
  | 'phrase'
  | 'phrasePrefix'
  | 'spans'
  | 'blended'
  | 'commonTerms'
  | 'similar'
  | 'fuzzyWords';

/** A part of a query that marks something in a text. */
export type Mark = QueryOf<MarkKind>;

/** How a part stands in its query. */
export interface MarkReach {
  /** Product of the boosts of the bool and dis_max queries directly around it. float32. */
  readonly factor: number;
  /** Nothing but bool queries, filters and constant scores is around it. */
  readonly isPlain: boolean;
}

/** Receives the parts in the order of the query. */
export interface MarkVisitor {
  /** Whether what is inside of nested queries marks something. */
  readonly entersNested: boolean;
  mark(part: Mark, reach: MarkReach): void;
}

type Walk<Kind extends QueryKind> = (
  query: QueryOf<Kind>,
  visitor: MarkVisitor,
  reach: MarkReach,
) => void;

/** A row per kind: how to go on from it, or what it is itself. */
const WALKS: {
  readonly [Kind in QueryKind]: Kind extends MarkKind ? 'mark' : 'nothing' | Walk<Kind>;
} = {
  term: 'mark',
  stringRange: 'mark',
  prefix: 'mark',
  wildcard: 'mark',
  regexp: 'mark',
  fuzzy: 'mark',
  phrase: 'mark',
  phrasePrefix: 'mark',
  spans: 'mark',
  blended: 'mark',
  commonTerms: 'mark',
  similar: 'mark',
  fuzzyWords: 'mark',
  matchAll: 'nothing',
  matchNone: 'nothing',
  termSet: 'nothing',
  numberSet: 'nothing',
  numericRange: 'nothing',
  exists: 'nothing',
  uids: 'nothing',
  sequences: 'nothing',
  geo: 'nothing',
  geoShape: 'nothing',
  types: 'nothing',
  limit: 'nothing',
  script: 'nothing',
  hasChild: 'nothing',
  hasParent: 'nothing',
  bool: ({ must, should, boost }, visitor, reach) => {
    const inner = { ...reach, factor: f(reach.factor * f(boost)) };
    for (const clause of must) walk(clause, visitor, inner);
    for (const clause of should) walk(clause, visitor, inner);
  },
  disMax: ({ queries, boost }, visitor, { factor }) => {
    const inner = { factor: f(factor * f(boost)), isPlain: false };
    for (const query of queries) walk(query, visitor, inner);
  },
  constantScore: ({ query, ofQuery }, visitor, reach) => {
    if (ofQuery === true) walk(query, visitor, { ...reach, factor: 1 });
  },
  filtered: ({ query }, visitor, reach) => walk(query, visitor, { ...reach, factor: 1 }),
  functionScore: ({ query }, visitor) => walk(query, visitor, INSIDE),
  boosting: ({ positive, negative }, visitor) => {
    walk(positive, visitor, INSIDE);
    walk(replaceBoost(negative, 0), visitor, INSIDE);
  },
  nested: ({ query }, visitor) => {
    if (visitor.entersNested) walk(query, visitor, INSIDE);
  },
  named: ({ query }, visitor, reach) => walk(query, visitor, reach),
};

const INSIDE: MarkReach = { factor: 1, isPlain: false };

/** Hands the parts of a query that mark something to a visitor. Depth is bounded by the parsers. */
export function visitMarks(query: Query, visitor: MarkVisitor): void {
  walk(query, visitor, { factor: 1, isPlain: true });
}

function walk(query: Query, visitor: MarkVisitor, reach: MarkReach): void {
  const row = WALKS[query.kind] as 'mark' | 'nothing' | Walk<QueryKind>;
  if (row === 'mark') visitor.mark(query as Mark, reach);
  else if (row !== 'nothing') row(query, visitor, reach);
}
