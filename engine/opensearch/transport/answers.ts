// Reading what OpenSearch counted.

import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../../json/index';

/** Buckets of a list at most: as many as OpenSearch gives in an answer (`search.max_buckets`). */
export const MOST_BUCKETS = 65_535;

const NOTHING: JsonObject = new Map();

/** The part of an answer with this name; null: it is not there. */
export function partOf(answer: JsonObject | null, name: string): JsonObject | null {
  const part = answer?.get(name);
  return isJsonObject(part ?? null) ? (part as JsonObject) : null;
}

/** The buckets of an aggregation, in the order in which OpenSearch gives them. */
export function bucketsOf(answer: JsonObject | null): readonly JsonObject[] {
  const buckets = answer?.get('buckets');
  return Array.isArray(buckets) ? (buckets as readonly JsonObject[]) : [];
}

/** The hits of a search, in their order. */
export function hitsOf(answer: JsonObject): readonly JsonObject[] {
  const hits = partOf(answer, 'hits')?.get('hits');
  return Array.isArray(hits) ? (hits as readonly JsonObject[]) : [];
}

/** How many documents a search found. @throws TypeError when it did not count them */
export function totalHits(answer: JsonObject): number {
  return numberIn(partOf(partOf(answer, 'hits'), 'total') ?? NOTHING, 'value');
}

/** The documents of a bucket; 0 where nothing was counted. */
export function docCount(answer: JsonObject | null): number {
  return doubleAt(answer, 'doc_count', 0);
}

/** A number of an answer. @throws TypeError when there is none: OpenSearch is not as we know it */
export function numberIn(object: JsonObject, name: string): number {
  const value = object.get(name);
  if (value instanceof JsonNumber) return value.value;
  throw new TypeError(`OpenSearch gives no [${name}]`);
}

/** A number of an answer. @param absent stands for one that is not there, or null */
export function doubleAt(answer: JsonObject | null, name: string, absent: number): number {
  return doubleOf(answer?.get(name) ?? null, absent);
}

/** A number as a double; texts stand for what JSON has no numbers for. */
export function doubleOf(value: JsonValue, absent = NaN): number {
  if (value instanceof JsonNumber) return Number(value.text);
  return typeof value === 'string' ? Number(value) : absent;
}

/** A text; '' where there is none. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : '';
}

/** An integer with all its digits. */
export function longOf(value: JsonValue): bigint {
  if (value instanceof JsonNumber && /^-?\d+$/.test(value.text)) return BigInt(value.text);
  return BigInt(Math.trunc(doubleOf(value, 0)));
}
