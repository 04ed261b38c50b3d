// A first look at what is searched: how many values its fields have, from where to where they go, and where
// its places are. It decides which facets are worth showing and how charts are divided.

import type { Field } from './fields';
import { distanceKm, middleOfCell, type Bounds } from './geo';
import { isObject, own, ownObject, type JsonObject } from './own';

/** Figures of a field of numbers or dates. */
export interface FieldFigures {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly deviation: number;
}

/** What is known of a field of whole values. */
export interface FieldWords {
  /** How many different values there are. */
  readonly cardinality: number;
  /** Documents without. */
  readonly missing: number;
  /** The most frequent ones. */
  readonly samples: readonly string[];
}

/** Where the values of a field of places are. */
export interface FieldPlaces {
  /** `latitude,longitude` of where most are. */
  readonly middle: string;
  /** From corner to corner. */
  readonly diagonalKm: number;
}

/** What a survey found, by field. */
export interface Survey {
  /** Documents that are searched. */
  readonly total: number;
  readonly figures: ReadonlyMap<string, FieldFigures>;
  readonly words: ReadonlyMap<string, FieldWords>;
  readonly places: ReadonlyMap<string, FieldPlaces>;
}

/** Fields that are looked at, of each of the three sorts. */
const MOST_FIELDS = 24;
const SAMPLES = 20;

/** The search that surveys fields. */
export function surveyRequest(fields: readonly Field[]): JsonObject {
  const facets: [string, JsonObject][] = [];
  const aggregations: [string, JsonObject][] = [];
  const { words, figures, places } = surveyed(fields);
  for (const field of words) {
    const terms = { field: field.path, size: SAMPLES, cardinality: true };
    facets.push([field.path, { terms, ...nestedIn(field) }]);
  }
  for (const field of figures) {
    facets.push([field.path, { statistical: { field: field.path }, ...nestedIn(field) }]);
  }
  for (const { path } of places) {
    aggregations.push([path, { geo_bounds: { field: path, wrap_longitude: false } }]);
    aggregations.push([cellsOf(path), { geohash_grid: { field: path, precision: 2, size: 1 } }]);
  }
  return {
    size: 0,
    ...(facets.length > 0 ? { facets: Object.fromEntries(facets) } : {}),
    ...(aggregations.length > 0 ? { aggregations: Object.fromEntries(aggregations) } : {}),
  };
}

/** The name of the cells of a field of places. */
function cellsOf(path: string): string {
  return `${path} cells`;
}

/** The member of a facet on a field of nested objects. */
export function nestedIn({ nested }: Pick<Field, 'nested'>): JsonObject {
  return nested === null ? {} : { nested };
}

function surveyed(fields: readonly Field[]) {
  // A field that some indices lack fails there.
  const complete = fields.filter(({ isPartial }) => !isPartial);
  const of = (...kinds: readonly Field['kind'][]) =>
    complete.filter(({ kind }) => kinds.includes(kind)).slice(0, MOST_FIELDS);
  return {
    words: of('keyword', 'boolean', 'ip'),
    figures: of('number', 'date'),
    places: of('geo_point').filter(({ nested }) => nested === null),
  };
}

/** What the answer to a survey says. */
export function readSurvey(fields: readonly Field[], answer: JsonObject): Survey {
  const facets = ownObject(answer, 'facets');
  const found = surveyed(fields);
  const words = new Map<string, FieldWords>();
  for (const { path } of found.words) {
    const { cardinality, missing, terms } = ownObject(facets, path);
    if (!Array.isArray(terms)) continue;
    const samples = terms.map((entry: unknown) => String(own(entry as JsonObject, 'term')));
    words.set(path, {
      // A server of the 1.x line does not say how many there are.
      cardinality: typeof cardinality === 'number' ? cardinality : samples.length,
      missing: Number(missing),
      samples,
    });
  }
  const figures = new Map<string, FieldFigures>();
  for (const { path } of found.figures) {
    const { count, min, max, mean, std_deviation } = ownObject(facets, path);
    if (typeof count !== 'number' || count === 0) continue;
    figures.set(path, {
      count,
      min: Number(min),
      max: Number(max),
      mean: Number(mean),
      deviation: Number(std_deviation),
    });
  }
  const places = new Map<string, FieldPlaces>();
  for (const { path } of found.places) {
    const aggregations = ownObject(answer, 'aggregations');
    const bounds = own(ownObject(aggregations, path), 'bounds');
    const { buckets } = ownObject(aggregations, cellsOf(path));
    const cell: unknown = Array.isArray(buckets) ? buckets[0] : undefined;
    if (!isObject(bounds) || !isObject(cell)) continue;
    const box = bounds as unknown as Bounds;
    const diagonalKm = distanceKm(box.top_left, box.bottom_right);
    const middle = middleOfCell(String(cell['key']));
    places.set(path, { middle, diagonalKm });
  }
  return { total: Number(ownObject(answer, 'hits')['total'] ?? 0), words, figures, places };
}
