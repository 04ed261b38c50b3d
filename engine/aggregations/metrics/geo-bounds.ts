// geo_bounds: the smallest box around all points of a field (reference server).

import type { DocBuckets } from '../../counting/index';
import { formatDouble, type JsonObject } from '../../json/index';
import { ElementFailure, tokenName } from '../../query/index';
import type { GeoColumn } from '../../segment/index';
import type {
  AggregationKind,
  AggregationParseContext,
  AggregationPartial,
  Aggregator,
  Merged,
  MergePart,
  ReducedAggregation,
} from '../contract/aggregation';
import { forOwners, grown, sized } from '../contract/merging';
import { leadOf, ValuesMembers, readsOfValues } from '../contract/values';
import type { MetricSpec } from './metric';

/** Plain data. */
export interface GeoBoundsSpec extends MetricSpec {
  /** The box may cross the date line where it is narrower then. */
  readonly wraps: boolean;
}

/** Entry i is about bucket i of the parent; infinite where there are no such points. Plain data. */
export interface BoundsByBucket {
  readonly tops: Float64Array;
  readonly bottoms: Float64Array;
  /** Least and largest longitude east of Greenwich. */
  readonly eastMins: Float64Array;
  readonly eastMaxs: Float64Array;
  /** Least and largest longitude west of Greenwich. */
  readonly westMins: Float64Array;
  readonly westMaxs: Float64Array;
}

export const GEO_BOUNDS_AGGREGATION: AggregationKind<GeoBoundsSpec, BoundsByBucket> = {
  type: 'geo_bounds',
  hasBuckets: false,
  parse,
  bind: ({ spec }) => {
    const { field } = spec.values;
    return (segment) => new Bounds(field === null ? null : segment.geo(field));
  },
  merge,
  lead: leadOf,
  reads: readsOfValues,
  render,
};

function parse(name: string, body: JsonObject, context: AggregationParseContext): GeoBoundsSpec {
  const members = new ValuesMembers();
  let wraps = true;
  for (const [member, value] of body) {
    if ((member === 'field' || member === 'format') && members.read(member, value)) continue;
    if (/^wrap_?longitude$/i.test(member) && typeof value === 'boolean') wraps = value;
    else {
      throw new ElementFailure(
        `Unknown key for a ${tokenName(value)} in aggregation [${name}]: [${member}].`,
      );
    }
  }
  return { values: members.resolve(name, 'points', context), wraps };
}

class Bounds implements Aggregator {
  private tops = new Float64Array(0);
  private bottoms = new Float64Array(0);
  private eastMins = new Float64Array(0);
  private eastMaxs = new Float64Array(0);
  private westMins = new Float64Array(0);
  private westMaxs = new Float64Array(0);

  /** @param column null: there are no points */
  constructor(private readonly column: GeoColumn | null) {}

  collect({ from, size, docs, buckets, bucketCount }: DocBuckets): void {
    if (this.column === null) return;
    this.reserve(bucketCount);
    const { offsets, latitudes, longitudes } = this.column;
    const { tops, bottoms, eastMins, eastMaxs, westMins, westMaxs } = this;
    for (let i = 0; i < size; i++) {
      const doc = (from << 5) + docs[i]!;
      const bucket = buckets[i]!;
      for (let p = offsets[doc]!; p < offsets[doc + 1]!; p++) {
        const latitude = latitudes[p]!;
        const longitude = longitudes[p]!;
        if (latitude > tops[bucket]!) tops[bucket] = latitude;
        if (latitude < bottoms[bucket]!) bottoms[bucket] = latitude;
        if (longitude >= 0) {
          if (longitude < eastMins[bucket]!) eastMins[bucket] = longitude;
          if (longitude > eastMaxs[bucket]!) eastMaxs[bucket] = longitude;
        } else {
          if (longitude < westMins[bucket]!) westMins[bucket] = longitude;
          if (longitude > westMaxs[bucket]!) westMaxs[bucket] = longitude;
        }
      }
    }
  }

  partial(owners: number): AggregationPartial<BoundsByBucket> {
    this.reserve(owners);
    const data = {
      tops: sized(this.tops, owners),
      bottoms: sized(this.bottoms, owners),
      eastMins: sized(this.eastMins, owners),
      eastMaxs: sized(this.eastMaxs, owners),
      westMins: sized(this.westMins, owners),
      westMaxs: sized(this.westMaxs, owners),
    };
    return { data, size: 0, subs: [] };
  }

  get bytes(): number {
    return 6 * this.tops.byteLength;
  }

  private reserve(size: number): void {
    if (size <= this.tops.length) return;
    this.tops = grown(this.tops, size, -Infinity);
    this.bottoms = grown(this.bottoms, size, Infinity);
    this.eastMins = grown(this.eastMins, size, Infinity);
    this.eastMaxs = grown(this.eastMaxs, size, -Infinity);
    this.westMins = grown(this.westMins, size, Infinity);
    this.westMaxs = grown(this.westMaxs, size, -Infinity);
  }
}

function merge(
  parts: readonly MergePart<GeoBoundsSpec, BoundsByBucket>[],
  owners: number,
): Merged<BoundsByBucket> {
  const data = {
    tops: new Float64Array(owners).fill(-Infinity),
    bottoms: new Float64Array(owners).fill(Infinity),
    eastMins: new Float64Array(owners).fill(Infinity),
    eastMaxs: new Float64Array(owners).fill(-Infinity),
    westMins: new Float64Array(owners).fill(Infinity),
    westMaxs: new Float64Array(owners).fill(-Infinity),
  };
  for (const { data: part, owners: map } of parts) {
    forOwners(map, part.tops.length, (from, to) => {
      data.tops[to] = Math.max(data.tops[to]!, part.tops[from]!);
      data.bottoms[to] = Math.min(data.bottoms[to]!, part.bottoms[from]!);
      data.eastMins[to] = Math.min(data.eastMins[to]!, part.eastMins[from]!);
      data.eastMaxs[to] = Math.max(data.eastMaxs[to]!, part.eastMaxs[from]!);
      data.westMins[to] = Math.min(data.westMins[to]!, part.westMins[from]!);
      data.westMaxs[to] = Math.max(data.westMaxs[to]!, part.westMaxs[from]!);
    });
  }
  return { data, size: 0, maps: [] };
}

function render(
  { spec, data }: ReducedAggregation<GeoBoundsSpec, BoundsByBucket>,
  owner: number,
): string {
  const top = data.tops[owner] ?? -Infinity;
  if (top === -Infinity) return '{}';
  const [left, right] = longitudesOf(data, owner, spec.wraps);
  const bottom = data.bottoms[owner]!;
  return `{"bounds":{"top_left":${pointJson(top, left)},"bottom_right":${pointJson(bottom, right)}}}`;
}

/** West and east end of the box. */
function longitudesOf(
  { eastMins, eastMaxs, westMins, westMaxs }: BoundsByBucket,
  owner: number,
  wraps: boolean,
): readonly [number, number] {
  const eastMin = eastMins[owner]!;
  const eastMax = eastMaxs[owner]!;
  const westMin = westMins[owner]!;
  const westMax = westMaxs[owner]!;
  if (westMin === Infinity) return [eastMin, eastMax];
  if (eastMin === Infinity) return [westMin, westMax];
  const acrossDateLine = 180 - eastMin + (westMax + 180);
  return wraps && acrossDateLine < eastMax - westMin ? [eastMin, westMax] : [westMin, eastMax];
}

function pointJson(latitude: number, longitude: number): string {
  return `{"lat":${formatDouble(latitude)},"lon":${formatDouble(longitude)}}`;
}
