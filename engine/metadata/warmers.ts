// Warmers: named searches that are stored with an index and run on its new segments (reference server).

import { illegalArgument } from '../errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/index';
import { matchesPattern } from '../common/index';
import type { IndexMetadata } from './state';

/** A warmer as it is stored and shown: `{"types": [...], "source": {...}}`. */
export function warmerEntry(types: readonly string[], source: JsonObject): JsonObject {
  return new Map<string, JsonValue>([
    ['types', [...types]],
    ['source', source],
  ]);
}

/**
 * The `warmers` section of a create-index request or template, entries as {@link warmerEntry} makes them.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException for an entry that is no object
 */
export function parseWarmers(section: JsonObject): Map<string, JsonObject> {
  const warmers = new Map<string, JsonObject>();
  for (const [name, body] of section) {
    if (!isJsonObject(body)) throw illegalArgument(`Malformed warmer [${name}]`);
    const types = body.get('types');
    const source = body.get('source');
    warmers.set(
      name,
      warmerEntry(
        Array.isArray(types) ? types.map(String) : [],
        isJsonObject(source) ? source : new Map<string, JsonValue>(),
      ),
    );
  }
  return warmers;
}

/** Names of an index's warmers that match names and patterns; `_all` matches all. */
export function matchWarmers(index: IndexMetadata, names: readonly string[]): string[] {
  return [...index.warmers.keys()].filter((warmer) =>
    names.some((name) => name === '_all' || matchesPattern(name, warmer)),
  );
}
