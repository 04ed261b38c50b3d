// From a regular expression to the automaton that terms are run through.

import { EngineError } from '../../errors';
import type { Dfa } from './dfa';
import { Budget, complement, intersect, MAX_STATES, Nfa, type Fragment } from './nfa';
import { parseRegexp, type RegexpNode } from './regexp-parser';

/** Compiled expressions kept: one is compiled when a request is parsed and again where it runs. */
const CACHE_SIZE = 32;
const cache = new Map<string, Dfa>();

/**
 * Compiles a pattern (flags: REGEXP_FLAG).
 *
 * @throws EngineError IllegalArgumentException for syntax errors, TooComplexToDeterminizeException when
 *         the automaton would need more than 10,000 states.
 */
export function compileRegexp(pattern: string, flags: number): Dfa {
  const key = `${flags}:${pattern}`;
  let dfa = cache.get(key);
  if (dfa === undefined) {
    const node = parseRegexp(pattern, flags);
    try {
      dfa = determinize(node, new Budget());
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw new EngineError(
        'TooComplexToDeterminizeException',
        `Determinizing ${pattern} would result in more than ${MAX_STATES} states.`,
        { cause: error },
      );
    }
    if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value!);
    cache.set(key, dfa);
  }
  return dfa;
}

function determinize(node: RegexpNode, budget: Budget): Dfa {
  if (node.kind === 'complement') return complement(determinize(node.part, budget));
  if (node.kind === 'intersection') {
    return node.parts
      .map((part) => determinize(part, budget))
      .reduce((a, b) => intersect(a, b, budget));
  }
  const nfa = new Nfa(budget);
  return nfa.determinize(build(node, nfa, budget));
}

/** Adds the states of an expression. Its depth is bounded by the length of patterns. */
function build(node: RegexpNode, nfa: Nfa, budget: Budget): Fragment {
  switch (node.kind) {
    case 'characters': {
      const start = nfa.newState();
      const end = nfa.newState();
      for (const [from, to] of node.ranges) nfa.addMove(start, from, to, end);
      return { start, end };
    }
    case 'concat': {
      const start = nfa.newState();
      let end = start;
      for (const part of node.parts) {
        const fragment = build(part, nfa, budget);
        nfa.addEmpty(end, fragment.start);
        end = fragment.end;
      }
      return { start, end };
    }
    case 'union': {
      const start = nfa.newState();
      const end = nfa.newState();
      for (const part of node.parts) {
        const fragment = build(part, nfa, budget);
        nfa.addEmpty(start, fragment.start);
        nfa.addEmpty(fragment.end, end);
      }
      return { start, end };
    }
    case 'repeat':
      return buildRepeat(node, nfa, budget);
    case 'complement':
    case 'intersection':
      return nfa.embed(determinize(node, budget));
    case 'nothing':
      return { start: nfa.newState(), end: nfa.newState() };
    case 'interval':
      return buildInterval(node.min, node.max, node.digits, nfa);
  }
}

function buildRepeat(
  node: Extract<RegexpNode, { kind: 'repeat' }>,
  nfa: Nfa,
  budget: Budget,
): Fragment {
  const { part, min, max } = node;
  const start = nfa.newState();
  let end = start;
  if (max !== null && max < min) return { start, end: nfa.newState() };
  for (let i = 0; i < min; i++) {
    const fragment = build(part, nfa, budget);
    nfa.addEmpty(end, fragment.start);
    end = fragment.end;
  }
  if (max === null) {
    const loop = nfa.newState();
    const fragment = build(part, nfa, budget);
    nfa.addEmpty(end, loop);
    nfa.addEmpty(loop, fragment.start);
    nfa.addEmpty(fragment.end, loop);
    return { start, end: loop };
  }
  const last = nfa.newState();
  nfa.addEmpty(end, last);
  for (let i = min; i < max; i++) {
    const fragment = build(part, nfa, budget);
    nfa.addEmpty(end, fragment.start);
    nfa.addEmpty(fragment.end, last);
    end = fragment.end;
  }
  return { start, end: last };
}

const ZERO = 0x30;
const NINE = 0x39;

/**
 * Decimal numbers from `min` to `max`. With `digits` they have exactly that many; without, the digits
 * are those of `max` padded with zeros, any of the leading zeros may be missing, and more may be there.
 */
function buildInterval(min: number, max: number, digits: number, nfa: Nfa): Fragment {
  const high = String(max).padStart(digits, '0');
  const low = String(min).padStart(high.length, '0');
  const start = nfa.newState();
  const end = nfa.newState();
  const length = high.length;
  // free[n]: any digits from position n on.
  const free: number[] = new Array<number>(length + 1);
  free[length] = end;
  for (let n = length - 1; n >= 0; n--) {
    free[n] = nfa.newState();
    nfa.addMove(free[n]!, ZERO, NINE, free[n + 1]!);
  }
  const digitOf = (text: string, n: number): number => text.charCodeAt(n);
  /** Where the number can begin when leading zeros are left out. */
  const entries: number[] = [];
  let tight = start;
  let n = 0;
  let zeros = digits === 0;
  // The common beginning of both bounds.
  while (n < length && digitOf(low, n) === digitOf(high, n)) {
    if (zeros) entries.push(tight);
    const next = n + 1 === length ? end : nfa.newState();
    nfa.addMove(tight, digitOf(low, n), digitOf(low, n), next);
    zeros &&= digitOf(low, n) === ZERO;
    tight = next;
    n++;
  }
  if (n < length) {
    if (zeros) entries.push(tight);
    const lowDigit = digitOf(low, n);
    const highDigit = digitOf(high, n);
    if (highDigit - lowDigit > 1) nfa.addMove(tight, lowDigit + 1, highDigit - 1, free[n + 1]!);
    let atLeast = tight;
    let atMost = tight;
    let lowest = lowDigit;
    let highest = highDigit;
    for (let i = n; i < length; i++) {
      if (i > n) {
        lowest = digitOf(low, i);
        highest = digitOf(high, i);
        if (zeros) entries.push(atLeast);
        if (lowest < NINE) nfa.addMove(atLeast, lowest + 1, NINE, free[i + 1]!);
        if (highest > ZERO) nfa.addMove(atMost, ZERO, highest - 1, free[i + 1]!);
      }
      zeros &&= lowest === ZERO;
      const nextLow = i + 1 === length ? end : nfa.newState();
      const nextHigh = i + 1 === length ? end : nfa.newState();
      nfa.addMove(atLeast, lowest, lowest, nextLow);
      nfa.addMove(atMost, highest, highest, nextHigh);
      atLeast = nextLow;
      atMost = nextHigh;
    }
  }
  if (digits > 0) return { start, end };
  const entry = nfa.newState();
  nfa.addMove(entry, ZERO, ZERO, entry);
  for (const state of entries) nfa.addEmpty(entry, state);
  return { start: entry, end };
}
