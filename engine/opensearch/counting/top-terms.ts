// The most frequent terms over several shards without asking for all terms. Each shard names its most
// frequent ones; what it did not name cannot have more there than the last one that it did. Those that may
// be among the wanted ones are counted on every shard then, and the sums prove themselves: enough of them
// have to lie above what a term may have that nobody named. Else all terms are asked for.

import { type KeyList, type Term, termKey } from '../../counting/index';
import type { JsonObject } from '../../json/index';
import { bucketsOf, docCount, doubleAt, doubleOf, longOf, textOf } from '../transport/answers';

/** What terms are. */
type TermType = KeyList['type'];

/** Terms that a shard is asked for, for each one that is wanted, and at least. */
const NAMED_FOR_EACH = 4;
const LEAST_NAMED = 100;
/** Beyond that all terms are asked for at once. */
const MOST_WANTED = 5000;

/** The terms that a shard named. */
export interface NamedTerms {
  readonly terms: readonly (readonly [term: Term, count: number])[];
  /** It has others, too. */
  readonly hasMore: boolean;
}

/** The term of a bucket. */
export function termOf(bucket: JsonObject, type: TermType): Term {
  const key = bucket.get('key') ?? null;
  if (type === 'long') return longOf(key);
  return type === 'double' ? doubleOf(key) : textOf(key);
}

/** The terms that an aggregation of the answer names. */
export function namedIn(answer: JsonObject | null, type: TermType): NamedTerms {
  return {
    terms: bucketsOf(answer).map((bucket) => [termOf(bucket, type), docCount(bucket)] as const),
    hasMore: doubleAt(answer, 'sum_other_doc_count', 0) > 0,
  };
}

/** How many terms a shard is asked for; null: all. */
export function namedTerms(wanted: number): number | null {
  return wanted > MOST_WANTED ? null : Math.max(LEAST_NAMED, NAMED_FOR_EACH * wanted);
}

/** What a term may have that a shard did not name. */
function boundOf({ terms, hasMore }: NamedTerms): number {
  return hasMore ? (terms.at(-1)?.[1] ?? Infinity) : 0;
}

function totalBound(shards: readonly NamedTerms[]): number {
  return shards.reduce((sum, shard) => sum + boundOf(shard), 0);
}

/** Counts added up. */
class Sums {
  private readonly byKey = new Map<Term, { readonly term: Term; count: number; open: number }>();

  /** @param open what a term may have besides what is added */
  constructor(
    private readonly accepts: (term: Term) => boolean,
    private readonly open: number,
  ) {}

  add(shard: NamedTerms): void {
    const bound = boundOf(shard);
    for (const [term, count] of shard.terms) {
      if (!this.accepts(term)) continue;
      const key = termKey(term);
      let sum = this.byKey.get(key);
      if (sum === undefined) this.byKey.set(key, (sum = { term, count: 0, open: this.open }));
      sum.count += count;
      sum.open -= bound;
    }
  }

  get all() {
    return [...this.byKey.values()];
  }
}

/**
 * The terms that may be among the `wanted` most frequent ones, to be counted where a shard has more than it
 * named. Null: all terms have to be asked for.
 *
 * @param accepts which terms may be shown
 */
export function candidates(
  shards: readonly NamedTerms[],
  wanted: number,
  accepts: (term: Term) => boolean,
): readonly Term[] | null {
  const bound = totalBound(shards);
  const sums = new Sums(accepts, bound);
  for (const shard of shards) sums.add(shard);
  const { all } = sums;
  const most = all.map(({ count, open }) => count + open).sort((a, b) => b - a);
  if (!((most[wanted - 1] ?? 0) > bound)) return null;
  const counts = all.map(({ count }) => count).sort((a, b) => b - a);
  const least = counts[wanted - 1] ?? 0;
  return all.filter(({ count, open }) => count + open >= least).map(({ term }) => term);
}

/**
 * Whether no other term can be among the `wanted` most frequent ones.
 *
 * @param named in the first round
 * @param counted of the candidates, on all shards
 */
export function isProven(
  named: readonly NamedTerms[],
  counted: readonly NamedTerms[],
  wanted: number,
  accepts: (term: Term) => boolean,
): boolean {
  const sums = new Sums(accepts, 0);
  for (const shard of counted) sums.add({ ...shard, hasMore: false });
  const counts = sums.all.map(({ count }) => count).sort((a, b) => b - a);
  // An unnamed term with as many might be the greater one of the two.
  return (counts[wanted - 1] ?? 0) > totalBound(named);
}
