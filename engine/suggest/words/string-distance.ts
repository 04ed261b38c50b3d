// Measures of how alike two words are, from 0 to 1, in the arithmetic of 32-bit floats (reference server).

import type { DistanceName } from '../contract/term-spec';

const f = Math.fround;

/** Likeness of the word looked for and a candidate. */
export type StringDistance = (word: string, candidate: string) => number;

/** The measures by name; `internal` is that by which candidates are found. */
export const DISTANCES: Readonly<Record<Exclude<DistanceName, 'internal'>, StringDistance>> = {
  damerau_levenshtein: damerauLevenshtein,
  levenstein,
  jarowinkler: jaroWinkler,
  ngram: bigrams,
};

function damerauLevenshtein(word: string, candidate: string): number {
  const a = Array.from(word);
  const b = Array.from(candidate);
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 0 : emptyDistance(a, b);
  const edits = editsBetween(a, b, true);
  return f(1 - f(edits / Math.min(a.length, b.length)));
}

function emptyDistance(a: readonly string[], b: readonly string[]): number {
  return Math.max(a.length, b.length);
}

function levenstein(word: string, candidate: string): number {
  const n = word.length;
  const m = candidate.length;
  if (n === 0 || m === 0) return n === m ? 1 : 0;
  return f(1 - f(editsBetween(word, candidate, false) / Math.max(n, m)));
}

/** Insertions, deletions, replacements and, if they count, swaps of neighbours that make one of the other. */
function editsBetween(a: ArrayLike<string>, b: ArrayLike<string>, transpositions: boolean): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let edits = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (transpositions && isSwap) edits = Math.min(edits, before[j - 2]! + 1);
      row.push(edits);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}

const JARO_THRESHOLD = f(0.7);

function jaroWinkler(word: string, candidate: string): number {
  const [max, min] = word.length > candidate.length ? [word, candidate] : [candidate, word];
  const range = Math.max(Math.trunc(max.length / 2) - 1, 0);
  const taken = new Uint8Array(max.length);
  let inMin = '';
  for (let i = 0; i < min.length; i++) {
    const end = Math.min(i + range + 1, max.length);
    for (let at = Math.max(i - range, 0); at < end; at++) {
      if (taken[at] !== 0 || min[i] !== max[at]) continue;
      taken[at] = 1;
      inMin += min[i]!;
      break;
    }
  }
  const m = inMin.length;
  if (m === 0) return 0;
  let moved = 0;
  for (let at = 0, i = 0; at < max.length; at++)
    if (taken[at] === 1 && max[at] !== inMin[i++]) moved++;
  let prefix = 0;
  while (prefix < min.length && word[prefix] === candidate[prefix]) prefix++;
  const swapped = Math.trunc(moved / 2);
  const jaro = f(f(f(f(m / word.length) + f(m / candidate.length)) + f(f(m - swapped) / m)) / 3);
  if (jaro < JARO_THRESHOLD) return jaro;
  const step = Math.min(f(0.1), f(1 / max.length));
  return f(jaro + f(f(step * prefix) * f(1 - jaro)));
}

/** Edits of pairs of neighbours, where half of a pair may be equal. */
function bigrams(word: string, candidate: string): number {
  const n = word.length;
  const m = candidate.length;
  if (n === 0 || m === 0) return n === m ? 1 : 0;
  const longest = Math.max(n, m);
  if (n < 2 || m < 2) return word[0] === candidate[0] ? f(1 / longest) : 0;
  let last = Array.from({ length: n + 1 }, (_, i) => i);
  for (let j = 1; j <= m; j++) {
    const row = [j];
    for (let i = 1; i <= n; i++) {
      let cost = 0;
      let counted = 2;
      const wordBefore = i === 1 ? '' : word[i - 2]!;
      const candidateBefore = j === 1 ? '' : candidate[j - 2]!;
      if (wordBefore !== candidateBefore) cost++;
      else if (wordBefore === '') counted--;
      if (word[i - 1] !== candidate[j - 1]) cost++;
      const replaced = f(last[i - 1]! + f(cost / counted));
      row.push(Math.min(f(row[i - 1]! + 1), f(last[i]! + 1), replaced));
    }
    last = row;
  }
  return f(1 - f(last[n]! / longest));
}
