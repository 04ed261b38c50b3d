// The `geohash_cell` filter: points in a cell of the geohash grid, and in those around it (reference server).

import {
  decodeGeohash,
  encodeGeohash,
  geohashLevels,
  geohashNeighbors,
  metersWithUnit,
} from '../../../geo/index';
import { JsonNumber, type JsonValue } from '../../../json/index';
import { parseDouble } from '../../../common/index';
import { geoFilter, pointField, requiredPoint } from '../fields/geo-fields';
import { booleanOf, intOf, isCacheOption, isScalar, optionName, textOf } from '../scope/members';
import type { KindParser } from '../scope/parse-scope';

const HASH_LENGTH = 12;

/** `{field: point or hash, precision, neighbors}`. */
export const parseGeohashCell: KindParser = (body, scope) => {
  let field: string | null = null;
  let hash: string | null = null;
  let filterName: string | null = null;
  let levels = -1;
  let neighbors = false;
  for (const [name, value] of Array.isArray(body) ? [] : body) {
    if (name === 'precision') levels = levelsOf(value) ?? levels;
    else if (name === 'neighbors') neighbors = isScalar(value) && booleanOf(value);
    else if (name === '_name') filterName = isScalar(value) ? textOf(value) : null;
    else if (isCacheOption(optionName(name))) continue;
    else {
      field = name;
      hash = hashOf(value);
    }
  }
  if (hash === null) throw scope.error('no geohash value provided to geohash_cell filter');
  const ref = pointField(field, scope);
  if (ref.mapped!.hasGeohashPrefixes !== true) {
    throw scope.error(
      `can't execute geohash_cell on field [${field}], geohash_prefix is not enabled`,
    );
  }
  const cell = levels > 0 ? hash.slice(0, levels) : hash;
  const path = `${ref.mapped!.path}.geohash`;
  const { field: hashes } = scope.context.mapping.find(path, [ref.mapped!.docType])!.mapped;
  // No term is longer.
  const around = neighbors && cell.length <= HASH_LENGTH ? cellsAround(cell) : [];
  const terms = [...new Set([cell, ...around])].sort();
  return geoFilter(ref, filterName, { kind: 'termSet', field: hashes!.id, terms, boost: 1 });
};

/** Characters of the hash: a number of them, or a distance that a cell is to measure at most. */
function levelsOf(value: JsonValue): number | null {
  if (value instanceof JsonNumber) return intOf(value);
  if (typeof value !== 'string') return null;
  const meters = metersWithUnit(value) ?? parseDouble(value);
  return geohashLevels(`${meters}m`);
}

/** @throws EngineError for characters that no geohash has */
function cellsAround(cell: string): readonly string[] {
  decodeGeohash(cell);
  return geohashNeighbors(cell);
}

function hashOf(value: JsonValue): string {
  if (typeof value === 'string' && value.indexOf(',') <= 0) return value;
  return encodeGeohash(requiredPoint(value), HASH_LENGTH);
}
