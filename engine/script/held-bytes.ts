// How much memory the values of a script take, roughly.

import type { ScriptValue } from './values';

/** Bytes of a list or map, of an element and an entry, and of a string, number or other small object. */
const COLLECTION = 64;
const ELEMENT = 8;
const ENTRY = 48;
const OBJECT = 24;

/** The bytes of all that can be reached from a value; each list and map counts once. */
export function heldBytes(root: ScriptValue): number {
  const seen = new Set<ScriptValue>();
  const pending: ScriptValue[] = [root];
  let bytes = 0;
  while (pending.length > 0) {
    const value = pending.pop()!;
    if (typeof value === 'string') bytes += OBJECT + value.length;
    else if (Array.isArray(value)) {
      if (seen.has(value)) continue;
      seen.add(value);
      bytes += COLLECTION + ELEMENT * value.length;
      for (const item of value) if (isHeld(item)) pending.push(item);
    } else if (value instanceof Map) {
      if (seen.has(value)) continue;
      seen.add(value);
      bytes += COLLECTION + ENTRY * value.size;
      for (const [key, item] of value) {
        bytes += key.length;
        if (isHeld(item)) pending.push(item);
      }
    } else if (isHeld(value)) bytes += OBJECT;
  }
  return bytes;
}

/** Whether a value takes more than its place. */
function isHeld(value: ScriptValue): boolean {
  return value !== null && typeof value !== 'boolean' && typeof value !== 'number';
}
