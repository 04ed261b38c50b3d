// Geohashes, and the wrapping of coordinates that are out of range.

import { EngineError } from '../errors';
import { metersWithUnit } from './distance-unit';
import { parseInt32 } from '../common/index';

export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

const ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz';
const BITS_PER_CHARACTER = 5;

/** The geohash of a point, `length` characters long. */
export function encodeGeohash({ latitude, longitude }: GeoPoint, length: number): string {
  let [south, north, west, east] = [-90, 90, -180, 180];
  let hash = '';
  let even = true;
  for (let i = 0; i < length; i++) {
    let index = 0;
    for (let bit = 0; bit < BITS_PER_CHARACTER; bit++) {
      const middle = even ? (west + east) / 2 : (south + north) / 2;
      const upper = (even ? longitude : latitude) > middle;
      index = index * 2 + (upper ? 1 : 0);
      if (even) [west, east] = upper ? [middle, east] : [west, middle];
      else [south, north] = upper ? [middle, north] : [south, middle];
      even = !even;
    }
    hash += ALPHABET.charAt(index);
  }
  return hash;
}

/**
 * The middle of a geohash cell.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException for characters that no geohash has
 */
export function decodeGeohash(hash: string): GeoPoint {
  let [south, north, west, east] = [-90, 90, -180, 180];
  let even = true;
  for (const character of hash) {
    const index = ALPHABET.indexOf(character);
    if (index < 0) {
      throw new EngineError(
        'ElasticsearchIllegalArgumentException',
        `the character '${character}' is not a valid geohash character`,
      );
    }
    for (let bit = BITS_PER_CHARACTER - 1; bit >= 0; bit--) {
      const upper = (index >> bit) % 2 === 1;
      const middle = even ? (west + east) / 2 : (south + north) / 2;
      if (even) [west, east] = upper ? [middle, east] : [west, middle];
      else [south, north] = upper ? [middle, north] : [south, middle];
      even = !even;
    }
  }
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 };
}

/** Once around, and from pole to pole. */
export const EARTH_EQUATOR_M = 40_075_016.68;
export const EARTH_POLE_DISTANCE_M = 20_003_931.4625;

const MAX_LEVELS = 12;

/** Length of geohashes for `geohash_precision`: a number of characters, or a distance such as `1km`. */
export function geohashLevels(precision: string): number {
  const distance = metersWithUnit(precision);
  if (distance === null) return parseInt32(precision);
  for (let level = 1; level < MAX_LEVELS; level++) {
    if (geohashCellMeters(level) <= distance) return level;
  }
  return MAX_LEVELS;
}

/** The diagonal of the cells that geohashes of a length stand for. */
export function geohashCellMeters(length: number): number {
  const bits = length * BITS_PER_CHARACTER;
  const width = EARTH_EQUATOR_M / 2 ** Math.ceil(bits / 2);
  const height = EARTH_POLE_DISTANCE_M / 2 ** Math.floor(bits / 2);
  return Math.hypot(width, height);
}

/** Wraps coordinates that are out of range: 95,200 is 85,20 on the other side of the pole. */
export function normalizePoint(point: GeoPoint, latitude: boolean, longitude: boolean): GeoPoint {
  let { latitude: lat, longitude: lon } = point;
  if (latitude && (lat < -90 || lat > 90)) {
    const turned = modulo(lat + 90, 360);
    if (turned > 180) lat = 270 - turned;
    else lat = turned - 90;
    if (turned > 180 && longitude) lon += 180;
  }
  if (longitude && (lon < -180 || lon > 180)) {
    lon = modulo(lon, 360);
    if (lon > 180) lon -= 360;
  }
  return { latitude: lat, longitude: lon };
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

/** The cells around a geohash, of the same length: eight, fewer at the poles. */
export function geohashNeighbors(hash: string): readonly string[] {
  let x = 0n;
  let y = 0n;
  let even = true;
  for (const character of hash) {
    const index = ALPHABET.indexOf(character);
    for (let bit = BITS_PER_CHARACTER - 1; bit >= 0; bit--) {
      const one = BigInt((index >> bit) & 1);
      if (even) x = x * 2n + one;
      else y = y * 2n + one;
      even = !even;
    }
  }
  const bits = hash.length * BITS_PER_CHARACTER;
  const columns = 2n ** BigInt(Math.ceil(bits / 2));
  const rows = 2n ** BigInt(Math.floor(bits / 2));
  const found: string[] = [];
  for (const dy of [-1n, 0n, 1n]) {
    for (const dx of [-1n, 0n, 1n]) {
      const row = y + dy;
      if ((dx === 0n && dy === 0n) || row < 0n || row >= rows) continue;
      found.push(cellHash((x + dx + columns) % columns, row, hash.length));
    }
  }
  return found;
}

function cellHash(x: bigint, y: bigint, length: number): string {
  const bits = length * BITS_PER_CHARACTER;
  let column = BigInt(Math.ceil(bits / 2));
  let row = BigInt(Math.floor(bits / 2));
  let hash = '';
  let even = true;
  for (let i = 0; i < length; i++) {
    let index = 0;
    for (let bit = 0; bit < BITS_PER_CHARACTER; bit++) {
      const one = even ? (x >> --column) & 1n : (y >> --row) & 1n;
      index = index * 2 + Number(one);
      even = !even;
    }
    hash += ALPHABET.charAt(index);
  }
  return hash;
}
