// The spellings of a point in requests (reference server): text, a geohash, an object, or [lon, lat].

import { EngineError } from '../errors';
import { JsonNumber, type JsonObject, type JsonValue } from '../json/index';
import { pointOfText } from './point-spellings';
import { decodeGeohash } from './geohash';
import type { Point } from './distance';
import { parseDouble } from '../common/index';

/**
 * A point; coordinates that are not given in an array are NaN.
 *
 * @throws EngineError ElasticsearchParseException, NumberFormatException,
 *         ElasticsearchIllegalArgumentException
 */
export function parsePoint(value: JsonValue): Point {
  if (Array.isArray(value)) {
    const [longitude = NaN, latitude = NaN, third] = value.slice(0, 3).map(numberOf);
    if (third !== undefined) throw failure('only two values allowed');
    return { latitude, longitude };
  }
  return value instanceof Map ? pointOfObject(value) : pointOfText(String(value));
}

function numberOf(value: JsonValue): number {
  if (value instanceof JsonNumber) return value.value;
  throw new EngineError('ElasticsearchParseException', 'Numeric value expected');
}

function pointOfObject(body: JsonObject): Point {
  let latitude: number | null = null;
  let longitude: number | null = null;
  let hash: string | null = null;
  for (const [name, value] of body) {
    if (name === 'lat') latitude = coordinate(value, 'latitude');
    else if (name === 'lon') longitude = coordinate(value, 'longitude');
    else if (name !== 'geohash') throw failure("field must be either 'lat', 'lon' or 'geohash'");
    else if (typeof value === 'string') hash = value;
    else throw failure('geohash must be a string');
  }
  if (hash !== null) {
    if (latitude === null && longitude === null) return decodeGeohash(hash);
    throw failure('field must be either lat/lon or geohash');
  }
  if (latitude === null) throw failure('field [lat] missing');
  if (longitude === null) throw failure('field [lon] missing');
  return { latitude, longitude };
}

function coordinate(value: JsonValue, name: string): number {
  if (value instanceof JsonNumber) return value.value;
  if (typeof value === 'string') return parseDouble(value);
  throw failure(`${name} must be a number`);
}

function failure(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}
