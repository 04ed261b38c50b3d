// Searches by OpenSearch beside those of the embedded engine, over the same random documents: hits in their
// order with scores, sort values and what is shown of them.
//
// OPENSEARCH_URL says where the server is. TEST_SEED says which documents are the first.

import { parseJsonObject } from '../../engine/json/parse';
import type { SearchOutcome } from '../../engine/search/plan/executor';
import { EngineFolder, indexRequest, OPEN_INDICES, searchFor } from '../support/engine';
import { onlyWhere } from '../support/only-where';
import { Random, rounds, testSeed } from '../support/random';
import { Counted } from './counted';

const url = process.env['OPENSEARCH_URL'] ?? '';

const KEYWORD = { type: 'string', index: 'not_analyzed' };
const MAPPING = {
  properties: {
    tag: KEYWORD,
    text: { type: 'string' },
    title: { type: 'string' },
    plain: { type: 'string', norms: { enabled: false } },
    docs: { type: 'string', index_options: 'docs' },
    area: { type: 'geo_shape', tree: 'quadtree', precision: '200km' },
    n: { type: 'integer' },
    long: { type: 'long' },
    half: { type: 'double' },
    when: { type: 'date' },
    place: { type: 'geo_point' },
    kids: {
      type: 'nested',
      include_in_parent: true,
      properties: { tag: KEYWORD, text: { type: 'string' }, n: { type: 'integer' } },
    },
  },
};

const CHILD = {
  _parent: { type: 'thing' },
  properties: { word: { type: 'string' }, m: { type: 'integer' } },
};

const WORDS = [
  'quick',
  'brown',
  'fox',
  'foxes',
  'jumps',
  'over',
  'lazy',
  'dog',
  'dogs',
  'q',
  'é😀',
];
const TAGS = ['a', 'b', 'ab', 'a*b', 'Zed', 'é', '42'];

function text(random: Random): string {
  const length = 1 + random.below(random.chance(0.1) ? 400 : 12);
  return Array.from({ length }, () => random.pick(WORDS)).join(' ');
}

function envelope(random: Random): object {
  const [west, south] = [random.below(300) - 170, random.below(120) - 80];
  const [east, north] = [west + 1 + random.below(30), south + 1 + random.below(30)];
  return {
    type: 'envelope',
    coordinates: [
      [west, north],
      [east, south],
    ],
  };
}

function documentOf(random: Random): object {
  const some = <T>(make: () => T): T | undefined => (random.chance(0.7) ? make() : undefined);
  return {
    tag: some(() => Array.from({ length: 1 + random.below(3) }, () => random.pick(TAGS))),
    text: some(() => text(random)),
    title: some(() => [text(random), text(random)]),
    plain: some(() => text(random)),
    docs: some(() => text(random)),
    area: some(() => envelope(random)),
    n: some(() => [random.below(10), random.below(10)]),
    long: some(() => random.below(2 ** 30)),
    half: some(() => random.below(1000) / 8 - 50),
    when: some(() => `201${random.below(10)}-0${1 + random.below(9)}-11`),
    place: some(() => ({ lat: random.below(1600) / 10 - 80, lon: random.below(3500) / 10 - 175 })),
    kids: some(() =>
      Array.from({ length: random.below(4) }, () => ({
        tag: random.pick(TAGS),
        text: text(random),
        n: random.below(10),
      })),
    ),
  };
}

const FIELDS = ['text', 'title', 'plain', 'docs', '_all', 'tag', 'unmapped'];

/** Queries by their names; `more` makes another one. */
const QUERIES: Readonly<Record<string, (random: Random, more: () => object) => object>> = {
  match_all: () => ({ match_all: { boost: 2 } }),
  term: (random) => ({
    term: { [random.pick(FIELDS)]: { value: random.pick([...WORDS, ...TAGS]), boost: 1.5 } },
  }),
  terms: (random) => ({ terms: { tag: [random.pick(TAGS), random.pick(TAGS)] } }),
  match: (random) => ({
    match: {
      [random.pick(FIELDS)]: {
        query: text(random),
        operator: random.pick(['and', 'or']),
        minimum_should_match: random.pick(['1', '2', '50%']),
      },
    },
  }),
  match_phrase: (random) => ({
    match_phrase: {
      [random.pick(['text', 'title'])]: {
        query: `${random.pick(WORDS)} ${random.pick(WORDS)}`,
        slop: random.below(4),
      },
    },
  }),
  match_phrase_prefix: (random) => ({
    // Not one of the words that the prefix stands for: such phrases are counted otherwise.
    match_phrase_prefix: {
      text: `${random.pick(['brown', 'lazy', 'q'])} ${random.pick(['f', 'd', 'qui'])}`,
    },
  }),
  multi_match: (random) => ({
    multi_match: {
      query: text(random),
      fields: ['text^2', 'title', 'plain'],
      type: random.pick(['best_fields', 'most_fields']),
      tie_breaker: 0.3,
    },
  }),
  fuzzy: (random) => ({ fuzzy: { text: { value: random.pick(['dug', 'fix', 'quack', 'laz']) } } }),
  prefix: (random) => ({ prefix: { [random.pick(FIELDS)]: random.pick(['a', 'fo', 'qu', '']) } }),
  wildcard: (random) => ({ wildcard: { tag: random.pick(['a*', '?', '*b', 'a\\*b']) } }),
  regexp: (random) => ({ regexp: { text: random.pick(['fo.*', '[dq].*', 'do(g|gs)', '~(f.*)']) } }),
  range: (random) => ({
    range: {
      [random.pick(['n', 'long', 'half'])]: { gte: random.below(10), lt: random.below(2 ** 29) },
    },
  }),
  dates: () => ({ range: { when: { gte: '2013-05-01||/M', lte: '2016-02-01||/y' } } }),
  strings: () => ({ range: { tag: { gt: 'a', lte: 'b' } } }),
  nested: (random) => ({
    nested: {
      path: 'kids',
      score_mode: random.pick(['avg', 'sum', 'max', 'none']),
      query: random.pick([
        { match: { 'kids.text': text(random) } },
        { range: { 'kids.n': { gte: 4 } } },
        { term: { 'kids.tag': 'a' } },
      ]),
    },
  }),
  bool: (random, more) => ({
    bool: {
      must: random.chance(0.5) ? [more()] : [],
      should: [more(), more()],
      must_not: random.chance(0.3) ? [more()] : [],
      ...(random.chance(0.3) ? { minimum_should_match: 1 } : {}),
      ...(random.chance(0.2) ? { disable_coord: true } : {}),
      boost: random.pick([1, 2.5]),
    },
  }),
  dis_max: (_random, more) => ({ dis_max: { queries: [more(), more()], tie_breaker: 0.4 } }),
  constant_score: (_random, more) => ({ constant_score: { query: more(), boost: 3 } }),
  filtered: (_random, more) => ({
    filtered: { query: more(), filter: { not: { exists: { field: 'n' } } } },
  }),
  missing: (random) => ({
    filtered: { filter: { missing: { field: random.pick(['n', 'kids', 'text']) } } },
  }),
  boosting: (_random, more) => ({
    boosting: { positive: more(), negative: { term: { tag: 'a' } }, negative_boost: 0.25 },
  }),
  query_string: (random) => ({
    query_string: {
      default_field: 'text',
      query: `${random.pick(WORDS)} +${random.pick(WORDS)} -tag:a "lazy dog"~2 title:jum*`,
    },
  }),
  common: (random) => ({ common: { text: { query: text(random), cutoff_frequency: 0.3 } } }),
  more_like_this: (random) => ({
    more_like_this: {
      fields: ['text', 'title'],
      like_text: text(random),
      min_term_freq: 1,
      min_doc_freq: 2,
    },
  }),
  fuzzy_like_this: (random) => ({
    fuzzy_like_this: { fields: ['text', 'title'], like_text: `${random.pick(WORDS)} dogz` },
  }),
  function_score: (random, more) => ({
    function_score: {
      query: more(),
      functions: [
        { filter: { term: { tag: 'a' } }, weight: 3 },
        { field_value_factor: { field: 'n', missing: 1, modifier: 'ln2p', factor: 2 } },
        { gauss: { half: { origin: 10, scale: 20, offset: 2 } } },
        { linear: { place: { origin: '10,10', scale: '3000km' } } },
      ].slice(0, 1 + random.below(4)),
      score_mode: random.pick(['multiply', 'sum', 'avg', 'max', 'min', 'first']),
      boost_mode: random.pick(['multiply', 'replace', 'sum', 'avg', 'max', 'min']),
      boost: random.pick([1, 2]),
      max_boost: random.pick([5, 100]),
    },
  }),
  span_near: (random) => ({
    constant_score: {
      query: {
        span_near: {
          clauses: [{ span_term: { text: random.pick(WORDS) } }, { span_term: { text: 'fox' } }],
          slop: random.below(4),
          in_order: random.chance(0.5),
        },
      },
    },
  }),
  has_child: (random) => ({
    has_child: {
      type: 'child',
      score_mode: random.pick(['none', 'max', 'sum', 'avg']),
      min_children: random.pick([1, 1, 2]),
      query: childQuery(random),
    },
  }),
  has_parent: (random, more) => ({
    has_parent: { type: 'thing', score_mode: random.pick(['none', 'score']), query: more() },
  }),
  has_child_filter: (random) => ({
    filtered: { filter: { not: { has_child: { type: 'child', query: childQuery(random) } } } },
  }),
  geo_distance: (random) => ({
    filtered: {
      filter: {
        geo_distance: {
          distance: `${1000 + random.below(5000)}km`,
          place: { lat: 20, lon: random.below(300) - 150 },
        },
      },
    },
  }),
  geo_shape: (random) => ({
    geo_shape: {
      area: {
        shape: envelope(random),
        relation: random.pick(['intersects', 'within', 'disjoint']),
      },
    },
  }),
  kids_outside: (random) => ({ match: { 'kids.text': random.pick(WORDS) } }),
  min_score: (random) => ({
    bool: {
      must: [{ match: { text: random.pick(WORDS) } }],
      should: [
        {
          filtered: {
            filter: {
              query: {
                function_score: { query: { match: { title: random.pick(WORDS) } }, min_score: 0.4 },
              },
            },
          },
        },
      ],
      minimum_should_match: 1,
    },
  }),
  span_scores: (random) => ({
    span_near: {
      clauses: [{ span_term: { text: random.pick(WORDS) } }, { span_term: { text: 'fox' } }],
      slop: 0,
      in_order: true,
    },
  }),
  span_places: (random) => ({
    span_near: {
      clauses: [
        { span_term: { text: random.pick(WORDS) } },
        {
          span_or: {
            clauses: [
              { span_term: { text: random.pick(WORDS) } },
              {
                span_near: {
                  clauses: [{ span_term: { text: 'lazy' } }, { span_term: { text: 'dog' } }],
                  slop: 2,
                  in_order: random.chance(0.5),
                },
              },
            ],
          },
        },
      ],
      slop: random.below(5),
      in_order: random.chance(0.5),
    },
  }),
  span_or: (random) => ({
    span_first: {
      match: {
        span_or: {
          clauses: [{ span_term: { text: 'dog' } }, { span_term: { text: random.pick(WORDS) } }],
        },
      },
      end: 4,
    },
  }),
  geo_bounding_box: (random) => ({
    filtered: {
      filter: {
        geo_bounding_box: {
          place: {
            top_left: { lat: 60, lon: random.pick([-100, 100]) },
            bottom_right: { lat: -30, lon: 20 },
          },
        },
      },
    },
  }),
};

function childQuery(random: Random): object {
  return random.pick([
    { match: { word: text(random) } },
    { range: { m: { gte: random.below(8) } } },
    { match_all: {} },
  ]);
}

const SORTS: readonly object[] = [
  { n: { order: 'desc', mode: 'min' } },
  { n: { order: 'asc', mode: 'sum', missing: '_first' } },
  { half: 'asc' },
  { half: { order: 'desc', missing: 3.5 } },
  { tag: 'desc' },
  { tag: { order: 'asc', missing: '_first' } },
  { when: 'desc' },
  { unmapped: { order: 'asc', ignore_unmapped: true } },
  { 'kids.n': { order: 'desc', mode: 'max', nested_path: 'kids' } },
  { _geo_distance: { place: { lat: 10, lon: 20 }, unit: 'km', order: 'asc' } },
];

const EXTRAS: readonly object[] = [
  {},
  { version: true, fields: ['tag', 'n'], _source: ['text', 'n'] },
  { highlight: { fields: { text: {}, title: {} } } },
  { min_score: 0.2 },
  { terminate_after: 20 },
  { post_filter: { term: { tag: 'a' } } },
  { fielddata_fields: ['n', 'tag'] },
  { rescore: { window_size: 10, query: { rescore_query: { match: { text: 'fox' } } } } },
];

function requestOf(random: Random): object {
  const names = Object.keys(QUERIES);
  const query = (depth: number): object => {
    const name = random.pick(names);
    const simple = random.pick(['term', 'match', 'range', 'prefix']);
    const make = (depth === 0 ? QUERIES[simple] : QUERIES[name])!;
    return make(random, () => query(Math.max(0, depth - 1)));
  };
  const extra = random.pick(EXTRAS);
  const sort = 'rescore' in extra || random.chance(0.5) ? {} : { sort: sortOf(random) };
  return { query: query(2), from: random.pick([0, 0, 3]), size: 10, ...sort, ...extra };
}

function sortOf(random: Random): object {
  const keys = [random.pick(SORTS)];
  if (random.chance(0.5)) keys.push(random.pick(SORTS));
  return random.chance(0.2) ? [...keys, '_score'] : keys;
}

interface Shown {
  readonly total: number;
  readonly maxScore: number | null;
  readonly hits: readonly unknown[];
}

function shown({ total, maxScore, hits, failures, allFailedIn }: SearchOutcome): Shown | string {
  if (allFailedIn !== null) return failures.map(({ reason }) => reason).join();
  const bodies = hits.map((bytes) => JSON.parse(Buffer.from(bytes).toString()) as unknown);
  return { total, maxScore, hits: bodies };
}

/** Compares with room for what 32 bits round differently. */
function expectAlike(ours: unknown, theirs: unknown, place: string): void {
  if (typeof ours === 'number' && typeof theirs === 'number') {
    const room = 3e-6 * Math.max(1e-3, Math.abs(theirs));
    if (!(Math.abs(ours - theirs) <= room)) throw new Error(`${place}: ${ours} for ${theirs}`);
  } else if (typeof ours === 'object' && typeof theirs === 'object' && ours && theirs) {
    expect({ place, names: Object.keys(ours) }).toEqual({ place, names: Object.keys(theirs) });
    for (const [name, value] of Object.entries(ours)) {
      expectAlike(value, (theirs as Record<string, unknown>)[name], `${place}.${name}`);
    }
  } else {
    expect({ place, value: ours }).toEqual({ place, value: theirs });
  }
}

/** What OpenSearch says that it cannot do, by name. */
const REFUSED = /is not supported by the OpenSearch backend/;

onlyWhere(url !== '', 'OPENSEARCH_URL')(
  'searches find and show what those of the embedded engine do',
  async () => {
    const folder = await EngineFolder.create();
    const seed = testSeed(1);
    const random = new Random(seed);
    const failed: string[] = [];
    const refused: string[] = [];
    try {
      const engine = await folder.open();
      const searched = await Counted.open(engine, url);
      const settings = { number_of_shards: 1, refresh_interval: '-1' };
      const mappings = { thing: MAPPING, child: CHILD };
      const body = parseJsonObject(JSON.stringify({ settings, mappings }));
      await engine.admin.createIndex('searches', body);
      await searched.create('searches');
      const documents = Array.from({ length: 120 }, (_, i) => ({
        type: 'thing',
        id: String(i),
        source: JSON.stringify(documentOf(random)),
      }));
      const children = Array.from({ length: 60 }, (_, i) => ({
        type: 'child',
        id: `c${i}`,
        source: JSON.stringify({ word: text(random), m: random.below(10) }),
        parent: String(random.below(130)),
      }));
      const all = [...documents, ...children];
      await engine.bulk(
        all.map(({ type, id, source, ...rest }) => {
          const request = indexRequest('searches', type, id, source, rest);
          return { kind: 'index', request } as const;
        }),
        false,
      );
      await engine.maintenance.refresh([], OPEN_INDICES);
      await searched.write('searches', all);
      for (let i = 0; i < rounds(150, 2000); i++) {
        const request = requestOf(random);
        await searchFor(engine, 'searches', request).catch(() => undefined);
        const remote = shown(await searched.searchAgain());
        const embedded = shown(await searched.embedded());
        if (typeof remote === 'string' && REFUSED.test(remote)) {
          refused.push(remote);
          continue;
        }
        try {
          expectAlike(remote, embedded, '');
        } catch (error) {
          failed.push(`${JSON.stringify(request)}\n${String(error).slice(0, 600)}`);
        }
      }
      await searched.remove('searches');
      await searched.client.close();
    } finally {
      await folder.remove();
    }
    expect(failed.join('\n\n')).toBe('');
    expect(refused).toEqual([]);
  },
);
