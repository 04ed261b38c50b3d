// Statistics by bucket as OpenSearch gives them.

import { type BucketStats, StatsTable } from '../../counting/index';
import type { JsonObject } from '../../json/index';
import { doubleAt } from '../transport/answers';

/** What a script or `stats` say of a bucket; extremes mean something only where there are values. */
export interface StatsRow {
  readonly count: number;
  readonly totalCount: number;
  readonly total: number;
  readonly min: number;
  readonly max: number;
}

/** Rows as statistics by bucket. */
export function statsOf(rows: readonly StatsRow[]): BucketStats {
  const table = new StatsTable();
  table.reserve(rows.length);
  rows.forEach(({ count, totalCount, total, min, max }, i) => {
    table.counts[i] = count;
    if (totalCount === 0) return;
    table.totalCounts[i] = totalCount;
    table.totals[i] = total;
    table.mins[i] = min;
    table.maxs[i] = max;
  });
  return table.first(rows.length);
}

/** What `stats` counted. @param count documents of the bucket */
export function rowOf(count: number, stats: JsonObject | null): StatsRow {
  return {
    count,
    totalCount: doubleAt(stats, 'count', 0),
    total: doubleAt(stats, 'sum', 0),
    min: doubleAt(stats, 'min', Infinity),
    max: doubleAt(stats, 'max', -Infinity),
  };
}
