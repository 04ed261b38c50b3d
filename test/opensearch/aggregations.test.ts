// Trees of aggregations by OpenSearch, beside those of the embedded engine, over the same random documents.
//
// OPENSEARCH_URL says where the server is. TEST_SEED says which documents are the first.

import type { Random } from '../support/random';
import { countsAreEqual } from './counted-things';

// So few terms are named that most lists have more.
jest.mock('../../engine/opensearch/counting/top-terms', () => ({
  ...jest.requireActual<object>('../../engine/opensearch/counting/top-terms'),
  namedTerms: (wanted: number) => wanted + 1,
}));

const NUMBERS = ['one', 'n', 'big', 'half', 'day'];
const TERMS = ['tag', 'path', 'words', 'flag', ...NUMBERS, 'nowhere'];
const METRICS = ['min', 'max', 'sum', 'avg', 'stats', 'percentiles'];
/** Their squares add up to what doubles hold exactly. */
const SMALL_NUMBERS = ['one', 'n', 'half'];
const DEPTH = 3;

type Body = Readonly<Record<string, unknown>>;

/** An aggregation without those below it. @param path what stands before the names of fields */
type Kind = (random: Random, path: string) => Body;

const number = (random: Random, path: string) => ({ field: path + random.pick(NUMBERS) });
const term = (random: Random, path: string) => ({ field: path + random.pick(TERMS) });
const only = (random: Random, path: string) => ({ term: { [`${path}one`]: random.below(5) } });
const where = (path: string) => ({ field: `${path}at` });

function ranges(random: Random, spread: number): object[] {
  return Array.from({ length: random.between(1, 3) }, () => {
    const from = random.between(-spread, spread);
    const to = from + random.below(spread);
    return random.pick([{ from, to }, { from }, { to }, { from, to, key: 'named' }]);
  });
}

const LEAVES: readonly Kind[] = [
  (random, path) => ({ [random.pick(METRICS)]: number(random, path) }),
  (random, path) => ({ extended_stats: { field: path + random.pick(SMALL_NUMBERS) } }),
  (random, path) => ({ percentile_ranks: { ...number(random, path), values: [-5, 0, 7] } }),
  (random, path) => ({ value_count: random.chance(0.2) ? where(path) : term(random, path) }),
  (random, path) => ({
    cardinality: {
      ...(random.chance(0.2) ? where(path) : term(random, path)),
      precision_threshold: random.pick([10, 3000]),
    },
  }),
  (_random, path) => ({ geo_bounds: where(path) }),
];

const SCRIPTED: readonly Kind[] = [
  (_random, path) => ({ sum: { script: `doc['${path}one'].value * 2` } }),
  (_random, path) => ({ terms: { field: `${path}tag`, script: "_value + 'x'", size: 5 } }),
  (_random, path) => ({ stats: { field: `${path}n`, script: '_value * _value' } }),
];

const ORDERS = [{}, { order: { _term: 'asc' } }, { order: { _count: 'asc' } }];

const BUCKETS: readonly Kind[] = [
  (random, path) => ({
    terms: {
      ...term(random, path),
      size: random.pick([0, 1, 3, 50]),
      ...random.pick(ORDERS),
      ...(random.chance(0.1) ? { min_doc_count: 2 } : {}),
    },
  }),
  (_random, path) => ({ terms: { field: `${path}tag`, include: 't1.*', exclude: ['t1'] } }),
  (random) => ({ terms: { field: random.pick(['_index', '_type']) } }),
  (random, path) => ({
    histogram: {
      ...number(random, path),
      interval: random.pick([1, 7, 1000, 1_000_000_000]),
      ...(random.chance(0.3) ? { pre_offset: 3, post_offset: -2 } : {}),
    },
  }),
  (random, path) => ({
    date_histogram: {
      field: `${path}day`,
      interval: random.pick(['year', 'quarter', 'month', 'week', 'day', 'hour', '90m', '1.5d']),
      time_zone: random.pick(['UTC', 'Europe/Berlin', '-03:30', 'America/Sao_Paulo']),
      ...(random.chance(0.2) ? { pre_zone_adjust_large_interval: true } : {}),
      ...(random.chance(0.2) ? { pre_offset: '3h', post_offset: '-1h' } : {}),
      ...(random.chance(0.2) ? { post_zone: 'Asia/Tokyo' } : {}),
    },
  }),
  (random, path) => ({ range: { ...number(random, path), ranges: ranges(random, 40) } }),
  (random, path) => ({
    geo_distance: {
      ...where(path),
      origin: { lat: 0, lon: 0 },
      unit: 'km',
      ranges: ranges(random, 2000),
    },
  }),
  (random, path) => ({ geohash_grid: { ...where(path), precision: random.between(1, 4) } }),
  (random, path) => ({ filter: only(random, path) }),
  (random, path) => ({ filters: { filters: [only(random, path), { not: only(random, path) }] } }),
  (random, path) => ({ filters: { filters: { one: only(random, path), two: {} } } }),
  (random, path) => ({ missing: term(random, path) }),
];

/** @param path of nested objects, with a dot, or '' */
function tree(random: Random, path: string, depth: number): Body {
  if (depth === 0 || random.chance(0.25))
    return random.pick(random.chance(0.1) ? SCRIPTED : LEAVES)(random, path);
  const isTop = depth === DEPTH;
  if (isTop && random.chance(0.1)) return { global: {}, ...below(random, '', depth) };
  if (random.chance(0.15)) {
    const inside = path === '' ? 'kids.' : '';
    const lead = path === '' ? { nested: { path: 'kids' } } : { reverse_nested: {} };
    return { ...lead, ...below(random, inside, depth) };
  }
  return { ...random.pick(BUCKETS)(random, path), ...below(random, path, depth) };
}

function below(random: Random, path: string, depth: number): object {
  const count = random.below(3);
  if (count === 0) return {};
  const trees = Array.from({ length: count }, (_, i) => [`s${i}`, tree(random, path, depth - 1)]);
  return { aggs: Object.fromEntries(trees) as object };
}

/** The most frequent terms, of which shards name some. */
function frequent(random: Random): Body {
  const field = random.pick(['tag', 'n', 'half', 'day']);
  return { terms: { field, size: random.between(1, 4) }, ...below(random, '', DEPTH) };
}

countsAreEqual(
  'aggregations of all types',
  (random) =>
    Array.from({ length: 14 }, (_, i) => ({
      aggs: { a: i < 4 ? frequent(random) : tree(random, '', DEPTH) },
    })),
  null,
);
