// The `geo_polygon` filter: points within a polygon on the map (reference server).

import { normalizePoint, type Point } from '../../../geo/index';
import {
  geoFilter,
  pointField,
  pointText,
  regionFilter,
  requiredPoint,
} from '../fields/geo-fields';
import {
  booleanOf,
  isCacheOption,
  isScalar,
  optionName,
  textOf,
  tokenName,
} from '../scope/members';
import type { KindParser, ParseScope } from '../scope/parse-scope';
import { isJsonObject, type JsonObject } from '../../../json/index';

/** `{field: {points}}`. */
export const parseGeoPolygon: KindParser = (body, scope) => {
  let field: string | null = null;
  let filterName: string | null = null;
  let isNormal = true;
  const corners: Point[] = [];
  for (const [name, value] of Array.isArray(body) ? [] : body) {
    if (isJsonObject(value)) {
      field = name;
      readPoints(value, corners, scope);
    } else if (isScalar(value)) {
      if (name === '_name') filterName = textOf(value);
      else if (isCacheOption(optionName(name))) continue;
      else if (name === 'normalize') isNormal = booleanOf(value);
      else throw scope.error(`[geo_polygon] filter does not support [${name}]`);
    } else throw scope.error(`[geo_polygon] unexpected token type [${tokenName(value)}]`);
  }
  if (corners.length === 0) throw scope.error('no points defined for geo_polygon filter');
  const first = corners[0]!;
  const last = corners.at(-1)!;
  const isClosed = first.latitude === last.latitude && first.longitude === last.longitude;
  if (!isClosed) corners.push(first);
  if (corners.length < 4) throw scope.error('too few points defined for geo_polygon filter');
  const points = corners.map((corner) => normalizePoint(corner, isNormal, isNormal));
  const ref = pointField(field, scope);
  const polygon = {
    shape: 'polygon',
    latitudes: points.map(({ latitude }) => latitude),
    longitudes: points.map(({ longitude }) => longitude),
  } as const;
  const filter = scope.shown(regionFilter(ref, polygon), () => {
    const texts = points.map(({ latitude, longitude }) => pointText(latitude, longitude));
    return `GeoPolygonFilter(${ref.mapped!.indexName}, [${texts.join(', ')}])`;
  });
  return geoFilter(ref, filterName, filter);
};

function readPoints(value: JsonObject, corners: Point[], scope: ParseScope): void {
  for (const [name, points] of value) {
    if (!Array.isArray(points)) {
      throw scope.error(
        `[geo_polygon] filter does not support token type [${tokenName(points)}] under [${name}]`,
      );
    }
    if (name !== 'points') throw scope.error(`[geo_polygon] filter does not support [${name}]`);
    // Every point of every document is tested against every edge.
    scope.context.meter.add('corners', points.length);
    for (const point of points) corners.push(requiredPoint(point));
  }
}
