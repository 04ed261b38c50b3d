// nGram and edgeNGram filters: all grams of a token stand at its position, with its offsets.

import type { Token } from '../chain/analyzer';
import type { ComponentSettings } from '../chain/component-settings';
import type { TokenBudget } from '../chain/token-budget';
import { streamFilter, type TokenFilter } from '../chain/components';
import { gramFault } from '../chain/fault';
import { edgeGrams, grams, type Volume } from '../chain/volume';

/** From settings: `min_gram` (1), `max_gram` (2). Grams by start, then length; shorter tokens vanish. */
export function createNGramFilter(name: string, settings: ComponentSettings): TokenFilter {
  const min = settings.integer('min_gram', 1);
  const max = settings.integer('max_gram', 2);
  return gramFilter(name, min, max, grams(min, max), (points, emit, budget) => {
    for (let start = 0; start + min <= points.length; start++) {
      const longest = Math.min(max, points.length - start);
      for (let size = min; size <= longest; size++) {
        budget?.spend(size);
        emit(points.part(start, start + size));
      }
    }
  });
}

/**
 * Makes edge gram filters from settings: `min_gram` (1), `max_gram`, `side` (`front` or `back`).
 * @param defaultMax what `max_gram` is when settings do not say it
 */
export function edgeNGramFilters(
  defaultMax: number,
): (name: string, settings: ComponentSettings) => TokenFilter {
  return (name, settings) => {
    const min = settings.integer('min_gram', 1);
    const max = settings.integer('max_gram', defaultMax);
    const back = settings.text('side') === 'back';
    return gramFilter(name, min, max, edgeGrams(min, max), (points, emit, budget) => {
      for (let size = min; size <= Math.min(max, points.length); size++) {
        budget?.spend(size);
        emit(back ? points.part(points.length - size, points.length) : points.part(0, size));
      }
    });
  };
}

function gramFilter(
  name: string,
  min: number,
  max: number,
  expand: (volume: Volume) => Volume,
  gramsOf: (codePoints: CodePoints, emit: (gram: string) => void, budget?: TokenBudget) => void,
): TokenFilter {
  const fault = gramFault(min, max);
  const filter = streamFilter(name, (tokens, budget) => {
    if (fault !== undefined) throw fault.error;
    const result: Token[] = [];
    let skipped = 0;
    for (const token of tokens) {
      let increment = token.positionIncrement + skipped;
      skipped = increment;
      const emit = (term: string): void => {
        result.push({ ...token, term, positionIncrement: increment, type: 'word' });
        increment = 0;
        skipped = 0;
      };
      gramsOf(codePointsOf(token.term), emit, budget);
    }
    return result;
  });
  return { ...filter, fault, expand };
}

/** A text by its code points. Parts are cut from it: putting them together would take their length. */
interface CodePoints {
  readonly length: number;
  part(from: number, to: number): string;
}

const SURROGATE = /[\ud800-\udfff]/;

function codePointsOf(text: string): CodePoints {
  if (!SURROGATE.test(text)) {
    return { length: text.length, part: (from, to) => text.slice(from, to) };
  }
  /** Where each code point begins, and the end. */
  const starts: number[] = [];
  let at = 0;
  for (const point of text) {
    starts.push(at);
    at += point.length;
  }
  starts.push(at);
  return { length: starts.length - 1, part: (from, to) => text.slice(starts[from], starts[to]) };
}
