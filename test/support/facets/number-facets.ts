// The facet types about numbers, points and matches, counted thing by thing.

import type { Random } from '../random';
import { shownTerm, termsOf, type TermName } from './terms-facet';
import {
  anySource,
  Buckets,
  compareTerms,
  double,
  numbersOf,
  NUMBERS,
  script,
  Sums,
  type Asked,
  type NumberSource,
  type Thing,
} from './things';

/** Keys of which things without one are counted. */
const INTEGERS: ReadonlySet<TermName> = new Set<TermName>(['one', 'n', 'big', 'day']);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', '12h', '90m'] as const;

/** Intervals of a field, or of what a script gives. */
export function histogram(random: Random): Asked {
  const interval = random.pick([1, 3, 10, 1_000_000]);
  const order = random.pick(['key', 'count', 'total'] as const);
  const round = (x: number) => Math.trunc(x / interval) * interval + 0;
  if (random.chance(0.2)) {
    const [key, value] = [script(random, '3'), script(random, '2')];
    return {
      request: (path) => ({
        histogram: { key_script: key.text(path), value_script: value.text(path), interval, order },
      }),
      answer: (things) => {
        const keys = (thing: Thing) => [key.of(thing, 3)];
        const values = (thing: Thing) => [value.of(thing, 2)];
        return keyed('histogram', 'key', things, keys, values, { order, round, ofNothing: NaN });
      },
    };
  }
  const field = random.pick(NUMBERS);
  const value = random.chance(0.6) ? anySource(random) : null;
  return {
    request: (path) => ({
      histogram: { field: path + field, interval, order, ...value?.members(path) },
    }),
    answer: (things) => {
      const values =
        value?.field === field
          ? (_thing: Thing, key: number) => [key]
          : value && ((thing: Thing) => value.of(thing));
      const keys = (thing: Thing) => numbersOf(thing, field);
      return keyed('histogram', 'key', things, keys, values, { order, round, ofNothing: NaN });
    },
  };
}

/** Intervals of `day` in a zone of whole hours. */
export function dateHistogram(random: Random): Asked {
  const unit = random.pick(UNITS);
  const value = random.chance(0.5) ? anySource(random) : null;
  const order = random.pick(['time', 'count', ...(value ? ['total' as const] : [])] as const);
  const hours = random.between(-11, 12);
  const before = random.pick([0, 0, -5, 30]);
  const after = random.pick([0, 0, -1, 24]);
  const shift = hours * HOUR_MS;
  const isLarge = !['hour', '90m'].includes(unit);
  const round = (t: number) =>
    floorDate(t + before * HOUR_MS + shift, unit) - (isLarge ? 0 : shift) + after * HOUR_MS;
  return {
    request: (path) => ({
      date_histogram: {
        field: `${path}day`,
        interval: unit,
        time_zone: hours,
        pre_offset: `${before}h`,
        post_offset: `${after}h`,
        order,
        ...value?.members(path),
      },
    }),
    answer: (things) => {
      const values = value && ((thing: Thing) => value.of(thing));
      const keys = (thing: Thing) => numbersOf(thing, 'day');
      return keyed('date_histogram', 'time', things, keys, values, { order, round, ofNothing: 0 });
    },
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
      return floor(HOUR_MS);
    case '12h':
      return floor(DAY_MS / 2);
    case '90m':
      return floor(1.5 * HOUR_MS);
  }
}

interface Keyed {
  readonly order: 'key' | 'time' | 'count' | 'total';
  readonly round: (x: number) => number;
  /** The mean of a bucket without values. */
  readonly ofNothing: number;
}

function keyed(
  type: string,
  keyName: string,
  things: readonly Thing[],
  keysOf: (thing: Thing) => readonly number[],
  valuesOf: ((thing: Thing, key: number) => readonly number[]) | null,
  { order, round, ofNothing }: Keyed,
): string {
  const buckets = new Buckets<number>();
  for (const thing of things) {
    for (const key of keysOf(thing)) {
      const bucket = buckets.at(round(key));
      bucket.count++;
      if (valuesOf !== null) bucket.values.push(...valuesOf(thing, key));
    }
  }
  const figure = ({ count, total }: Sums) =>
    order === 'count' ? count : order === 'total' && valuesOf !== null ? total : 0;
  const entries = [...buckets.map].sort((a, b) => figure(a[1]) - figure(b[1]) || a[0] - b[0]);
  const texts = entries.map(([key, sums]) => {
    const start = `{"${keyName}":${key},"count":${sums.count}`;
    if (valuesOf === null) return `${start}}`;
    return `${start},"min":${sums.min},"max":${sums.max},"total":${double(sums.total)},"total_count":${sums.values.length},"mean":${sums.mean(ofNothing)}}`;
  });
  return `{"_type":"${type}","entries":[${texts.join(',')}]}`;
}

/** Ranges that may overlap. */
export function range(random: Random): Asked {
  const byScript = random.chance(0.2);
  const [keyScript, valueScript] = [script(random, '3'), script(random, '2')];
  const field = random.pick(NUMBERS);
  const value = random.chance(0.5) ? random.pick(NUMBERS) : field;
  const ranges = Array.from({ length: random.between(1, 4) }, () => ({
    ...(random.chance(0.7) ? { from: random.between(-30, 30) } : {}),
    ...(random.chance(0.7) ? { to: random.between(-30, 30) } : {}),
  }));
  const keysOf = (thing: Thing) => (byScript ? [keyScript.of(thing, 3)] : numbersOf(thing, field));
  const valuesOf = (thing: Thing, first: number) =>
    byScript ? [valueScript.of(thing, 2)] : value === field ? [first] : numbersOf(thing, value);
  return {
    request: (path) => ({
      range: byScript
        ? { key_script: keyScript.text(path), value_script: valueScript.text(path), ranges }
        : { field: path + field, value_field: path + value, ranges },
    }),
    answer: (things) => {
      const texts = ranges.map(({ from = -Infinity, to = Infinity }) => {
        const sums = new Sums();
        for (const thing of things) {
          const first = keysOf(thing).find((x) => x >= from && x < to);
          if (first === undefined) continue;
          sums.count++;
          sums.values.push(...valuesOf(thing, first));
        }
        const bounds = `${from === -Infinity ? '' : `"from":${double(from)},`}${to === Infinity ? '' : `"to":${double(to)},`}`;
        const spread = sums.values.length === 0 ? '' : `"min":${sums.min},"max":${sums.max},`;
        return `{${bounds}"count":${sums.count},${spread}"total_count":${sums.values.length},"total":${double(sums.total)},"mean":${sums.mean(0)}}`;
      });
      return `{"_type":"range","ranges":[${texts.join(',')}]}`;
    },
  };
}

/** Distances along the equator, in degrees, with numbers folded in. */
export function geoDistance(random: Random): Asked {
  const value = anySource(random);
  const center = random.between(-20, 20);
  const metersPerDegree = (2 * Math.PI * 6378137) / 360;
  const rings = Array.from({ length: random.between(1, 3) }, () => ({
    from: random.between(0, 10) - 0.5,
    to: random.between(5, 30) + 0.5,
  }));
  const meters = rings.map(({ from, to }) => ({
    from: from * metersPerDegree,
    to: to * metersPerDegree,
  }));
  return {
    request: (path) => ({
      geo_distance: {
        [`${path}at`]: [center, 0],
        ranges: meters,
        distance_type: 'plane',
        ...value.members(path),
      },
    }),
    answer: (things) => {
      const texts = rings.map(({ from, to }, i) => {
        const sums = new Sums();
        for (const thing of things) {
          const degrees = thing.at.map((lon) => Math.abs(lon - center));
          if (!degrees.some((x) => x > from && x < to)) continue;
          sums.count++;
          sums.values.push(...value.of(thing));
        }
        const bounds = `"from":${double(meters[i]!.from)},"to":${double(meters[i]!.to)}`;
        return `{${bounds},"count":${sums.count},"min":${sums.min},"max":${sums.max},"total_count":${sums.values.length},"total":${double(sums.total)},"mean":${sums.mean(0)}}`;
      });
      return `{"_type":"geo_distance","ranges":[${texts.join(',')}]}`;
    },
  };
}

function matches(type: 'filter' | 'query', random: Random): Asked {
  const below = random.between(-40, 40);
  const tag = random.chance(0.3) ? `t${random.below(30)}` : null;
  return {
    request: (path) => {
      const must = [
        { range: { [`${path}n`]: { lt: below } } },
        ...(tag === null ? [] : [{ term: { [`${path}tag`]: tag } }]),
      ];
      return { [type]: { bool: { must } } };
    },
    answer: (things) => {
      const found = things.filter(
        (thing) => thing.n.some((x) => x < below) && (tag === null || thing.tag.includes(tag)),
      );
      return `{"_type":"${type}","count":${found.length}}`;
    },
  };
}

export const filter = (random: Random): Asked => matches('filter', random);

export const query = (random: Random): Asked => matches('query', random);

/** Statistics of fields, or of what a script gives. */
export function statistical(random: Random): Asked {
  const fields = random.pick([['one'], ['n'], ['half'], ['n', 'half'], ['one', 'one']] as const);
  const byScript = random.chance(0.3) ? script(random, 'factor') : null;
  const params = { factor: random.between(-2, 2) };
  return {
    request: (path) => ({
      statistical:
        byScript !== null
          ? { script: byScript.text(path), params }
          : fields.length === 1
            ? { field: path + fields[0] }
            : { fields: fields.map((field) => path + field) },
    }),
    answer: (things) => {
      const sums = new Sums();
      for (const thing of things) {
        if (byScript !== null) sums.values.push(byScript.of(thing, params.factor));
        else for (const field of fields) sums.values.push(...numbersOf(thing, field));
      }
      const { total, values } = sums;
      const squares = values.reduce((sum, x) => sum + x * x, 0);
      const variance = (squares - (total * total) / values.length) / values.length;
      return `{"_type":"statistical","count":${values.length},"total":${double(total)},"min":${sums.min},"max":${sums.max},"mean":${sums.mean(0)},"sum_of_squares":${double(squares)},"variance":${double(variance)},"std_deviation":${double(Math.sqrt(variance))}}`;
    },
  };
}

/** Statistics by the terms of a field. */
export function termsStats(random: Random): Asked {
  const key = random.pick(['tag', 'flag', 'words', 'one', 'n', 'big', 'half', 'day'] as const);
  const value: NumberSource = anySource(random);
  const by = random.pick(['count', 'term', 'total', 'min', 'max', 'mean'] as const);
  const sign = random.chance(0.5) ? -1 : 1;
  const size = random.pick([0, 1, 5, 1000]);
  const compare = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0);
  const mean = ({ total, values }: Sums) => (values.length === 0 ? 0 : total / values.length);
  const first = (a: [string | number, Sums], b: [string | number, Sums]): number => {
    const byCount = b[1].count - a[1].count || compareTerms(b[0], a[0]);
    switch (by) {
      case 'count':
        return byCount;
      case 'term':
        return compareTerms(a[0], b[0]);
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
      terms_stats: {
        key_field: path + key,
        order: sign < 0 ? `reverse_${by}` : by,
        size,
        ...value.members(path),
      },
    }),
    answer: (things) => {
      const buckets = new Buckets<string | number>();
      let missing = 0;
      for (const thing of things) {
        const terms = termsOf(thing, key);
        if (terms.size === 0 && INTEGERS.has(key)) missing++;
        for (const term of terms) {
          const bucket = buckets.at(term);
          bucket.count++;
          bucket.values.push(...value.of(thing));
        }
      }
      const entries = [...buckets.map].sort((a, b) => sign * first(a, b));
      const texts = entries.slice(0, size === 0 ? undefined : size).map(([term, sums]) => {
        return `{"term":${shownTerm(term, key)},"count":${sums.count},"total_count":${sums.values.length},"min":${sums.min},"max":${sums.max},"total":${double(sums.total)},"mean":${sums.mean(0)}}`;
      });
      return `{"_type":"terms_stats","missing":${missing},"terms":[${texts.join(',')}]}`;
    },
  };
}
