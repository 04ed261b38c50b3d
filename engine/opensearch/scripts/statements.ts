// Statements of scripts as Painless. The value of a script is that of `return` or of its last statement.

import { SEARCH_STEPS, type Expression, type Statement } from '../../script/index';
import { converted, type ExpressionTranslator } from './expressions';
import { boxed, type ScriptParts, type ValuePiece } from './pieces';
import type { Variables } from './variables';

/** Lines of code; nothing behind them is reached where they end the script or a turn of a loop. */
interface Block {
  readonly code: string;
  readonly ends: boolean;
}

/** Where the value of the last statement is kept. */
const RESULT = 'result';
/** Where values go that nobody asks for. */
const IGNORED = 'ignored';
const STEPS = 'steps';

/** Turns of loops are counted: a script may take so many steps on a document. */
const CHARGE = `if (++${STEPS} > ${SEARCH_STEPS}) limit('[${SEARCH_STEPS}] steps');\n`;

/** Translates the statements of one script. */
export class StatementTranslator {
  private loops = 0;

  /** @param finish makes of a value what the script has to return */
  constructor(
    private readonly expressions: ExpressionTranslator,
    private readonly variables: Variables,
    private readonly parts: ScriptParts,
    private readonly finish: (value: ValuePiece) => string,
  ) {}

  /** The whole script. @throws EngineError for what is not translated */
  script(statements: readonly Statement[]): string {
    const [only] = statements;
    if (statements.length === 1 && (only?.kind === 'expression' || only?.kind === 'return')) {
      const node = only.kind === 'expression' ? only.expression : only.value;
      const value = this.returned(node);
      return `${this.parts.declarations}${this.undeclared()}${value}`;
    }
    const body = this.block(statements, true);
    const end = body.ends ? '' : `return ${this.finish({ type: 'def', code: RESULT })};\n`;
    return (
      `def ${RESULT} = null;\ndef ${IGNORED} = null;\nint ${STEPS} = 0;\n` +
      `${this.parts.declarations}${this.undeclared()}${body.code}${end}`
    );
  }

  /** Names that are only assigned to begin as what the request gives, or as nothing that can be read. */
  private undeclared(): string {
    return [...this.variables.undeclared]
      .map(([name, local]) => {
        const given = this.expressions.named(name);
        return `${local} = ${given === null ? 'new int[0]' : boxed(given)};\n`;
      })
      .join('');
  }

  private returned(node: Expression | null): string {
    const value: ValuePiece =
      node === null ? { type: 'def', code: 'null' } : this.expressions.value(node);
    return `return ${this.finish(value)};\n`;
  }

  private block(statements: readonly Statement[], isLast: boolean): Block {
    let code = '';
    for (const [i, statement] of statements.entries()) {
      const next = this.statement(statement, isLast && i === statements.length - 1);
      code += next.code;
      // Painless refuses what nothing leads to.
      if (next.ends) return { code, ends: true };
    }
    return { code, ends: false };
  }

  private inner(statements: readonly Statement[], isLast: boolean): Block {
    return this.variables.within(() => this.block(statements, isLast));
  }

  private statement(node: Statement, isLast: boolean): Block {
    switch (node.kind) {
      case 'expression': {
        const value = boxed(this.expressions.value(node.expression));
        return going(`${isLast ? RESULT : IGNORED} = ${value};\n`);
      }
      case 'declare': {
        const value =
          node.value === null
            ? 'null'
            : boxed(converted(node.type, this.expressions.value(node.value)));
        return going(`${this.variables.declare(node.name)} = ${value};\n`);
      }
      case 'if':
        return this.branches(node, isLast);
      case 'block':
        return this.inner(node.body, isLast);
      case 'forIn':
        return this.forIn(node);
      case 'for':
        return this.variables.within(() => this.counted(node));
      case 'while':
        return this.loop(`while (${this.expressions.truth(node.test)})`, node.body);
      case 'return':
        return { code: this.returned(node.value), ends: true };
      case 'break':
      case 'continue':
        return { code: `${node.kind};\n`, ends: true };
    }
  }

  private branches(node: Extract<Statement, { kind: 'if' }>, isLast: boolean): Block {
    const test = this.expressions.truth(node.test);
    const then = this.inner(node.then, isLast);
    const otherwise = node.otherwise === null ? null : this.inner(node.otherwise, isLast);
    // An empty block is none to Painless.
    const yes = then.code === '' ? `${IGNORED} = null;\n` : then.code;
    const no = otherwise === null || otherwise.code === '' ? '' : ` else {\n${otherwise.code}}`;
    return {
      code: `if (${test}) {\n${yes}}${no}\n`,
      ends: then.ends && otherwise?.ends === true,
    };
  }

  private forIn({ name, list, body }: Extract<Statement, { kind: 'forIn' }>): Block {
    const elements = `elements(${boxed(this.expressions.value(list))})`;
    return this.variables.within(() => {
      const variable = this.variables.declare(name);
      const each = `e${this.loops++}`;
      return this.loop(`for (def ${each} : ${elements})`, body, `${variable} = ${each};\n`);
    });
  }

  private counted(node: Extract<Statement, { kind: 'for' }>): Block {
    const start = this.block(node.start, false);
    const test = node.test === null ? '' : this.expressions.truth(node.test);
    const steps = node.step.map((step) => boxed(this.expressions.value(step)));
    const step = steps.length === 0 ? '' : `${IGNORED} = [${steps.join(', ')}]`;
    const loop = this.loop(`for (; ${test}; ${step})`, node.body);
    return going(start.code + loop.code);
  }

  private loop(head: string, body: readonly Statement[], first = ''): Block {
    const { code } = this.inner(body, false);
    return going(`${head} {\n${CHARGE}${first}${code}}\n`);
  }
}

function going(code: string): Block {
  return { code, ends: false };
}
