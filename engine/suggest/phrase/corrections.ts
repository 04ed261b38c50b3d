// Tries the candidates of all places of a phrase, as many of them changed as are allowed, and keeps the most
// likely phrases.

import { illegalArgument } from '../../errors';
import { compareUtf8 } from '../../segment/index';
import { BoundedHeap } from '../contract/bounded-heap';
import type { Candidate, CandidateSet } from './candidates';
import type { WordScorer } from './word-scorer';

/** A phrase with its likelihood. */
export interface Correction {
  readonly score: number;
  readonly words: readonly Candidate[];
}

/** Words scored between two pauses, and for one phrase at most. */
const STEP = 2048;
const MAX_SCORED = 2_000_000;

/**
 * The most likely phrases, best first.
 *
 * @param maxErrors places that may be changed; a share of them below 1
 * @param limit phrases kept
 * @param cutoff what a phrase has to be better than
 * @throws EngineError ElasticsearchIllegalArgumentException (400) for too many combinations
 */
export function* bestCorrections(
  sets: readonly CandidateSet[],
  scorer: WordScorer,
  maxErrors: number,
  limit: number,
  cutoff: number,
): Generator<void, readonly Correction[], void> {
  const errors =
    maxErrors >= 1 ? Math.trunc(maxErrors) : Math.floor(Math.fround(maxErrors * sets.length) + 0.5);
  const best = new BoundedHeap<Correction>(limit, isWorse);
  const last = sets.length - 1;
  const path = sets.map(({ original }) => original);
  // Of each place: the next choice (-1: what was typed), errors left, and the score of the places before.
  const next = new Int32Array(sets.length).fill(-1);
  const left = new Int32Array(sets.length);
  const before = new Float64Array(sets.length);
  left[0] = Math.min(sets.length, Math.max(1, errors));
  let scored = 0;
  for (let at = 0; at >= 0;) {
    const choice = next[at]!++;
    const { original, candidates } = sets[at]!;
    if (choice >= 0 && (left[at] === 0 || choice >= candidates.length)) {
      at--;
      continue;
    }
    path[at] = choice < 0 ? original : candidates[choice]!;
    const score = before[at]! + scorer.score(path, at);
    if (++scored % STEP === 0) {
      if (scored > MAX_SCORED) throw tooMany();
      yield;
    }
    if (at === last) {
      const likelihood = Math.exp(score);
      if (likelihood > cutoff) add(best, likelihood, path);
    } else {
      at++;
      next[at] = -1;
      left[at] = left[at - 1]! - (choice < 0 ? 0 : 1);
      before[at] = score;
    }
  }
  return [...best.items].sort((a, b) => (isWorse(a, b) ? 1 : -1));
}

function add(best: BoundedHeap<Correction>, score: number, path: readonly Candidate[]): void {
  const { weakest } = best;
  if (best.isFull && weakest !== undefined && weakest.score > score) return;
  best.add({ score, words: [...path] });
}

/** Equally likely phrases go by their words. */
function isWorse(a: Correction, b: Correction): boolean {
  if (a.score !== b.score) return a.score < b.score;
  for (let i = 0; i < a.words.length; i++) {
    const order = compareUtf8(a.words[i]!.term, b.words[i]!.term);
    if (order !== 0) return order > 0;
  }
  return false;
}

function tooMany(): Error {
  return illegalArgument(
    `phrase suggester has more than [${MAX_SCORED}] words to score: allow fewer errors or candidates`,
  );
}
