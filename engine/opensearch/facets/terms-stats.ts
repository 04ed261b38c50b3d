// terms_stats: all terms of a shard with statistics of another field.

import { type KeyList, textKeys } from '../../counting/index';
import type { TermsStatsPartial, TermsStatsSpec } from '../../facets/index';
import { formatDouble } from '../../json/index';
import type { FieldKind } from '../../metadata/index';
import {
  bucketsOf,
  docCount,
  doubleOf,
  longOf,
  MOST_BUCKETS,
  partOf,
  textOf,
} from '../transport/answers';
import { type Aggs, fieldAt, requireWhole } from '../counting/count-context';
import { pointsOf, pointsRequest } from '../counting/points';
import { rowOf, statsOf, type StatsRow } from './buckets';
import type { FacetTranslation } from './contract';
import { numbersOf } from './origin';

const WHAT = 'a [terms_stats] facet';
const TERMS = 'terms';
const STATS = 'stats';
const MISSING = 'missing';

const KINDS: Readonly<Record<'string' | 'long' | 'double', FieldKind>> = {
  string: 'string',
  long: 'long',
  double: 'double',
};

export const TERMS_STATS_FACET: FacetTranslation<TermsStatsSpec, TermsStatsPartial> = {
  request: ({ key, value }, context) => {
    const values = numbersOf(value, context);
    const below: Aggs = values === null ? {} : { [STATS]: { stats: values } };
    if (key.kind === 'constant') return below;
    if (key.field === null) return {};
    if (key.kind === 'geo') return pointsRequest(context, key.field, below);
    const field = fieldAt(context, key.field, KINDS[key.kind]);
    return {
      [TERMS]: {
        terms: { field, size: MOST_BUCKETS, order: { _key: 'asc' } },
        ...(values === null ? {} : { aggs: below }),
      },
      [MISSING]: { missing: { field } },
    };
  },
  read: ({ key }, { docs, counted }) => {
    if (key.kind === 'constant') {
      const rows = docs === 0 ? [] : [rowOf(docs, partOf(counted, STATS))];
      return { missing: 0, terms: textKeys(rows.map(() => key.term)), stats: statsOf(rows) };
    }
    if (key.kind === 'geo') {
      const points = key.field === null ? [] : pointsOf(counted, WHAT);
      const rows = points.map(({ latitude, longitude, docs: own, bucket }) => ({
        text: `[${formatDouble(latitude)}, ${formatDouble(longitude)}]`,
        row: rowOf(own, partOf(bucket, STATS)),
      }));
      rows.sort((a, b) => (a.text < b.text ? -1 : 1));
      return {
        missing: 0,
        terms: textKeys(rows.map(({ text }) => text)),
        stats: statsOf(rows.map(({ row }) => row)),
      };
    }
    const answer = partOf(counted, TERMS);
    requireWhole(answer, WHAT);
    const buckets = bucketsOf(answer);
    const keys = buckets.map((bucket) => bucket.get('key') ?? null);
    const rows = buckets.map((bucket): StatsRow => rowOf(docCount(bucket), partOf(bucket, STATS)));
    // compat: only integers count the documents without.
    const without = key.field === null ? docs : docCount(partOf(counted, MISSING));
    const terms = ((): KeyList => {
      switch (key.kind) {
        case 'string':
          return textKeys(keys.map(textOf));
        case 'long':
          return { type: 'long', values: BigInt64Array.from(keys, longOf) };
        case 'double':
          return { type: 'double', values: Float64Array.from(keys, (each) => doubleOf(each)) };
      }
    })();
    return { missing: key.kind === 'long' ? without : 0, terms, stats: statsOf(rows) };
  },
};
