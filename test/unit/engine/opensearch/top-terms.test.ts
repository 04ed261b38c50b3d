// The most frequent terms of several shards from what these name, against counting everything.

import {
  candidates,
  isProven,
  type NamedTerms,
  namedTerms,
} from '../../../../engine/opensearch/counting/top-terms';
import type { Term } from '../../../../engine/counting/index';
import { Random, rounds, testSeed } from '../../../support/random';

const ALL = (): boolean => true;

function shard(counts: Readonly<Record<string, number>>, named = Infinity): NamedTerms {
  const terms = Object.entries(counts).sort(([a, x], [b, y]) => y - x || (a < b ? 1 : -1));
  return { terms: terms.slice(0, named), hasMore: terms.length > named };
}

test('asks for several times what is wanted, and for everything where that is much', () => {
  expect([namedTerms(1), namedTerms(10), namedTerms(1000), namedTerms(5001)]).toEqual([
    100,
    100,
    4000,
    null,
  ]);
});

test('leaves out what cannot catch up', () => {
  const shards = [shard({ a: 90, b: 50, c: 6, d: 5 }, 3), shard({ a: 80, b: 60, d: 7, c: 3 }, 3)];
  expect(candidates(shards, 2, ALL)).toEqual(['a', 'b']);
  expect(candidates(shards, 1, (term) => term !== 'a')).toEqual(['b']);
});

test('gives up where unnamed terms may have as many', () => {
  const flat = [shard({ a: 2, b: 2, c: 2 }, 2), shard({ d: 2, e: 2, f: 2 }, 2)];
  expect(candidates(flat, 2, ALL)).toBeNull();
  expect(candidates([shard({ a: 9, b: 1, c: 1 }, 2)], 5, ALL)).toBeNull();
});

test('an unnamed term with as many is no proof', () => {
  const named = [shard({ a: 5, b: 3, c: 3 }, 2), shard({ a: 5, d: 1 })];
  const counted = (b: number) => [shard({ a: 5, b }), shard({ a: 5 })];
  expect(isProven(named, counted(3), 2, ALL)).toBe(false);
  expect(isProven(named, counted(4), 2, ALL)).toBe(true);
  expect(isProven(named, counted(3), 1, ALL)).toBe(true);
});

test('what is proven is true', () => {
  const first = testSeed(1);
  let proven = 0;
  for (let seed = first; seed < first + rounds(300, 20_000); seed++) {
    const random = new Random(seed);
    const wanted = random.between(1, 4);
    const whole = Array.from({ length: random.between(1, 4) }, () => {
      const counts: Record<string, number> = {};
      for (let t = random.below(20); t > 0; t--)
        counts[`t${random.below(20)}`] = random.between(1, random.pick([3, 200]));
      return counts;
    });
    const named = whole.map((counts) => shard(counts, wanted + random.below(6)));
    const terms = candidates(named, wanted, ALL);
    if (terms === null) continue;
    const chosen = new Set<Term>(terms);
    const counted = whole.map((counts) =>
      shard(Object.fromEntries(Object.entries(counts).filter(([term]) => chosen.has(term)))),
    );
    if (!isProven(named, counted, wanted, ALL)) continue;
    proven++;
    const top = (lists: readonly NamedTerms[]) => {
      const sums = new Map<Term, number>();
      for (const { terms: own } of lists)
        for (const [term, count] of own) sums.set(term, (sums.get(term) ?? 0) + count);
      const order = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? 1 : -1));
      return order.slice(0, wanted);
    };
    const truth = top(whole.map((counts) => shard(counts)));
    expect([seed, top(counted)]).toEqual([seed, truth]);
  }
  expect(proven).toBeGreaterThan(0);
});
