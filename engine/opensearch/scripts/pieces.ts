// Pieces of Painless with what is known of their values. What the requests give goes into parameters, so that
// scripts that differ by their constants only are compiled once.

import { Double, type JsonOutput, writeJson } from '../../json/index';
import type { ScriptField } from '../../script/index';
import { unsupported } from '../layout/unsupported';

/** Types of Painless that values are known to have; `def`: any, `score`: what `_score` is in groovy. */
export type ValueType = 'int' | 'long' | 'double' | 'boolean' | 'score' | 'def';

/** An expression of Painless. */
export interface ValuePiece {
  readonly type: ValueType;
  readonly code: string;
}

/** Things that scripts ask for values, and that are none themselves. */
export type Piece =
  | ValuePiece
  | { readonly type: 'field' | 'point'; readonly field: ScriptField }
  /** Epoch milliseconds. */
  | { readonly type: 'date'; readonly code: string };

/** A piece whose value may be of any class. */
export function anything(code: string): ValuePiece {
  return { type: 'def', code };
}

export const NULL_PIECE = anything('null');

/** Code of the type `def`. @throws EngineError for a piece that is no value */
export function boxed(piece: ValuePiece): string {
  switch (piece.type) {
    case 'def':
      return piece.code;
    case 'score':
      return `scored(${piece.code})`;
    case 'int':
    case 'long':
    case 'double':
    case 'boolean':
      return `any(${piece.code})`;
  }
}

/** Code of a condition: empty, zero and null are false. */
export function truth({ type, code }: ValuePiece): string {
  if (type === 'boolean') return code;
  if (type === 'def') return `truth(${code})`;
  return grouped('boolean', `${code} != 0`);
}

const GROUPED: { readonly [Type in ValueType]: string } = {
  int: 'ofInt',
  long: 'ofLong',
  double: 'ofDouble',
  score: 'ofDouble',
  boolean: 'ofBoolean',
  def: 'any',
};

/**
 * Code that is one operand. Never in parentheses: Painless reads to their ends before it knows what they are,
 * and keeps all that it has read so for ever.
 */
export function grouped(type: ValueType, code: string): string {
  return `${GROUPED[type]}(${code})`;
}

export function isNumeric(type: ValueType): type is 'int' | 'long' | 'double' {
  return type === 'int' || type === 'long' || type === 'double';
}

/** What scripts of a language beyond this one ask for. @param what without verb */
export function notTranslated(what: string): Error {
  return unsupported(`${what} in a script that OpenSearch runs`, 'it is not translated');
}

/** Parameters and variables of a script that is being made. */
export class ScriptParts {
  private readonly values = new Map<string, JsonOutput>();
  private readonly names = new Map<string, string>();
  private readonly locals: string[] = [];

  /** The parameters by name. */
  get params(): ReadonlyMap<string, JsonOutput> {
    return this.values;
  }

  /** Declarations of all variables. */
  get declarations(): string {
    return this.locals.map((name) => `def ${name} = null;\n`).join('');
  }

  /** Code for a value of the request. */
  param(value: JsonOutput): string {
    const key = `${typeof value} ${writeJson(value)}`;
    let name = this.names.get(key);
    if (name === undefined) {
      name = `c${this.values.size}`;
      this.names.set(key, name);
      this.values.set(name, value);
    }
    return `params.${name}`;
  }

  int(value: number): ValuePiece {
    return { type: 'int', code: `intOf(${this.param(value)})` };
  }

  long(value: bigint): ValuePiece {
    return { type: 'long', code: `longOf(${this.param(value)})` };
  }

  double(value: number): ValuePiece {
    return { type: 'double', code: `doubleOf(${this.param(new Double(value))})` };
  }

  /** A parameter, so that no condition is known while Painless compiles. */
  boolean(value: boolean): ValuePiece {
    return { type: 'boolean', code: `booleanOf(${this.param(value)})` };
  }

  /** A variable; null at first. */
  local(): string {
    const name = `v${this.locals.length}`;
    this.locals.push(name);
    return name;
  }
}
