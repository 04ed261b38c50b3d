// Code for functions and fields of Java classes such as `Math`.

import type { Expression } from './ast';
import { missingProperty } from './errors';
import type { Frame } from './frame';
import { callMath, callStatic, STATIC_CLASSES, staticField } from './math';
import type { Code } from './scope';

/** The class that `Math` or `java.lang.Math` names; null for anything else. */
export function staticClass(node: Expression): string | null {
  if (node.kind !== 'name' && node.kind !== 'property') return null;
  const isPackaged =
    node.kind === 'property' &&
    node.object.kind === 'property' &&
    node.object.name === 'lang' &&
    node.object.object.kind === 'name' &&
    node.object.object.name === 'java';
  const isClass = node.kind === 'name' || isPackaged;
  return isClass && STATIC_CLASSES.has(node.name) ? node.name : null;
}

/** `Math.PI` */
export function staticFieldCode(owner: string, name: string): Code {
  const value = staticField(owner, name);
  if (value !== undefined) return () => value;
  return () => {
    throw missingProperty(name, `java.lang.${owner}`);
  };
}

/** `Math.max(a, b)` */
export function staticCallCode(
  owner: string,
  name: string,
  args: readonly Code[],
  frame: Frame,
): Code {
  return () =>
    callStatic(
      owner,
      name,
      args.map((arg) => arg()),
      frame.now,
    );
}

/** `max(a, b)`: functions of `Math` need no owner. */
export function functionCode(name: string, args: readonly Code[], frame: Frame): Code {
  return () => {
    const values = args.map((arg) => arg());
    if (name === 'time' && values.length === 0) return BigInt(frame.now);
    return callMath(name, values);
  };
}
