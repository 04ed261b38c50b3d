// Variables of scripts, resolved to slots of the frame while compiling.

import type { Frame } from './frame';
import type { ScriptValue } from './values';

/** A piece of a script, ready to run. */
export type Code = () => ScriptValue;

/** Where variables of a script live, from the innermost block outwards. */
export class Scope {
  private readonly slots = new Map<string, number>();

  constructor(
    private readonly frame: Frame,
    private readonly outer: Scope | null,
  ) {}

  /** The slot of a variable, or null. */
  find(name: string): number | null {
    return this.slots.get(name) ?? this.outer?.find(name) ?? null;
  }

  /** A new variable of this block. */
  declare(name: string): number {
    const slot = this.frame.locals.length;
    this.frame.locals.push(undefined);
    this.slots.set(name, slot);
    return slot;
  }

  /** A variable that is assigned without being declared belongs to the whole script. */
  declareGlobally(name: string): number {
    return this.outer === null ? this.declare(name) : this.outer.declareGlobally(name);
  }

  /** The scope of a block inside of this one. */
  inner(): Scope {
    return new Scope(this.frame, this);
  }
}
