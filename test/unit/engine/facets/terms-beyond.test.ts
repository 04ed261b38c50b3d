// What terms facets can do beyond the reference server (finding, paging, levels of paths, multi-select), and
// that remembered counts are the right ones: against a count by brute force.

import fc from 'fast-check';
import { writeJson } from '../../../../engine/json/write';
import { type TestDocument, type TestMapping } from '../../../support/mapping-double';
import { SearchNode } from '../../../support/search-node';

const MAPPING: TestMapping = {
  tag: 'string',
  path: 'string',
  n: 'integer',
  brand: 'string',
  color: 'string',
};

const TAGS = ['a', 'Ab', 'ab', 'äb', 'Äpfel', 'apfel', 'bar', 'Bär', 'b', 'é', 'e', '😀', ''];
const PATHS = ['a', 'a/b', 'a/b/c', 'a/b/d', 'a/x', '/a/b', 'a//b', 'b/', 'b/c/d/e', 'a b', 'ab/c'];
const BRANDS = ['acme', 'bolt', 'core'];
const COLORS = ['red', 'blue'];
const ORDERS = ['count', 'reverse_count', 'term', 'reverse_term'] as const;

interface Thing {
  readonly tag: readonly string[];
  readonly path: readonly string[];
  readonly n: readonly number[];
  readonly brand: string;
  readonly color: string;
  readonly deleted: boolean;
}

function someOf<T>(values: readonly T[], most: number): fc.Arbitrary<T[]> {
  return fc.array(fc.constantFrom(...values), { maxLength: most });
}

const things: fc.Arbitrary<Thing[]> = fc.array(
  fc.record({
    tag: someOf(TAGS, 3),
    path: someOf(PATHS, 2),
    n: someOf([1, 2, 2, 30, -4], 2),
    brand: fc.constantFrom(...BRANDS),
    color: fc.constantFrom(...COLORS),
    deleted: fc.boolean(),
  }),
  { maxLength: 40 },
);

const asked = fc.record({
  field: fc.constantFrom('tag', 'path', 'n'),
  order: fc.constantFrom(...ORDERS),
  from: fc.integer({ min: 0, max: 4 }),
  size: fc.integer({ min: 0, max: 12 }),
  minCount: fc.integer({ min: 0, max: 4 }),
  prefix: fc.constantFrom(null, '', 'a', 'B', 'ä'),
  contains: fc.constantFrom(null, 'b', 'A', 'é'),
  regex: fc.constantFrom(null, '[a-z]+', '.*b.*'),
  ignoreCase: fc.boolean(),
  ignoreAccents: fc.boolean(),
  exclude: fc.boolean(),
  allTerms: fc.boolean(),
  hierarchy: fc.constantFrom(
    null,
    null,
    { parent: null, depth: 1 },
    { parent: 'a', depth: 2 },
    { parent: 'a/b/', depth: 1 },
    { parent: null, depth: 9 },
  ),
  brand: fc.constantFrom(null, ...BRANDS),
  excludeBrand: fc.boolean(),
});

type Asked = typeof asked extends fc.Arbitrary<infer A> ? A : never;
type Term = string | number;

function levels(path: string, hierarchy: NonNullable<Asked['hierarchy']>): string[] {
  const all: string[] = [];
  for (let end = 1; end <= path.length; end++) {
    if (path[end - 1] !== '/' && (end === path.length || path[end] === '/'))
      all.push(path.slice(0, end));
  }
  const parent = hierarchy.parent?.replace(/\/+$/, '') ?? null;
  const first = parent === null ? 0 : all.indexOf(parent) + 1;
  return parent !== null && first === 0 ? [] : all.slice(first, first + hierarchy.depth);
}

function valuesOf(thing: Thing, { field, hierarchy }: Asked): Set<Term> {
  if (field === 'n') return new Set(thing.n);
  const texts = field === 'tag' ? thing.tag : thing.path;
  return new Set(hierarchy === null ? texts : texts.flatMap((text) => levels(text, hierarchy)));
}

function fold(text: string, { ignoreCase, ignoreAccents }: Asked): string {
  const plain = ignoreAccents ? text.normalize('NFD').replace(/\p{M}/gu, '') : text;
  return ignoreCase ? plain.toLowerCase() : plain;
}

function isWanted(term: Term, one: Asked): boolean {
  if (one.exclude && ['a', 'ab', ...(one.allTerms ? [] : [2])].includes(term)) return false;
  if (typeof term === 'number') return true;
  if (one.regex !== null && !new RegExp(`^(?:${one.regex})$`, 'u').test(term)) return false;
  if (one.prefix !== null && !fold(term, one).startsWith(fold(one.prefix, one))) return false;
  return one.contains === null || fold(term, one).includes(fold(one.contains, one));
}

function compare(a: Term, b: Term): number {
  if (typeof a === 'number') return a - (b as number);
  return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
}

function expected(all: readonly Thing[], one: Asked): string {
  const live = all.filter(({ deleted }) => !deleted);
  const counts = new Map<Term, number>();
  if (one.allTerms)
    for (const thing of all) for (const term of valuesOf(thing, one)) counts.set(term, 0);
  let missing = 0;
  let total = 0;
  for (const thing of live) {
    if (one.brand !== null && !one.excludeBrand && thing.brand !== one.brand) continue;
    if (thing.color !== 'red') continue;
    const values = valuesOf(thing, one);
    if (values.size === 0) missing++;
    total += values.size;
    for (const term of values) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  // Numbers are excluded from counting only.
  if (one.allTerms && one.exclude && counts.has(2)) counts.set(2, 0);
  const sign = one.order === 'count' || one.order === 'reverse_term' ? -1 : 1;
  const byCount = one.order === 'count' || one.order === 'reverse_count';
  const entries = [...counts]
    .filter(([term, count]) => count >= one.minCount && isWanted(term, one))
    .sort((a, b) => sign * ((byCount ? a[1] - b[1] : 0) || compare(a[0], b[0])));
  const page = entries.slice(one.from, one.from + one.size);
  const other = page.reduce((left, [, count]) => left - count, total);
  const list: object[] = page.map(([term, count]) =>
    one.hierarchy === null ? { term, count } : { term, count, ...place(String(term)) },
  );
  if (missing > 0) list.push({ term: null, count: missing });
  return JSON.stringify({
    _type: 'terms',
    missing,
    total,
    other,
    cardinality: entries.length,
    terms: list,
  });
}

function place(term: string): object {
  const all = levels(term, { parent: null, depth: 9 });
  return { depth: all.length, parent: all.at(-2) ?? null };
}

function request(one: Asked): object {
  const { field, prefix, contains, regex, hierarchy } = one;
  const isText = field !== 'n';
  const terms = {
    field,
    order: one.order,
    from: one.from,
    size: one.size,
    min_count: one.minCount,
    ...(isText ? { prefix, contains, regex } : {}),
    ignore_case: one.ignoreCase,
    ignore_accents: one.ignoreAccents,
    exclude: one.exclude ? ['a', 'ab', '2'].filter((text) => (text === '2') !== isText) : [],
    all_terms: one.allTerms,
    missing: true,
    cardinality: true,
    ...(hierarchy === null ? {} : { hierarchy }),
  };
  const brand = one.brand === null ? [] : [{ term: { brand: one.brand, _name: 'brand' } }];
  return {
    size: 0,
    query: { filtered: { filter: { and: [...brand, { term: { color: 'red' } }] } } },
    facets: { x: { terms, ...(one.excludeBrand ? { exclude_filter: ['brand'] } : {}) } },
  };
}

function possible(one: Asked): Asked {
  return one.field === 'n' ? { ...one, hierarchy: null } : one;
}

function build(all: readonly Thing[], shards: number, perSegment: number): SearchNode {
  const node = new SearchNode();
  node.createIndex('i', MAPPING, { shards });
  const places = all.map(({ tag, path, n, brand, color }, i) => {
    const document: TestDocument = { tag, path, n, brand, color };
    const added = node.add('i', `id${i}`, document);
    if ((i + 1) % perSegment === 0) node.refresh('i');
    return added;
  });
  node.refresh('i');
  all.forEach(({ deleted }, i) => {
    if (deleted) node.remove('i', places[i]!);
  });
  return node;
}

async function actual(node: SearchNode, one: Asked): Promise<string> {
  const { facets } = await node.search('i', request(one));
  return facetText(facets);
}

function facetText(facets: unknown): string {
  return writeJson((facets as ReadonlyMap<string, never>).get('x')!);
}

describe('terms facets beyond the reference', () => {
  test('equal a count by brute force, also from memory', async () => {
    await fc.assert(
      fc.asyncProperty(
        things,
        fc.array(asked, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(1, 3),
        fc.integer({ min: 1, max: 40 }),
        async (all, requests, shards, perSegment) => {
          const node = build(all, shards, perSegment);
          for (const one of requests.map(possible)) {
            const right = expected(all, one);
            for (let time = 0; time < 3; time++) expect(await actual(node, one)).toBe(right);
          }
        },
      ),
      { numRuns: 120 },
    );
  });

  test('count only the new segment when a request comes again', async () => {
    const node = new SearchNode();
    node.createIndex('i', MAPPING);
    for (let i = 0; i < 12; i++) {
      node.add('i', String(i), { tag: [`t${i % 5}`], color: 'red' });
      if (i % 3 === 2) node.refresh('i');
    }
    const ask = async (size = 10): Promise<string> => {
      const body = { size: 0, facets: { x: { terms: { field: 'tag', size } } } };
      return facetText((await node.search('i', body)).facets);
    };
    const counted = (): number => node.cache.statistics().get('facet')?.misses ?? 0;
    await ask();
    await ask();
    expect(counted()).toBe(8);
    const known = await ask();
    await ask(3);
    expect(counted()).toBe(8);
    node.add('i', 'new', { tag: ['t1', 'fresh'], color: 'red' });
    node.refresh('i');
    const fresh = await ask();
    expect(counted()).toBe(9);
    expect(fresh).not.toBe(known);
    expect(fresh).toContain('{"term":"t1","count":4}');
    expect(fresh).toContain('{"term":"fresh","count":1}');
  });

  test('are refused when they would hold too much', async () => {
    const node = new SearchNode();
    node.host.facetMemory = 100_000;
    node.createIndex('i', MAPPING);
    for (let i = 0; i < 2000; i++) node.add('i', String(i), { tag: [`t${i}`] });
    node.refresh('i');
    const facets = (count: number): object =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`f${i}`, { terms: { field: 'tag' } }]),
      );
    await expect(node.search('i', { facets: facets(5) })).resolves.toBeDefined();
    await expect(node.search('i', { facets: facets(50) })).rejects.toThrow(
      'CircuitBreakingException[[REQUEST] Data too large, data for [facet f12] would be larger than limit of [100000b]]',
    );
  });

  test('are told when they ask for what cannot be', async () => {
    const node = build([], 1, 1);
    const problems: [object, string][] = [
      [{ field: 'tag', from: -1 }, '[from] must not be negative'],
      [{ field: 'n', prefix: '1' }, '[prefix] and [contains] need a field of text'],
      [{ field: 'n', hierarchy: {} }, '[hierarchy] needs a single field of text'],
      [{ fields: ['tag', 'path'], hierarchy: {} }, '[hierarchy] needs a single field of text'],
      [{ field: 'path', hierarchy: { separator: '' } }, '[hierarchy] needs a [separator]'],
      [{ field: 'path', hierarchy: { depth: 0 } }, '[hierarchy] needs a [depth] of at least 1'],
      [{ field: 'path', hierarchy: { deep: 1 } }, '[hierarchy] has no parameter [deep]'],
    ];
    for (const [terms, message] of problems) {
      await expect(node.search('i', { facets: { x: { terms } } })).rejects.toThrow(
        `FacetPhaseExecutionException[Facet [x]: ${message}]`,
      );
    }
  });
});
