// The tree that a source is parsed to. Places (`at`) are offsets into the source, for error texts.

import type { ScriptValue } from './values';

/** Operators with two operands, short-circuit ones apart. */
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '**'
  | '<<'
  | '>>'
  | '>>>'
  | '&'
  | '|'
  | '^'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '<=>'
  | '=~'
  | '==~'
  | 'in';

/** A piece of a script that has a value. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: ScriptValue; readonly at: number }
  | {
      readonly kind: 'template';
      readonly parts: readonly (string | Expression)[];
      readonly at: number;
    }
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  | {
      readonly kind: 'property';
      readonly object: Expression;
      readonly name: string;
      /** `?.`: null of null. */
      readonly safe: boolean;
      /** `*.`: of every element. */
      readonly spread: boolean;
      readonly at: number;
    }
  | {
      readonly kind: 'index';
      readonly object: Expression;
      readonly index: Expression;
      readonly at: number;
    }
  | {
      readonly kind: 'call';
      /** Null: a bare function. */
      readonly object: Expression | null;
      readonly name: string;
      readonly args: readonly Expression[];
      readonly safe: boolean;
      readonly spread: boolean;
      readonly at: number;
    }
  | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly at: number }
  | {
      readonly kind: 'map';
      readonly entries: readonly (readonly [Expression, Expression])[];
      readonly at: number;
    }
  | {
      readonly kind: 'range';
      readonly from: Expression;
      readonly to: Expression;
      readonly exclusive: boolean;
      readonly at: number;
    }
  | {
      readonly kind: 'unary';
      readonly operator: '-' | '+' | '!' | '~';
      readonly operand: Expression;
      readonly at: number;
    }
  | {
      readonly kind: 'step';
      readonly target: Expression;
      readonly by: 1 | -1;
      readonly prefix: boolean;
      readonly at: number;
    }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
    }
  | {
      readonly kind: 'logical';
      readonly operator: '&&' | '||';
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
    }
  | {
      readonly kind: 'conditional';
      readonly test: Expression;
      /** Null: the tested value itself (`?:`). */
      readonly then: Expression | null;
      readonly otherwise: Expression;
      readonly at: number;
    }
  | {
      readonly kind: 'assign';
      readonly target: Expression;
      /** Null: plain `=`. */
      readonly operator: BinaryOperator | null;
      readonly value: Expression;
      readonly at: number;
    }
  | {
      readonly kind: 'cast';
      readonly type: string;
      readonly operand: Expression;
      readonly at: number;
    }
  | {
      readonly kind: 'instanceof';
      readonly operand: Expression;
      readonly type: string;
      readonly at: number;
    }
  | {
      readonly kind: 'closure';
      readonly params: readonly string[];
      readonly body: readonly Statement[];
      readonly at: number;
    }
  | {
      readonly kind: 'new';
      readonly type: string;
      readonly args: readonly Expression[];
      readonly at: number;
    };

/** A step of a script. */
export type Statement =
  | { readonly kind: 'expression'; readonly expression: Expression }
  | {
      readonly kind: 'declare';
      /** Null: `def`. */
      readonly type: string | null;
      readonly name: string;
      readonly value: Expression | null;
      readonly at: number;
    }
  | {
      readonly kind: 'if';
      readonly test: Expression;
      readonly then: readonly Statement[];
      readonly otherwise: readonly Statement[] | null;
    }
  | {
      readonly kind: 'forIn';
      readonly name: string;
      readonly list: Expression;
      readonly body: readonly Statement[];
      readonly at: number;
    }
  | {
      readonly kind: 'for';
      readonly start: readonly Statement[];
      readonly test: Expression | null;
      readonly step: readonly Expression[];
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'while'; readonly test: Expression; readonly body: readonly Statement[] }
  | { readonly kind: 'block'; readonly body: readonly Statement[] }
  | { readonly kind: 'return'; readonly value: Expression | null }
  | { readonly kind: 'break'; readonly at: number }
  | { readonly kind: 'continue'; readonly at: number };

/** A parsed source. Immutable; kept by {@link parseScript}'s cache. */
export interface ScriptTree {
  readonly source: string;
  readonly statements: readonly Statement[];
}
