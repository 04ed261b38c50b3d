// The clauses of a bool query in the order in which they were written.

import type { Occur } from './query';
import type { QueryOf } from './traits';

const OCCURS = ['must', 'should', 'mustNot'] as const satisfies readonly Occur[];

/** Each clause as `take` makes it of its list and place there; where no order is told, list by list. */
export function inOrder<T>(query: QueryOf<'bool'>, take: (occur: Occur, i: number) => T): T[] {
  const order = query.order ?? OCCURS.flatMap((occur) => query[occur].map(() => occur));
  const next = { must: 0, should: 0, mustNot: 0 };
  return order.map((occur) => take(occur, next[occur]++));
}
