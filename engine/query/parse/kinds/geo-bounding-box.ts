// The `geo_bounding_box` filter: points in a box, given by corners or edges (reference server).

import { EngineError } from '../../../errors';
import { normalizePoint, type GeoBox } from '../../../geo/index';
import type { JsonObject } from '../../../json/index';
import {
  doubleOf,
  geoFilter,
  indexedBox,
  pointText,
  pointField,
  regionFilter,
  requiredPoint,
} from '../fields/geo-fields';
import { booleanOf, isCacheOption, isScalar, members, optionName, textOf } from '../scope/members';
import type { KindParser } from '../scope/parse-scope';

type Edges = { -readonly [Edge in keyof GeoBox]: number };

/** `{field: corners}`. */
export const parseGeoBoundingBox: KindParser = (body, scope) => {
  let field: string | null = null;
  let filterName: string | null = null;
  let type = 'memory';
  let isNormal = true;
  const edges: Edges = { north: NaN, west: NaN, south: NaN, east: NaN };
  for (const member of members(body, 'object')) {
    const { name } = member;
    if (member.sort === 'object') field = readCorners(name, member.value, edges);
    else if (name === '_name') filterName = textOf(member.value);
    else if (isCacheOption(optionName(name))) continue;
    else if (name === 'normalize') isNormal = booleanOf(member.value);
    else if (name === 'type') type = textOf(member.value);
    else throw scope.error(`[geo_bbox] filter does not support [${name}]`);
  }
  const box = isNormal ? normalized(edges) : edges;
  const ref = pointField(field, scope);
  if (type === 'indexed') return geoFilter(ref, filterName, indexedBox(ref, box, scope));
  if (type === 'memory') {
    const filter = scope.shown(regionFilter(ref, { shape: 'box', ...box }), () => {
      const corners = `${pointText(box.north, box.west)}, ${pointText(box.south, box.east)}`;
      return `GeoBoundingBoxFilter(${ref.mapped!.indexName}, ${corners})`;
    });
    return geoFilter(ref, filterName, filter);
  }
  throw scope.error(
    `geo bounding box type [${type}] not supported, either 'indexed' or 'memory' are allowed`,
  );
};

/** Reads corners and edges. @returns the field, which may also be named inside */
function readCorners(name: string, corners: JsonObject, edges: Edges): string {
  let field = name;
  for (const [key, value] of corners) {
    const edge = EDGES.get(key);
    const corner = CORNERS.get(optionName(key));
    if (key === 'field' && isScalar(value)) field = textOf(value);
    else if (edge !== undefined && isScalar(value)) edges[edge] = doubleOf(value);
    else if (corner !== undefined) {
      const { latitude, longitude } = requiredPoint(value);
      edges[corner[0]] = latitude;
      edges[corner[1]] = longitude;
    } else throw new EngineError('ElasticsearchParseException', `Unexpected field [${key}]`);
  }
  return field;
}

const EDGES: ReadonlyMap<string, keyof GeoBox> = new Map([
  ['top', 'north'],
  ['left', 'west'],
  ['bottom', 'south'],
  ['right', 'east'],
]);

const CORNERS: ReadonlyMap<string, readonly ['north' | 'south', 'west' | 'east']> = new Map([
  ['top_left', ['north', 'west']],
  ['top_right', ['north', 'east']],
  ['bottom_left', ['south', 'west']],
  ['bottom_right', ['south', 'east']],
]);

/** Edges out of range go around the earth, unless the box goes all around it. */
function normalized({ north, west, south, east }: GeoBox): GeoBox {
  const goesAround = (east - west) % 360 === 0 && east > west;
  const upper = normalizePoint({ latitude: north, longitude: west }, true, !goesAround);
  const lower = normalizePoint({ latitude: south, longitude: east }, true, !goesAround);
  return {
    north: upper.latitude,
    south: lower.latitude,
    west: goesAround ? -180 : upper.longitude,
    east: goesAround ? 180 : lower.longitude,
  };
}
