// Places and distances: the point that rings are drawn around, and how far apart they are.

import type { Ring } from './search-state';

/** A place in degrees. */
export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** Corners of a box, as `geo_bounds` answers them. */
export interface Bounds {
  readonly top_left: Place;
  readonly bottom_right: Place;
}

const EARTH_KM = 6371;
const DEGREE = Math.PI / 180;

/** The distance of two places in kilometers. */
export function distanceKm(a: Place, b: Place): number {
  const sines =
    Math.sin(((b.lat - a.lat) * DEGREE) / 2) ** 2 +
    Math.cos(a.lat * DEGREE) *
      Math.cos(b.lat * DEGREE) *
      Math.sin(((b.lon - a.lon) * DEGREE) / 2) ** 2;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(sines)));
}

/** The middle of a box. */
function middleOf({ top_left, bottom_right }: Bounds): Place {
  return {
    lat: (top_left.lat + bottom_right.lat) / 2,
    lon: (top_left.lon + bottom_right.lon) / 2,
  };
}

const BASE32 = '0123456789bcdefghjkmnpqrstuvwxyz';

/** The middle of a geohash cell, as text. */
export function middleOfCell(geohash: string): string {
  let box: Bounds = { top_left: { lat: 90, lon: -180 }, bottom_right: { lat: -90, lon: 180 } };
  let isLongitude = true;
  for (const sign of geohash) {
    const bits = BASE32.indexOf(sign);
    for (let bit = 4; bit >= 0; bit--) {
      const middle = middleOf(box);
      const isUpper = ((bits >> bit) & 1) === 1;
      const { top_left, bottom_right } = box;
      if (isLongitude) {
        box = isUpper
          ? { top_left: { ...top_left, lon: middle.lon }, bottom_right }
          : { top_left, bottom_right: { ...bottom_right, lon: middle.lon } };
      } else {
        box = isUpper
          ? { top_left, bottom_right: { ...bottom_right, lat: middle.lat } }
          : { top_left: { ...top_left, lat: middle.lat }, bottom_right };
      }
      isLongitude = !isLongitude;
    }
  }
  return placeText(middleOf(box));
}

/** `latitude,longitude`, to about ten meters. */
export function placeText({ lat, lon }: Place): string {
  return `${Number(lat.toFixed(4))},${Number(lon.toFixed(4))}`;
}

/** A place from `latitude,longitude`; null where the text is none. */
export function readPlace(text: string): Place | null {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*[,\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text);
  if (match === null) return null;
  const place = { lat: Number(match[1]), lon: Number(match[2]) };
  return Math.abs(place.lat) <= 90 && Math.abs(place.lon) <= 180 ? place : null;
}

/** The place in a document, in any of the spellings that mappings take but geohashes; null: none. */
export function placeIn(value: unknown): Place | null {
  const one: unknown = Array.isArray(value) && Array.isArray(value[0]) ? value[0] : value;
  if (typeof one === 'string') return readPlace(one);
  if (Array.isArray(one)) return readPlace(`${String(one[1])},${String(one[0])}`);
  if (typeof one !== 'object' || one === null) return null;
  const { lat, lon } = one as { readonly lat?: unknown; readonly lon?: unknown };
  return readPlace(`${String(lat)},${String(lon)}`);
}

const STEPS = [0.1, 0.5, 1, 5, 10, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
const MOST_RINGS = 5;

/** Rings around a point for a box of this diagonal, the last one without an end. */
export function ringsFor(diagonalKm: number): Ring[] {
  const within = STEPS.filter((step) => step <= Math.max(diagonalKm, 0.5)).slice(-MOST_RINGS);
  const rings = within.map((to, i): Ring => ({ from: within[i - 1] ?? null, to }));
  return [...rings, { from: within.at(-1) ?? null, to: null }];
}
