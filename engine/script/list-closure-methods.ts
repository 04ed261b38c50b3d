// Methods of lists that take a closure.

import type { Closure, MethodContext } from './closure';
import { dropWhere, isIn, replaced, sum } from './lists';
import { naturalOrder } from './string-methods';
import { isTrue, textOf, type ScriptList, type ScriptValue } from './values';

/** The closure, called with its arguments. */
type Visit = (...args: ScriptValue[]) => ScriptValue;

/** Methods whose one argument is a closure. */
export const CLOSURE_METHODS: ReadonlyMap<
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
          if (isIn(seen, key)) return false;
          seen.push(key);
          return true;
        }),
      );
    },
  ],
]);

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
