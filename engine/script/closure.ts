// What methods of values get beside them: closures, entries of maps, and the running script's means.

import type { Arithmetic } from './arithmetic';
import type { StepBudget } from './limits';
import { HostObject, textOf, type ScriptValue } from './values';

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
