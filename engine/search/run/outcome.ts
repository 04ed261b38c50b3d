// What answers take over from the outcome of a search.

import { RawJson, type JsonOutput } from '../../json/index';
import type { JsonText, SearchOutcome } from '../plan/executor';

/** The facets or aggregations of an answer, which are JSON texts by name; undefined: it has none. */
export function asOutput(
  texts: ReadonlyMap<string, JsonText> | null,
): ReadonlyMap<string, JsonOutput> | undefined {
  if (texts === null) return undefined;
  const output = new Map<string, JsonOutput>();
  for (const [name, text] of texts)
    output.set(name, new RawJson(typeof text === 'string' ? text : asBuffer(text)));
  return output;
}

/** Bytes of hits, facets and aggregations. */
export function bytesOf({
  hits,
  facets,
  aggregations,
}: Pick<SearchOutcome, 'hits' | 'facets' | 'aggregations'>): number {
  let bytes = 0;
  for (const hit of hits) bytes += hit.length;
  for (const text of facets?.values() ?? []) bytes += text.length;
  for (const text of aggregations?.values() ?? []) bytes += text.length;
  return bytes;
}

/** The bytes without copying them. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
