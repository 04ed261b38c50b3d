// The best hits found by skipping, by sorted order and by counting against those of looking at every match:
// the same documents, the same scores to the last bit, the same totals.

import type { CollectJob } from '../../engine/search/plan/executor';
import type { Query } from '../../engine/query/ast/query';
import type { ScoreFunction, WeightedFunction } from '../../engine/query/ast/score-function';
import { collectSegments } from '../../engine/search/collect/collect';
import type {
  IndexPlan,
  ShardHit,
  ShardResult,
  SortKey,
} from '../../engine/search/plan/search-plan';
import {
  STANDARD_SIMILARITIES,
  type Similarities,
  type Similarity,
} from '../../engine/similarity/index';
import { Bitset } from '../../engine/segment/contract/bitset';
import type { SegmentReader } from '../../engine/segment/contract/reader';
import { FIELDS, segmentOf, withLiveDocs, type TestObject } from '../support/query-segments';
import { Random, rounds, testSeed } from '../support/random';

const WORDS = ['the', 'of', 'shop', 'red', 'blue', 'shirt', 'rare', 'odd'];
/** How likely a word is to be at a place: from nearly everywhere to hardly anywhere. */
const SHARES = [0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.005, 0.001];
const KEYS = ['x', 'xa', 'xb', 'y'];

const random = new Random(testSeed(20240611));

function word(): string {
  for (;;) {
    const i = random.below(WORDS.length);
    if (random.chance(SHARES[i]!)) return WORDS[i]!;
  }
}

/** Words of a text at most where some documents are nested. */
const SHORT = 8;

/** @param longest words of a text: in long ones frequent words have scores of many heights */
function document(i: number, longest: number): TestObject {
  const length = random.chance(0.05) ? 40 : random.between(1, longest);
  const text = Array.from({ length }, word).join(' ');
  return {
    values: {
      _uid: [`p#${i}`],
      _type: [random.chance(0.9) ? 'p' : 'q'],
      t: [text],
      u: [text],
      ...(random.chance(0.8) ? { n: [random.below(500) - 100] } : {}),
      ...(random.chance(0.9) ? { d: [random.pick([-0, 0, 0.5, -2, random.next()])] } : {}),
      ...(random.chance(0.7) ? { k: [random.pick(KEYS) + String(random.below(900))] } : {}),
    },
    // Now and then the documents of a segment are not all roots.
    nested: longest <= SHORT && random.chance(0.002) ? [{ values: { a: ['the'] } }] : [],
  };
}

function segment(first: number, size: number, longest: number): SegmentReader {
  const reader = segmentOf(
    Array.from({ length: size }, (_, i) => document(first + i, longest)),
    first + 1,
  );
  if (random.chance(0.5)) return reader;
  const live = Bitset.full(reader.docCount);
  const share = random.pick([0.02, 0.1, 0.1, 0.6]);
  for (let doc = 0; doc < reader.docCount; doc++) if (random.chance(share)) live.remove(doc);
  return withLiveDocs(reader, live);
}

function shard(sizes: readonly number[], longest: number): SegmentReader[] {
  let first = 0;
  return sizes.map((size) => {
    first += size;
    return segment(first, size, longest);
  });
}

const shards: SegmentReader[][] = [
  shard([3000], SHORT),
  shard([1500, 700, 40], SHORT),
  shard([900, 1, 2000], SHORT),
  shard([90, 130], SHORT),
  shard([1300], 60),
  shard([1200, 300, 1100], 40),
];

function term(): Query {
  const field = random.pick([FIELDS.t, FIELDS.t, FIELDS.t, FIELDS.u, FIELDS.k]).id;
  const text = random.chance(0.05) ? 'absent' : random.pick(WORDS);
  const boost = random.pick([1, 1, 1, 2, 0.3, 0, -1]);
  return { kind: 'term', field, term: text, boost, scored: random.chance(0.95) };
}

function some<T>(most: number, make: () => T): T[] {
  return Array.from({ length: random.between(0, most) }, make);
}

function filter(): Query {
  const from = random.below(500) - 150;
  return random.pick<() => Query>([
    () => ({
      kind: 'numericRange',
      field: FIELDS.n.id,
      from,
      to: from + random.below(300),
      boost: 1,
    }),
    () => ({ kind: 'numericRange', field: FIELDS.d.id, from: -1, to: random.next(), boost: 1 }),
    () => ({ kind: 'termSet', field: FIELDS.t.id, terms: [random.pick(WORDS)], boost: 1 }),
    () => ({ kind: 'types', types: ['p'], boost: 1 }),
    () => ({ kind: 'exists', fields: [FIELDS.n.id], boost: 1 }),
    () => prefix(),
  ])();
}

function prefix(): Query {
  const text = random.pick(['x', 'xa', 'xb1', 'y', '']);
  return {
    kind: 'prefix',
    field: FIELDS.k.id,
    prefix: text,
    rewrite: { method: 'constant' },
    boost: 1,
  };
}

function bool(parts: Partial<Extract<Query, { kind: 'bool' }>>): Query {
  return {
    kind: 'bool',
    must: [],
    should: [],
    mustNot: [],
    minimumShouldMatch: 0,
    disableCoord: random.chance(0.3),
    boost: random.pick([1, 1, 2]),
    ...parts,
  };
}

function phrase(): Query {
  const text = (): string => random.pick(random.chance(0.1) ? WORDS : WORDS.slice(0, 5));
  let position = random.chance(0.1) ? 1 : 0;
  const slots = [text, ...some(2, () => text), text].map((make) => {
    const slot = { terms: random.chance(0.1) ? [make(), make()] : [make()], position };
    position += random.pick([1, 1, 1, 2]);
    return slot;
  });
  const slop = random.chance(0.2) ? random.between(1, 3) : 0;
  return { kind: 'phrase', field: FIELDS.t.id, slots, slop, boost: random.pick([1, 1, 2, -1]) };
}

function functionScore(): Query {
  const scored = random.pick([term, phrase, () => bool({ should: [term(), term()] })])();
  const decay = (): ScoreFunction => ({
    kind: 'decay',
    shape: random.pick(['gauss', 'exp', 'linear']),
    field: FIELDS.n.id,
    origin: random.below(500) - 100,
    scale: random.between(1, 200),
    offset: random.pick([0, 0, 20]),
    decay: random.pick([0.5, 0.1, 0.99]),
    mode: 'min',
  });
  const one = (): WeightedFunction<Query> => ({
    filter: random.chance(0.3) ? filter() : null,
    function: random.pick<() => ScoreFunction>([
      decay,
      decay,
      () => ({ kind: 'constant', value: random.pick([0, 0.5, 1, 3]) }),
      () => ({ kind: 'random', seed: random.below(100) }),
    ])(),
    weight: random.pick([null, null, 2, 0, -1]),
  });
  return {
    kind: 'functionScore',
    query: scored,
    functions: [one(), ...some(2, one)],
    scoreMode: random.pick(['multiply', 'multiply', 'sum', 'avg', 'first', 'max', 'min']),
    boostMode: random.pick(['multiply', 'multiply', 'multiply', 'replace', 'sum']),
    maxBoost: random.pick([3.4028234663852886e38, 0.7, 0]),
    minScore: random.chance(0.1) ? 0.1 : null,
    boost: random.pick([1, 1, 2, 0.1, -1]),
  };
}

function query(): Query {
  return random.pick<() => Query>([
    term,
    () => bool({ should: [term(), ...some(7, term)] }),
    () => bool({ should: [term(), term()], mustNot: some(2, term) }),
    () => bool({ must: [term(), ...some(2, term)], should: some(2, term), mustNot: some(1, term) }),
    () => bool({ should: [term(), term(), term()], minimumShouldMatch: random.between(1, 3) }),
    () => ({ kind: 'filtered', query: term(), filter: filter(), boost: 1 }),
    () => ({
      kind: 'filtered',
      query: bool({ should: [term(), term()] }),
      filter: filter(),
      boost: 2,
    }),
    phrase,
    () => ({ kind: 'filtered', query: phrase(), filter: filter(), boost: 1 }),
    () => bool({ should: [phrase(), term()] }),
    functionScore,
    () => ({ kind: 'filtered', query: functionScore(), filter: filter(), boost: 1 }),
    () => ({ kind: 'filtered', query: { kind: 'matchAll', boost: 1 }, filter: filter(), boost: 1 }),
    () => ({ kind: 'constantScore', query: filter(), boost: 3 }),
    () => ({ kind: 'matchAll', boost: 1 }),
    filter,
    prefix,
  ])();
}

function sortKey(): SortKey {
  const field = random.pick([FIELDS.n, FIELDS.n, FIELDS.d, FIELDS.k]);
  return {
    kind: 'field',
    field: field.id,
    fieldKind: field.kind,
    descending: random.chance(0.5),
    missing: random.pick<string | number>(
      field.kind === 'string' ? ['_last', '_first'] : ['_last', '_first', 7],
    ),
    mode: random.pick(['min', 'max']),
    nestedPath: null,
    nestedFilter: null,
  };
}

const NORMALIZATIONS = [
  { name: 'no', parameter: 0 },
  { name: 'h1', parameter: 1 },
  { name: 'h2', parameter: 1 },
  { name: 'h3', parameter: 800 },
  { name: 'z', parameter: Math.fround(0.3) },
] as const;

/** Models with all their parts; most are bounded. */
const MODELS: readonly Similarities[] = [
  similarities({ kind: 'LMDirichlet', mu: 0.5 }),
  similarities({ kind: 'LMJelinekMercer', lambda: Math.fround(0.1) }),
  similarities({ kind: 'LMJelinekMercer', lambda: 1 }),
  ...(['ll', 'spl'] as const).flatMap((distribution) =>
    NORMALIZATIONS.map((normalization, i) => {
      const lambda = i % 2 === 0 ? 'df' : 'ttf';
      return similarities({ kind: 'IB', distribution, lambda, normalization });
    }),
  ),
  ...(['be', 'd', 'g', 'if', 'in', 'ine', 'p'] as const).flatMap((basicModel, i) =>
    (['no', 'b', 'l'] as const).map((afterEffect, j) => {
      const normalization = NORMALIZATIONS[(i + j) % NORMALIZATIONS.length]!;
      return similarities({ kind: 'DFR', basicModel, afterEffect, normalization });
    }),
  ),
];

/** Those with bounds more often than others; with parameters at their ends, where bounds are close. */
const SIMILARITIES: readonly Similarities[] = [
  STANDARD_SIMILARITIES,
  STANDARD_SIMILARITIES,
  similarities({ kind: 'BM25', k1: Math.fround(1.2), b: 0.75, countsOverlaps: false }),
  similarities({ kind: 'BM25', k1: 0, b: 1, countsOverlaps: false }),
  similarities({ kind: 'BM25', k1: 50, b: 1, countsOverlaps: false }),
  similarities({ kind: 'BM25', k1: 2, b: 0, countsOverlaps: false }, true),
  similarities({ kind: 'BM25', k1: 1, b: -2, countsOverlaps: false }),
  similarities({ kind: 'LMDirichlet', mu: 20 }),
  {
    ...STANDARD_SIMILARITIES,
    fields: new Map([[FIELDS.t.id, { kind: 'BM25', k1: 3, b: 0.5, countsOverlaps: false }]]),
  },
];

function similarities(standard: Similarity, normsQueries = false): Similarities {
  return { standard, normsQueries, fields: new Map() };
}

function plan(): IndexPlan {
  return {
    index: 'i',
    query: query(),
    scope: null,
    postFilter: random.chance(0.1) ? filter() : null,
    minScore: null,
    sort: random.chance(0.3) ? [sortKey()] : null,
    trackScores: random.chance(0.2),
    window: random.pick([0, 1, 3, 10, 10, 10, 100, 2000]),
    facets: [],
    similarities: random.pick(random.chance(0.3) ? MODELS : SIMILARITIES),
    aggregations: [],
    terminateAfter: 0,
    facetMemory: 1 << 20,
    indexBoost: random.pick([1, 1, 1, 2]),
  };
}

function collect(
  shard: SegmentReader[],
  searched: IndexPlan,
  skip: number,
  after: ShardHit | null = null,
): ShardResult {
  const job: CollectJob = {
    snapshot: { index: 'i', indexId: 1, shardId: 1, shardNumber: 0, segments: [] },
    plan: searched,
    position: 0,
    prepared: null,
    deadline: null,
    soleShard: true,
    after,
    segments: null,
    skip,
  };
  const steps = collectSegments(job, shard, Date.now);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

const BY_DOCUMENT: SortKey = {
  kind: 'doc',
  field: 0,
  fieldKind: null,
  descending: false,
  missing: '_last',
  mode: 'min',
  nestedPath: null,
  nestedFilter: null,
};

/**
 * The same, looking at every match: so it is done where the number of hits to collect is limited, even to
 * more than there are, and where there is a second sort key, even one that changes nothing.
 */
function exhaustive(searched: IndexPlan): IndexPlan {
  const sort = searched.sort === null ? null : [...searched.sort, BY_DOCUMENT];
  return { ...searched, sort, terminateAfter: 2 ** 30 };
}

const RUNS = rounds(300, 2400);
const FREQUENT = rounds(120, 1200);
const LISTS = rounds(100, 800);
const SCANS = rounds(80, 400);

test('what is skipped does not show', () => {
  let withHits = 0;
  for (let run = 0; run < RUNS; run++) {
    const shard = random.pick(shards);
    const searched = plan();
    const skip = random.chance(0.3) ? random.below(searched.window + 1) : 0;
    const { hits, total, maxScore } = collect(shard, searched, skip);
    const expected = collect(shard, exhaustive(searched), 0);
    const keys = searched.sort === null ? 0 : 1;
    const context = `seed ${random.seed} run ${run} ${JSON.stringify(searched)}`;
    expect({ context, total, maxScore, hits }).toEqual({
      context,
      total: expected.total,
      maxScore: expected.maxScore,
      hits: expected.hits.slice(skip).map((hit) => ({ ...hit, sort: hit.sort.slice(0, keys) })),
    });
    if (hits.length > 0) withHits++;
  }
  expect(withHits).toBeGreaterThan(RUNS / 2);
});

test('hits of frequent terms are found, however many documents of better ones are not to be seen', () => {
  let withHits = 0;
  for (let run = 0; run < FREQUENT; run++) {
    const readers = random.pick(shards.slice(-2)).map((reader) => {
      const live = Bitset.full(reader.docCount);
      const share = random.pick([0, 0.001, 0.02, 0.5]);
      for (let doc = 0; doc < reader.docCount; doc++) if (random.chance(share)) live.remove(doc);
      return share === 0 ? reader : withLiveDocs(reader, live);
    });
    const word = (): Extract<Query, { kind: 'term' }> => ({
      kind: 'term',
      field: random.pick([FIELDS.t, FIELDS.u]).id,
      term: random.pick(WORDS.slice(0, 5)),
      boost: random.pick([1, 1, 2]),
      scored: true,
    });
    const searched: IndexPlan = {
      ...plan(),
      query: random.pick<() => Query>([
        word,
        () => bool({ should: [word(), word()], mustNot: some(1, word) }),
        () => bool({ should: [word(), term(), word(), term()] }),
        () => bool({ must: [word()], should: some(2, word), mustNot: some(1, word) }),
        () => bool({ must: [word(), word()] }),
        () => {
          const own = WORDS.slice(0, 5).filter(() => random.chance(0.6));
          const of = FIELDS[random.pick(['t', 't', 'u'] as const)].id;
          return bool({ must: own.map((text) => ({ ...word(), field: of, term: text })) });
        },
        phrase,
      ])(),
      postFilter: null,
      sort: null,
      indexBoost: 1,
      window: random.pick([1, 5, 10, 40, 300, 1500]),
    };
    const { hits, total, maxScore } = collect(readers, searched, 0);
    const expected = collect(readers, exhaustive(searched), 0);
    const context = `seed ${random.seed} run ${run} ${JSON.stringify(searched)}`;
    expect({ context, total, maxScore, hits }).toEqual({
      context,
      total: expected.total,
      maxScore: expected.maxScore,
      hits: expected.hits,
    });
    if (hits.length > 0) withHits++;
  }
  expect(withHits).toBeGreaterThan(FREQUENT / 2);
});

test('pages behind the last hit are the list of all hits, cut', () => {
  let pages = 0;
  for (let run = 0; run < LISTS; run++) {
    const shard = random.pick(shards);
    const size = random.pick([1, 3, 10, 100]);
    const sort = random.pick([null, [sortKey()], [sortKey(), sortKey()]]);
    const searched: IndexPlan = { ...plan(), sort, window: size };
    const all = collect(shard, { ...exhaustive(searched), window: 20_000 }, 0).hits;
    const context = `seed ${random.seed} run ${run} ${JSON.stringify(searched)}`;
    const keys = sort?.length ?? 0;
    // From the first hit, and from places deep in the list.
    let at = random.chance(0.5) ? 0 : random.below(all.length + 1);
    const start = all[at - 1];
    let after: ShardHit | null =
      start === undefined ? null : { ...start, sort: start.sort.slice(0, keys) };
    for (let page = 0; page < 5; page++) {
      const { hits } = collect(shard, searched, 0, after);
      expect({ context, at, hits }).toEqual({
        context,
        at,
        hits: all.slice(at, at + size).map((hit) => ({ ...hit, sort: hit.sort.slice(0, keys) })),
      });
      at += hits.length;
      after = hits.at(-1) ?? after;
      pages++;
    }
  }
  expect(pages).toBe(5 * LISTS);
});

test('a scan goes through all matches in their order', () => {
  for (let run = 0; run < SCANS; run++) {
    const shard = random.pick(shards);
    const searched: IndexPlan = { ...plan(), sort: null, postFilter: null, window: 20_000 };
    const inOrder = { ...searched, sort: [BY_DOCUMENT] };
    const expected = collect(shard, inOrder, 0).hits.map(({ segment, doc }) => [segment, doc]);
    const size = random.pick([1, 7, 100, 5000]);
    const context = `seed ${random.seed} run ${run} size ${size} ${JSON.stringify(searched)}`;
    const seen: number[][] = [];
    let after: ShardHit | null = null;
    for (;;) {
      const page: ShardResult['hits'] = collect(
        shard,
        { ...searched, scan: true, window: size },
        0,
        after,
      ).hits;
      for (const { segment, doc } of page) seen.push([segment, doc]);
      if (page.length < size || seen.length > 3000) break;
      after = page.at(-1)!;
    }
    expect({ context, seen }).toEqual({ context, seen: expected.slice(0, seen.length) });
    if (seen.length <= 3000) expect(seen.length).toBe(expected.length);
  }
});
