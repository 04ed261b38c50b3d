// Sorting against a comparison by brute force: several keys, modes, missing values, segments and shards.

import fc from 'fast-check';
import { parseJson } from '../../../../engine/json/parse';
import { type TestDocument, type TestMapping } from '../../../support/mapping-double';
import { SearchNode } from '../../../support/search-node';

const MAPPING: TestMapping = {
  s: 'string',
  n: 'integer',
  l: 'long',
  f: 'float',
  d: 'double',
  kids: 'nested',
  'kids.n': 'integer',
  'kids.s': 'string',
};

const STRINGS = ['a', 'b', 'Z', 'é', '\uffe6', '😀'];
const LONGS = [
  0n,
  3n,
  -5n,
  9007199254740993n,
  9007199254740992n,
  -9223372036854775807n,
  9223372036854775806n,
];

type Value = string | number | bigint;

function someOf<T>(values: readonly T[], max: number): fc.Arbitrary<T[]> {
  return fc.array(fc.constantFrom(...values), { maxLength: max });
}

const documents: fc.Arbitrary<TestDocument[]> = fc.array(
  fc.record({
    s: someOf(STRINGS, 2),
    n: someOf([-3, 0, 2, 7, 2_000_000_000], 3),
    l: someOf(LONGS, 2),
    f: someOf([0.1, -1.5, 3], 2),
    d: someOf([0.1, -1.5, 1e300], 2),
    kids: fc.array(fc.record({ n: someOf([1, 5, 9], 2), s: someOf(STRINGS, 2) }), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 25 },
);

interface Key {
  readonly field: string;
  readonly order: 'asc' | 'desc';
  readonly mode: 'min' | 'max' | 'sum' | 'avg' | undefined;
  readonly missing: '_last' | '_first' | 'value';
}

const keys: fc.Arbitrary<Key[]> = fc.array(
  fc.record({
    field: fc.constantFrom('s', 'n', 'l', 'f', 'd', 'kids.n', 'kids.s'),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    mode: fc.constantFrom(
      'min' as const,
      'max' as const,
      'sum' as const,
      'avg' as const,
      undefined,
    ),
    missing: fc.constantFrom('_last' as const, '_first' as const, 'value' as const),
  }),
  { minLength: 1, maxLength: 3 },
);

const MISSING: Readonly<Record<string, Value>> = {
  s: 'aa',
  n: 1,
  l: 7n,
  f: 0.5,
  d: 0.5,
  'kids.n': 3,
  'kids.s': 'aa',
};

function valuesOf(document: TestDocument, field: string): Value[] {
  const objects = field.startsWith('kids.')
    ? (document['kids'] as unknown as TestDocument[])
    : [document];
  return objects.flatMap((object) => {
    const given = object[field.replace('kids.', '')] as unknown as Value[];
    return [...new Set(given)];
  });
}

function compare(a: Value, b: Value): number {
  if (typeof a === 'string' || typeof b === 'string') {
    return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Null stands for a missing text. */
function sortValue(document: TestDocument, key: Key): Value | null {
  const values = valuesOf(document, key.field).sort(compare);
  const isText = key.field.endsWith('s');
  if (values.length === 0) {
    if (key.missing === 'value') return MISSING[key.field]!;
    if (isText) return null;
    const high = (key.missing === '_last') === (key.order === 'asc');
    if (key.field === 'f' || key.field === 'd') return high ? Infinity : -Infinity;
    return high ? 9223372036854775807n : -9223372036854775808n;
  }
  const extreme = key.order === 'desc' ? 'max' : 'min';
  // Text has no sum and no average: the value that the order would take anyway stands for them.
  const combines = key.mode === 'sum' || key.mode === 'avg';
  const mode = isText && combines ? extreme : (key.mode ?? extreme);
  if (mode === 'max') return values.at(-1)!;
  if (mode === 'min') return values[0]!;
  if (key.field === 'l')
    return BigInt.asIntN(
      64,
      (values as bigint[]).reduce((a, b) => a + b, 0n),
    );
  const sum = (values as number[]).reduce(
    (a, b) => a + (key.field === 'f' ? Math.fround(b) : b),
    0,
  );
  if (mode === 'sum') return sum;
  return key.field.endsWith('n') ? Math.floor(sum / values.length + 0.5) : sum / values.length;
}

function narrow(value: Value | null, key: Key): Value | null {
  return key.field === 'f' && typeof value === 'number' ? Math.fround(value) : value;
}

function expectedOrder(
  all: readonly TestDocument[],
  asked: readonly Key[],
  places: readonly number[],
) {
  const rows = all.map((document, i) => ({
    id: `id${i}`,
    values: asked.map((key) => narrow(sortValue(document, key), key)),
    place: places[i]!,
    i,
  }));
  rows.sort((a, b) => {
    for (const [k, key] of asked.entries()) {
      const x = a.values[k]!;
      const y = b.values[k]!;
      if (x === null || y === null) {
        if (x !== y) return (x === null) === (key.missing === '_last') ? 1 : -1;
        continue;
      }
      const order = compare(x, y);
      if (order !== 0) return key.order === 'asc' ? order : -order;
    }
    return a.place - b.place || a.i - b.i;
  });
  return rows;
}

/** Average of longs that need all 64 bits goes through a double; that is tested elsewhere. */
function isExact(key: Key): boolean {
  return !(key.field === 'l' && key.mode === 'avg');
}

describe('sort', () => {
  test('equals a sort by brute force', async () => {
    await fc.assert(
      fc.asyncProperty(
        documents,
        keys.filter((list) => list.every(isExact)),
        fc.constantFrom(1, 3),
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 1, max: 30 }),
        async (all, asked, shards, perSegment, from, size) => {
          const node = new SearchNode();
          node.createIndex('i', MAPPING, { shards });
          const places = all.map((document, i) => {
            const [shard] = node.add('i', `id${i}`, document);
            if ((i + 1) % perSegment === 0) node.refresh('i');
            return shard;
          });
          node.refresh('i');
          const sort = asked.map(({ field, order, mode, missing }) => ({
            [field]: {
              order,
              ...(mode === undefined ? {} : { mode }),
              missing: missing === 'value' ? MISSING[field]! : missing,
            },
          }));
          const response = await node.search('i', { sort, from, size, _source: false });
          const expected = expectedOrder(all, asked, places).slice(from, from + size);
          const hits = response.hits.map(
            (hit) => parseJson(hit.toString()) as Map<string, unknown>,
          );
          expect(hits.map((hit) => hit.get('_id'))).toEqual(expected.map(({ id }) => id));
          hits.forEach((hit, h) => {
            const printed = hit.get('sort') as unknown[];
            printed.forEach((value, k) => {
              const wanted = expected[h]!.values[k]!;
              if (wanted === null || typeof wanted !== 'number') {
                expect(String(value)).toBe(String(wanted));
              } else if (asked[k]!.field === 'f') {
                expect(Math.fround(Number(value))).toBe(wanted);
              } else expect(Number(value)).toBe(wanted);
            });
          });
        },
      ),
      { numRuns: 100 },
    );
  });
});
