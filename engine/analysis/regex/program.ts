// Regular expressions as programs for a machine that keeps all alternatives at once, so that matching
// takes time proportional to text and program, whatever the pattern.

import { EngineError } from '../../errors';
import type { CharSet } from './char-set';
import type { AssertionKind, ParsedRegex, RegexNode } from './tree';

/** One step of a program. */
export type Instruction =
  | { readonly op: 'char'; readonly set: CharSet }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; target: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'assert'; readonly assertion: AssertionKind }
  | { readonly op: 'look'; readonly look: number }
  | { readonly op: 'match' };

/** A condition on what stands before or after a place. */
interface Look {
  /** Runs over the text in one direction; for look-ahead it reads the pattern backwards. */
  readonly code: readonly Instruction[];
  readonly ahead: boolean;
  readonly negative: boolean;
}

/** A compiled expression. */
export interface Program {
  readonly code: readonly Instruction[];
  /** Looks that only refer to earlier ones. */
  readonly looks: readonly Look[];
  readonly groupCount: number;
}

/** Bounded repetitions are written out, so that programs can become large. */
const MAX_INSTRUCTIONS = 20_000;

/** @throws EngineError PatternSyntaxException when the pattern is too large */
export function compileProgram({ root, groupCount }: ParsedRegex): Program {
  const looks: Look[] = [];
  const code = new CodeBuilder(looks, false).build(root);
  return { code, looks, groupCount };
}

class CodeBuilder {
  readonly #code: Instruction[] = [];

  /** @param isReversed whether the code shall read the text from its end */
  constructor(
    private readonly looks: Look[],
    private readonly isReversed: boolean,
    private readonly captures = !isReversed,
  ) {}

  build(root: RegexNode): readonly Instruction[] {
    this.#add(root);
    this.#emit({ op: 'match' });
    return this.#code;
  }

  #emit(instruction: Instruction): number {
    if (this.#code.length >= MAX_INSTRUCTIONS) {
      throw new EngineError('PatternSyntaxException', 'Pattern is too large');
    }
    return this.#code.push(instruction) - 1;
  }

  #add(node: RegexNode): void {
    switch (node.kind) {
      case 'empty':
        return;
      case 'char':
        this.#emit({ op: 'char', set: node.set });
        return;
      case 'sequence':
        for (const part of this.isReversed ? node.parts.toReversed() : node.parts) this.#add(part);
        return;
      case 'choice':
        this.#addChoice(node.options);
        return;
      case 'repeat':
        this.#addRepeat(node);
        return;
      case 'group':
        if (this.captures) this.#emit({ op: 'save', slot: 2 * node.index });
        this.#add(node.body);
        if (this.captures) this.#emit({ op: 'save', slot: 2 * node.index + 1 });
        return;
      case 'assertion':
        this.#emit({ op: 'assert', assertion: node.assertion });
        return;
      case 'look': {
        const code = new CodeBuilder(this.looks, node.ahead, false).build(node.body);
        const look = this.looks.push({ code, ahead: node.ahead, negative: node.negative }) - 1;
        this.#emit({ op: 'look', look });
        return;
      }
    }
  }

  #addChoice(options: readonly RegexNode[]): void {
    const ends: { target: number }[] = [];
    for (const [i, option] of options.entries()) {
      if (i === options.length - 1) {
        this.#add(option);
        break;
      }
      const split: Instruction = { op: 'split', first: 0, second: 0 };
      split.first = this.#emit(split) + 1;
      this.#add(option);
      const jump: Instruction = { op: 'jump', target: 0 };
      this.#emit(jump);
      ends.push(jump);
      split.second = this.#code.length;
    }
    for (const end of ends) end.target = this.#code.length;
  }

  #addRepeat({ body, min, max, greedy }: Extract<RegexNode, { kind: 'repeat' }>): void {
    for (let i = 0; i < min; i++) {
      const before = this.#code.length;
      this.#add(body);
      // Nothing, as often as one likes.
      if (this.#code.length === before) return;
    }
    if (max === Infinity) {
      const { split, at } = this.#split();
      this.#add(body);
      this.#emit({ op: 'jump', target: at });
      setTargets(split, at + 1, this.#code.length, greedy);
      return;
    }
    const splits = [];
    for (let i = min; i < max; i++) {
      splits.push(this.#split());
      this.#add(body);
    }
    for (const { split, at } of splits) setTargets(split, at + 1, this.#code.length, greedy);
  }

  #split(): { split: Extract<Instruction, { op: 'split' }>; at: number } {
    const split: Instruction = { op: 'split', first: 0, second: 0 };
    return { split, at: this.#emit(split) };
  }
}

function setTargets(
  split: Extract<Instruction, { op: 'split' }>,
  inside: number,
  behind: number,
  greedy: boolean,
): void {
  split.first = greedy ? inside : behind;
  split.second = greedy ? behind : inside;
}
