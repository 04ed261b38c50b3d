// Exact numbers and ranges of them.

import type { FieldId } from '../../metadata/index';
import type { Query, QueryOf } from '../../query/index';
import { valueField } from '../layout/names';
import { at, type Clause, type ClauseContext, NOTHING, type Translator } from './clause-context';

type Bound = QueryOf<'numericRange'>['from'];

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

export const NUMBER_CLAUSES = {
  numberSet: ({ field, values }: QueryOf<'numberSet'>, context) => {
    const possible = values.filter((value) => isPossible(context, field, value));
    return possible.length === 0
      ? NOTHING
      : { terms: { [at(context, valueField(field))]: possible } };
  },
  numericRange: ({ field, from, to }: QueryOf<'numericRange'>, context) =>
    rangeOf(context, field, from, to),
} satisfies { readonly [Kind in Query['kind']]?: Translator<QueryOf<Kind>> };

/** Bounds are inclusive. */
function rangeOf(context: ClauseContext, field: FieldId, from: Bound, to: Bound): Clause {
  const least = boundOf(context, field, from, -1);
  const most = boundOf(context, field, to, 1);
  if (least === 'nothing' || most === 'nothing') return NOTHING;
  return {
    range: {
      [at(context, valueField(field))]: {
        ...(least === null ? {} : { gte: least }),
        ...(most === null ? {} : { lte: most }),
      },
    },
  };
}

/**
 * What no value of the field reaches is no bound, or leaves nothing.
 *
 * @param side -1 the lower, 1 the upper bound
 */
function boundOf(
  { kindOf }: ClauseContext,
  field: FieldId,
  bound: Bound,
  side: -1 | 1,
): Bound | 'nothing' {
  if (bound === null) return null;
  const kind = kindOf(field);
  const isWhole = kind === 'int' || kind === 'long';
  const [low, high] = isWhole ? [LONG_MIN, LONG_MAX] : [-Number.MAX_VALUE, Number.MAX_VALUE];
  if (Number.isNaN(bound)) return 'nothing';
  if (bound < low) return side === -1 ? null : 'nothing';
  if (bound > high) return side === 1 ? null : 'nothing';
  if (!isWhole || typeof bound === 'bigint') return bound;
  return side === -1 ? Math.ceil(bound) : Math.floor(bound);
}

/** Whether the field can have the number at all. */
function isPossible(context: ClauseContext, field: FieldId, value: number | bigint): boolean {
  const kind = context.kindOf(field);
  if (typeof value === 'number' && !Number.isFinite(value)) return false;
  if (kind !== 'int' && kind !== 'long') return true;
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  return value >= LONG_MIN && value <= LONG_MAX;
}
