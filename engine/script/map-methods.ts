// Methods of maps, those with closures among them.

import { CLOSURE_METHODS } from './list-closure-methods';
import { Closure, MapEntry, type MethodContext } from './closure';
import { indexOf } from './lists';
import { naturalOrder } from './string-methods';
import {
  isTrue,
  looselyEqual,
  noMethod,
  textOf,
  type ScriptList,
  type ScriptMap,
  type ScriptValue,
} from './values';

/** @throws EngineError MissingMethodException and what Java's methods throw */
export function callMapMethod(
  map: ScriptMap,
  name: string,
  args: readonly ScriptValue[],
  context: MethodContext,
): ScriptValue {
  context.budget.charge(1 + (map.size >> 4));
  const result = mapResult(map, name, args, context);
  if (result === undefined) throw noMethod('java.util.LinkedHashMap', name, args);
  return result;
}

function mapResult(
  map: ScriptMap,
  name: string,
  args: readonly ScriptValue[],
  context: MethodContext,
): ScriptValue | undefined {
  const [first, second] = args;
  if (first === undefined) return wholeMap(map, name);
  const key = first instanceof Closure ? '' : textOf(first);
  switch (name) {
    case 'containsKey':
      return map.has(key);
    case 'containsValue':
      return indexOf([...map.values()], first) >= 0;
    case 'get':
      return get(map, key, second);
    case 'getAt':
      return map.get(key) ?? null;
    case 'getOrDefault':
      return second === undefined ? undefined : (map.get(key) ?? second);
    case 'put':
    case 'putAt':
    case 'putIfAbsent': {
      if (second === undefined) return undefined;
      const old = map.get(key) ?? null;
      if (name === 'putIfAbsent' && old !== null) return old;
      context.budget.checkSize(map.size + 1);
      map.set(key, second);
      return old;
    }
    case 'putAll': {
      if (!(first instanceof Map)) return undefined;
      context.budget.checkSize(map.size + first.size);
      for (const [name, value] of first) map.set(name, value);
      return null;
    }
    case 'remove': {
      const old = map.get(key) ?? null;
      map.delete(key);
      return old;
    }
    case 'equals':
      return looselyEqual(map, first);
    default:
      return first instanceof Closure ? visited(map, name, first, context) : undefined;
  }
}

/** Without arguments. */
function wholeMap(map: ScriptMap, name: string): ScriptValue | undefined {
  switch (name) {
    case 'size':
      return map.size;
    case 'isEmpty':
      return map.size === 0;
    case 'keySet':
      return [...map.keys()];
    case 'values':
      return [...map.values()];
    case 'entrySet':
      return entries(map);
    case 'toString':
      return textOf(map);
    case 'sort':
      return new Map([...map].sort(([a], [b]) => naturalOrder(a, b)));
    case 'clear':
      map.clear();
      return null;
    default:
      return undefined;
  }
}

/** The entries of a map as loops go over them. */
export function entries(map: ScriptMap): ScriptList {
  return [...map].map(([key, value]) => new MapEntry(key, value));
}

/** With a default the map gets it, too (groovy). */
function get(map: ScriptMap, key: string, otherwise: ScriptValue | undefined): ScriptValue {
  const value = map.get(key);
  if (value !== undefined) return value;
  if (otherwise === undefined) return null;
  map.set(key, otherwise);
  return otherwise;
}

function visited(
  map: ScriptMap,
  name: string,
  closure: Closure,
  context: MethodContext,
): ScriptValue | undefined {
  const call = (entry: ScriptValue): ScriptValue =>
    closure.arity === 2 && entry instanceof MapEntry
      ? closure.call(entry.key, entry.value)
      : closure.call(entry);
  const found = (entry: ScriptValue): boolean => isTrue(call(entry));
  const list = entries(map) as MapEntry[];
  switch (name) {
    case 'each':
      for (const entry of list) call(entry);
      return map;
    case 'collect':
      return list.map(call);
    case 'find':
      return list.find(found) ?? null;
    case 'findAll':
      return new Map(list.filter(found).map(({ key, value }) => [key, value]));
    case 'any':
      return list.some(found);
    case 'every':
      return list.every(found);
    case 'count':
      return list.filter(found).length;
    case 'sort': {
      const sorted = CLOSURE_METHODS.get('sort')!(list, closure.call, context, closure);
      return new Map((sorted as MapEntry[]).map(({ key, value }) => [key, value]));
    }
    case 'max':
    case 'min':
    case 'sum':
      return CLOSURE_METHODS.get(name)!(list, call, context, closure);
    default:
      return undefined;
  }
}
