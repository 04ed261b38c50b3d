// The left-hand sides of assignments.

import type { MethodContext } from './closure';
import { getIndexed, setMember } from './members';
import type { Code } from './scope';
import type { ScriptValue } from './values';

/** Something that can be assigned to. */
export interface Target {
  write(value: ScriptValue): ScriptValue;
  /** Replaces the value by what `change` makes of it; its object is evaluated once. */
  update(change: (old: ScriptValue) => ScriptValue): ScriptValue;
}

/** A property, or an element of a list or map. */
export class MemberTarget implements Target {
  constructor(
    private readonly object: Code,
    private readonly key: Code,
    private readonly context: MethodContext,
  ) {}

  write(value: ScriptValue): ScriptValue {
    return setMember(this.object(), this.key(), value, this.context.budget);
  }

  update(change: (old: ScriptValue) => ScriptValue): ScriptValue {
    const object = this.object();
    const key = this.key();
    return setMember(object, key, change(getIndexed(object, key)), this.context.budget);
  }
}
