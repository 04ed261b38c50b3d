// Groups phrases into fragments of about the size asked for, with the phrases in the middle; and divides
// fragments where one value of a field ends and the next begins (reference server).

import { EngineError } from '../../errors';
import { endOf, startOf, type Phrase } from './phrase-list';

const f = Math.fround;

/** How far before its first phrase a fragment begins at least, where nothing else is said. */
const DEFAULT_MARGIN = 6;
/** A fragment is at least so many margins long. */
const LEAST_MARGINS = 3;

const MAX_INT = 0x7fffffff;

/** A piece of the joined values, before its ends are moved to boundaries. */
export interface VectorFragment {
  readonly start: number;
  readonly end: number;
  /** Sum of the boosts of its phrases. float32. */
  readonly boost: number;
  readonly phrases: readonly Phrase[];
}

/** One fragment of all phrases. */
export function wholeFragment(phrases: readonly Phrase[]): readonly VectorFragment[] {
  return phrases.length === 0 ? [] : [{ start: 0, end: MAX_INT, boost: boostOf(phrases), phrases }];
}

/** An excerpt from the start, of a field without phrases. */
export function excerptFragment(size: number): VectorFragment {
  return { start: 0, end: size, boost: 0, phrases: [] };
}

/**
 * Fragments in the order of the text.
 *
 * @param margin -1: the usual one
 * @throws EngineError IllegalArgumentException for sizes and margins that are too small
 */
export function groupPhrases(
  phrases: readonly Phrase[],
  size: number,
  margin: number,
): readonly VectorFragment[] {
  const lead = margin === -1 ? DEFAULT_MARGIN : margin;
  if (lead < 0) {
    throw tooSmall(`margin(${lead}) is too small. It must be 0 or higher.`);
  }
  const least = Math.max(1, lead * LEAST_MARGINS);
  if (size < least) {
    throw tooSmall(`fragCharSize(${size}) is too small. It must be ${least} or higher.`);
  }
  const fragments: VectorFragment[] = [];
  let from = 0;
  let at = 0;
  while (at < phrases.length) {
    const first = phrases[at]!;
    // It reaches into the fragment before.
    if (startOf(first) < from) {
      at++;
      continue;
    }
    const start = startOf(first);
    let end = endOf(first);
    const most = Math.max(end, Math.max(start - lead, from) + size);
    const within: Phrase[] = [];
    while (at < phrases.length && (phrases[at] === first || endOf(phrases[at]!) <= most)) {
      const phrase = phrases[at++]!;
      end = endOf(phrase);
      if (phrase.offsets.length <= 2 || end - start <= size) within.push(phrase);
    }
    if (within.length === 0) continue;
    const length = end - start;
    const fragmentStart = Math.max(start - Math.max(0, Math.trunc((size - length) / 2)), from);
    from = fragmentStart + Math.max(length, size);
    fragments.push({ start: fragmentStart, end: from, boost: boostOf(within), phrases: within });
  }
  return fragments;
}

function tooSmall(message: string): EngineError {
  return new EngineError('IllegalArgumentException', message);
}

function boostOf(phrases: readonly Phrase[]): number {
  return phrases.reduce((sum, { boost }) => f(sum + boost), 0);
}

/** A value that is not empty in the joined text; the end counts the separator in. */
interface ValueRange {
  readonly start: number;
  readonly end: number;
}

/** Fragments none of which goes over the end of a value, in the order of the text. */
export function divideByValues(
  fragments: readonly VectorFragment[],
  values: readonly string[],
): readonly VectorFragment[] {
  const ranges: ValueRange[] = [];
  let at = 0;
  for (const { length } of values) {
    if (length > 0) ranges.push({ start: at, end: at + length + 1 });
    at += length + 1;
  }
  const divided: VectorFragment[] = [];
  for (const fragment of fragments) divide(fragment, ranges, divided);
  return divided.sort((a, b) => a.start - b.start);
}

function divide(
  fragment: VectorFragment,
  ranges: readonly ValueRange[],
  into: VectorFragment[],
): void {
  let phrases = fragment.phrases;
  for (let i = firstEndingFrom(ranges, fragment.start); i < ranges.length; i++) {
    const { start, end } = ranges[i]!;
    const isWithin = fragment.start >= start && fragment.start <= end && fragment.end <= end;
    if (isWithin) {
      into.push({ ...fragment, phrases });
      return;
    }
    if (phrases.length === 0) return;
    if (fragment.start >= end || startOf(phrases[0]!) >= end) continue;
    const { within, rest } = splitPhrases(phrases, start, end);
    into.push({
      start: fragment.start > start ? fragment.start : start,
      end: fragment.end > start && fragment.end < end ? fragment.end : end,
      boost: boostOf(within),
      phrases: within,
    });
    phrases = rest;
  }
}

/** The first range that ends at `position` or behind it. */
function firstEndingFrom(ranges: readonly ValueRange[], position: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.end < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What of the phrases lies in a value, and what is left for those after it. */
function splitPhrases(
  phrases: readonly Phrase[],
  start: number,
  end: number,
): { within: Phrase[]; rest: Phrase[] } {
  const within: Phrase[] = [];
  const rest: Phrase[] = [];
  for (const phrase of phrases) {
    const here: number[] = [];
    const later: number[] = [];
    const { offsets } = phrase;
    for (let i = 0; i < offsets.length; i += 2) {
      const from = offsets[i]!;
      const to = offsets[i + 1]!;
      if (from < end) here.push(Math.max(from, start), to < end ? to : end - 1);
      if (from >= end || to >= end) later.push(from, to);
    }
    if (here.length > 0) within.push({ ...phrase, offsets: here });
    if (later.length > 0) rest.push({ ...phrase, offsets: later });
  }
  return { within, rest };
}
