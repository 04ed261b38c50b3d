// Every facet type but terms through the whole engine against counting document by document: random writes,
// deletions, refreshes and merges, so that counts come from several segments and shards, also remembered ones.
// All sums are exact in doubles, so that their order does not matter.

import type { Engine } from '../../engine';
import { parseJsonObject } from '../../engine/json/parse';
import { writeJson } from '../../engine/json/write';
import { EngineFolder, indexRequest, OPEN_INDICES, searchFor, toSegments } from '../support/engine';
import { Random, testSeed } from '../support/random';

const KEYWORD = { type: 'string', index: 'not_analyzed' };
const FIELDS = {
  tag: KEYWORD,
  one: { type: 'integer' },
  n: { type: 'integer' },
  big: { type: 'long' },
  half: { type: 'double' },
  day: { type: 'date' },
  at: { type: 'geo_point' },
};
const MAPPING = { properties: { ...FIELDS, kids: { type: 'nested', properties: FIELDS } } };

interface Thing {
  readonly tag: readonly string[];
  readonly one: readonly number[];
  readonly n: readonly number[];
  readonly big: readonly number[];
  readonly half: readonly number[];
  readonly day: readonly number[];
  /** Degrees east on the equator. */
  readonly at: readonly number[];
  readonly kids: readonly Thing[];
}
type NumberName = 'one' | 'n' | 'big' | 'half' | 'day';
const NUMBERS: readonly NumberName[] = ['one', 'n', 'big', 'half', 'day'];
const DAY_MS = 86_400_000;
const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', '12h', '90m'] as const;

function some<T>(random: Random, make: () => T, most: number): T[] {
  return Array.from({ length: random.below(most + 1) }, make);
}

function makeThing(random: Random, depth = 0): Thing {
  return {
    tag: some(random, () => `t${random.below(30)}`, 2),
    one: some(random, () => random.below(5), 1),
    n: some(random, () => random.between(-40, 40), 3),
    big: some(random, () => random.pick([7, -7, 2 ** 33, 2 ** 42]), 2),
    half: some(random, () => random.between(-9, 9) / 2, 2),
    day: some(random, () => random.between(-400, 20_000) * 7_654_321, 2),
    at: some(random, () => random.between(-20, 20), 2),
    kids: depth > 0 ? [] : some(random, () => makeThing(random, 1), 2),
  };
}

function json(thing: Thing): string {
  const points = (given: Thing): object => ({
    ...given,
    at: given.at.map((lon) => ({ lat: 0, lon })),
    kids: given.kids.map(points),
  });
  return JSON.stringify(points(thing));
}

const ascending = (a: number, b: number) => a - b;
const valuesOf = (thing: Thing, field: NumberName) => [...new Set(thing[field])].sort(ascending);
const double = (x: number) =>
  Number.isFinite(x)
    ? Math.abs(x) >= 1e7
      ? x
          .toExponential()
          .replace(/^([^.]*)e\+/, '$1.0e+')
          .replace('e+', 'E')
      : Number.isInteger(x)
        ? `${x}.0`
        : String(x)
    : `"${x}"`;

/** Count, and what was folded in. */
class Sums {
  count = 0;
  readonly values: number[] = [];

  get total(): number {
    return this.values.reduce((sum, value) => sum + value, 0);
  }
  get min(): string {
    return double(Math.min(...this.values));
  }
  get max(): string {
    return double(Math.max(...this.values));
  }
  mean(ofNothing: number): string {
    return double(this.values.length === 0 ? ofNothing : this.total / this.values.length);
  }
}

class Buckets<K> {
  readonly map = new Map<K, Sums>();

  at(key: K): Sums {
    let sums = this.map.get(key);
    if (sums === undefined) this.map.set(key, (sums = new Sums()));
    return sums;
  }
}

/** A request and the text of its answer. */
interface Asked {
  /** @param path what stands before the names of fields */
  readonly request: (path: string) => Readonly<Record<string, object>>;
  readonly answer: (things: readonly Thing[]) => string;
}

function histogram(random: Random): Asked {
  const field = random.pick(NUMBERS);
  const value = random.chance(0.5) ? random.pick(NUMBERS) : null;
  const interval = random.pick([1, 3, 10, 1_000_000]);
  const round = (x: number) => Math.trunc(x / interval) * interval + 0;
  return {
    request: (path) => ({
      histogram: { field: path + field, interval, ...(value && { value_field: path + value }) },
    }),
    answer: (things) =>
      keyed('histogram', 'key', things, field, value, round, NaN, value === field),
  };
}

function dateHistogram(random: Random): Asked {
  const unit = random.pick(UNITS);
  const value = random.chance(0.4) ? random.pick(NUMBERS) : null;
  const hours = random.between(-11, 12);
  const shift = hours * 3_600_000;
  const isLarge = !['hour', '90m'].includes(unit);
  const round = (t: number) => floorDate(t + shift, unit) - (isLarge ? 0 : shift);
  return {
    request: (path) => ({
      date_histogram: {
        field: `${path}day`,
        interval: unit,
        time_zone: hours,
        ...(value && { value_field: path + value }),
      },
    }),
    answer: (things) => keyed('date_histogram', 'time', things, 'day', value, round, 0, false),
  };
}

function floorDate(t: number, unit: (typeof UNITS)[number]): number {
  const date = new Date(t);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const floor = (length: number, origin = 0) =>
    Math.floor((t - origin) / length) * length + origin + 0;
  switch (unit) {
    case 'year':
      return Date.UTC(year, 0);
    case 'quarter':
      return Date.UTC(year, month - (month % 3));
    case 'month':
      return Date.UTC(year, month);
    case 'week':
      return floor(7 * DAY_MS, -3 * DAY_MS);
    case 'day':
      return floor(DAY_MS);
    case 'hour':
      return floor(3_600_000);
    case '12h':
      return floor(DAY_MS / 2);
    case '90m':
      return floor(5_400_000);
  }
}

function keyed(
  type: string,
  keyName: string,
  things: readonly Thing[],
  field: NumberName,
  value: NumberName | null,
  round: (x: number) => number,
  meanOfNothing: number,
  ownValues: boolean,
): string {
  const buckets = new Buckets<number>();
  for (const thing of things) {
    for (const key of valuesOf(thing, field)) {
      const bucket = buckets.at(round(key));
      bucket.count++;
      if (value !== null) bucket.values.push(...(ownValues ? [key] : valuesOf(thing, value)));
    }
  }
  const entries = [...buckets.map].sort((a, b) => a[0] - b[0]);
  const texts = entries.map(([key, sums]) => {
    const start = `{"${keyName}":${key},"count":${sums.count}`;
    if (value === null) return `${start}}`;
    return `${start},"min":${sums.min},"max":${sums.max},"total":${double(sums.total)},"total_count":${sums.values.length},"mean":${sums.mean(meanOfNothing)}}`;
  });
  return `{"_type":"${type}","entries":[${texts.join(',')}]}`;
}

function range(random: Random): Asked {
  const field = random.pick(NUMBERS);
  const value = random.chance(0.5) ? random.pick(NUMBERS) : field;
  const ranges = Array.from({ length: random.between(1, 4) }, () => ({
    ...(random.chance(0.7) ? { from: random.between(-30, 30) } : {}),
    ...(random.chance(0.7) ? { to: random.between(-30, 30) } : {}),
  }));
  return {
    request: (path) => ({
      range: { field: path + field, value_field: path + value, ranges },
    }),
    answer: (things) => {
      const texts = ranges.map(({ from = -Infinity, to = Infinity }) => {
        const sums = new Sums();
        for (const thing of things) {
          const first = valuesOf(thing, field).find((x) => x >= from && x < to);
          if (first === undefined) continue;
          sums.count++;
          sums.values.push(...(value === field ? [first] : valuesOf(thing, value)));
        }
        const bounds = `${from === -Infinity ? '' : `"from":${double(from)},`}${to === Infinity ? '' : `"to":${double(to)},`}`;
        const spread = sums.values.length === 0 ? '' : `"min":${sums.min},"max":${sums.max},`;
        return `{${bounds}"count":${sums.count},${spread}"total_count":${sums.values.length},"total":${double(sums.total)},"mean":${sums.mean(0)}}`;
      });
      return `{"_type":"range","ranges":[${texts.join(',')}]}`;
    },
  };
}

function termsStats(random: Random): Asked {
  const key = random.pick(['tag', 'one', 'n', 'big', 'half'] as const);
  const value = random.pick(NUMBERS);
  const by = random.pick(['count', 'term', 'total', 'min', 'max', 'mean'] as const);
  const reverse = random.chance(0.5);
  const size = random.pick([0, 1, 5, 1000]);
  const order = reverse ? `reverse_${by}` : by;
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
  const mean = ({ total, values }: Sums) => (values.length === 0 ? 0 : total / values.length);
  const first = (a: [string | number, Sums], b: [string | number, Sums]): number => {
    const byCount = b[1].count - a[1].count || compare(b[0], a[0]);
    switch (by) {
      case 'count':
        return byCount;
      case 'term':
        return compare(a[0], b[0]);
      case 'min':
        return compare(Math.min(...a[1].values), Math.min(...b[1].values)) || byCount;
      case 'max':
        return compare(Math.max(...b[1].values), Math.max(...a[1].values)) || byCount;
      case 'total':
        return b[1].total - a[1].total || byCount;
      case 'mean':
        return mean(b[1]) - mean(a[1]) || byCount;
    }
  };
  return {
    request: (path) => ({
      terms_stats: { key_field: path + key, value_field: path + value, order, size },
    }),
    answer: (things) => {
      const buckets = new Buckets<string | number>();
      let missing = 0;
      for (const thing of things) {
        const terms = new Set<string | number>(thing[key]);
        if (terms.size === 0 && key !== 'tag' && key !== 'half') missing++;
        for (const term of terms) {
          const bucket = buckets.at(term);
          bucket.count++;
          bucket.values.push(...valuesOf(thing, value));
        }
      }
      const entries = [...buckets.map].sort((a, b) => (reverse ? first(b, a) : first(a, b)));
      const texts = entries.slice(0, size === 0 ? undefined : size).map(([term, sums]) => {
        const shown = key === 'tag' ? `"${term}"` : key === 'half' ? double(Number(term)) : term;
        return `{"term":${shown},"count":${sums.count},"total_count":${sums.values.length},"min":${sums.min},"max":${sums.max},"total":${double(sums.total)},"mean":${sums.mean(0)}}`;
      });
      return `{"_type":"terms_stats","missing":${missing},"terms":[${texts.join(',')}]}`;
    },
  };
}

/** Distances along the equator, in degrees, with the numbers of a field folded in. */
function geoDistance(random: Random): Asked {
  const value = random.pick(NUMBERS);
  const center = random.between(-20, 20);
  const metersPerDegree = (2 * Math.PI * 6378137) / 360;
  const from = random.between(0, 10);
  const to = random.between(5, 30);
  const ring = { from: (from - 0.5) * metersPerDegree, to: (to + 0.5) * metersPerDegree };
  return {
    request: (path) => ({
      geo_distance: {
        [`${path}at`]: [center, 0],
        ranges: [ring],
        value_field: path + value,
        distance_type: 'plane',
      },
    }),
    answer: (things) => {
      const sums = new Sums();
      for (const thing of things) {
        const isWithin = thing.at.some((lon) => {
          const degrees = Math.abs(lon - center);
          return degrees > from - 0.5 && degrees < to + 0.5;
        });
        if (!isWithin) continue;
        sums.count++;
        sums.values.push(...valuesOf(thing, value));
      }
      const bounds = `"from":${double(ring.from)},"to":${double(ring.to)}`;
      return `{"_type":"geo_distance","ranges":[{${bounds},"count":${sums.count},"min":${sums.min},"max":${sums.max},"total_count":${sums.values.length},"total":${double(sums.total)},"mean":${sums.mean(0)}}]}`;
    },
  };
}

function matches(random: Random): Asked {
  const type = random.pick(['filter', 'query'] as const);
  const below = random.between(-40, 40);
  return {
    request: (path) => ({ [type]: { range: { [`${path}n`]: { lt: below } } } }),
    answer: (things) => {
      const count = things.filter(({ n }) => n.some((x) => x < below)).length;
      return `{"_type":"${type}","count":${count}}`;
    },
  };
}

function statistical(random: Random): Asked {
  const field = random.pick(['one', 'n', 'half'] as const);
  return {
    request: (path) => ({ statistical: { field: path + field } }),
    answer: (things) => {
      const sums = new Sums();
      for (const thing of things) sums.values.push(...valuesOf(thing, field));
      const { total, values } = sums;
      const squares = values.reduce((sum, x) => sum + x * x, 0);
      const variance = (squares - (total * total) / values.length) / values.length;
      return `{"_type":"statistical","count":${values.length},"total":${double(total)},"min":${sums.min},"max":${sums.max},"mean":${sums.mean(0)},"sum_of_squares":${double(squares)},"variance":${double(variance)},"std_deviation":${double(Math.sqrt(variance))}}`;
    },
  };
}

const KINDS = [
  histogram,
  dateHistogram,
  dateHistogram,
  range,
  termsStats,
  termsStats,
  geoDistance,
  matches,
  statistical,
];

class Sequence {
  private readonly written = new Map<string, Thing>();
  private visible: readonly Thing[] = [];
  /** Asked again after every refresh: counts of old segments are remembered. */
  private readonly fixed: readonly Asked[];

  constructor(
    private readonly engine: Engine,
    private readonly random: Random,
  ) {
    this.fixed = KINDS.map((kind) => kind(random));
  }

  async step(): Promise<void> {
    const { random, engine } = this;
    const actions = some(random, () => this.change(), 40);
    await engine.bulk(actions, false);
    if (random.chance(0.1))
      await engine.optimize([], OPEN_INDICES, toSegments(random.between(1, 2)));
    await engine.refresh([], OPEN_INDICES);
    this.visible = [...this.written.values()];
    await this.check();
  }

  private change() {
    const { random } = this;
    const id = String(random.below(400));
    if (random.chance(0.15)) {
      this.written.delete(id);
      return { kind: 'delete', request: { ...indexRequest('i', 'doc', id, {}), id } } as const;
    }
    const thing = makeThing(random);
    this.written.set(id, thing);
    return { kind: 'index', request: indexRequest('i', 'doc', id, json(thing)) } as const;
  }

  private async check(): Promise<void> {
    const { random } = this;
    const isNested = random.chance(0.3);
    const isGlobal = random.chance(0.2);
    const filter = random.chance(0.3) ? random.between(0, 4) : null;
    const least = random.chance(0.5) ? random.between(0, 4) : null;
    const asked = [...this.fixed, ...KINDS.map((kind) => kind(random))];
    const path = isNested ? 'kids.' : '';
    const facets: Record<string, object> = {};
    const expected: string[] = [];
    const matching = this.visible.filter(
      ({ one }) => least === null || one.some((x) => x >= least),
    );
    for (const { request, answer } of asked) {
      const body = request(path);
      // Global filters and queries are not restricted to roots.
      const global = isGlobal && !('filter' in body || 'query' in body);
      const name = `f${expected.length}`;
      facets[name] = {
        ...body,
        global,
        ...(isNested ? { nested: 'kids' } : {}),
        ...(filter === null ? {} : { facet_filter: { term: { [`${path}one`]: filter } } }),
      };
      const roots = global ? this.visible : matching;
      const things = isNested ? roots.flatMap(({ kids }) => kids) : roots;
      const scope = things.filter(({ one }) => filter === null || one.includes(filter));
      expected.push(JSON.stringify(facets[name]) + answer(scope));
    }
    const query = least === null ? { match_all: {} } : { range: { one: { gte: least } } };
    const { facets: found } = await searchFor(this.engine, 'i', { size: 0, query, facets });
    const texts = [...(found as ReadonlyMap<string, never>)].map(
      ([name, facet]) => JSON.stringify(facets[name]) + writeJson(facet),
    );
    expect(texts).toEqual(expected);
  }
}

test.each([
  [1, 1],
  [2, 3],
])('facets of all types count exactly (sequence %i, %i shards)', async (number, shards) => {
  const seed = testSeed(number);
  const folder = await EngineFolder.create();
  try {
    const engine = await folder.open();
    const settings = { number_of_shards: shards, refresh_interval: '-1' };
    await engine.createIndex(
      'i',
      parseJsonObject(JSON.stringify({ settings, mappings: { doc: MAPPING } })),
    );
    const sequence = new Sequence(engine, new Random(seed));
    for (let step = 0; step < 20; step++) await sequence.step();
  } catch (error) {
    throw new Error(`seed ${seed}`, { cause: error });
  } finally {
    await folder.remove();
  }
});
