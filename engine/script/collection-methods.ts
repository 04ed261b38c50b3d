// Methods of lists and maps, those with closures among them.

import { runtimeError } from './errors';
import {
  HostObject,
  isTrue,
  javaEquals,
  looselyEqual,
  noMethod,
  textOf,
  type ScriptList,
  type ScriptMap,
  type ScriptValue,
} from './values';
import type { Arithmetic } from './arithmetic';
import type { StepBudget } from './limits';
import { naturalOrder } from './string-methods';
import { distinct } from './types';

/** A closure as methods get it: call it with the values of its parameters. */
export class Closure extends HostObject {
  readonly javaClass = 'groovy.lang.Closure';

  constructor(
    readonly arity: number,
    readonly call: (...args: ScriptValue[]) => ScriptValue,
  ) {
    super();
  }

  plain(): ScriptValue {
    return 'closure';
  }
}

/** One entry of a map, as loops and closures see it. */
export class MapEntry extends HostObject {
  readonly javaClass = 'java.util.LinkedHashMap$Entry';

  constructor(
    readonly key: string,
    readonly value: ScriptValue,
  ) {
    super();
  }

  override property(name: string): ScriptValue {
    if (name === 'key') return this.key;
    return name === 'value' ? this.value : super.property(name);
  }

  override method(name: string, args: readonly ScriptValue[]): ScriptValue | undefined {
    if (name === 'getKey' && args.length === 0) return this.key;
    return name === 'getValue' && args.length === 0 ? this.value : super.method(name, args);
  }

  plain(): ScriptValue {
    return new Map([[this.key, this.value]]);
  }

  override text(depth: number): string {
    return `${this.key}=${textOf(this.value, depth)}`;
  }
}

/** What methods need of the running script. */
export interface MethodContext {
  readonly budget: StepBudget;
  readonly arithmetic: Arithmetic;
}

type ListMethod = (
  list: ScriptList,
  args: readonly ScriptValue[],
  context: MethodContext,
) => ScriptValue | undefined;

const NO_ARGUMENTS: ReadonlyMap<string, (list: ScriptList, context: MethodContext) => ScriptValue> =
  new Map<string, (list: ScriptList, context: MethodContext) => ScriptValue>([
    ['size', (list) => list.length],
    ['isEmpty', (list) => list.length === 0],
    ['first', (list) => endOf(list, 0)],
    ['head', (list) => endOf(list, 0)],
    ['last', (list) => endOf(list, list.length - 1)],
    ['toString', (list) => textOf(list)],
    ['toList', (list) => [...list]],
    ['reverse', (list) => [...list].reverse()],
    ['sort', (list) => list.sort(naturalOrder)],
    ['unique', (list) => replaced(list, distinct(list) as ScriptList)],
    ['toSet', (list) => distinct(list)],
    ['withIndex', (list) => list.map((item, i) => [item, i])],
    ['flatten', (list, context) => flattened(list, [], context, 0)],
    ['clear', (list) => replaced(list, []) && null],
    [
      'pop',
      (list) => {
        const last = endOf(list, list.length - 1);
        list.pop();
        return last;
      },
    ],
    ['max', (list) => best(list, 1)],
    ['min', (list) => best(list, -1)],
    ['sum', (list, context) => sum(list, context)],
  ]);

const LIST_METHODS: ReadonlyMap<string, ListMethod> = new Map<string, ListMethod>([
  ['get', (list, [at]) => (typeof at === 'number' ? list[checked(list, at)]! : undefined)],
  ['getAt', (list, [at]) => (at === undefined ? undefined : elementAt(list, at))],
  ['contains', (list, [item]) => (item === undefined ? undefined : indexOf(list, item) >= 0)],
  ['containsAll', (list, [items]) => listOf(items)?.every((item) => indexOf(list, item) >= 0)],
  ['indexOf', (list, [item]) => (item === undefined ? undefined : indexOf(list, item))],
  ['lastIndexOf', (list, [item]) => (item === undefined ? undefined : lastIndexOf(list, item))],
  ['join', join],
  ['add', add],
  ['push', add],
  ['leftShift', (list, args, context) => (add(list, args, context) === true ? list : undefined)],
  ['addAll', addAll],
  [
    'set',
    (list, [at, value]) => {
      if (typeof at !== 'number' || value === undefined) return undefined;
      const old = list[checked(list, at)]!;
      list[at] = value;
      return old;
    },
  ],
  ['remove', remove],
  [
    'removeAll',
    (list, [items]) => removeWhere(list, items, (gone) => (item) => indexOf(gone, item) >= 0),
  ],
  [
    'retainAll',
    (list, [items]) => removeWhere(list, items, (kept) => (item) => indexOf(kept, item) < 0, false),
  ],
  [
    'minus',
    (list, [item], { arithmetic }) =>
      item === undefined ? undefined : arithmetic.apply('-', list, item),
  ],
  [
    'plus',
    (list, [item], { arithmetic }) =>
      item === undefined ? undefined : arithmetic.apply('+', list, item),
  ],
  [
    'subList',
    (list, [from, to]) => {
      if (typeof from !== 'number' || typeof to !== 'number') return undefined;
      checkRange(list, from, to);
      return list.slice(from, to);
    },
  ],
  [
    'take',
    (list, [count]) => (typeof count === 'number' ? list.slice(0, Math.max(0, count)) : undefined),
  ],
  [
    'drop',
    (list, [count]) => (typeof count === 'number' ? list.slice(Math.max(0, count)) : undefined),
  ],
  ['equals', (list, [other]) => (other === undefined ? undefined : looselyEqual(list, other))],
  [
    'intersect',
    (list, [items]) => {
      const other = listOf(items);
      return other === null ? undefined : list.filter((item) => indexOf(other, item) >= 0);
    },
  ],
  [
    'count',
    (list, [item]) =>
      item === undefined ? undefined : list.filter((other) => looselyEqual(item, other)).length,
  ],
  ['collate', (list, [size]) => (typeof size === 'number' ? collated(list, size) : undefined)],
  [
    'inject',
    (list, [start, closure]) =>
      start === undefined || !(closure instanceof Closure)
        ? undefined
        : list.reduce<ScriptValue>((value, item) => closure.call(value, item), start),
  ],
]);

type Visit = (...args: ScriptValue[]) => ScriptValue;

/** Methods whose one argument is a closure. */
const CLOSURE_METHODS: ReadonlyMap<
  string,
  (list: ScriptList, visit: Visit, context: MethodContext, closure: Closure) => ScriptValue
> = new Map<
  string,
  (list: ScriptList, visit: Visit, context: MethodContext, closure: Closure) => ScriptValue
>([
  [
    'each',
    (list, visit) => {
      for (const item of [...list]) visit(item);
      return list;
    },
  ],
  [
    'eachWithIndex',
    (list, visit) => {
      [...list].forEach((item, i) => visit(item, i));
      return list;
    },
  ],
  ['collect', (list, visit) => list.map((item) => visit(item))],
  ['findAll', (list, visit) => list.filter((item) => isTrue(visit(item)))],
  ['find', (list, visit) => list.find((item) => isTrue(visit(item))) ?? null],
  ['findIndexOf', (list, visit) => list.findIndex((item) => isTrue(visit(item)))],
  ['any', (list, visit) => list.some((item) => isTrue(visit(item)))],
  ['every', (list, visit) => list.every((item) => isTrue(visit(item)))],
  ['count', (list, visit) => list.filter((item) => isTrue(visit(item))).length],
  [
    'sum',
    (list, visit, context) =>
      sum(
        list.map((item) => visit(item)),
        context,
      ),
  ],
  ['max', (list, visit) => bestBy(list, visit, 1)],
  ['min', (list, visit) => bestBy(list, visit, -1)],
  ['removeAll', (list, visit) => dropWhere(list, (item) => isTrue(visit(item)))],
  ['retainAll', (list, visit) => dropWhere(list, (item) => !isTrue(visit(item)))],
  ['removeIf', (list, visit) => dropWhere(list, (item) => isTrue(visit(item)))],
  ['groupBy', groupBy],
  [
    'sort',
    (list, visit, _context, { arity }) =>
      list.sort((a, b) => (arity === 2 ? order(visit(a, b)) : naturalOrder(visit(a), visit(b)))),
  ],
  [
    'unique',
    (list, visit) => {
      const seen: ScriptList = [];
      return replaced(
        list,
        list.filter((item) => {
          const key = visit(item);
          if (indexOf(seen, key) >= 0) return false;
          seen.push(key);
          return true;
        }),
      );
    },
  ],
]);

/**
 * Calls a method of a list.
 *
 * @param owner what error texts call the list
 * @throws EngineError MissingMethodException and what Java's methods throw
 */
export function callListMethod(
  list: ScriptList,
  name: string,
  args: readonly ScriptValue[],
  context: MethodContext,
  owner = 'java.util.ArrayList',
): ScriptValue {
  context.budget.charge(1 + (list.length >> 4));
  const result = listResult(list, name, args, context);
  if (result === undefined) throw noMethod(owner, name, args);
  return result;
}

function listResult(
  list: ScriptList,
  name: string,
  args: readonly ScriptValue[],
  context: MethodContext,
): ScriptValue | undefined {
  const [first] = args;
  if (args.length === 0) {
    const result = NO_ARGUMENTS.get(name)?.(list, context);
    if (result !== undefined) return result;
  }
  if (args.length === 1 && first instanceof Closure) {
    const visit = CLOSURE_METHODS.get(name);
    if (visit !== undefined) return visit(list, first.call, context, first);
  }
  return LIST_METHODS.get(name)?.(list, args, context);
}

/** `list[i]`: from the end when negative, null beyond; a list of indices gives a list. */
export function elementAt(list: ScriptList, index: ScriptValue): ScriptValue {
  if (typeof index === 'number') return list[index < 0 ? index + list.length : index] ?? null;
  if (typeof index === 'bigint') return elementAt(list, Number(index));
  if (Array.isArray(index)) return index.map((at) => elementAt(list, at));
  throw noMethod('java.util.ArrayList', 'getAt', [index]);
}

/** A list, or what a host object lists; null for anything else. */
export function listOf(value: ScriptValue | undefined): ScriptList | null {
  if (Array.isArray(value)) return value;
  if (!(value instanceof HostObject)) return null;
  const plain = value.plain();
  return Array.isArray(plain) ? plain : null;
}

function indexOf(list: ScriptList, item: ScriptValue): number {
  return list.findIndex((other) => javaEquals(item, other));
}

function lastIndexOf(list: ScriptList, item: ScriptValue): number {
  for (let i = list.length - 1; i >= 0; i--) if (javaEquals(item, list[i]!)) return i;
  return -1;
}

function checked(list: ScriptList, at: number): number {
  if (at >= 0 && at < list.length) return at;
  throw runtimeError(
    'IndexOutOfBoundsException',
    `Index ${at} out of bounds for length ${list.length}`,
  );
}

function checkRange(list: ScriptList, from: number, to: number): void {
  if (from < 0) throw runtimeError('IndexOutOfBoundsException', `fromIndex = ${from}`);
  if (to > list.length) throw runtimeError('IndexOutOfBoundsException', `toIndex = ${to}`);
  if (from > to)
    throw runtimeError('IllegalArgumentException', `fromIndex(${from}) > toIndex(${to})`);
}

function endOf(list: ScriptList, at: number): ScriptValue {
  const item = list[at];
  if (item !== undefined) return item;
  throw runtimeError(
    'NoSuchElementException',
    `Cannot access ${at === 0 ? 'first' : 'last'}() element from an empty List`,
  );
}

/** Fills `list` anew. */
function replaced(list: ScriptList, items: ScriptList): ScriptList {
  const copy = [...items];
  list.length = 0;
  for (const item of copy) list.push(item);
  return list;
}

function flattened(
  list: ScriptList,
  into: ScriptList,
  context: MethodContext,
  depth: number,
): ScriptList {
  context.budget.charge(1 + (list.length >> 4));
  for (const item of list) {
    if (Array.isArray(item) && depth < 100) flattened(item, into, context, depth + 1);
    else into.push(item);
    context.budget.checkSize(into.length);
  }
  return into;
}

function best(list: ScriptList, sign: 1 | -1): ScriptValue {
  let result: ScriptValue = null;
  for (const item of list) {
    if (item !== null && (result === null || sign * naturalOrder(item, result) > 0)) result = item;
  }
  return result;
}

function bestBy(list: ScriptList, visit: Visit, sign: 1 | -1): ScriptValue {
  let result: ScriptValue = null;
  let key: ScriptValue = null;
  for (const item of list) {
    const own = visit(item);
    if (result !== null && sign * naturalOrder(own, key) <= 0) continue;
    result = item;
    key = own;
  }
  return result;
}

function order(value: ScriptValue): number {
  return typeof value === 'number' ? value : isTrue(value) ? 1 : 0;
}

function sum(list: ScriptList, { arithmetic }: MethodContext): ScriptValue {
  let result: ScriptValue | undefined;
  for (const item of list)
    result = result === undefined ? item : arithmetic.apply('+', result, item);
  return result ?? null;
}

function join(
  list: ScriptList,
  [separator]: readonly ScriptValue[],
  { budget }: MethodContext,
): ScriptValue | undefined {
  const between = separator === undefined ? '' : separator;
  if (typeof between !== 'string') return undefined;
  const texts = list.map((item) => textOf(item));
  budget.checkLength(texts.reduce((length, text) => length + text.length + between.length, 0));
  return texts.join(between);
}

function add(
  list: ScriptList,
  args: readonly ScriptValue[],
  { budget }: MethodContext,
): ScriptValue | undefined {
  budget.checkSize(list.length + 1);
  const [first, second] = args;
  if (args.length === 1 && first !== undefined) {
    list.push(first);
    return true;
  }
  if (typeof first !== 'number' || second === undefined) return undefined;
  if (first < 0 || first > list.length) {
    throw runtimeError('IndexOutOfBoundsException', `Index: ${first}, Size: ${list.length}`);
  }
  list.splice(first, 0, second);
  return null;
}

function addAll(
  list: ScriptList,
  [items]: readonly ScriptValue[],
  { budget }: MethodContext,
): ScriptValue | undefined {
  const added = listOf(items);
  if (added === null) return undefined;
  budget.checkSize(list.length + added.length);
  budget.charge(added.length >> 4);
  for (const item of [...added]) list.push(item);
  return added.length > 0;
}

/** By place for integers, by value for the rest. */
function remove(list: ScriptList, [item]: readonly ScriptValue[]): ScriptValue | undefined {
  if (item === undefined) return undefined;
  if (typeof item === 'number') return list.splice(checked(list, item), 1)[0]!;
  return removeItem(list, item);
}

/** The first element equal to `item` goes. */
export function removeItem(list: ScriptList, item: ScriptValue): boolean {
  const at = indexOf(list, item);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

function removeWhere(
  list: ScriptList,
  items: ScriptValue | undefined,
  test: (items: ScriptList) => (item: ScriptValue) => boolean,
  wrap = true,
): ScriptValue | undefined {
  const others = listOf(items) ?? (items !== undefined && wrap ? [items] : null);
  return others === null ? undefined : dropWhere(list, test(others));
}

function dropWhere(list: ScriptList, drop: (item: ScriptValue) => boolean): boolean {
  const kept = list.filter((item) => !drop(item));
  const changed = kept.length !== list.length;
  replaced(list, kept);
  return changed;
}

function groupBy(list: ScriptList, visit: Visit): ScriptValue {
  const groups: Map<string, ScriptList> = new Map();
  for (const item of list) {
    const key = textOf(visit(item));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

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
      return first instanceof Closure ? visited(map, name, first) : undefined;
  }
}

/** In parts of so many elements. */
function collated(list: ScriptList, size: number): ScriptList {
  const step = size > 0 ? size : Math.max(1, list.length);
  const parts: ScriptList = [];
  for (let at = 0; at < list.length; at += step) parts.push(list.slice(at, at + step));
  return parts;
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

function visited(map: ScriptMap, name: string, closure: Closure): ScriptValue | undefined {
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
    default:
      return undefined;
  }
}
