// Statements to closures. Each tells how it ended; values of `return` and of the last statement are left
// in the frame.

import type { Expression, Statement } from './ast';
import { listOf } from './lists';
import { entries } from './map-methods';
import { compilationError } from './errors';
import type { Frame } from './frame';
import type { Code, Scope } from './scope';
import type { ScriptList, ScriptValue } from './values';

/** How a statement ended. */
const NORMAL = 0;
const BREAK = 1;
const CONTINUE = 2;
const RETURN = 3;
type Signal = typeof NORMAL | typeof BREAK | typeof CONTINUE | typeof RETURN;
type Step = () => Signal;

/** What compiles the expressions in statements. */
interface Expressions {
  /** The text of the script, for errors. */
  readonly source: string;
  readonly frame: Frame;
  compile(node: Expression, scope: Scope): Code;
  truth(node: Expression, scope: Scope): () => boolean;
  /** How a declared type converts what is assigned; null: not at all. */
  conversion(type: string | null, at: number): ((value: ScriptValue) => ScriptValue) | null;
}

/** Where a statement stands. */
interface Position {
  /** Its value is that of the script or closure. */
  readonly last: boolean;
  readonly inLoop: boolean;
}

/** Compiles statements; their expressions are in compiler.ts. */
export class BlockCompiler {
  constructor(private readonly expressions: Expressions) {}

  /** Statements whose value is that of `return` or of the last one (groovy); null without either. */
  value(statements: readonly Statement[], scope: Scope): Code {
    const [only] = statements;
    if (statements.length === 1 && only?.kind === 'expression') {
      return this.expressions.compile(only.expression, scope);
    }
    const { frame } = this.expressions;
    const run = this.block(statements, scope, { last: true, inLoop: false });
    return () => {
      frame.result = null;
      run();
      return frame.result;
    };
  }

  private block(statements: readonly Statement[], scope: Scope, position: Position): Step {
    const steps = statements.map((statement, i) =>
      this.statement(statement, scope, {
        ...position,
        last: position.last && i === statements.length - 1,
      }),
    );
    const [only] = steps;
    if (steps.length === 1 && only !== undefined) return only;
    return () => {
      for (let i = 0; i < steps.length; i++) {
        const signal = steps[i]!();
        if (signal !== NORMAL) return signal;
      }
      return NORMAL;
    };
  }

  private statement(node: Statement, scope: Scope, position: Position): Step {
    switch (node.kind) {
      case 'expression':
        return this.kept(this.expressions.compile(node.expression, scope), position);
      case 'declare':
        return this.declaration(node, scope);
      case 'if':
        return this.branches(node, scope, position);
      case 'block':
        return this.block(node.body, scope.inner(), position);
      case 'forIn':
        return this.forIn(node, scope);
      case 'for':
        return this.counted(node, scope);
      case 'while':
        return this.loop(node.test, [], node.body, scope);
      case 'return': {
        const value = node.value === null ? null : this.expressions.compile(node.value, scope);
        const { frame } = this.expressions;
        return () => {
          frame.result = value === null ? null : value();
          return RETURN;
        };
      }
      case 'break':
      case 'continue': {
        if (!position.inLoop) {
          const { source } = this.expressions;
          throw compilationError(`the ${node.kind} statement is only allowed inside loops`, {
            source,
            at: node.at,
          });
        }
        const signal = node.kind === 'break' ? BREAK : CONTINUE;
        return () => signal;
      }
    }
  }

  private kept(code: Code, { last }: Position): Step {
    const { frame } = this.expressions;
    if (last) {
      return () => {
        frame.result = code();
        return NORMAL;
      };
    }
    return () => {
      code();
      return NORMAL;
    };
  }

  private declaration(node: Extract<Statement, { kind: 'declare' }>, scope: Scope): Step {
    const { expressions } = this;
    const value = node.value === null ? null : expressions.compile(node.value, scope);
    const convert = expressions.conversion(node.type, node.at);
    const slot = scope.declare(node.name);
    const { locals } = expressions.frame;
    return () => {
      const given: ScriptValue = value === null ? null : value();
      locals[slot] = convert === null || value === null ? given : convert(given);
      return NORMAL;
    };
  }

  private branches(
    node: Extract<Statement, { kind: 'if' }>,
    scope: Scope,
    position: Position,
  ): Step {
    const test = this.expressions.truth(node.test, scope);
    const then = this.block(node.then, scope.inner(), position);
    const otherwise =
      node.otherwise === null ? null : this.block(node.otherwise, scope.inner(), position);
    return () => {
      if (test()) return then();
      return otherwise === null ? NORMAL : otherwise();
    };
  }

  private forIn(node: Extract<Statement, { kind: 'forIn' }>, scope: Scope): Step {
    const list = this.expressions.compile(node.list, scope);
    const inner = scope.inner();
    const slot = inner.declare(node.name);
    const body = this.block(node.body, inner, { last: false, inLoop: true });
    const { locals, budget } = this.expressions.frame;
    return () => {
      for (const item of elementsOf(list())) {
        budget.charge(1);
        locals[slot] = item;
        const signal = body();
        if (signal === BREAK) break;
        if (signal === RETURN) return RETURN;
      }
      return NORMAL;
    };
  }

  private counted(node: Extract<Statement, { kind: 'for' }>, scope: Scope): Step {
    const inner = scope.inner();
    const start = this.block(node.start, inner, { last: false, inLoop: false });
    const loop = this.loop(node.test, node.step, node.body, inner);
    return () => {
      start();
      return loop();
    };
  }

  private loop(
    testNode: Expression | null,
    stepNodes: readonly Expression[],
    bodyNode: readonly Statement[],
    scope: Scope,
  ): Step {
    const test = testNode === null ? () => true : this.expressions.truth(testNode, scope);
    const steps = stepNodes.map((step) => this.expressions.compile(step, scope));
    const body = this.block(bodyNode, scope.inner(), { last: false, inLoop: true });
    const { budget } = this.expressions.frame;
    return () => {
      while (test()) {
        budget.charge(1);
        const signal = body();
        if (signal === BREAK) break;
        if (signal === RETURN) return RETURN;
        for (let i = 0; i < steps.length; i++) steps[i]!();
      }
      return NORMAL;
    };
  }
}

/** What a loop goes over: elements, entries, characters, or just the one value. */
function elementsOf(value: ScriptValue): ScriptList {
  if (value === null) return [];
  if (Array.isArray(value)) return [...value];
  if (value instanceof Map) return entries(value);
  if (typeof value === 'string') return [...value];
  return listOf(value) ?? [value];
}
