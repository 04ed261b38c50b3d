// Axes of histograms: where they begin and end, and how wide a bar is.

import type { FieldFigures } from './survey';

/** The axis of a histogram. Of dates in milliseconds. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  /** The width of a bar, in the unit of the axis; that of dates on average. */
  readonly step: number;
  /** What the facet is asked for: a number, or the name of an interval. */
  readonly interval: number | string;
}

/** Bars that an axis has about. */
const BARS = 40;
/** Values further from the mean, in deviations, do not stretch the axis. */
const REACH = 5;

/** The axis for the values of a field of numbers. @param isWhole its values have no fractions */
export function numberAxis({ min, max, mean, deviation }: FieldFigures, isWhole: boolean): Axis {
  const low = Math.max(min, mean - REACH * deviation);
  const high = Math.min(max, mean + REACH * deviation);
  const step = niceStep((high - low) / BARS, isWhole ? 1 : 0);
  const from = rounded(Math.floor(low / step) * step);
  return {
    from,
    to: rounded(Math.max(from + step, (Math.floor(high / step) + 1) * step)),
    step,
    interval: step,
  };
}

/** 0.3 and not 0.30000000000000004. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}

/** The next of 1, 2 and 5 times a power of ten. */
function niceStep(width: number, least: number): number {
  if (!(width > 0) || !Number.isFinite(width)) return Math.max(least, 1);
  const power = 10 ** Math.floor(Math.log10(width));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= width * 0.999);
  return Math.max(least, step ?? 10 * power);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const INTERVALS: readonly (readonly [name: string, ms: number])[] = [
  ['second', 1000],
  ['minute', MINUTE],
  ['10m', 10 * MINUTE],
  ['hour', HOUR],
  ['6h', 6 * HOUR],
  ['day', DAY],
  ['week', 7 * DAY],
  ['month', 30.4375 * DAY],
  ['quarter', 91.3125 * DAY],
  ['year', 365.25 * DAY],
];

/** The axis for the values of a field of dates. */
export function dateAxis({ min, max }: FieldFigures): Axis {
  const span = Math.max(0, max - min);
  const found = INTERVALS.find(([, ms]) => span / ms <= 1.5 * BARS) ?? INTERVALS.at(-1)!;
  const [interval, step] = found;
  return { from: floorDate(min, interval, step), to: max + step, step, interval };
}

/** Where the interval of an instant begins. */
function floorDate(ms: number, interval: string, step: number): number {
  const date = new Date(ms);
  switch (interval) {
    case 'year':
      return Date.UTC(date.getUTCFullYear(), 0);
    case 'quarter':
      return Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3);
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    case 'week':
      return Date.UTC(
        date.getUTCFullYear(),
        date.getUTCMonth(),
        date.getUTCDate() - ((date.getUTCDay() + 6) % 7),
      );
    default:
      return Math.floor(ms / step) * step;
  }
}

/** What a bar covers. Numbers are rounded towards zero, so that the one at zero covers both sides. */
export function barSpan(key: number, { step, from, interval }: Axis): readonly [number, number] {
  if (typeof interval === 'string') return [key, nextDate(key, interval, step)];
  if (key < 0) return [key - step, key];
  return key === 0 && from < 0 ? [-step, step] : [key, key + step];
}

function nextDate(ms: number, interval: string, step: number): number {
  const date = new Date(ms);
  const months = { month: 1, quarter: 3, year: 12 }[interval];
  return months === undefined
    ? ms + step
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate());
}

/** Edges of bars on an axis, at most. */
const MOST_EDGES = 1000;

/** Where the bars of an axis begin and end. */
export function edgesOf(axis: Axis): number[] {
  const edges = [axis.from];
  for (let at = axis.from; at < axis.to && edges.length < MOST_EDGES;) {
    const number = axis.from + edges.length * axis.step;
    at = typeof axis.interval === 'string' ? barSpan(at, axis)[1] : rounded(number);
    edges.push(at);
  }
  return edges;
}

/** The edge that is nearest to a value. */
export function nearestEdge(edges: readonly number[], value: number): number {
  return edges.reduce((best, edge) =>
    Math.abs(edge - value) < Math.abs(best - value) ? edge : best,
  );
}
