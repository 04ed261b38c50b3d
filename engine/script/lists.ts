// What methods of lists share: looking for elements, and changing a list in its place.

import type { MethodContext } from './closure';
import { chargeVisits } from './limits';
import { HostObject, javaEquals, type ScriptList, type ScriptValue } from './values';

/** A list, or what a host object lists; null for anything else. */
export function listOf(value: ScriptValue | undefined): ScriptList | null {
  if (Array.isArray(value)) return value;
  if (!(value instanceof HostObject)) return null;
  const plain = value.plain();
  return Array.isArray(plain) ? plain : null;
}

/** The place of the first equal item, or -1. */
export function indexOf(list: ScriptList, item: ScriptValue): number {
  return list.findIndex((other) => javaEquals(item, other));
}

/** As {@link indexOf}, charged for, as methods that look for many items take the product of two lengths. */
export function isIn(list: ScriptList, item: ScriptValue): boolean {
  chargeVisits(list.length);
  return indexOf(list, item) >= 0;
}

/** Fills `list` anew. */
export function replaced(list: ScriptList, items: ScriptList): ScriptList {
  const copy = [...items];
  list.length = 0;
  for (const item of copy) list.push(item);
  return list;
}

/** The elements added up by the operator `+`; null for an empty list. */
export function sum(list: ScriptList, { arithmetic }: MethodContext): ScriptValue {
  let result: ScriptValue | undefined;
  for (const item of list)
    result = result === undefined ? item : arithmetic.apply('+', result, item);
  return result ?? null;
}

/** Removes elements; whether there were any. */
export function dropWhere(list: ScriptList, drop: (item: ScriptValue) => boolean): boolean {
  const kept = list.filter((item) => !drop(item));
  const changed = kept.length !== list.length;
  replaced(list, kept);
  return changed;
}
