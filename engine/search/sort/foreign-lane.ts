// A sort value of another segment, shard or index among the lanes of this segment.

import type { SortKey, SortValue } from '../plan/search-plan';

/**
 * Where a sort value stands among the lanes of a key that has numbers: exactly as hits compare
 * (hit-order.ts).
 */
export function foreignLane(
  key: Pick<SortKey, 'missing' | 'descending'>,
  value: SortValue,
): number {
  // Indices may map one name differently: a text stands above all numbers.
  if (typeof value === 'string') return Infinity;
  if (value !== null) return Number(value);
  return (key.missing === '_last') === key.descending ? -Infinity : Infinity;
}
