// What a completion field is searched by: the analyzed text as one key, or as several where tokens stand in
// one place (synonyms).
//
// Behaviour as on the reference server. Tokens are joined by a separator, a position without a token
// is empty between two of them, and text that is left behind the last token (a blank) ends the key with one.

import type { Analyzer, Token, TokenBudget } from '../../analysis/index';

/** Stands between two tokens of a key. */
export const TOKEN_SEPARATOR = '\u001f';
/** Keys that one text becomes at most. */
const MAX_PATHS = 256;
/** UTF-16 units of a key; what follows is not looked at. */
const MAX_KEY_LENGTH = 2048;

/** How a completion field joins tokens. */
export interface PathOptions {
  readonly preserveSeparators: boolean;
  readonly preservePositionIncrements: boolean;
}

/** The keys of a text, each once; none where nothing is left of it. */
export function completionPaths(
  analyzer: Analyzer,
  text: string,
  options: PathOptions,
  budget?: TokenBudget,
): readonly string[] {
  const tokens = analyzer.analyze(text, budget);
  if (tokens.length === 0) return [];
  const steps = stepsOf(tokens, options);
  const separator = options.preserveSeparators ? TOKEN_SEPARATOR : '';
  let last = 0;
  for (const { endOffset } of tokens) last = Math.max(last, endOffset);
  const tail = last < text.length ? separator : '';
  /** The beginnings that lead to each position. */
  const arriving: (string[] | undefined)[] = [];
  arriving[0] = [''];
  steps.forEach((step, position) => {
    const beginnings = arriving[position] ?? [];
    for (const { term, length } of step.length === 0 ? HOLE : step) {
      const to = position + length;
      const reached = (arriving[to] ??= []);
      for (const beginning of beginnings) {
        if (reached.length >= MAX_PATHS) break;
        const path = position === 0 ? term : beginning + separator + term;
        reached.push(path.slice(0, MAX_KEY_LENGTH));
      }
    }
  });
  const ends = arriving.slice(steps.length).flatMap((paths) => paths ?? []);
  return [...new Set(ends.map((path) => withoutZero(path + tail)))].slice(0, MAX_PATHS);
}

interface Step {
  readonly term: string;
  /** Positions that it covers. */
  readonly length: number;
}

const HOLE: readonly Step[] = [{ term: '', length: 1 }];

/** The tokens that begin at each position; none: a hole. */
function stepsOf(tokens: readonly Token[], options: PathOptions): readonly (readonly Step[])[] {
  const steps: { term: string; length: number; endOffset: number; type: string }[][] = [];
  for (const { term, positionIncrement, endOffset, type } of tokens) {
    let increment = positionIncrement;
    if (steps.length === 0) increment = Math.max(1, increment);
    if (!options.preservePositionIncrements) increment = Math.min(1, increment);
    for (let i = 0; i < increment; i++) steps.push([]);
    steps.at(-1)!.push({ term, length: 1, endOffset, type });
  }
  // A shingle covers the words up to the one that it ends with.
  steps.forEach((step, position) => {
    for (const token of step) {
      if (token.type !== 'shingle') continue;
      const end = steps.findIndex(
        (other, at) =>
          at >= position &&
          other.some((word) => word.type !== 'shingle' && word.endOffset >= token.endOffset),
      );
      if (end > position) token.length = end - position + 1;
    }
  });
  return steps;
}

/** A zero ends keys in the index. */
function withoutZero(path: string): string {
  return path.includes('\0') ? path.replaceAll('\0', '') : path;
}
