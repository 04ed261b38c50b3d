// Aggregations of points: facetd measures and places each distinct point, and puts together what is below.

import {
  type AggregationPartial,
  type AggregationPlan,
  type BoundsByBucket,
  type Cells,
  type DocCounts,
  type GeoBoundsSpec,
  type GeoDistanceSpec,
  type GeohashGridSpec,
  mergePlaced,
  NO_BUCKET,
} from '../../aggregations/index';
import { BucketIds, KeyIds, textKeys } from '../../counting/index';
import { distanceFrom, encodeGeohash } from '../../geo/index';
import { HITS_FINDER } from '../../search/index';
import { doubleAt, partOf } from '../transport/answers';
import { type PointBucket, pointsOf, pointsRequest } from '../counting/points';
import type { FieldId } from '../../metadata/index';
import { latitudeField, longitudeField, within } from '../layout/names';
import type { Aggs } from '../counting/count-context';
import { unsupported } from '../layout/unsupported';
import { EVERYTHING } from '../queries/clause-context';
import type { AggregationContext, AggregationTranslation, Answers, Below } from './contract';
import { named } from './values';

function requestPoints(
  plan: AggregationPlan,
  field: FieldId | null,
  context: AggregationContext,
  below: Below,
): Aggs | null {
  if (field === null) return null;
  refuseInseparable(plan.subs, named(plan.type));
  const { aggs = {} } = below.request(plan, context);
  return { filter: EVERYTHING, aggs: pointsRequest(context, field, aggs as Aggs) };
}

/** What is not the sum of what points have: objects around several ones count once. */
const INSEPARABLE: ReadonlySet<string> = new Set([
  'percentiles',
  'percentile_ranks',
  'reverse_nested',
]);

/** @throws EngineError ElasticsearchIllegalArgumentException */
function refuseInseparable(plans: readonly AggregationPlan[], around: string): void {
  for (const { type, subs } of plans) {
    if (INSEPARABLE.has(type))
      throw unsupported(`${named(type)} below ${around}`, 'those of points are not put together');
    refuseInseparable(subs, around);
  }
}

/** A point with the bucket of the parent whose documents have it. */
interface OwnedPoint extends PointBucket {
  readonly owner: number;
}

function readPoints(plan: AggregationPlan, answers: Answers): readonly OwnedPoint[] {
  return answers.flatMap((answer, owner) =>
    answer === null ? [] : pointsOf(answer, named(plan.type)).map((point) => ({ ...point, owner })),
  );
}

/**
 * What is below buckets that points are put into.
 *
 * @param maps each says of every point which bucket it is put into
 * @param size how many buckets there are
 */
function readPlaced(
  plan: AggregationPlan,
  points: readonly OwnedPoint[],
  maps: readonly Uint32Array[],
  size: number,
  context: AggregationContext,
  below: Below,
): AggregationPartial[] {
  const answers = points.map(({ bucket }) => bucket);
  return below.read(plan, answers, context).map((partial, s) => {
    const sub = plan.subs[s]!;
    const parts = maps.map((owners) => ({ plan: sub, partial, owners, shard: 0 }));
    return mergePlaced(parts, sub, size, { isFinal: false, shards: 1, hits: HITS_FINDER });
  });
}

export const GEO_DISTANCE_AGGREGATION: AggregationTranslation<GeoDistanceSpec> = {
  request: (plan, context, below) => requestPoints(plan, plan.spec.values.field, context, below),
  read: (plan, answers, context, below): AggregationPartial<DocCounts> => {
    const { origin, distanceType, unitMeters, ranges } = plan.spec;
    const distance = distanceFrom(origin, distanceType, unitMeters);
    const points = readPoints(plan, answers);
    const size = answers.length * ranges.length;
    const counts = new Float64Array(size);
    const maps = ranges.map(({ from, to }, r) =>
      Uint32Array.from(points, ({ latitude, longitude, docs, owner }) => {
        const away = distance(latitude, longitude);
        if (!(away >= from && away < to)) return NO_BUCKET;
        const bucket = owner * ranges.length + r;
        counts[bucket]! += docs;
        return bucket;
      }),
    );
    const subs = readPlaced(plan, points, maps, size, context, below);
    return { data: { counts }, size, subs };
  },
};

export const GEOHASH_GRID_AGGREGATION: AggregationTranslation<GeohashGridSpec> = {
  request: (plan, context, below) => requestPoints(plan, plan.spec.values.field, context, below),
  read: (plan, answers, context, below): AggregationPartial<Cells> => {
    const points = readPoints(plan, answers);
    const keys = new KeyIds('string');
    const cells = points.map((point) => encodeGeohash(point, plan.spec.precision));
    const keyOf = keys.idsOf(textKeys(cells));
    const ids = new BucketIds();
    const map = Uint32Array.from(points, ({ owner }, i) => ids.idOf(owner, keyOf[i]!));
    const counts = new Float64Array(ids.size);
    points.forEach(({ docs }, i) => (counts[map[i]!]! += docs));
    const data = {
      keys: keys.list(),
      owners: ids.ownerOf.slice(),
      keyOf: ids.keyOf.slice(),
      counts,
      ownerCount: answers.length,
    };
    const subs = readPlaced(plan, points, [map], ids.size, context, below);
    return { data, size: ids.size, subs };
  },
};

/** Extremes of the coordinates, of longitudes on both sides of Greenwich. */
const EXTREMES = {
  tops: ['max', latitudeField, '_value'],
  bottoms: ['min', latitudeField, '_value'],
  eastMins: ['min', longitudeField, '_value >= 0 ? _value : Double.POSITIVE_INFINITY'],
  eastMaxs: ['max', longitudeField, '_value >= 0 ? _value : Double.NEGATIVE_INFINITY'],
  westMins: ['min', longitudeField, '_value < 0 ? _value : Double.POSITIVE_INFINITY'],
  westMaxs: ['max', longitudeField, '_value < 0 ? _value : Double.NEGATIVE_INFINITY'],
} as const;

export const GEO_BOUNDS_AGGREGATION: AggregationTranslation<GeoBoundsSpec> = {
  request: ({ spec: { values } }, context) => {
    const { field } = values;
    if (field === null) return null;
    const aggs = Object.entries(EXTREMES).map(([name, [metric, coordinate, source]]) => {
      const script = source === '_value' ? {} : { script: { source } };
      const of = { field: within(context.path, coordinate(field)), ...script };
      return [name, { [metric]: of }] as const;
    });
    return { filter: EVERYTHING, aggs: Object.fromEntries(aggs) };
  },
  read: (_plan, answers): AggregationPartial<BoundsByBucket> => {
    const all = (name: keyof typeof EXTREMES) => {
      const absent = EXTREMES[name][0] === 'max' ? -Infinity : Infinity;
      return Float64Array.from(answers, (answer) =>
        doubleAt(partOf(answer, name), 'value', absent),
      );
    };
    const data = {
      tops: all('tops'),
      bottoms: all('bottoms'),
      eastMins: all('eastMins'),
      eastMaxs: all('eastMaxs'),
      westMins: all('westMins'),
      westMaxs: all('westMaxs'),
    };
    return { data, size: 0, subs: [] };
  },
};
