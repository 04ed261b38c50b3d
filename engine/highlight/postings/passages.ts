// Scores the sentences of a text as if each were a small document, and keeps the best (reference server).

const f = Math.fround;

const K1 = f(1.2);
const B = f(0.75);
/** An average length of sentences. */
const PIVOT = 87;

/** Where a term stands. */
export interface Occurrence {
  readonly start: number;
  readonly end: number;
  /** Position of the term in the query. */
  readonly term: number;
}

/** A sentence with what is marked in it. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  readonly score: number;
  /** Pairs of start and end, by start. */
  readonly marks: readonly number[];
}

/** A text with the terms that were found in it. */
export interface PassageSource {
  readonly length: number;
  /** Ends of its passages, ascending; the last is its length. */
  readonly ends: readonly number[];
  /** Where it begins among all values of the field. */
  readonly offset: number;
  /** By start, then by term. */
  readonly occurrences: readonly Occurrence[];
}

/** How much a term weighs that occurs `freq` times in a field of so many units. */
export function termWeight(length: number, freq: number): number {
  const sentences = f(1 + f(length / PIVOT));
  return f(f(K1 + 1) * f(Math.log(1 + (sentences + 0.5) / (freq + 0.5))));
}

function frequencyFactor(freq: number, length: number): number {
  const norm = f(K1 * f(f(1 - B) + f(B * f(length / PIVOT))));
  return f(freq / f(freq + norm));
}

/** Sentences near the beginning are worth more. */
function placeFactor(start: number): number {
  return f(1 + f(1 / f(Math.log(f(PIVOT + start)))));
}

/** The best `count` passages with matches, in the order of the text. */
export function bestPassages(
  { length, ends, offset, occurrences }: PassageSource,
  weights: readonly number[],
  count: number,
): readonly Passage[] {
  const kept: Passage[] = [];
  let at = 0;
  let passage = 0;
  while (at < occurrences.length) {
    const first = occurrences[at]!;
    if (first.start >= length) break;
    while (ends[passage]! <= first.start) passage++;
    const start = passage === 0 ? 0 : ends[passage - 1]!;
    const end = ends[passage]!;
    const marks: number[] = [];
    const counts = new Map<number, number>();
    while (at < occurrences.length && occurrences[at]!.start < end) {
      const found = occurrences[at++]!;
      if (found.end > length) continue;
      marks.push(found.start, found.end);
      counts.set(found.term, (counts.get(found.term) ?? 0) + 1);
    }
    let score = 0;
    for (const [term, freq] of counts) {
      score = f(score + f(weights[term]! * frequencyFactor(freq, end - start)));
    }
    score = f(score * placeFactor(start + offset));
    kept.push({ start, end, score, marks });
    if (kept.length >= 2 * count + 64) cut(kept, count);
  }
  cut(kept, count);
  return kept.sort((a, b) => a.start - b.start);
}

/** Of passages that score alike the later ones stay. */
function cut(passages: Passage[], count: number): void {
  if (passages.length <= count) return;
  passages.sort((a, b) => b.score - a.score || b.start - a.start);
  passages.length = count;
}
