// The geo_distance facet: documents by their distance from a point (reference server).

import {
  type BucketStats,
  countRanges,
  type NumberRange,
  DistanceReader,
} from '../../counting/index';
import { appendAll } from '../../common/index';
import { EngineError } from '../../errors';
import {
  distanceFrom,
  parseDistanceType,
  type DistanceType,
  type Point,
  metersOf,
  parsePoint,
  normalizePoint,
} from '../../geo/index';
import {
  Double,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
  lenientBoolean,
  lenientFloat,
} from '../../json/index';
import { refuseUnloadable } from '../../mapping/index';
import type { ScriptName } from '../../script/index';
import type { FacetKind, FacetParseContext } from '../contract/facet';
import { sourceOf, type FoldedValues } from '../histogram/keyed-collector';
import { MemberTable, pieces } from '../contract/members';
import { castFailure, facetFailure, findLeaf, numbersOf } from '../contract/number-field';
import { forgetful, scriptNumbers } from '../contract/number-source';
import { sumStats, StatsCollector } from './stats-collector';
import type { FieldId } from '../../metadata/index';

/** What a geo_distance facet counts. Plain data. */
export interface GeoDistanceSpec {
  readonly field: FieldId | null;
  readonly center: Point;
  readonly type: DistanceType;
  /** Meters in a unit of the answer. */
  readonly unitMeters: number;
  /** `keys`: the distance itself. */
  readonly values: FoldedValues;
  readonly ranges: readonly NumberRange[];
}

export const GEO_DISTANCE_FACET: FacetKind<GeoDistanceSpec, BucketStats> = {
  type: 'geo_distance',
  names: ['geo_distance', 'geoDistance'],
  parse: parseGeoDistance,
  collector: (spec, { scoresOf }) => {
    const { field, center, type, unitMeters, values, ranges } = spec;
    const distance = distanceFrom(center, type, unitMeters);
    const folded = sourceOf(values, scoresOf);
    const collector = new StatsCollector(spec, ranges.length, (segment, docs) => {
      const column = field === null ? null : segment.geo(field);
      if (column === null) return null;
      const distances = new DistanceReader(column, distance);
      return countRanges(ranges, distances, folded === null ? 'keys' : folded.open(segment), docs);
    });
    return values.kind === 'script' ? forgetful(collector) : collector;
  },
  reduce: (specs, partials) => render(specs[0]!, partials),
};

interface Members {
  field: string | null;
  center: Point;
  type: DistanceType;
  unitMeters: number;
  valueField: string | null;
  valueScript: ScriptName | null;
  normalize: boolean;
  ranges: NumberRange[];
}

const MEMBERS = new MemberTable<Members>(
  [
    [['unit'], (members, value) => (members.unitMeters = metersOf(String(value)))],
    [['distance_type'], (members, value) => (members.type = parseDistanceType(String(value)))],
    [['value_field'], (members, value) => (members.valueField = String(value))],
    [['normalize'], (members, value) => (members.normalize = lenientBoolean(value, true))],
    // Read together with the script.
    [['lang', 'script_lang'], () => {}],
  ],
  [['value_script', (members, script) => (members.valueScript = script)]],
);

function parseGeoDistance(
  name: string,
  body: JsonObject,
  context: FacetParseContext,
): GeoDistanceSpec {
  const members: Members = {
    field: null,
    center: { latitude: 0, longitude: 0 },
    type: 'sloppy_arc',
    unitMeters: 1,
    valueField: null,
    valueScript: null,
    normalize: true,
    ranges: [],
  };
  for (const [member, value] of body) {
    if (value === null) continue;
    if (Array.isArray(value) && (member === 'ranges' || member === 'entries')) {
      const given = pieces(value);
      context.meter.add('ranges', given.length);
      appendAll(members.ranges, given.map(parseRing));
    } else if (Array.isArray(value) || value instanceof Map) {
      if (member !== 'params' || Array.isArray(value)) setCenter(members, member, value);
    } else if (!MEMBERS.read(members, member, value)) {
      // compat: whatever else has a value names a field and its point.
      setCenter(members, member, value);
    }
  }
  const { field, valueField, valueScript, type, unitMeters, ranges } = members;
  if (ranges.length === 0) throw facetFailure(name, 'no ranges defined for geo_distance facet');
  const points = field === null ? null : findLeaf(field, context);
  if (points === null) throw facetFailure(name, `failed to find mapping for [${field}]`);
  refuseUnloadable(points);
  if (points.type !== 'geo_point') throw castFailure(points, 'IndexGeoPointFieldData');
  const center = members.normalize ? normalizePoint(members.center, true, true) : members.center;
  const values =
    valueField === null && valueScript !== null
      ? scriptNumbers(valueScript, body, context)
      : valuesOf(name, valueField, context);
  return { field: points.field?.id ?? null, center, type, unitMeters, values, ranges };
}

function valuesOf(facet: string, field: string | null, context: FacetParseContext): FoldedValues {
  if (field === null) return { kind: 'keys' };
  const mapped = findLeaf(field, context);
  if (mapped === null) throw facetFailure(facet, `failed to find mapping for [${field}]`);
  return { kind: 'field', field: numbersOf(mapped) };
}

function setCenter(members: Members, field: string, value: JsonValue): void {
  members.field = field;
  members.center = parsePoint(value);
}

function parseRing(value: JsonValue): NumberRange {
  let from = -Infinity;
  let to = Infinity;
  if (!(value instanceof Map)) throw malformed();
  for (const [name, bound] of value) {
    for (const piece of pieces(bound)) {
      if (piece === null) continue;
      if (piece instanceof Map) throw malformed();
      if (name === 'from') from = lenientFloat(piece, from) ?? from;
      else if (name === 'to') to = lenientFloat(piece, to) ?? to;
    }
  }
  return { from, to };
}

function malformed(): EngineError {
  return new EngineError('ElasticsearchParseException', 'a range must be an object of scalars');
}

function render({ ranges }: GeoDistanceSpec, partials: readonly BucketStats[]): JsonOutput {
  const sums = sumStats(ranges.length, partials);
  const entries = ranges.map(({ from, to }, r): JsonOutput => {
    const totalCount = sums.totalCounts[r]!;
    const total = sums.totals[r]!;
    return {
      from: Number.isFinite(from) ? new Double(from) : undefined,
      to: Number.isFinite(to) ? new Double(to) : undefined,
      count: sums.counts[r]!,
      min: new Double(sums.mins[r]!),
      max: new Double(sums.maxs[r]!),
      total_count: totalCount,
      total: new Double(total),
      mean: new Double(totalCount === 0 ? 0 : total / totalCount),
    };
  });
  return { _type: 'geo_distance', ranges: entries };
}
