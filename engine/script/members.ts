// Members of values: properties, elements and methods, whichever kind of value has them.

import { Closure, type MethodContext } from './closure';
import { missingProperty, runtimeError } from './errors';
import type { StepBudget } from './limits';
import { callListMethod, elementAt } from './list-methods';
import { listOf } from './lists';
import { callMapMethod } from './map-methods';
import { callNumberMethod } from './number-methods';
import { callStringMethod, characterAt } from './string-methods';
import {
  compareValues,
  HostObject,
  isNumber,
  javaClassOf,
  noMethod,
  textOf,
  toBigInt,
  type ScriptValue,
} from './values';

/** `object.name` */
export function getProperty(object: ScriptValue, name: string): ScriptValue {
  if (object instanceof Map) return object.get(name) ?? null;
  if (object === null) {
    throw runtimeError('NullPointerException', `Cannot get property '${name}' on null object`);
  }
  if (object instanceof HostObject) return object.property(name);
  if (name === 'class') return `class ${javaClassOf(object)}`;
  if (Array.isArray(object)) {
    if (name === 'size') return object.length;
    if (name === 'empty') return object.length === 0;
    // Texts have no such property: they are what `split` gives, which is an array.
    if (name === 'length' && typeof object[0] === 'string') return object.length;
    return object.map((item) => getProperty(item, name));
  }
  throw missingProperty(name, javaClassOf(object));
}

/** `object[index]` */
export function getIndexed(object: ScriptValue, index: ScriptValue): ScriptValue {
  if (object instanceof Map) return object.get(textOf(index)) ?? null;
  if (Array.isArray(object)) {
    return typeof index === 'string' ? getProperty(object, index) : elementAt(object, index);
  }
  if (typeof object === 'string') {
    return typeof index === 'string' ? getProperty(object, index) : characterAt(object, index);
  }
  if (object instanceof HostObject) {
    if (typeof index === 'string') return object.property(index);
    const list = listOf(object);
    if (list !== null) return elementAt(list, index);
  }
  if (object === null) {
    throw runtimeError('NullPointerException', `Cannot invoke method getAt() on null object`);
  }
  return getProperty(object, textOf(index));
}

/** Methods that go over null as over nothing (groovy). */
const ITERATIONS: ReadonlySet<string> = new Set([
  'any',
  'collect',
  'each',
  'eachWithIndex',
  'every',
  'find',
  'findAll',
  'findIndexOf',
  'inject',
]);

/** `object.name(args)` */
export function invoke(
  object: ScriptValue,
  name: string,
  args: readonly ScriptValue[],
  context: MethodContext,
): ScriptValue {
  if (object instanceof Map) return callMapMethod(object, name, args, context);
  if (Array.isArray(object)) return callListMethod(object, name, args, context);
  if (typeof object === 'string') {
    // What takes a closure goes over the characters (groovy).
    if (args.at(-1) instanceof Closure) return callListMethod([...object], name, args, context);
    return callStringMethod(object, name, args, context.budget);
  }
  if (isNumber(object)) return callNumberMethod(object, name, args, context);
  if (object === null) {
    if (name === 'toString' && args.length === 0) return 'null';
    if (name === 'equals' && args.length === 1) return args[0] === null;
    if (ITERATIONS.has(name) && args.at(-1) instanceof Closure) {
      const result = callListMethod([], name, args, context);
      return name.startsWith('each') ? null : result;
    }
    throw runtimeError('NullPointerException', `Cannot invoke method ${name}() on null object`);
  }
  if (object instanceof HostObject) return invokeHost(object, name, args, context);
  if (name === 'toString' && args.length === 0) return textOf(object);
  if (name === 'compareTo' && args.length === 1) return compareValues(object, args[0]!);
  if (name === 'equals' && args.length === 1) return object === args[0];
  throw noMethod(javaClassOf(object), name, args);
}

/** Its own methods first, then those of the list or map that it is. */
function invokeHost(
  object: HostObject,
  name: string,
  args: readonly ScriptValue[],
  context: MethodContext,
): ScriptValue {
  const own = object.method(name, args);
  if (own !== undefined) return own;
  const plain = object.plain();
  if (Array.isArray(plain)) return callListMethod(plain, name, args, context, object.javaClass);
  if (plain instanceof Map) return callMapMethod(plain, name, args, context);
  throw noMethod(object.javaClass, name, args);
}

/** What `*.` gives: the results of all items, null for items that are null; one value is a list of itself. */
export function spreadOver(
  value: ScriptValue,
  apply: (item: ScriptValue) => ScriptValue,
): ScriptValue {
  if (value === null) return null;
  const list = listOf(value) ?? [value];
  return list.map((item) => (item === null ? null : apply(item)));
}

/** `object.key = value` and `object[key] = value`; the value. */
export function setMember(
  object: ScriptValue,
  key: ScriptValue,
  value: ScriptValue,
  budget: StepBudget,
): ScriptValue {
  if (object instanceof Map) {
    budget.checkSize(object.size + 1);
    object.set(textOf(key), value);
    return value;
  }
  if (Array.isArray(object) && isNumber(key)) {
    const at = Number(toBigInt(key));
    const index = at < 0 ? at + object.length : at;
    if (index < 0)
      throw runtimeError(
        'ArrayIndexOutOfBoundsException',
        `Negative array index [${at}] too large for array size ${object.length}`,
      );
    budget.checkSize(index + 1);
    while (object.length < index) object.push(null);
    object[index] = value;
    return value;
  }
  if (object === null) {
    throw runtimeError(
      'NullPointerException',
      `Cannot set property '${textOf(key)}' on null object`,
    );
  }
  if (object instanceof HostObject) throw runtimeError('UnsupportedOperationException', 'null');
  throw missingProperty(textOf(key), javaClassOf(object));
}
