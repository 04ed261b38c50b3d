// Query trees written shortly, and what they match.

import { bindUnscored } from '../../engine/query/weights/create-weight';
import { type Query } from '../../engine/query/ast/query';
import type { Bitset } from '../../engine/segment/contract/bitset';
import { NO_MORE_DOCS } from '../../engine/segment/contract/bitset';
import type { SegmentReader } from '../../engine/segment/contract/reader';
import { FIELDS } from './query-segments';

/** The text field of queries. */
export const T = FIELDS.t.id;

/** A query for one term. */
export function term(text: string, field = T): Query {
  return { kind: 'term', field, term: text, boost: 1, scored: true };
}

/** A query of some clauses. */
export function bool(parts: Partial<Extract<Query, { kind: 'bool' }>>): Query {
  return {
    kind: 'bool',
    must: [],
    should: [],
    mustNot: [],
    minimumShouldMatch: 0,
    disableCoord: false,
    boost: 1,
    ...parts,
  };
}

/** Documents that a query matches, found by its scorer. */
export function docs(query: Query, reader: SegmentReader): number[] {
  const scorer = bindUnscored(query).scorer(reader);
  const found: number[] = [];
  if (scorer === null) return found;
  for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) found.push(doc);
  return found;
}

/** Documents of a set. */
export function members(set: Bitset | null): number[] {
  const found: number[] = [];
  if (set === null) return found;
  for (let doc = set.next(0); doc !== NO_MORE_DOCS; doc = set.next(doc + 1)) found.push(doc);
  return found;
}
