// Rounding instants to the start of calendar units or of fixed intervals, in a time zone (reference server).

import {
  civilDate,
  DAY_MS,
  dayNumber,
  dayOfWeek,
  timeZone,
  UTC,
  type TimeZone,
} from '../mapping/index';
import type { Rounding } from './bucketing';

export type CalendarUnit =
  | 'year'
  | 'quarter'
  | 'month'
  | 'week'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second';

/** How instants are rounded. Plain data. */
export interface DateRoundingSpec {
  /** A calendar unit, or a fixed length in milliseconds. */
  readonly interval: CalendarUnit | number;
  /** Zone ids: the one in which units begin, and the one by which keys are shifted afterwards. */
  readonly preZone: string;
  readonly postZone: string;
  /** Convert keys of a day and more back to UTC. */
  readonly adjustLargeInterval: boolean;
  /** Milliseconds added before and after rounding. */
  readonly preOffset: number;
  readonly postOffset: number;
  /** Multiplies instants first, in single precision as the reference does. */
  readonly factor: number;
}

/** What a request that says nothing else is rounded by. */
export const DEFAULT_DATE_ROUNDING: DateRoundingSpec = {
  interval: 'day',
  preZone: 'UTC',
  postZone: 'UTC',
  adjustLargeInterval: false,
  preOffset: 0,
  postOffset: 0,
  factor: 1,
};

const HOUR_MS = 3_600_000;
/** From this length on a fixed interval is large: keys stay local times, read as UTC. */
const LARGE_MS = 12 * HOUR_MS;
/** No offset is larger. */
const MAX_OFFSET_MS = DAY_MS;

const UNIT_MS: Readonly<Record<CalendarUnit, number>> = {
  year: DAY_MS,
  quarter: DAY_MS,
  month: DAY_MS,
  week: DAY_MS,
  day: DAY_MS,
  hour: HOUR_MS,
  minute: 60_000,
  second: 1000,
};

function isLongerThanGrain(interval: CalendarUnit | number): boolean {
  return ['week', 'month', 'quarter', 'year'].includes(String(interval));
}

/** Rounds by a spec. Instants and keys are epoch milliseconds. */
export class DateRounding implements Rounding {
  readonly grain: number;
  readonly minShift: number;
  readonly maxShift: number;
  readonly isDistinct: boolean;
  private readonly pre: TimeZone;
  private readonly post: TimeZone;
  private readonly isLarge: boolean;
  private readonly factor: number;

  constructor(private readonly spec: DateRoundingSpec) {
    const { interval } = spec;
    this.pre = timeZone(spec.preZone);
    this.post = timeZone(spec.postZone);
    this.factor = Math.fround(spec.factor);
    const length = typeof interval === 'number' ? interval : UNIT_MS[interval];
    this.isLarge = length >= LARGE_MS;
    this.grain = length;
    const spread = this.pre === UTC ? 0 : MAX_OFFSET_MS;
    this.minShift = spec.preOffset - spread;
    this.maxShift = this.hasShift ? spec.preOffset + spread : this.minShift + 1;
    const isUtc = this.pre === UTC && this.post === UTC;
    this.isDistinct = isUtc && this.hasShift && !isLongerThanGrain(interval);
  }

  /** Scaled values are not shifted ones. */
  private get hasShift(): boolean {
    return this.factor === 1;
  }

  round(value: number): number {
    const { spec, pre, post } = this;
    const instant = this.shifted(value);
    let key: number;
    if (pre === UTC) key = this.floor(instant);
    else {
      const offset = pre.offsetAt(instant);
      const local = this.floor(instant + offset);
      if (this.isLarge && !spec.adjustLargeInterval) key = local;
      else if (this.isLarge || typeof spec.interval === 'number') key = toUtc(pre, local);
      else key = local - offset;
    }
    if (post !== UTC) key += post.offsetAt(key);
    return key + spec.postOffset;
  }

  shiftWithin(from: number, to: number): number {
    const { pre, spec } = this;
    if (!this.hasShift) return NaN;
    // A local time that occurs twice must not be taken for the other one.
    const offset = pre.offsetAt(from + spec.preOffset - MAX_OFFSET_MS);
    for (let at = from - MAX_OFFSET_MS; at <= to + MAX_OFFSET_MS; at += DAY_MS / 2) {
      if (pre.offsetAt(at + spec.preOffset) !== offset) return NaN;
    }
    const isSteady = pre.offsetAt(to + spec.preOffset + MAX_OFFSET_MS) === offset;
    return isSteady ? offset + spec.preOffset : NaN;
  }

  private shifted(value: number): number {
    const { factor, spec } = this;
    const scaled = factor === 1 ? value : Math.trunc(Math.fround(factor * Math.fround(value)));
    return Math.trunc(scaled) + spec.preOffset;
  }

  private floor(local: number): number {
    const { interval } = this.spec;
    if (typeof interval === 'number') return Math.floor(local / interval) * interval;
    switch (interval) {
      case 'hour':
      case 'minute':
      case 'second': {
        const length = UNIT_MS[interval];
        return Math.floor(local / length) * length;
      }
      case 'day':
      case 'week':
      case 'month':
      case 'quarter':
      case 'year':
        return startOfUnit(Math.floor(local / DAY_MS), interval) * DAY_MS;
    }
  }
}

/** The key after one that {@link DateRounding} made. Epoch milliseconds. */
export function nextDateKey(spec: DateRoundingSpec, key: number): number {
  const { interval, postOffset } = spec;
  const pre = timeZone(spec.preZone);
  const post = timeZone(spec.postZone);
  const start = key - postOffset;
  const shift = post === UTC ? 0 : post.offsetAt(start);
  const at = start - shift;
  const length = typeof interval === 'number' ? interval : UNIT_MS[interval];
  const isLocal = pre === UTC || (length >= LARGE_MS && !spec.adjustLargeInterval);
  if (length < LARGE_MS) return key + length;
  const local = isLocal ? at : at + pre.offsetAt(at);
  const next = typeof interval === 'number' ? local + interval : nextUnit(local, interval);
  return (isLocal ? next : toUtc(pre, next)) + shift + postOffset;
}

/** The start of the unit after the one that begins at a local time. */
function nextUnit(local: number, unit: CalendarUnit): number {
  switch (unit) {
    case 'month':
    case 'quarter':
    case 'year': {
      const { year, month } = civilDate(Math.floor(local / DAY_MS));
      const months = 12 * year + month - 1 + (unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12);
      return dayNumber(Math.floor(months / 12), (months % 12) + 1, 1) * DAY_MS;
    }
    case 'week':
      return local + 7 * DAY_MS;
    case 'day':
    case 'hour':
    case 'minute':
    case 'second':
      return local + UNIT_MS[unit];
  }
}

/** The number of the day on which a unit of days begins. */
function startOfUnit(day: number, unit: 'year' | 'quarter' | 'month' | 'week' | 'day'): number {
  switch (unit) {
    case 'day':
      return day;
    case 'week':
      return day - (dayOfWeek(day) - 1);
    case 'month':
    case 'quarter':
    case 'year': {
      const { year, month } = civilDate(day);
      const first = unit === 'year' ? 1 : unit === 'month' ? month : month - ((month - 1) % 3);
      return dayNumber(year, first, 1);
    }
  }
}

/**
 * The instant of a local time. Of two the earlier one west of Greenwich, the later one east of it; what is
 * skipped becomes the first instants after the gap.
 */
function toUtc(zone: TimeZone, local: number): number {
  const estimate = zone.offsetAt(local);
  const offset = zone.offsetAt(local - estimate);
  const isInGap = offset !== estimate && estimate < 0 && zone.offsetAt(local - offset) !== offset;
  return local - (isInGap ? estimate : offset);
}
