// Documents with a point in a region.

import type { GeoBox, GeoRegion } from '../../geo/index';
import type { JsonOutput } from '../../json/index';
import type { FieldId } from '../../metadata/index';
import type { QueryOf } from '../../query/index';
import { latitudeField, longitudeField, valueField } from '../layout/names';
import { at, type Clause, type ClauseContext, NOTHING, type Translator } from './clause-context';
import { measureOf, POINT, POINTS } from '../scripts/distance';

/** Degrees by which a box is widened for points that are rounded. */
const ROUNDING = 1e-6;

type Geo = QueryOf<'geo'>;

export const GEO_CLAUSES = {
  geo: ({ field, region }: Geo, context) => regionClause(field, region, context),
} satisfies { readonly geo: Translator<Geo> };

/** Where the points of a field are, as parameters of scripts. */
export function pointParams(field: FieldId, context: ClauseContext): Record<string, JsonOutput> {
  return {
    point: at(context, valueField(field)),
    lat: at(context, latitudeField(field)),
    lon: at(context, longitudeField(field)),
  };
}

function regionClause(field: FieldId, region: GeoRegion, context: ClauseContext): Clause {
  switch (region.shape) {
    case 'box':
      return boxClause(field, region, context);
    case 'ring':
      return ringClause(field, region, context);
    case 'polygon': {
      const { latitudes, longitudes } = region;
      if (![...latitudes, ...longitudes].every(Number.isFinite)) return NOTHING;
      const points = latitudes.map((lat, i) => ({ lat, lon: longitudes[i]! }));
      const name = at(context, valueField(field));
      return { geo_polygon: { [name]: { points }, ignore_unmapped: true, ...LENIENT } };
    }
  }
}

const LENIENT = { validation_method: 'IGNORE_MALFORMED' } as const;

/** Exact where documents have one point; of several, coordinates may come from different ones. */
function boxClause(field: FieldId, box: GeoBox, context: ClauseContext): Clause {
  const { north, south, west, east } = box;
  if ([north, south, west, east].some(Number.isNaN)) return NOTHING;
  const { lat, lon, point } = pointParams(field, context) as Record<string, string>;
  const crosses = west > east;
  const between = (name: string, from: number, to: number): Clause => ({
    range: {
      [name]: {
        ...(Number.isFinite(from) ? { gte: from } : {}),
        ...(Number.isFinite(to) ? { lte: to } : {}),
      },
    },
  });
  const filters: Clause[] = [
    between(lat!, south, north),
    crosses
      ? {
          bool: {
            should: [between(lon!, west, Infinity), between(lon!, -Infinity, east)],
            minimum_should_match: 1,
          },
        }
      : between(lon!, west, east),
  ];
  if ([north, south, west, east].every(Number.isFinite) && north >= south) {
    filters.push({
      geo_bounding_box: {
        [point!]: {
          top_left: { lat: clamp(north + ROUNDING, 90), lon: clamp(west - ROUNDING, 180) },
          bottom_right: { lat: clamp(south - ROUNDING, 90), lon: clamp(east + ROUNDING, 180) },
        },
        ignore_unmapped: true,
        ...LENIENT,
      },
    });
  }
  return { bool: { filter: filters } };
}

function ringClause(
  field: FieldId,
  { center, distanceType, from, to, within }: Extract<GeoRegion, { shape: 'ring' }>,
  context: ClauseContext,
): Clause {
  const { declaration, name } = measureOf(distanceType);
  const source =
    `${declaration}${POINTS}for (int i = 0; i < n; i++) { ` +
    `double d = ${name}(params.latitude, params.longitude, ${POINT}); ` +
    'if (d >= params.from && d <= params.to) { return true } } return false;';
  const { latitude, longitude } = center;
  if (![latitude, longitude].every(Number.isFinite)) return NOTHING;
  const params = {
    ...pointParams(field, context),
    latitude,
    longitude,
    from: Math.max(from, -Number.MAX_VALUE),
    to: Math.min(to, Number.MAX_VALUE),
  };
  const measured = { script: { script: { lang: 'painless', source, params } } };
  if (within === null) return measured;
  return { bool: { filter: [boxClause(field, within, context), measured] } };
}

function clamp(degrees: number, most: number): number {
  return Math.max(-most, Math.min(most, degrees));
}
