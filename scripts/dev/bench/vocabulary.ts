// What to ask for, taken from the corpus itself: terms by how many documents hold them, phrases, prefixes,
// bounds of ranges, ids.

import type { CorpusDocument } from './corpus';
import { Random } from './random';

/** Values for requests. Every list has at least one entry. */
export interface Vocabulary {
  /** Terms of descriptions that 3 to 25 % of the documents hold. */
  readonly common: readonly string[];
  /** 0.2 to 2 %. */
  readonly medium: readonly string[];
  /** 0.003 to 0.03 %. */
  readonly rare: readonly string[];
  /** Two neighbouring words of at least 0.05 % of the descriptions. */
  readonly phrases: readonly string[];
  /** Beginnings of at least 0.1 % of the names. */
  readonly prefixes: readonly string[];
  /** Sizes in order: entry i is the i-th of equal parts. */
  readonly sizes: Float64Array;
  readonly ids: readonly string[];
}

/** How many values of a kind take part in a workload. */
const CHOICES = 64;
/** Documents that are looked at; copies add nothing. */
const SAMPLE = 70_000;
const PARTS = 10_000;

interface Sampled {
  readonly name: string;
  readonly size: number;
  readonly description: string;
}

/** Counts terms of the first documents and chooses. @throws Error when a kind of value is not to be found */
export async function buildVocabulary(
  documents: AsyncIterable<CorpusDocument> | Iterable<CorpusDocument>,
  seed: number,
): Promise<Vocabulary> {
  const terms = new Map<string, number>();
  const pairs = new Map<string, number>();
  const prefixes = new Map<string, number>();
  const sizes: number[] = [];
  const ids: string[] = [];
  for await (const { id, source } of documents) {
    const { name, size, description } = JSON.parse(source) as Sampled;
    ids.push(id);
    sizes.push(size);
    if (name.length > 4) add(prefixes, name.slice(0, 4));
    const words = description.toLowerCase().split(/\s+/);
    for (const word of new Set(words)) if (isPlain(word)) add(terms, word);
    const neighbours = new Set<string>();
    for (let at = 1; at < words.length; at++) {
      if (isPlain(words[at - 1]!) && isPlain(words[at]!)) {
        neighbours.add(`${words[at - 1]} ${words[at]}`);
      }
    }
    for (const pair of neighbours) add(pairs, pair);
    if (ids.length === SAMPLE) break;
  }
  const random = new Random(seed);
  const choose = (kind: string, counts: Map<string, number>, from: number, to: number) => {
    const found = [...counts].filter(
      ([, count]) => count >= from * ids.length && count <= to * ids.length,
    );
    if (found.length === 0) throw new Error(`the corpus has no ${kind}`);
    return random.sample(
      found.map(([value]) => value),
      CHOICES,
    );
  };
  return {
    common: choose('common terms', terms, 0.03, 0.25),
    medium: choose('terms of medium frequency', terms, 0.002, 0.02),
    rare: choose('rare terms', terms, 0.00003, 0.0003),
    phrases: choose('phrases', pairs, 0.0005, 1),
    prefixes: choose('prefixes', prefixes, 0.001, 1),
    sizes: equalParts(sizes),
    ids: random.sample(ids, 20_000),
  };
}

/** A word that every analyzer leaves as it is. */
function isPlain(word: string): boolean {
  return /^[a-z]{3,20}$/.test(word);
}

function add(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function equalParts(values: readonly number[]): Float64Array {
  const sorted = Float64Array.from(values).sort();
  return Float64Array.from(
    { length: PARTS + 1 },
    (_, i) => sorted[Math.round((i / PARTS) * (sorted.length - 1))]!,
  );
}
