// Deterministic automata over code points: the table a term is run through.
//
// Characters that no transition tells apart form a class; the table has one row per state and one column
// per class. States from which nothing can be accepted any more do not exist (-1), so a run ends at the
// first character that rules the term out.

import type { TermMatcher } from './term-matcher';

const DEAD = -1;

/** An immutable automaton; state 0 is the start. */
export class Dfa {
  /** Class of each code point below 256. */
  private readonly small: Uint16Array;

  constructor(
    /** First code point of each class, ascending from 0. */
    readonly classStarts: readonly number[],
    /** Next state by state * number of classes + class, or -1. */
    readonly transitions: Int32Array,
    /** 1 for accepting states. */
    readonly accepting: Uint8Array,
  ) {
    this.small = new Uint16Array(256);
    for (let point = 0; point < 256; point++) this.small[point] = this.search(point);
  }

  get stateCount(): number {
    return this.accepting.length;
  }

  /** The class a code point belongs to. */
  classOf(point: number): number {
    return point < 256 ? this.small[point]! : this.search(point);
  }

  private search(point: number): number {
    const { classStarts } = this;
    let low = 0;
    let high = classStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (classStarts[middle]! <= point) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The text every accepted string starts with. */
  commonPrefix(): string {
    const { classStarts, transitions, accepting } = this;
    const width = classStarts.length;
    let prefix = '';
    let state = 0;
    // A path of single characters through states that accept nothing cannot be longer than there are states.
    for (let steps = 0; steps < accepting.length && accepting[state] === 0; steps++) {
      let only = -1;
      for (let c = 0; c < width; c++) {
        if (transitions[state * width + c] === DEAD) continue;
        if (only >= 0) return prefix;
        only = c;
      }
      if (only < 0) return prefix;
      const point = classStarts[only]!;
      if (only + 1 >= width || classStarts[only + 1]! !== point + 1) return prefix;
      prefix += String.fromCodePoint(point);
      state = transitions[state * width + only]!;
    }
    return prefix;
  }
}

/** Runs terms through an automaton. */
export class DfaMatcher implements TermMatcher {
  deadLength = 0;
  readonly boost = 1;

  constructor(private readonly dfa: Dfa) {}

  accepts(term: string): boolean {
    const { dfa } = this;
    const { transitions, accepting } = dfa;
    const width = dfa.classStarts.length;
    this.deadLength = 0;
    if (accepting.length === 0) return false;
    let state = 0;
    for (let i = 0; i < term.length; i++) {
      let point = term.charCodeAt(i);
      if ((point & 0xfc00) === 0xd800) {
        point = term.codePointAt(i)!;
        if (point > 0xffff) i++;
      }
      state = transitions[state * width + dfa.classOf(point)]!;
      if (state === DEAD) {
        this.deadLength = i + 1;
        return false;
      }
    }
    return accepting[state] === 1;
  }
}
