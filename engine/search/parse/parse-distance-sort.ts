// The `_geo_distance` sort key (reference server): `{field: point or points, unit, distance_type, normalize}`
// besides the options of other keys.

import { EngineError, illegalArgument } from '../../errors';
import { castFailure } from '../../facets/index';
import {
  parseDistanceType,
  type DistanceType,
  type Point,
  metersOf,
  parsePoint,
  normalizePoint,
} from '../../geo/index';
import {
  JsonNumber,
  type JsonObject,
  type JsonValue,
  writeJson,
  isScalar,
  lenientBoolean,
} from '../../json/index';
import type { DistanceSort } from '../plan/search-plan';
import type { SearchContext } from '../../query/index';
import { readOptions, type SortOptions } from './sort-options';
import type { FieldId } from '../../metadata/index';

/** Members that mean the same for all keys. */
const COMMON: ReadonlySet<string> = new Set([
  'order',
  'reverse',
  'mode',
  'sort_mode',
  'sortMode',
  'nested_path',
  'nestedPath',
  'nested_filter',
  'nestedFilter',
]);

/** What is measured, and on which field; field null: it indexes nothing. */
interface ParsedDistance {
  readonly path: string;
  readonly field: FieldId | null;
  readonly distance: DistanceSort;
}

/**
 * Reads a `_geo_distance` key; what is common to all keys goes into `options`.
 *
 * @throws EngineError with the reference's texts
 */
export function parseDistanceSort(
  body: JsonObject,
  options: SortOptions,
  context: SearchContext,
): ParsedDistance {
  let path: string | null = null;
  let points: readonly Point[] = [];
  let type: DistanceType = 'sloppy_arc';
  let unitMeters = 1;
  let normalize = true;
  for (const [name, value] of body) {
    if (COMMON.has(name)) {
      readOptions(options, '_geo_distance', new Map([[name, value]]), context);
    } else if (name === 'unit') unitMeters = metersOf(textOf(value));
    else if (name === 'distance_type' || name === 'distanceType')
      type = parseDistanceType(textOf(value));
    else if (name === 'normalize') normalize = lenientBoolean(value, true);
    else if (value !== null) {
      path = name;
      points = pointsOf(value);
    }
  }
  // compat: the reference does not expect a key without a field.
  if (path === null) throw new EngineError('NullPointerException', '', { status: 400 });
  if (options.mode === 'sum')
    throw illegalArgument("sort_mode [sum] isn't supported for sorting by geo distance");
  const mapped = context.mapping.find(path, context.types)?.mapped;
  if (mapped === undefined || mapped.type === 'object' || mapped.type === 'nested') {
    throw illegalArgument(`failed to find mapper for [${path}] for geo distance based sort`);
  }
  if (mapped.type !== 'geo_point') throw castFailure(mapped, 'IndexGeoPointFieldData');
  if (normalize) points = points.map((point) => normalizePoint(point, true, true));
  return { path, field: mapped.field?.id ?? null, distance: { points, type, unitMeters } };
}

/** One point, or a list of them; `[lon, lat]` is one. */
function pointsOf(value: JsonValue): readonly Point[] {
  if (!Array.isArray(value)) return [parsePoint(value)];
  return value[0] instanceof JsonNumber ? [parsePoint(value)] : value.map(parsePoint);
}

function textOf(value: JsonValue): string {
  return isScalar(value) ? String(value) : writeJson(value);
}
