// Tree to closures: the full language on dynamic values. Names are resolved once, here; running a closure
// looks nothing up but members of maps. (Purely numeric scripts take the faster way of numeric.ts.)

import { Arithmetic, type ArithmeticRules } from './arithmetic';
import type { Expression, ScriptTree } from './ast';
import { MemberTarget, type Target } from './assignment-target';
import { Closure, type MethodContext } from './closure';
import { removeItem } from './list-methods';
import { listOf } from './lists';
import { getIndexed, getProperty, invoke, spreadOver } from './members';
import { missingProperty, scriptClass, unsupported } from './errors';
import type { Frame } from './frame';
import { VISITS_PER_STEP } from './limits';
import { Scope, type Code } from './scope';
import { BlockCompiler } from './statements';
import { functionCode, staticCallCode, staticClass, staticFieldCode } from './static-code';
import { finds, matches } from './string-methods';
import { assignedNames } from './tree-walk';
import { conversionTo, constructorOf, instanceTest } from './types';
import { dateCode, mapCode, rangeCode, templateCode } from './value-code';
import { isTrue, textOf, type ScriptValue } from './values';

/** What a script finds under names. */
interface Environment {
  readonly frame: Frame;
  readonly rules: ArithmeticRules;
  /** Parameters and engine objects; functions are read anew for each document. */
  readonly names: ReadonlyMap<string, ScriptValue | (() => ScriptValue)>;
}

/**
 * Compiles a tree for one frame.
 *
 * @throws EngineError GroovyScriptCompilationException for what the language does not support
 */
export function compile(tree: ScriptTree, environment: Environment): Code {
  const compiler = new ExpressionCompiler(tree.source, environment);
  return compiler.script(tree);
}

/** Compiles the expressions of one script; statements are in statements.ts. */
export class ExpressionCompiler {
  readonly frame: Frame;
  private readonly arithmetic: Arithmetic;
  private readonly context: MethodContext;
  private readonly blocks: BlockCompiler;
  /** Slots of parameters that the script assigns to, with what they hold at the beginning. */
  private readonly initial: (ScriptValue | undefined)[] = [];
  /** Names that the script assigns to somewhere. */
  private assigned: ReadonlySet<string> = new Set();

  constructor(
    readonly source: string,
    private readonly environment: Environment,
  ) {
    this.frame = environment.frame;
    this.arithmetic = new Arithmetic(environment.rules, this.frame.budget);
    this.context = { budget: this.frame.budget, arithmetic: this.arithmetic };
    this.blocks = new BlockCompiler(this);
  }

  script(tree: ScriptTree): Code {
    const { frame } = this;
    this.assigned = assignedNames(tree);
    const body = this.blocks.value(tree.statements, new Scope(frame, null));
    const { locals, budget } = frame;
    const { initial } = this;
    return () => {
      budget.reset();
      if (frame.forgets) for (let i = 0; i < locals.length; i++) locals[i] = initial[i];
      return body();
    };
  }

  compile(node: Expression, scope: Scope): Code {
    switch (node.kind) {
      case 'literal': {
        const { value } = node;
        return () => value;
      }
      case 'template':
        return this.template(node.parts, scope);
      case 'name':
        return this.name(node.name, scope);
      case 'property':
        return this.property(node, scope);
      case 'index': {
        const object = this.compile(node.object, scope);
        const index = this.compile(node.index, scope);
        return () => getIndexed(object(), index());
      }
      case 'call':
        return this.call(node, scope);
      case 'list': {
        const items = node.items.map((item) => this.compile(item, scope));
        const { budget } = this.frame;
        return () => {
          // Those that a loop makes add up.
          if (items.length >= VISITS_PER_STEP) budget.visit(items.length);
          return items.map((item) => item());
        };
      }
      case 'map':
        return this.map(node.entries, scope);
      case 'range':
        return this.range(node, scope);
      case 'unary':
        return this.unary(node, scope);
      case 'step':
        return this.step(node, scope);
      case 'binary':
        return this.binary(node, scope);
      case 'logical': {
        const left = this.truth(node.left, scope);
        const right = this.truth(node.right, scope);
        return node.operator === '&&' ? () => left() && right() : () => left() || right();
      }
      case 'conditional':
        return this.conditional(node, scope);
      case 'assign':
        return this.assign(node, scope);
      case 'cast':
        return this.cast(node, scope);
      case 'instanceof':
        return this.instanceOf(node, scope);
      case 'closure':
        return this.closure(node, scope);
      case 'new':
        return this.create(node, scope);
    }
  }

  truth(node: Expression, scope: Scope): () => boolean {
    const code = this.compile(node, scope);
    return () => isTrue(code());
  }

  /** How a declared type converts what is assigned. */
  conversion(type: string | null, at: number): ((value: ScriptValue) => ScriptValue) | null {
    if (type === null) return null;
    const convert = conversionTo(type);
    if (convert === null && type !== 'Date') {
      throw unsupported(`type [${type}]`, { source: this.source, at });
    }
    return convert;
  }

  private template(parts: readonly (string | Expression)[], scope: Scope): Code {
    const codes = parts.map((part) =>
      typeof part === 'string' ? part : this.compile(part, scope),
    );
    return templateCode(codes, this.frame.budget);
  }

  private name(name: string, scope: Scope): Code {
    const { locals } = this.frame;
    const known = this.environment.names.get(name);
    const given = typeof known === 'function' ? known : null;
    // A loop may come back to this after a later assignment.
    const slot = scope.find(name) ?? (this.assigned.has(name) ? this.global(name, scope) : null);
    if (slot !== null) {
      return () => {
        const value = locals[slot];
        if (value !== undefined) return value;
        if (given !== null) return given();
        throw missingProperty(name, scriptClass(this.source));
      };
    }
    if (given !== null) return given;
    if (known !== undefined) return () => known as ScriptValue;
    return () => {
      throw missingProperty(name, scriptClass(this.source));
    };
  }

  /** The slot of a variable of the whole script, which begins as what the environment has of its name. */
  private global(name: string, scope: Scope): number {
    const slot = scope.declareGlobally(name);
    const known = this.environment.names.get(name);
    if (known !== undefined && typeof known !== 'function') this.initial[slot] = known;
    return slot;
  }

  private property(node: Extract<Expression, { kind: 'property' }>, scope: Scope): Code {
    const owner = this.staticOwner(node.object, scope);
    if (owner !== null) return staticFieldCode(owner, node.name);
    const object = this.compile(node.object, scope);
    const { name, safe, spread } = node;
    if (spread) return () => spreadOver(object(), (item) => getProperty(item, name));
    if (!safe) return () => getProperty(object(), name);
    return () => {
      const value = object();
      return value === null ? null : getProperty(value, name);
    };
  }

  /** `Math` or `java.lang.Math`, unless a variable has that name. */
  private staticOwner(node: Expression, scope: Scope): string | null {
    const owner = staticClass(node);
    if (owner === null || node.kind !== 'name') return owner;
    return scope.find(node.name) === null && !this.environment.names.has(node.name)
      ? node.name
      : null;
  }

  private call(node: Extract<Expression, { kind: 'call' }>, scope: Scope): Code {
    const { name, safe, spread } = node;
    const args = node.args.map((arg) => this.compile(arg, scope));
    const { frame, context } = this;
    if (node.object === null) return functionCode(name, args, frame);
    const owner = this.staticOwner(node.object, scope);
    if (owner !== null) return staticCallCode(owner, name, args, frame);
    const object = this.compile(node.object, scope);
    // `list.remove((Object) x)` removes by value.
    const [first] = node.args;
    if (name === 'remove' && first?.kind === 'cast' && first.type === 'Object') {
      return () => {
        const list = listOf(object());
        const item = args[0]!();
        return list === null ? invoke(object(), name, [item], context) : removeItem(list, item);
      };
    }
    if (spread) {
      return () =>
        spreadOver(object(), (item) =>
          invoke(
            item,
            name,
            args.map((arg) => arg()),
            context,
          ),
        );
    }
    return () => {
      const value = object();
      if (safe && value === null) return null;
      return invoke(
        value,
        name,
        args.map((arg) => arg()),
        context,
      );
    };
  }

  private map(entries: readonly (readonly [Expression, Expression])[], scope: Scope): Code {
    const codes = entries.map(
      ([key, value]) => [this.compile(key, scope), this.compile(value, scope)] as const,
    );
    return mapCode(codes, this.frame.budget);
  }

  private range(node: Extract<Expression, { kind: 'range' }>, scope: Scope): Code {
    const from = this.compile(node.from, scope);
    const to = this.compile(node.to, scope);
    return rangeCode(from, to, node.exclusive, this.frame.budget);
  }

  private unary(node: Extract<Expression, { kind: 'unary' }>, scope: Scope): Code {
    const { arithmetic } = this;
    if (node.operator === '!') {
      const truth = this.truth(node.operand, scope);
      return () => !truth();
    }
    const operand = this.compile(node.operand, scope);
    if (node.operator === '~') return () => arithmetic.complement(operand());
    if (node.operator === '-') return () => arithmetic.negate(operand());
    return operand;
  }

  private binary(node: Extract<Expression, { kind: 'binary' }>, scope: Scope): Code {
    const left = this.compile(node.left, scope);
    const right = this.compile(node.right, scope);
    const { operator } = node;
    const { arithmetic } = this;
    if (operator === '=~') return () => finds(textOf(left()), textOf(right()));
    if (operator === '==~') return () => matches(textOf(left()), textOf(right()));
    return () => arithmetic.apply(operator, left(), right());
  }

  private conditional(node: Extract<Expression, { kind: 'conditional' }>, scope: Scope): Code {
    const otherwise = this.compile(node.otherwise, scope);
    if (node.then === null) {
      const value = this.compile(node.test, scope);
      return () => {
        const tested = value();
        return isTrue(tested) ? tested : otherwise();
      };
    }
    const test = this.truth(node.test, scope);
    const then = this.compile(node.then, scope);
    return () => (test() ? then() : otherwise());
  }

  private assign(node: Extract<Expression, { kind: 'assign' }>, scope: Scope): Code {
    const { operator } = node;
    const { arithmetic } = this;
    const value = this.compile(node.value, scope);
    if (operator === null) {
      const store = this.target(node.target, scope);
      return () => store.write(value());
    }
    const store = this.target(node.target, scope);
    return () => store.update((old) => arithmetic.apply(operator, old, value()));
  }

  private step(node: Extract<Expression, { kind: 'step' }>, scope: Scope): Code {
    const { by, prefix } = node;
    const { arithmetic } = this;
    const store = this.target(node.target, scope);
    return () => {
      let before: ScriptValue = null;
      const after = store.update((old) => {
        before = old;
        return arithmetic.apply(by === 1 ? '+' : '-', old, 1);
      });
      return prefix ? after : before;
    };
  }

  private target(node: Expression, scope: Scope): Target {
    if (node.kind === 'name') return this.variable(node.name, scope);
    if (node.kind === 'property') {
      const object = this.compile(node.object, scope);
      const { name } = node;
      return new MemberTarget(object, () => name, this.context);
    }
    if (node.kind === 'index') {
      const object = this.compile(node.object, scope);
      return new MemberTarget(object, this.compile(node.index, scope), this.context);
    }
    throw unsupported('an assignment to this', { source: this.source, at: node.at });
  }

  private variable(name: string, scope: Scope): Target {
    const { locals } = this.frame;
    const at = scope.find(name) ?? this.global(name, scope);
    const read = this.name(name, scope);
    return {
      write: (value) => (locals[at] = value),
      update: (change) => (locals[at] = change(read())),
    };
  }

  private cast(node: Extract<Expression, { kind: 'cast' }>, scope: Scope): Code {
    const operand = this.compile(node.operand, scope);
    const convert = this.conversion(node.type, node.at);
    return convert === null ? operand : () => convert(operand());
  }

  private instanceOf(node: Extract<Expression, { kind: 'instanceof' }>, scope: Scope): Code {
    const operand = this.compile(node.operand, scope);
    const test = instanceTest(node.type);
    if (test === null)
      throw unsupported(`type [${node.type}]`, { source: this.source, at: node.at });
    return () => test(operand());
  }

  private closure(node: Extract<Expression, { kind: 'closure' }>, scope: Scope): Code {
    const inner = scope.inner();
    const slots = node.params.map((name) => inner.declare(name));
    const body = this.blocks.value(node.body, inner);
    const { locals, budget } = this.frame;
    const closure = new Closure(slots.length, (...args) => {
      budget.charge(1);
      // One list for several parameters is spread over them (groovy).
      const [first] = args;
      const values = args.length === 1 && slots.length > 1 && Array.isArray(first) ? first : args;
      slots.forEach((slot, i) => (locals[slot] = values[i] ?? null));
      return body();
    });
    return () => closure;
  }

  private create(node: Extract<Expression, { kind: 'new' }>, scope: Scope): Code {
    const args = node.args.map((arg) => this.compile(arg, scope));
    if (node.type === 'Date') return dateCode(args[0], this.frame);
    const make = constructorOf(node.type);
    if (make === null)
      throw unsupported(`[new ${node.type}]`, { source: this.source, at: node.at });
    return () => make(args.map((arg) => arg()));
  }
}
