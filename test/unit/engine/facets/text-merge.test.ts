// The two structures in which a terms facet adds up, against a plain map.

import fc from 'fast-check';
import { TextCounter } from '../../../../engine/facets/terms/text-counter';
import { mergeStreams, streamOfList } from '../../../../engine/facets/terms/text-merge';
import { termText } from '../../../../engine/facets/terms/terms-order';
import type { CountedText } from '../../../../engine/facets/terms/terms-spec';
import { ValueTable } from '../../../../engine/counting/value-table';

type Counts = readonly (readonly [string, number])[];

function entries(list: CountedText): [string, number][] {
  return Array.from(list.counts, (count, i) => [termText(list, i), count]);
}

function sums(counts: Counts): Map<string, number> {
  const totals = new Map<string, number>();
  for (const [term, count] of counts) totals.set(term, (totals.get(term) ?? 0) + count);
  return totals;
}

function inOrder(totals: ReadonlyMap<string, number>): [string, number][] {
  return [...totals].sort((a, b) => Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])));
}

/** Terms that share beginnings around the eight bytes that are compared first. */
const term = fc.oneof(
  fc.constantFrom(
    '',
    '\0',
    'a',
    'a\0',
    'sharedpr',
    'sharedpref',
    'sharedpr\0',
    'é',
    '\uffe6',
    '😀',
  ),
  fc.string({ maxLength: 3 }).map((tail) => `library${tail}`),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const counts = fc.array(fc.tuple(term, fc.nat(1000)));

test('counts of text come out in byte order', () => {
  fc.assert(
    fc.property(counts, (given) => {
      const counter = new TextCounter();
      for (const [text, count] of given) counter.add(text, count);
      expect(entries(counter.result())).toEqual(inOrder(sums(given)));
    }),
  );
});

test('merged lists add up', () => {
  fc.assert(
    fc.property(fc.array(counts, { maxLength: 9 }), (lists) => {
      const streams = lists.map((given) => {
        const counter = new TextCounter();
        for (const [text, count] of given) counter.add(text, count);
        return streamOfList(counter.result());
      });
      expect(entries(mergeStreams(streams))).toEqual(inOrder(sums(lists.flat())));
    }),
  );
});

test('numbers are told apart by all their bits, through growth and merging', () => {
  const table = new ValueTable('long');
  const totals = new Map<bigint, number>();
  const words = new Int32Array(new BigInt64Array(1).buffer);
  const value = new BigInt64Array(words.buffer);
  const add = (number: bigint, count: number): void => {
    value[0] = number;
    table.add(words[1]!, words[0]! >>> 0, count);
    totals.set(number, (totals.get(number) ?? 0) + count);
  };
  for (let i = 0n; i < 3000n; i++) {
    add(i, 1);
    add(-i, 0);
    add((i << 32n) + (i % 7n), 2);
    add((1n << 63n) - 1n - i, 3);
    add(-(1n << 63n) + (i % 100n), 1);
  }
  const merged = new ValueTable('long');
  merged.addAll(table.result());
  merged.addAll(table.result());
  const result = merged.result();
  expect(result.counts).toHaveLength(totals.size);
  result.counts.forEach((count, i) => {
    expect(count).toBe(2 * totals.get((result.terms as BigInt64Array)[i]!)!);
  });
});
