// Methods of lists. Those that take a closure are in list-closure-methods.ts.

import { Closure, type MethodContext } from './closure';
import { runtimeError } from './errors';
import { CLOSURE_METHODS } from './list-closure-methods';
import { dropWhere, indexOf, isIn, listOf, replaced, sum } from './lists';
import {
  javaEquals,
  looselyEqual,
  noMethod,
  textOf,
  type ScriptList,
  type ScriptValue,
} from './values';
import { naturalOrder } from './string-methods';
import { distinct } from './types';

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
  ['containsAll', (list, [items]) => listOf(items)?.every((item) => isIn(list, item))],
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
  ['removeAll', (list, [items]) => removeWhere(list, items, (gone) => (item) => isIn(gone, item))],
  [
    'retainAll',
    (list, [items]) => removeWhere(list, items, (kept) => (item) => !isIn(kept, item), false),
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
      return other === null ? undefined : list.filter((item) => isIn(other, item));
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

/** In parts of so many elements. */
function collated(list: ScriptList, size: number): ScriptList {
  const step = size > 0 ? size : Math.max(1, list.length);
  const parts: ScriptList = [];
  for (let at = 0; at < list.length; at += step) parts.push(list.slice(at, at + step));
  return parts;
}
