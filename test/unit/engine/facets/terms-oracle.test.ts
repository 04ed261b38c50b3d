// The terms facet against a count by brute force: random documents, several segments and shards,
// deletions, multiple and missing values, every order.

import fc from 'fast-check';
import { writeJson } from '../../../../engine/json/write';
import { parseJson } from '../../../../engine/json/parse';
import { type TestDocument, type TestMapping } from '../../../support/mapping-double';
import { SearchNode } from '../../../support/search-node';

const MAPPING: TestMapping = {
  tag: 'string',
  one: 'string',
  words: 'text',
  n: 'integer',
  l: 'long',
  d: 'double',
  f: 'float',
  kids: 'nested',
  'kids.tag': 'string',
  'kids.n': 'integer',
  group: 'integer',
};

const TERMS = ['a', 'b', 'bb', 'Z', 'é', '\uffe6', '😀', '', 'zebra', 'constructor', '__proto__'];
const NUMBERS = [-3, -1, 0, 1, 2, 3, 500_000, 2_000_000_000, -2_000_000_000];
const LONGS = [
  0n,
  1n,
  -1n,
  9007199254740993n,
  -9223372036854775808n,
  9223372036854775807n,
  5000000000n,
];
const DOUBLES = [0, 1.5, -2.25, 1e300, 0.1, -0.1];

type Term = string | bigint | number;

interface Described {
  readonly document: TestDocument;
  readonly deleted: boolean;
}

function someOf<T>(values: readonly T[], max: number): fc.Arbitrary<T[]> {
  return fc.array(fc.constantFrom(...values), { maxLength: max });
}

const documents: fc.Arbitrary<Described[]> = fc.array(
  fc.record({
    document: fc.record({
      tag: someOf(TERMS, 3),
      one: fc.constantFrom(...TERMS, null),
      words: someOf(['fox', 'dog', 'fox dog', 'cat cat'], 2),
      n: someOf(NUMBERS, 3),
      l: someOf(LONGS, 2),
      d: someOf(DOUBLES, 2),
      f: someOf(DOUBLES.slice(0, 3), 2),
      kids: fc.array(fc.record({ tag: someOf(TERMS, 2), n: someOf(NUMBERS, 2) }), { maxLength: 3 }),
      group: fc.integer({ min: 0, max: 2 }),
    }),
    deleted: fc.boolean(),
  }),
  { maxLength: 30 },
);

const ORDERS = ['count', 'reverse_count', 'term', 'reverse_term'] as const;

interface Options {
  readonly field: string;
  readonly order: (typeof ORDERS)[number];
  readonly size: number;
  readonly exclude: boolean;
  readonly allTerms: boolean;
  readonly narrowed: boolean;
}

const options: fc.Arbitrary<Options> = fc.record({
  field: fc.constantFrom(
    'tag',
    'one',
    'words',
    'n',
    'l',
    'd',
    'f',
    'kids.tag',
    'kids.n',
    'unmapped',
  ),
  order: fc.constantFrom(...ORDERS),
  size: fc.integer({ min: 0, max: 12 }),
  exclude: fc.boolean(),
  allTerms: fc.boolean(),
  narrowed: fc.boolean(),
});

/** Distinct terms of one object in a field, as the facet counts them. */
function termsOf(object: TestDocument, field: string): Set<Term> {
  const name = field.replace('kids.', '');
  const given = object[name];
  const values = (Array.isArray(given) ? given : [given ?? null]) as readonly (Term | null)[];
  const terms = new Set<Term>();
  for (const value of values) {
    if (value === null) continue;
    if (name === 'words') for (const word of String(value).split(' ')) terms.add(word);
    else if (name === 'n') terms.add(BigInt(value));
    else terms.add(value);
  }
  return terms;
}

function compare(a: Term, b: Term): number {
  if (typeof a === 'string' || typeof b === 'string') {
    return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function expected(described: readonly Described[], asked: Options): object {
  const counts = new Map<Term, number>();
  let missing = 0;
  let total = 0;
  const live = described.filter(({ deleted }) => !deleted);
  const objectsOf = ({ document }: Described): TestDocument[] =>
    asked.field.startsWith('kids.') ? (document['kids'] as unknown as TestDocument[]) : [document];
  if (asked.allTerms && asked.field !== 'unmapped') {
    for (const one of described) {
      for (const object of objectsOf(one))
        for (const term of termsOf(object, asked.field)) counts.set(term, 0);
    }
  }
  for (const one of live) {
    if (asked.narrowed && one.document['group'] !== 1) continue;
    for (const object of objectsOf(one)) {
      const terms = asked.field === 'unmapped' ? new Set<Term>() : termsOf(object, asked.field);
      if (terms.size === 0) missing++;
      total += terms.size;
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  for (const term of excluded(asked)) {
    // Numbers are excluded from counting only.
    if (asked.allTerms && typeof term !== 'string' && counts.has(term)) counts.set(term, 0);
    else counts.delete(term);
  }
  const sorted = [...counts].sort(([a, x], [b, y]) => {
    switch (asked.order) {
      case 'count':
        return y - x || compare(b, a);
      case 'reverse_count':
        return x - y || compare(a, b);
      case 'term':
        return compare(a, b);
      case 'reverse_term':
        return compare(b, a);
    }
  });
  const shown = sorted.slice(0, asked.size);
  const other = total - shown.reduce((sum, [, count]) => sum + count, 0);
  return { missing, total, other, terms: shown.map(([term, count]) => [String(term), count]) };
}

function excluded(asked: Options): Term[] {
  if (!asked.exclude) return [];
  switch (asked.field.replace('kids.', '')) {
    case 'n':
    case 'l':
      return [1n, -1n];
    case 'd':
    case 'f':
      return [1.5];
    default:
      return ['a', 'fox', 'nothing'];
  }
}

async function actual(node: SearchNode, asked: Options): Promise<object> {
  const facet = {
    terms: {
      field: asked.field,
      order: asked.order,
      size: asked.size,
      all_terms: asked.allTerms,
      exclude: excluded(asked).map(String),
    },
    ...(asked.field.startsWith('kids.') ? { nested: 'kids' } : {}),
  };
  const query = asked.narrowed ? { query: { term: { group: 1 } } } : {};
  const response = await node.search('i', { size: 0, ...query, facets: { x: facet } });
  const facets = parseJson(writeJson(response.facets!)) as Map<string, Map<string, unknown>>;
  const x = facets.get('x')!;
  const terms = x.get('terms') as Map<string, unknown>[];
  return {
    missing: Number(x.get('missing')),
    total: Number(x.get('total')),
    other: Number(x.get('other')),
    terms: terms.map((entry) => {
      const term = entry.get('term');
      const isDouble = asked.field === 'd' || asked.field === 'f';
      return [isDouble ? String(Number(String(term))) : String(term), Number(entry.get('count'))];
    }),
  };
}

function build(described: readonly Described[], shards: number, perSegment: number): SearchNode {
  const node = new SearchNode();
  node.createIndex('i', MAPPING, { shards });
  const places = described.map(({ document }, i) => {
    const place = node.add('i', `id${i}`, document);
    if ((i + 1) % perSegment === 0) node.refresh('i');
    return place;
  });
  node.refresh('i');
  described.forEach(({ deleted }, i) => {
    if (deleted) node.remove('i', places[i]!);
  });
  return node;
}

describe('terms facet', () => {
  test('equals a count by brute force', async () => {
    await fc.assert(
      fc.asyncProperty(
        documents,
        fc.array(options, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(1, 3),
        fc.integer({ min: 1, max: 30 }),
        async (described, asked, shards, perSegment) => {
          const node = build(described, shards, perSegment);
          for (const one of asked)
            expect(await actual(node, one)).toEqual(expected(described, one));
        },
      ),
      { numRuns: 80 },
    );
  });

  test('many terms over many segments, where only the most frequent are looked up', async () => {
    const node = new SearchNode();
    node.createIndex('i', MAPPING);
    const described: Described[] = [];
    let seed = 7;
    const next = (limit: number) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % limit;
    for (let i = 0; i < 6000; i++) {
      // A few frequent terms, and a long tail.
      const tag = [`t${Math.floor(next(1000) ** 2 / 50_000)}`, `rare${next(20_000)}`];
      described.push({ document: { tag, group: next(40) }, deleted: false });
      node.add('i', String(i), described[i]!.document);
      if (i % 1500 === 1499) node.refresh('i');
    }
    for (const order of ORDERS) {
      for (const size of [1, 10, 60]) {
        for (const narrowed of [false, true]) {
          for (const exclude of [false, true]) {
            const asked = { field: 'tag', order, size, exclude, allTerms: false, narrowed };
            expect(await actual(node, asked)).toEqual(expected(described, asked));
          }
        }
      }
    }
  });
});
