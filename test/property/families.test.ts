// Parents and children over real segments against a naive join: random families of three generations, written
// and deleted over several segments, with random queries that go from one generation to another. Numbers of
// families are kept from one snapshot to the next, as they are over refreshes and merges.

import fc from 'fast-check';
import { bindQuery } from '../../engine/query/bind';
import type { ChildScoreMode, Query } from '../../engine/query/ast/query';
import { Bitset, NO_MORE_DOCS } from '../../engine/segment/contract/bitset';
import type { SegmentReader } from '../../engine/segment/contract/reader';
import { STANDARD_SIMILARITIES } from '../../engine/similarity/index';
import { term } from '../support/query-builders';
import { segmentOf, withLiveDocs } from '../support/query-segments';

const PARENT_OF = { kid: 'par', grand: 'kid', other: 'par' } as const;
type Child = keyof typeof PARENT_OF;
type Type = Child | 'par';

interface Doc {
  readonly type: Type;
  readonly id: number;
  readonly parent: number;
  readonly text: string;
  readonly hasNested: boolean;
}

interface Placed extends Doc {
  readonly segment: number;
  readonly doc: number;
}

const doc: fc.Arbitrary<Doc> = fc.record({
  type: fc.constantFrom<Type>('par', 'par', 'kid', 'kid', 'kid', 'grand', 'other'),
  id: fc.integer({ min: 0, max: 9 }),
  parent: fc.integer({ min: 0, max: 9 }),
  text: fc.constantFrom('a', 'a b', 'b', 'b b a c', 'c'),
  hasNested: fc.boolean(),
});

/** A shard as it is after each refresh: later documents of an id replace earlier ones. */
const shard = fc.record({
  lists: fc.array(fc.array(doc, { minLength: 1, maxLength: 14 }), { minLength: 1, maxLength: 4 }),
  deleted: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 4 }),
});

/** What a query finds: by position, with scores. */
type Found = ReadonlyMap<Placed, number>;

interface Sample {
  readonly query: Query;
  /** What it finds by the naive join, each scored as if it stood alone. */
  readonly naive: (shard: Naive) => Found;
}

class Naive {
  constructor(
    readonly live: readonly Placed[],
    private readonly readers: readonly SegmentReader[],
  ) {}

  /** What a query finds by itself. */
  run(query: Query): Found {
    const scores = scoresOf(query, this.readers);
    return new Map(
      this.live.flatMap((each) => {
        const score = scores.get(`${each.segment}/${each.doc}`);
        return score === undefined ? [] : [[each, score] as const];
      }),
    );
  }
}

function leaf(type: Type): fc.Arbitrary<Sample> {
  return fc.constantFrom('a', 'b', 'c', 'missing').map((text) => {
    const query = ofType(term(text), type);
    return { query, naive: (model) => model.run(query) };
  });
}

const ofType = (query: Query, type: Type): Query => ({
  kind: 'filtered',
  query,
  filter: { kind: 'types', types: [type], boost: 1 },
  boost: 1,
});

const MODES: readonly ChildScoreMode[] = ['none', 'min', 'max', 'sum', 'avg'];

function throughChildren(childType: Child, inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc
    .record({
      inner,
      scoreMode: fc.constantFrom(...MODES),
      minChildren: fc.integer({ min: 0, max: 3 }),
      maxChildren: fc.constantFrom(Infinity, Infinity, 1, 2, 3),
    })
    .map(({ inner: { query, naive }, scoreMode, minChildren, maxChildren }) => ({
      query: {
        kind: 'hasChild',
        parentType: PARENT_OF[childType],
        query: ofType(query, childType),
        scoreMode,
        minChildren,
        maxChildren,
        alwaysWeighs: false,
        boost: 1,
      },
      naive: (model) => {
        const children = [...naive(model)].filter(([{ type }]) => type === childType);
        const found = new Map<Placed, number>();
        for (const each of model.live) {
          if (each.type !== PARENT_OF[childType]) continue;
          const scores = children
            .filter(([{ parent }]) => parent === each.id)
            .map(([, score]) => score);
          if (scores.length === 0) continue;
          if (scores.length < minChildren || scores.length > maxChildren) continue;
          found.set(each, combined(scoreMode, scores));
        }
        return found;
      },
    }));
}

function combined(mode: ChildScoreMode, scores: readonly number[]): number {
  const sum = scores.reduce((a, b) => Math.fround(a + b), 0);
  switch (mode) {
    case 'none':
      return 1;
    case 'min':
      return Math.min(...scores);
    case 'max':
      return Math.max(...scores);
    case 'sum':
      return sum;
    case 'avg':
      return Math.fround(sum / scores.length);
  }
}

function throughParent(
  parentType: 'par' | 'kid',
  inner: fc.Arbitrary<Sample>,
): fc.Arbitrary<Sample> {
  return fc.record({ inner, scored: fc.boolean() }).map(({ inner: { query, naive }, scored }) => ({
    query: { kind: 'hasParent', parentType, query: ofType(query, parentType), scored, boost: 1 },
    naive: (model) => {
      const parents = new Map(
        [...naive(model)].flatMap(([{ type, id }, score]) =>
          type === parentType ? [[id, score] as const] : [],
        ),
      );
      return new Map(
        model.live.flatMap((each) => {
          if (each.type === 'par' || PARENT_OF[each.type] !== parentType) return [];
          const score = parents.get(each.parent);
          return score === undefined ? [] : [[each, scored ? score : 1] as const];
        }),
      );
    },
  }));
}

/** Queries that find documents of a generation, among others. */
function sample(type: Type, depth: number): fc.Arbitrary<Sample> {
  const ways = [leaf(type)];
  if (depth > 0) {
    if (type === 'par') {
      ways.push(throughChildren('kid', sample('kid', depth - 1)));
      ways.push(throughChildren('other', sample('other', depth - 1)));
    } else if (type === 'kid') {
      ways.push(throughChildren('grand', sample('grand', depth - 1)));
      ways.push(throughParent('par', sample('par', depth - 1)));
    } else if (type === 'grand') ways.push(throughParent('kid', sample('kid', depth - 1)));
    else ways.push(throughParent('par', sample('par', depth - 1)));
  }
  return fc.oneof(...ways.slice(-2).map((arbitrary) => ({ arbitrary, weight: 3 })), {
    arbitrary: ways[0]!,
    weight: 1,
  });
}

const samples = fc.array(
  fc.constantFrom<Type>('par', 'kid', 'grand', 'other').chain((type) => sample(type, 3)),
  { minLength: 3, maxLength: 6 },
);

/** Segments with nested objects before their roots, and where each document went. */
function build(lists: readonly (readonly Doc[])[]): {
  readonly readers: readonly SegmentReader[];
  readonly placed: readonly Placed[];
} {
  const placed: Placed[] = [];
  const readers = lists.map((list, segment) => {
    let next = 0;
    for (const each of list) {
      if (each.hasNested) next++;
      placed.push({ ...each, segment, doc: next++ });
    }
    return segmentOf(
      list.map(({ type, id, parent, text, hasNested }) => ({
        values: {
          _uid: [`${type}#${id}`],
          _type: [type],
          t: [text],
          ...(type === 'par' ? {} : { _parent: [`${PARENT_OF[type]}#${parent}`] }),
        },
        // They carry the id of their root, and are its children: searches leave them out.
        ...(hasNested ? { nested: [{ values: { _uid: [`${type}#${id}`], a: [text] } }] } : {}),
      })),
    );
  });
  return { readers, placed };
}

/** The segments as they are when the first `count` of them are there, with what lives. */
function snapshot(
  readers: readonly SegmentReader[],
  placed: readonly Placed[],
  count: number,
  deleted: readonly number[],
): Naive {
  const here = placed.filter(({ segment }) => segment < count);
  const last = new Map(here.map((each) => [`${each.type}#${each.id}`, each]));
  const gone = new Set(deleted.map((at) => here[at]));
  const live = here.filter(
    (each) => last.get(`${each.type}#${each.id}`) === each && !gone.has(each),
  );
  const own = readers.slice(0, count).map((reader, segment) => {
    const set = Bitset.full(reader.docCount);
    for (const each of here) {
      if (each.segment !== segment || live.includes(each)) continue;
      set.remove(each.doc);
      if (each.hasNested) set.remove(each.doc - 1);
    }
    return withLiveDocs(reader, set);
  });
  return new Naive(live, own);
}

/** Live documents with their scores, by segment and number. */
function scoresOf(query: Query, readers: readonly SegmentReader[]): Map<string, number> {
  const weight = bindQuery(query, readers, STANDARD_SIMILARITIES);
  const scores = new Map<string, number>();
  readers.forEach((reader, segment) => {
    const scorer = weight.scorer(reader);
    const set = weight.matches(reader);
    let size = 0;
    if (scorer !== null) {
      for (let at = scorer.nextDoc(); at !== NO_MORE_DOCS; at = scorer.nextDoc()) {
        expect(set!.has(at)).toBe(true);
        size++;
        if (reader.roots?.has(at) === false) continue;
        if (reader.liveDocs!.has(at)) scores.set(`${segment}/${at}`, scorer.score());
      }
    }
    expect(set?.count() ?? 0).toBe(size);
    expect(weight.cost(reader)).toBeGreaterThanOrEqual(size > 0 ? 1 : 0);
  });
  return scores;
}

test('parents and children are found as by a naive join, whatever segments there are', () => {
  fc.assert(
    fc.property(shard, samples, ({ lists, deleted }, queries) => {
      const { readers, placed } = build(lists);
      for (let count = 1; count <= readers.length; count++) {
        const model = snapshot(readers, placed, count, deleted);
        for (const { query, naive } of queries) {
          const expected = [...naive(model)].map(
            ([each, score]) => [position(each), score] as const,
          );
          const found = [...model.run(query)].map(
            ([each, score]) => [position(each), score] as const,
          );
          expect(found.map(([at]) => at)).toEqual(expected.map(([at]) => at));
          found.forEach(([, score], i) => expect(score).toBeCloseTo(expected[i]![1], 5));
        }
      }
    }),
    { numRuns: 60 },
  );
});

function position({ segment, doc: at }: Placed): string {
  return `${segment}/${at}`;
}
