// Update bodies, and their `doc` form: merging a partial document into a stored one.

import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  lenientBoolean,
} from '../json/index';
import type { ScriptRequest } from '../script/index';
import { scriptOf } from './script-update';
import { exactLong, isInteger } from '../common/index';

/** An update body (reference server). Undefined: not given. */
export interface UpdatePlan {
  /** What changes the document instead of `doc`, or null. */
  readonly script: ScriptRequest | null;
  /** What to merge; has to be an object for that. */
  readonly doc: JsonValue | undefined;
  /** The document to create when there is none. */
  readonly upsert: JsonValue | undefined;
  /** The script also runs over the document to create. */
  readonly scriptedUpsert: boolean;
  readonly detectNoop: boolean;
}

/** Reads an update body that passed validation. Unknown members are ignored, as on the reference. */
export function parseUpdate(body: JsonObject): UpdatePlan {
  const doc = body.get('doc');
  return {
    script: scriptOf(body),
    doc,
    upsert: asksForUpsert(body) ? doc : (body.get('upsert') ?? undefined),
    scriptedUpsert: flag(body, 'scripted_upsert'),
    detectNoop: flag(body, 'detect_noop'),
  };
}

/** True when `doc` is also the document to create. */
export function asksForUpsert(body: JsonObject): boolean {
  return flag(body, 'doc_as_upsert');
}

function flag(body: JsonObject, name: string): boolean {
  return lenientBoolean(body.get(name) ?? null, false);
}

/**
 * Merges `changes` into `source`: objects recursively, everything else replaced. Neither is modified.
 * @returns the merged object, and whether anything differs.
 */
export function mergeDocument(
  source: JsonObject,
  changes: JsonObject,
): { readonly merged: JsonObject; readonly changed: boolean } {
  const merged = new Map(source);
  let changed = false;
  for (const [name, value] of changes) {
    const old = source.get(name);
    if (isJsonObject(old) && isJsonObject(value)) {
      const inner = mergeDocument(old, value);
      merged.set(name, inner.merged);
      changed ||= inner.changed;
    } else {
      merged.set(name, value);
      changed ||= !source.has(name) || !equalJson(old!, value);
    }
  }
  return { merged, changed };
}

/**
 * Equality of parsed JSON. Integers never equal decimals, so `1` and `1.0` differ; the order of an object's
 * members does not count.
 */
export function equalJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (a instanceof JsonNumber) return b instanceof JsonNumber && equalNumbers(a, b);
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, i) => equalJson(item, b[i]!))
    );
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    if (a.size !== b.size) return false;
    for (const [name, value] of a) {
      if (!b.has(name) || !equalJson(value, b.get(name)!)) return false;
    }
    return true;
  }
  return false;
}

function equalNumbers(a: JsonNumber, b: JsonNumber): boolean {
  if (a.text === b.text) return true;
  if (isInteger(a.text) !== isInteger(b.text)) return false;
  if (!isInteger(a.text)) return a.value === b.value;
  const exact = exactLong(a.text);
  return exact !== null && exact === exactLong(b.text);
}
