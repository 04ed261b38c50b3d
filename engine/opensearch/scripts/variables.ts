// Variables of scripts as variables of Painless: all stand at the beginning, under names of ours.

import { anything, type ScriptParts, type ValuePiece } from './pieces';

/** A variable as it is read. */
interface Variable {
  readonly code: string;
  /** By `def` or a type; else it may not have been assigned to yet. */
  readonly isDeclared: boolean;
}

/** Where variables live, from the innermost block outwards. */
export class Variables {
  private readonly blocks: Map<string, string>[] = [new Map<string, string>()];
  private readonly globals = new Map<string, string>();

  /** @param assigned names that the script assigns to somewhere */
  constructor(
    private readonly parts: ScriptParts,
    private readonly assigned: ReadonlySet<string>,
  ) {}

  /** What the names that are assigned without being declared are called, by name. */
  get undeclared(): ReadonlyMap<string, string> {
    return this.globals;
  }

  /** Null: there is no variable of that name. */
  read(name: string): Variable | null {
    for (let i = this.blocks.length - 1; i >= 0; i--) {
      const code = this.blocks[i]!.get(name);
      if (code !== undefined) return { code, isDeclared: true };
    }
    // A loop may come back to this after a later assignment.
    return this.assigned.has(name) ? { code: this.global(name), isDeclared: false } : null;
  }

  /** An assignment; it has the value that is assigned. */
  write(name: string, value: string): ValuePiece {
    const { code } = this.read(name)!;
    return anything(`any(${code} = ${value})`);
  }

  /** A new variable of the innermost block. @returns what it is called */
  declare(name: string): string {
    const local = this.parts.local();
    this.blocks.at(-1)!.set(name, local);
    return local;
  }

  /** Runs `inside` within a block of its own. */
  within<T>(inside: () => T): T {
    this.blocks.push(new Map());
    try {
      return inside();
    } finally {
      this.blocks.pop();
    }
  }

  private global(name: string): string {
    let local = this.globals.get(name);
    if (local === undefined) this.globals.set(name, (local = this.parts.local()));
    return local;
  }
}
