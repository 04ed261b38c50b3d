// Searches with random damage: planned, or refused by the failure of a shard as the reference words it, and
// never anything else.

import type { JsonObject } from '../../engine/json/json';
import { DEFAULT_REQUEST_LIMITS } from '../../engine/common/request-meter';
import { writeJson } from '../../engine/json/write';
import { compileMapping } from '../../engine/mapping/compile';
import { SearchContext } from '../../engine/query/parse/search-context';
import { planSearch } from '../../engine/search/parse/plan-search';
import { NO_SCRIPTS } from '../support/no-scripts';
import { propertyRuns, Random, testSeed } from '../support/random';
import { copyOf, damage, trees } from '../support/tree-damage';
import { withoutStacks } from '../support/without-stacks';
import { TestIndex } from '../unit/engine/mapping/support';

const RUNS = propertyRuns(10_000);

const MAPPINGS = {
  d: {
    properties: {
      t: { type: 'string' },
      k: { type: 'string', index: 'not_analyzed' },
      n: { type: 'integer' },
      dt: { type: 'date' },
      g: { type: 'geo_point' },
      p: { type: 'geo_shape', precision: '10km' },
      c: {
        type: 'nested',
        properties: { a: { type: 'string' }, r: { type: 'nested', properties: {} } },
      },
    },
  },
  kid: { _parent: { type: 'd' }, properties: { name: { type: 'string' } } },
};

const T = { span_term: { t: 'a' } };
const NEAR = { span_near: { clauses: [T, { span_or: { clauses: [T] } }], slop: 1 } };
const POINT = { lat: 1, lon: 2 };
const SHAPE = {
  type: 'polygon',
  coordinates: [
    [
      [0, 0],
      [0, 1],
      [1, 1],
      [0, 0],
    ],
  ],
};

const BASES = trees([
  { query: { bool: { must: [{ match: { t: { query: 'a b', fuzziness: 1 } } }, NEAR] } }, size: 3 },
  { query: { span_not: { include: NEAR, exclude: T, pre: 1, post: 2 } }, explain: true },
  { query: { span_first: { match: { span_multi: { match: { prefix: { t: 'x' } } } }, end: 3 } } },
  { query: { field_masking_span: { query: T, field: 'k' } }, highlight: { fields: { t: {} } } },
  {
    query: {
      has_child: {
        type: 'kid',
        query: { match: { name: 'x' } },
        score_mode: 'max',
        min_children: 1,
        inner_hits: { size: 2, sort: ['name'], explain: true },
      },
    },
  },
  { query: { has_parent: { parent_type: 'd', query: { term: { k: 1 } }, inner_hits: {} } } },
  { query: { top_children: { type: 'kid', query: { match_all: {} }, factor: 2, score: 'sum' } } },
  {
    query: {
      nested: {
        path: 'c',
        score_mode: 'avg',
        query: { match: { 'c.a': 'x' } },
        inner_hits: { name: 'h', from: 1, _source: ['a'], fielddata_fields: ['c.a'] },
      },
    },
    inner_hits: {
      x: {
        path: {
          c: { query: { match_all: {} }, inner_hits: { y: { path: { 'c.r': { size: 1 } } } } },
        },
      },
      k: { type: { kid: { version: true, highlight: { fields: { name: {} } } } } },
    },
  },
  {
    query: {
      filtered: {
        query: { geo_shape: { p: { shape: SHAPE, relation: 'within' } } },
        filter: {
          and: [
            { geo_distance: { distance: '5km', g: POINT, optimize_bbox: 'indexed' } },
            { geo_bounding_box: { g: { top_left: POINT, bottom_right: [1, 2] } } },
            { geo_polygon: { g: { points: [POINT, [1, 2], 'u09'] } } },
            { geohash_cell: { g: POINT, precision: 3, neighbors: true } },
          ],
        },
      },
    },
    sort: [{ _geo_distance: { g: [[1, 2]], unit: 'km', mode: 'min' } }, '_score'],
  },
  {
    query: {
      function_score: {
        functions: [
          { gauss: { dt: { origin: '2014-01-01', scale: '10d', decay: 0.3 } }, weight: 2 },
          { filter: { term: { k: 'x' } }, field_value_factor: { field: 'n', modifier: 'log1p' } },
          { random_score: { seed: 5 } },
        ],
        score_mode: 'sum',
        boost_mode: 'replace',
      },
    },
    rescore: { window_size: 5, query: { rescore_query: NEAR, query_weight: 0.5 } },
  },
  {
    query: { simple_query_string: { query: '"a b"~2 +(c | d*) -e~1', fields: ['t^2', '_all'] } },
    post_filter: { range: { dt: { gte: 'now-1d/d', time_zone: '+01:00' } } },
  },
  {
    query: { query_string: { query: 't:(a AND b*) n:[1 TO 5] /re.x/', default_field: 't' } },
    facets: {
      f: { terms: { field: 'k', size: 3, exclude: ['x'] }, facet_filter: { type: { value: 'd' } } },
      h: { date_histogram: { field: 'dt', interval: 'month' }, nested: 'c' },
      s: { terms_stats: { key_field: 'k', value_field: 'n' }, global: true },
    },
  },
  {
    aggs: {
      a: {
        terms: { field: 'k', order: { 's.avg': 'desc' }, size: 5 },
        aggs: { s: { stats: { field: 'n' } }, h: { top_hits: { size: 1, sort: ['n'] } } },
      },
      b: { date_histogram: { field: 'dt', interval: '1w', extended_bounds: { min: 0, max: 9 } } },
      c: { nested: { path: 'c' }, aggs: { r: { reverse_nested: {} } } },
      e: { geohash_grid: { field: 'g', precision: 3 } },
      f: { filters: { filters: { x: { term: { k: 'x' } } } } },
      g: { significant_terms: { field: 'k', background_filter: { term: { k: 'x' } } } },
      i: { children: { type: 'kid' } },
      p: { percentiles: { field: 'n', percents: [1, 99] } },
    },
  },
  {
    suggest: { text: 'x', w: { term: { field: 't' } }, p: { phrase: { field: 't' } } },
    fields: ['t', '_source'],
    fielddata_fields: ['k'],
    _source: { includes: ['a*'] },
    indices_boost: { i: 2 },
  },
]) as readonly JsonObject[];

const VALUES = trees([
  null,
  true,
  '',
  'x',
  'c',
  'kid',
  '__proto__',
  '*',
  -1,
  0,
  1.5,
  1e30,
  2 ** 53,
  [],
  [[]],
  [null],
  {},
  T,
  NEAR,
  SHAPE,
  { path: { c: {} } },
  { match_all: {} },
  { a: { b: [1] } },
]);

test(`${RUNS} damaged searches are planned or refused`, () =>
  withoutStacks(() => {
    const random = new Random(testSeed(20261123));
    const index = new TestIndex(
      Object.fromEntries(
        Object.entries(MAPPINGS).map(([type, body]) => [type, JSON.stringify(body)]),
      ),
    );
    const mapping = compileMapping(index.metadata, index.analysis);
    const services = {
      now: () => Date.UTC(2014, 5, 15),
      limits: DEFAULT_REQUEST_LIMITS,
      nodeId: 'n',
      scripts: () => NO_SCRIPTS,
      getSource: () => undefined,
      indicesOf: (names: readonly string[]) => new Set(names),
    };
    let planned = 0;
    for (let run = 0; run < RUNS; run++) {
      const members = copyOf(random.pick(BASES)) as JsonObject;
      damage(random, members, VALUES);
      const text = writeJson(members);
      const texts = random.chance(0.2) ? ('scored' as const) : undefined;
      const context = new SearchContext(index.metadata, mapping, random.pick([[], ['d']]), {
        ...services,
        texts,
      });
      try {
        const plan = planSearch([{ members, text }], context, {
          searchType: 'query_then_fetch',
          aliasFilters: null,
          facetMemory: 1 << 20,
          isScroll: false,
        });
        if ('plan' in plan) planned++;
        else plan.fail(0);
      } catch (error) {
        throw new Error(`seed ${random.seed}, run ${run}: ${text}`, { cause: error });
      }
    }
    // Damage neither goes unnoticed as a rule nor spoils everything.
    expect(planned).toBeGreaterThan(RUNS / 20);
    expect(planned).toBeLessThan(RUNS);
  }));
