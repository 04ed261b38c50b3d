// geo_distance: documents by the distance of their point, which facetd measures for each distinct point.

import { type BucketStats, StatsTable } from '../../counting/index';
import type { GeoDistanceSpec } from '../../facets/index';
import { distanceFrom } from '../../geo/index';
import { partOf } from '../transport/answers';
import { pointsOf, pointsRequest } from '../counting/points';
import { rowOf, statsOf } from './buckets';
import type { FacetTranslation } from './contract';
import { numbersOf } from './origin';

const WHAT = 'a [geo_distance] facet';
const STATS = 'stats';

export const GEO_DISTANCE_FACET: FacetTranslation<GeoDistanceSpec, BucketStats> = {
  request: ({ field, values }, context) => {
    const other =
      values.kind === 'field' || values.kind === 'script' ? numbersOf(values, context) : null;
    if (field === null) return {};
    const stats = other === null ? {} : { [STATS]: { stats: other } };
    return pointsRequest(context, field, stats);
  },
  read: ({ field, center, type, unitMeters, values, ranges }, { counted }) => {
    const sums = new StatsTable();
    sums.reserve(ranges.length);
    const points = field === null ? [] : pointsOf(counted, WHAT);
    const distance = distanceFrom(center, type, unitMeters);
    for (const { latitude, longitude, docs, bucket } of points) {
      const away = distance(latitude, longitude);
      const own = { count: docs, totalCount: docs, total: docs * away, min: away, max: away };
      const row = values.kind === 'keys' ? own : rowOf(docs, partOf(bucket, STATS));
      const stats = statsOf([row]);
      ranges.forEach(({ from, to }, r) => {
        if (away >= from && away < to) sums.addBucket(r, stats, 0);
      });
    }
    return sums.first(ranges.length);
  },
};
