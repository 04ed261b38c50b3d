// Runs regular expression programs: all threads of a program go through the text together, the more
// preferred ones first, so that the match is the one that backtracking would find first.

import type { PatternMatcher } from './pattern-matcher';
import { FruitfulThreads } from './fruitful-threads';
import { BOUNDARY_WORD } from './char-set';
import type { AssertionKind } from './tree';
import type { Instruction, Program } from './program';

/** Groups' starts and ends by slot, -1 where there is none; shared until one changes. */
type Slots = Int32Array;

/**
 * So many UTF-16 units may be read behind matches, per unit of the text and in any case, before threads that
 * come to nothing are looked for.
 */
const READ_BEHIND_PER_UNIT = 4;
const LEAST_READ_BEHIND = 1024;

/** What is asked while a pattern reads a text. */
export interface StepBudget {
  /** Counts threads that are followed by one character. @throws when they are too many */
  spendSteps(count: number): void;
}

/** So many are made before the budget is asked. */
const STEPS_AT_ONCE = 1024;

/** Threads in order of preference, each instruction at most once. */
class Threads {
  readonly pcs: Int32Array;
  readonly slots: (Slots | undefined)[] = [];
  readonly #seen: Int32Array;
  size = 0;

  constructor(instructions: number) {
    this.pcs = new Int32Array(instructions);
    this.#seen = new Int32Array(instructions).fill(-1);
  }

  /** Whether `pc` is new at this step, which must differ from earlier ones. */
  mark(pc: number, step: number): boolean {
    if (this.#seen[pc] === step) return false;
    this.#seen[pc] = step;
    return true;
  }
}

/** Goes from match to match in one text. */
export class ProgramMatcher implements PatternMatcher {
  #from = 0;
  #match: Slots | null = null;
  #current: Threads;
  #next: Threads;
  /** Distinguishes steps of all searches, so that marks need no clearing. */
  #step = 0;
  readonly #looks: (Uint8Array | undefined)[] = [];
  /** UTF-16 units read behind matches: others are read again for the next match. */
  #readBehind = 0;
  /** Up to where the search for the current match has read. */
  #readTo = 0;
  /** The threads that come to a match; null while all are followed. */
  #fruitful: FruitfulThreads | null = null;
  readonly #stack: (number | Slots)[] = [];

  constructor(
    private readonly program: Program,
    private readonly text: string,
    private readonly budget?: StepBudget,
  ) {
    this.#current = new Threads(program.code.length);
    this.#next = new Threads(program.code.length);
  }

  start(group: number): number {
    return this.#match?.[2 * group] ?? -1;
  }

  end(group: number): number {
    return this.#match?.[2 * group + 1] ?? -1;
  }

  find(): boolean {
    if (this.#from > this.text.length) return false;
    const match = this.#search(this.#from);
    this.#match = match;
    if (match === null) {
      this.#from = this.text.length + 1;
      return false;
    }
    this.#readBehind += this.#readTo - match[1]!;
    if (this.#fruitful === null && this.#readBehind > this.#mostReadBehind()) {
      const { code } = this.program;
      this.budget?.spendSteps(Math.ceil((this.text.length * code.length) / 4));
      this.#fruitful = new FruitfulThreads(code, this.text, match[1]!, (condition, position) =>
        this.#holds(condition, position),
      );
    }
    // An empty match is not found again.
    this.#from = match[1] === match[0] ? match[1]! + 1 : match[1]!;
    return true;
  }

  #mostReadBehind(): number {
    return Math.max(LEAST_READ_BEHIND, READ_BEHIND_PER_UNIT * this.text.length);
  }

  /** UTF-16 units read behind matches so far. */
  get readBehind(): number {
    return this.#readBehind;
  }

  #search(from: number): Slots | null {
    const { text } = this;
    const { code, groupCount } = this.program;
    let found: Slots | null = null;
    let steps = 0;
    this.#current.size = 0;
    this.#step++;
    for (let position = from; ;) {
      const current = this.#current;
      if (found === null) {
        const slots = new Int32Array(2 * groupCount + 2).fill(-1);
        slots[0] = position;
        this.#follow(current, 0, position, slots);
      }
      if (current.size === 0 && found !== null) break;
      steps += current.size;
      if (steps > STEPS_AT_ONCE) {
        this.budget?.spendSteps(steps);
        steps = 0;
      }
      const codePoint = text.codePointAt(position) ?? -1;
      const behind = position + (codePoint > 0xffff ? 2 : 1);
      const next = this.#next;
      next.size = 0;
      this.#step++;
      for (let i = 0; i < current.size; i++) {
        const instruction = code[current.pcs[i]!]!;
        if (instruction.op === 'match') {
          found = current.slots[i]!.slice();
          found[1] = position;
          // Threads behind this one are less preferred.
          break;
        }
        if (instruction.op === 'char' && codePoint >= 0 && instruction.set.has(codePoint)) {
          this.#follow(next, current.pcs[i]! + 1, behind, current.slots[i]!);
        }
      }
      this.#readTo = position;
      if (position >= text.length) break;
      this.#current = next;
      this.#next = current;
      position = behind;
    }
    this.budget?.spendSteps(steps);
    return found;
  }

  /** Adds the threads that go on from `start` at `position` without reading, in order of preference. */
  #follow(threads: Threads, start: number, position: number, startSlots: Slots): void {
    const { code } = this.program;
    const fruitful = this.#fruitful;
    const stack = this.#stack;
    stack.push(startSlots, start);
    while (stack.length > 0) {
      let pc = stack.pop() as number;
      let slots = stack.pop() as Slots;
      for (; threads.mark(pc, this.#step);) {
        const instruction = code[pc]!;
        if (instruction.op === 'jump') {
          pc = instruction.target;
        } else if (instruction.op === 'split') {
          stack.push(slots, instruction.second);
          pc = instruction.first;
        } else if (instruction.op === 'save') {
          slots = slots.slice();
          slots[instruction.slot] = position;
          pc++;
        } else if (instruction.op === 'assert' || instruction.op === 'look') {
          if (!this.#holds(instruction, position)) break;
          pc++;
        } else {
          if (fruitful !== null && !fruitful.has(pc, position)) break;
          threads.pcs[threads.size] = pc;
          threads.slots[threads.size] = slots;
          threads.size++;
          break;
        }
      }
    }
  }

  #holds(instruction: Extract<Instruction, { op: 'assert' | 'look' }>, position: number): boolean {
    if (instruction.op === 'assert') {
      return assertionHolds(instruction.assertion, this.text, position);
    }
    const look = this.program.looks[instruction.look]!;
    const places = (this.#looks[instruction.look] ??= this.#places(look.code, look.ahead));
    return (places[position] === 1) !== look.negative;
  }

  /**
   * All places at which a look's pattern begins (`ahead`) or ends. One run over the text in the direction
   * of the code, with a new thread at every place.
   */
  #places(code: readonly Instruction[], ahead: boolean): Uint8Array {
    const { text } = this;
    const places = new Uint8Array(text.length + 1);
    let states = new Set<number>();
    for (let position = ahead ? text.length : 0; ;) {
      const open = [...states, 0];
      states = new Set();
      const reading: number[] = [];
      const seen = new Set<number>();
      while (open.length > 0) {
        const pc = open.pop()!;
        if (seen.has(pc)) continue;
        seen.add(pc);
        const instruction = code[pc]!;
        if (instruction.op === 'match') places[position] = 1;
        else if (instruction.op === 'char') reading.push(pc);
        else if (instruction.op === 'jump') open.push(instruction.target);
        else if (instruction.op === 'split') open.push(instruction.first, instruction.second);
        else if (instruction.op === 'save' || this.#holds(instruction, position)) open.push(pc + 1);
      }
      if (position === (ahead ? 0 : text.length)) return places;
      this.budget?.spendSteps(seen.size);
      const at = ahead ? characterStart(text, position) : position;
      const codePoint = text.codePointAt(at)!;
      for (const pc of reading) {
        const instruction = code[pc]!;
        if (instruction.op === 'char' && instruction.set.has(codePoint)) states.add(pc + 1);
      }
      position = ahead ? at : position + (codePoint > 0xffff ? 2 : 1);
    }
  }
}

/** Where the character that ends before `position` starts. */
function characterStart(text: string, position: number): number {
  const isPair = position > 1 && (text.codePointAt(position - 2) ?? 0) > 0xffff;
  return isPair ? position - 2 : position - 1;
}

function isLineEnd(unit: number): boolean {
  return unit === 10 || unit === 13 || unit === 0x85 || unit === 0x2028 || unit === 0x2029;
}

function assertionHolds(assertion: AssertionKind, text: string, position: number): boolean {
  const before = position === 0 ? -1 : text.charCodeAt(position - 1);
  const after = position === text.length ? -1 : text.charCodeAt(position);
  const isInCrLf = before === 13 && after === 10;
  switch (assertion) {
    case 'textStart':
      return before < 0;
    case 'textEnd':
      return after < 0;
    case 'lastLineEnd':
      if (after < 0) return true;
      if (position === text.length - 1) return isLineEnd(after) && !isInCrLf;
      return position === text.length - 2 && after === 13 && text.charCodeAt(position + 1) === 10;
    case 'lineStart':
      return before < 0 || (after >= 0 && isLineEnd(before) && !isInCrLf);
    case 'lineEnd':
      return after < 0 || (isLineEnd(after) && !isInCrLf);
    case 'unixLineStart':
      return before < 0 || (after >= 0 && before === 10);
    case 'unixLineEnd':
      return after < 0 || after === 10;
    case 'boundary':
      return isBoundary(text, position);
    case 'notBoundary':
      return !isBoundary(text, position);
  }
}

function isBoundary(text: string, position: number): boolean {
  const isWordBefore =
    position > 0 && BOUNDARY_WORD.has(text.codePointAt(characterStart(text, position))!);
  const isWordAfter = position < text.length && BOUNDARY_WORD.has(text.codePointAt(position)!);
  return isWordBefore !== isWordAfter;
}
