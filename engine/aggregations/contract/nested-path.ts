// Which nested objects the documents of an aggregation are.

import type { ParentAggregation } from './aggregation';

/** Where nested objects are. Plain data. */
export interface NestedSpec {
  /** Null: no such path, so that there are none. For reverse_nested: the documents themselves. */
  readonly path: string | null;
  /** The path of the objects that documents here are, or null for documents. */
  readonly from: string | null;
  /** No document can be found. */
  readonly isNowhere: boolean;
}

/** The path of the nested objects that an aggregation below these gets; null: documents. */
export function nestedPathAround(parents: readonly ParentAggregation[]): string | null {
  for (let i = parents.length - 1; i >= 0; i--) {
    const { type, spec } = parents[i]!;
    if (type === 'nested' || type === 'reverse_nested') return (spec as NestedSpec).path;
    if (type === 'children') return null;
  }
  return null;
}
