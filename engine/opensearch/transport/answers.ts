// Reading what OpenSearch counted.

import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../../json/index';

/** Buckets of a list at most: as many as OpenSearch gives in an answer (`search.max_buckets`). */
export const MOST_BUCKETS = 65_535;

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

/** The documents of a bucket; 0 where nothing was counted. */
export function docCount(answer: JsonObject | null): number {
  return doubleAt(answer, 'doc_count', 0);
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
