// What answers take over from the outcome of a search.

import { RawJson, type JsonOutput } from '../../json/index';
import type { SearchOutcome } from '../plan/executor';

/** The facets of an answer, as JSON texts by name. */
export function asOutput(facets: ReadonlyMap<string, string>): ReadonlyMap<string, JsonOutput> {
  return new Map(Array.from(facets, ([name, text]) => [name, new RawJson(text)]));
}

/** Bytes of hits and facets. */
export function bytesOf({ hits, facets }: Pick<SearchOutcome, 'hits' | 'facets'>): number {
  let bytes = 0;
  for (const hit of hits) bytes += hit.length;
  for (const text of facets?.values() ?? []) bytes += text.length;
  return bytes;
}

/** The bytes without copying them. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
