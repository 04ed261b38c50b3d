// Nondeterministic automata, and making them deterministic.
//
// A regular expression is put together from fragments of one automaton (regexp.ts). Complement and
// intersection need deterministic operands, so those are made on the way and copied back in. Both the
// number of states and the work spent are limited: an expression that would explode is refused instead.

import { EngineError } from '../../errors';
import { Dfa } from './dfa';
import { MAX_CODE_POINT } from './regexp-parser';

/** Most states a deterministic automaton may have. */
export const MAX_STATES = 10_000;
/** Most states while an automaton is put together. */
const MAX_NFA_STATES = 50_000;
/** Most steps spent on one expression; ordinary ones take a few thousand. */
const MAX_WORK = 4_000_000;

/** What one expression may spend. */
export class Budget {
  private work = 0;

  /** @throws EngineError TooComplexToDeterminizeException */
  spend(steps: number): void {
    this.work += steps;
    if (this.work > MAX_WORK) throw tooComplex();
  }
}

/** The failure for expressions whose automaton gets too large. */
function tooComplex(): EngineError {
  return new EngineError(
    'TooComplexToDeterminizeException',
    `Determinizing automaton would result in more than ${MAX_STATES} states.`,
  );
}

/** A part of an automaton with one way in and one way out. */
export interface Fragment {
  readonly start: number;
  readonly end: number;
}

/** States with transitions over ranges of code points and empty transitions. */
export class Nfa {
  /** Per state: from, to, target of each transition. */
  readonly moves: number[][] = [];
  readonly empty: number[][] = [];
  /** States seen by the closure with this number; see {@link closure}. */
  private marks = new Uint32Array(0);
  private stamp = 0;

  constructor(private readonly budget: Budget) {}

  newState(): number {
    if (this.moves.length >= MAX_NFA_STATES) throw tooComplex();
    this.budget.spend(1);
    this.empty.push([]);
    return this.moves.push([]) - 1;
  }

  addMove(from: number, low: number, high: number, to: number): void {
    this.budget.spend(1);
    this.moves[from]!.push(low, high, to);
  }

  addEmpty(from: number, to: number): void {
    this.budget.spend(1);
    this.empty[from]!.push(to);
  }

  /** Copies a deterministic automaton in. */
  embed(dfa: Dfa): Fragment {
    const start = this.newState();
    const end = this.newState();
    if (dfa.stateCount === 0) return { start, end };
    const states: number[] = [];
    for (let i = 0; i < dfa.stateCount; i++) states.push(this.newState());
    this.addEmpty(start, states[0]!);
    const { classStarts, transitions, accepting } = dfa;
    const width = classStarts.length;
    for (let i = 0; i < dfa.stateCount; i++) {
      if (accepting[i] === 1) this.addEmpty(states[i]!, end);
      let c = 0;
      while (c < width) {
        const target = transitions[i * width + c]!;
        let last = c;
        while (last + 1 < width && transitions[i * width + last + 1] === target) last++;
        if (target >= 0) {
          const high = last + 1 < width ? classStarts[last + 1]! - 1 : MAX_CODE_POINT;
          this.addMove(states[i]!, classStarts[c]!, high, states[target]!);
        }
        c = last + 1;
      }
    }
    return { start, end };
  }

  /** The deterministic automaton of a fragment (subset construction). */
  determinize(fragment: Fragment): Dfa {
    const classStarts = this.classesOf(fragment);
    const width = classStarts.length;
    const classIndex = new Map<number, number>();
    classStarts.forEach((start, c) => classIndex.set(start, c));

    const known = new Map<string, number>();
    const sets: number[][] = [];
    const rows: Int32Array[] = [];
    const accepting: number[] = [];
    const add = (set: number[]): number => {
      const key = set.join();
      const found = known.get(key);
      if (found !== undefined) return found;
      if (sets.length >= MAX_STATES) throw tooComplex();
      this.budget.spend(width);
      known.set(key, sets.length);
      rows.push(new Int32Array(width).fill(-1));
      accepting.push(set.includes(fragment.end) ? 1 : 0);
      return sets.push(set) - 1;
    };
    add(this.closure([fragment.start]));
    for (let i = 0; i < sets.length; i++) {
      const targets: (number[] | undefined)[] = new Array<number[] | undefined>(width);
      for (const state of sets[i]!) {
        const moves = this.moves[state]!;
        for (let m = 0; m < moves.length; m += 3) {
          const first = classIndex.get(moves[m]!)!;
          const high = moves[m + 1]!;
          for (let c = first; c < width && classStarts[c]! <= high; c++) {
            this.budget.spend(1);
            (targets[c] ??= []).push(moves[m + 2]!);
          }
        }
      }
      const row = rows[i]!;
      let previous: string | null = null;
      for (let c = 0; c < width; c++) {
        const target = targets[c];
        if (target === undefined) continue;
        // Neighbouring classes often go to the same states.
        const key = target.join();
        if (c > 0 && key === previous && targets[c - 1] !== undefined) row[c] = row[c - 1]!;
        else row[c] = add(this.closure(target));
        previous = key;
      }
    }
    const transitions = new Int32Array(sets.length * width);
    rows.forEach((row, i) => transitions.set(row, i * width));
    return trim(new Dfa(classStarts, transitions, Uint8Array.from(accepting)));
  }

  /** All states reachable without a character, sorted. */
  private closure(states: readonly number[]): number[] {
    if (this.marks.length < this.moves.length) this.marks = new Uint32Array(this.moves.length);
    const { marks, empty } = this;
    const stamp = ++this.stamp;
    const reached: number[] = [];
    for (const state of states) {
      if (marks[state] === stamp) continue;
      marks[state] = stamp;
      reached.push(state);
    }
    for (let i = 0; i < reached.length; i++) {
      for (const next of empty[reached[i]!]!) {
        if (marks[next] === stamp) continue;
        marks[next] = stamp;
        reached.push(next);
      }
    }
    this.budget.spend(reached.length);
    return reached.sort((a, b) => a - b);
  }

  /** The first code points of the classes that the moves of a fragment tell apart. */
  private classesOf(fragment: Fragment): number[] {
    const starts = new Set([0]);
    const seen = new Set([fragment.start]);
    const stack = [fragment.start];
    const visit = (state: number): void => {
      if (seen.has(state)) return;
      seen.add(state);
      stack.push(state);
    };
    while (stack.length > 0) {
      const state = stack.pop()!;
      const moves = this.moves[state]!;
      for (let m = 0; m < moves.length; m += 3) {
        starts.add(moves[m]!);
        if (moves[m + 1]! < MAX_CODE_POINT) starts.add(moves[m + 1]! + 1);
        visit(moves[m + 2]!);
      }
      this.empty[state]!.forEach(visit);
    }
    return [...starts].sort((a, b) => a - b);
  }
}

/** What `dfa` refuses. */
export function complement(dfa: Dfa): Dfa {
  const { classStarts, transitions, accepting } = dfa;
  const width = classStarts.length;
  const count = dfa.stateCount;
  // One more state: where everything that was ruled out now is accepted.
  const sink = count;
  const table = new Int32Array((count + 1) * width).fill(sink);
  for (let i = 0; i < transitions.length; i++) {
    if (transitions[i]! >= 0) table[i] = transitions[i]!;
  }
  const flipped = new Uint8Array(count + 1).fill(1);
  for (let i = 0; i < count; i++) flipped[i] = accepting[i] === 1 ? 0 : 1;
  return trim(new Dfa(classStarts, table, flipped));
}

/** What both automata accept. */
export function intersect(a: Dfa, b: Dfa, budget: Budget): Dfa {
  const classStarts = [...new Set([...a.classStarts, ...b.classStarts])].sort((x, y) => x - y);
  const width = classStarts.length;
  if (a.stateCount === 0 || b.stateCount === 0) {
    return new Dfa(classStarts, new Int32Array(0), new Uint8Array(0));
  }
  const classOfA = classStarts.map((start) => a.classOf(start));
  const classOfB = classStarts.map((start) => b.classOf(start));
  const known = new Map<number, number>([[0, 0]]);
  const pairs: (readonly [number, number])[] = [[0, 0]];
  const rows: number[] = [];
  for (let i = 0; i < pairs.length; i++) {
    const [x, y] = pairs[i]!;
    budget.spend(width);
    for (let c = 0; c < width; c++) {
      const nextA = a.transitions[x * a.classStarts.length + classOfA[c]!]!;
      const nextB = b.transitions[y * b.classStarts.length + classOfB[c]!]!;
      if (nextA < 0 || nextB < 0) {
        rows.push(-1);
        continue;
      }
      const key = nextA * b.stateCount + nextB;
      let state = known.get(key);
      if (state === undefined) {
        if (pairs.length >= MAX_STATES) throw tooComplex();
        state = pairs.push([nextA, nextB]) - 1;
        known.set(key, state);
      }
      rows.push(state);
    }
  }
  const accepting = Uint8Array.from(pairs, ([x, y]) => a.accepting[x]! & b.accepting[y]!);
  return trim(new Dfa(classStarts, Int32Array.from(rows), accepting));
}

/** Drops the states from which nothing is accepted. An automaton without states accepts nothing. */
function trim(dfa: Dfa): Dfa {
  const { classStarts, transitions, accepting } = dfa;
  const width = classStarts.length;
  const count = dfa.stateCount;
  const sources: number[][] = Array.from({ length: count }, () => []);
  for (let state = 0; state < count; state++) {
    let last = -1;
    for (let c = 0; c < width; c++) {
      const target = transitions[state * width + c]!;
      if (target >= 0 && target !== last) sources[target]!.push(state);
      last = target;
    }
  }
  const live = new Uint8Array(count);
  const stack: number[] = [];
  for (let state = 0; state < count; state++) {
    if (accepting[state] === 1) {
      live[state] = 1;
      stack.push(state);
    }
  }
  while (stack.length > 0) {
    for (const source of sources[stack.pop()!]!) {
      if (live[source] === 1) continue;
      live[source] = 1;
      stack.push(source);
    }
  }
  if (count === 0 || live[0] === 0)
    return new Dfa(classStarts, new Int32Array(0), new Uint8Array(0));
  const renamed = new Int32Array(count).fill(-1);
  let kept = 0;
  for (let state = 0; state < count; state++) if (live[state] === 1) renamed[state] = kept++;
  const table = new Int32Array(kept * width).fill(-1);
  const accepts = new Uint8Array(kept);
  for (let state = 0; state < count; state++) {
    const name = renamed[state]!;
    if (name < 0) continue;
    accepts[name] = accepting[state]!;
    for (let c = 0; c < width; c++) {
      const target = transitions[state * width + c]!;
      if (target >= 0) table[name * width + c] = renamed[target]!;
    }
  }
  return new Dfa(classStarts, table, accepts);
}
