// The spellings of a point in documents: text, objects, and the coordinates of arrays.

import { EngineError } from '../errors';
import { JsonToken, type JsonScanner } from '../json/index';
import { decodeGeohash, type GeoPoint } from './geohash';
import { parseDouble } from '../common/index';

/** A value that is no point. */
export function unexpected(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}

/** The number at the scanner's token: a JSON number or text. */
export function coordinate(scanner: JsonScanner): number {
  if (scanner.token === JsonToken.Number) return Number(scanner.text);
  if (scanner.token === JsonToken.String) return parseDouble(scanner.text);
  throw new EngineError(
    'JsonParseException',
    `Current token (${scanner.text}) not numeric, can not use numeric value accessors`,
  );
}

/** `lat,lon` or a geohash; empty text is 0,0. */
export function pointOfText(text: string): GeoPoint {
  const comma = text.indexOf(',');
  if (comma < 0) return decodeGeohash(text.trim());
  const latitude = parseDouble(text.slice(0, comma));
  return { latitude, longitude: parseDouble(text.slice(comma + 1).trim()) };
}

/** `{lat, lon}` or `{geohash}`. */
export function pointOfObject(scanner: JsonScanner): GeoPoint {
  let latitude: number | null = null;
  let longitude: number | null = null;
  let hash: string | null = null;
  while (scanner.next() === JsonToken.Name) {
    const name = scanner.text;
    const token = scanner.next();
    if (name === 'lat' || name === 'lon') {
      if (token !== JsonToken.Number && token !== JsonToken.String) {
        throw unexpected(`${name === 'lat' ? 'latitude' : 'longitude'} must be a number`);
      }
      if (name === 'lat') latitude = coordinate(scanner);
      else longitude = coordinate(scanner);
    } else if (name === 'geohash') {
      if (token !== JsonToken.String) throw unexpected('geohash must be a string');
      hash = scanner.text;
    } else {
      throw unexpected("field must be either 'lat', 'lon' or 'geohash'");
    }
  }
  if (hash !== null) {
    if (latitude === null && longitude === null) return decodeGeohash(hash);
    throw unexpected('field must be either lat/lon or geohash');
  }
  if (latitude === null) throw unexpected('field [lat] missing');
  if (longitude === null) throw unexpected('field [lon] missing');
  return { latitude, longitude };
}
