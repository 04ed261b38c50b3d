// What a date text said, field by field, and how the fields become a moment: the larger units are set
// first, each value is checked against the range it has at that point, and what was not said keeps the
// value of the base (or is set to its smallest).

import { EngineError } from '../../errors';
import {
  civilDate,
  dayNumber,
  dayOfWeek,
  daysInMonth,
  firstWeekStart,
  isLeapYear,
  MAX_YEAR,
  MIN_YEAR,
  weekOf,
  weeksInWeekyear,
  type LocalTime,
} from './calendar';
import type { TimeZone } from './time-zone';

/** The units of date formats, in the order in which they are applied. */
export const DateUnit = {
  Era: 0,
  YearOfEra: 1,
  CenturyOfEra: 2,
  Year: 3,
  Weekyear: 4,
  Month: 5,
  Week: 6,
  DayOfYear: 7,
  DayOfMonth: 8,
  DayOfWeek: 9,
  Halfday: 10,
  Hour: 11,
  ClockHour: 12,
  HourOfHalfday: 13,
  ClockHourOfHalfday: 14,
  Minute: 15,
  Second: 16,
  /** Milliseconds into the hour, minute or second, read from a fraction. */
  FractionOfHour: 17,
  FractionOfMinute: 18,
  FractionOfSecond: 19,
} as const;
export type DateUnit = (typeof DateUnit)[keyof typeof DateUnit];

/** Names of the units in error texts. */
const UNIT_NAME = [
  'era',
  'yearOfEra',
  'centuryOfEra',
  'year',
  'weekyear',
  'monthOfYear',
  'weekOfWeekyear',
  'dayOfYear',
  'dayOfMonth',
  'dayOfWeek',
  'halfdayOfDay',
  'hourOfDay',
  'clockhourOfDay',
  'hourOfHalfday',
  'clockhourOfHalfday',
  'minuteOfHour',
  'secondOfMinute',
];

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The values read so far while a text is parsed; unset ones are undefined. */
export class ParsedFields {
  values: (number | undefined)[] = [];
  /** Offset in ms given in the text, or null. */
  offset: number | null = null;
  /** Zone named in the text, or null. */
  zone: TimeZone | null = null;

  set(unit: DateUnit, value: number): void {
    this.values[unit] = value;
  }

  /** A copy of the current state, for alternatives that may have to be undone. */
  save(): ParsedFields {
    const copy = new ParsedFields();
    copy.values = this.values.slice();
    copy.offset = this.offset;
    copy.zone = this.zone;
    return copy;
  }

  restore(state: ParsedFields): void {
    this.values = state.values.slice();
    this.offset = state.offset;
    this.zone = state.zone;
  }

  /**
   * The local time these fields stand for. `base` gives the units that were not said; null: the smallest
   * values (of 1970 where no year was given).
   *
   * @throws EngineError IllegalFieldValueException, quoting `text`
   */
  resolve(base: LocalTime | null, text: string): LocalTime {
    const { values } = this;
    const reset = base === null;
    let day = base?.day ?? 0;
    let ms = base?.ms ?? 0;
    for (let unit = 0; unit < values.length; unit++) {
      const value = values[unit];
      if (value === undefined) continue;
      if (unit <= DateUnit.DayOfWeek) {
        day = applyToDay(unit as DateUnit, value, day, reset, text, values);
        if (reset) ms = 0;
      } else {
        ms = applyToTime(unit as DateUnit, value, ms, reset, text);
      }
    }
    return { day, ms };
  }
}

function applyToDay(
  unit: DateUnit,
  value: number,
  day: number,
  reset: boolean,
  text: string,
  values: readonly (number | undefined)[],
): number {
  const { year, month, day: dayOfMonth } = civilDate(day);
  switch (unit) {
    case DateUnit.Era:
      // Takes effect together with the year of the era.
      return day;
    case DateUnit.YearOfEra: {
      check(unit, value, 1, MAX_YEAR, text);
      return withYear(values[DateUnit.Era] === 0 ? 1 - value : value, month, dayOfMonth, reset);
    }
    case DateUnit.CenturyOfEra:
      check(unit, value, 0, Math.floor(MAX_YEAR / 100), text);
      return withYear(value * 100 + (((year % 100) + 100) % 100), month, dayOfMonth, reset);
    case DateUnit.Year:
      check(unit, value, MIN_YEAR, MAX_YEAR, text);
      return withYear(value, month, dayOfMonth, reset);
    case DateUnit.Weekyear: {
      check(unit, value, MIN_YEAR, MAX_YEAR, text);
      if (reset) return firstWeekStart(value);
      const week = Math.min(weekOf(day).week, weeksInWeekyear(value));
      return firstWeekStart(value) + (week - 1) * 7 + dayOfWeek(day) - 1;
    }
    case DateUnit.Month:
      check(unit, value, 1, 12, text);
      return dayNumber(year, value, reset ? 1 : Math.min(dayOfMonth, daysInMonth(year, value)));
    case DateUnit.Week: {
      const { weekyear } = weekOf(day);
      check(unit, value, 1, weeksInWeekyear(weekyear), text);
      return firstWeekStart(weekyear) + (value - 1) * 7 + (reset ? 0 : dayOfWeek(day) - 1);
    }
    case DateUnit.DayOfYear:
      check(unit, value, 1, isLeapYear(year) ? 366 : 365, text);
      return dayNumber(year, 1, 1) + value - 1;
    case DateUnit.DayOfMonth:
      check(unit, value, 1, daysInMonth(year, month), text);
      return dayNumber(year, month, value);
    case DateUnit.DayOfWeek:
      check(unit, value, 1, 7, text);
      return day - dayOfWeek(day) + value;
    case DateUnit.Halfday:
    case DateUnit.Hour:
    case DateUnit.ClockHour:
    case DateUnit.HourOfHalfday:
    case DateUnit.ClockHourOfHalfday:
    case DateUnit.Minute:
    case DateUnit.Second:
    case DateUnit.FractionOfHour:
    case DateUnit.FractionOfMinute:
    case DateUnit.FractionOfSecond:
      return day;
  }
}

function withYear(year: number, month: number, day: number, reset: boolean): number {
  if (reset) return dayNumber(year, 1, 1);
  return dayNumber(year, month, Math.min(day, daysInMonth(year, month)));
}

function applyToTime(
  unit: DateUnit,
  value: number,
  ms: number,
  reset: boolean,
  text: string,
): number {
  const hour = Math.floor(ms / HOUR_MS);
  switch (unit) {
    case DateUnit.Halfday:
      check(unit, value, 0, 1, text);
      return reset ? value * 12 * HOUR_MS : (ms % (12 * HOUR_MS)) + value * 12 * HOUR_MS;
    case DateUnit.Hour:
      check(unit, value, 0, 23, text);
      return within(ms, HOUR_MS, value, reset);
    case DateUnit.ClockHour:
      check(unit, value, 1, 24, text);
      return within(ms, HOUR_MS, value % 24, reset);
    case DateUnit.HourOfHalfday:
      check(unit, value, 0, 11, text);
      return within(ms, HOUR_MS, hour - (hour % 12) + value, reset);
    case DateUnit.ClockHourOfHalfday:
      check(unit, value, 1, 12, text);
      return within(ms, HOUR_MS, hour - (hour % 12) + (value % 12), reset);
    case DateUnit.Minute:
      check(unit, value, 0, 59, text);
      return hour * HOUR_MS + within(ms % HOUR_MS, MINUTE_MS, value, reset);
    case DateUnit.Second: {
      check(unit, value, 0, 59, text);
      const minute = ms - (ms % MINUTE_MS);
      return minute + within(ms % MINUTE_MS, 1000, value, reset);
    }
    case DateUnit.FractionOfHour:
      return ms - (ms % HOUR_MS) + value;
    case DateUnit.FractionOfMinute:
      return ms - (ms % MINUTE_MS) + value;
    case DateUnit.Era:
    case DateUnit.YearOfEra:
    case DateUnit.CenturyOfEra:
    case DateUnit.Year:
    case DateUnit.Weekyear:
    case DateUnit.Month:
    case DateUnit.Week:
    case DateUnit.DayOfYear:
    case DateUnit.DayOfMonth:
    case DateUnit.DayOfWeek:
    case DateUnit.FractionOfSecond:
      return ms - (ms % 1000) + value;
  }
}

/** `count` units of `size`, followed by what `ms` holds below that unit. */
function within(ms: number, size: number, count: number, reset: boolean): number {
  return count * size + (reset ? 0 : ms % size);
}

function check(unit: DateUnit, value: number, low: number, high: number, text: string): void {
  if (value >= low && value <= high) return;
  throw new EngineError(
    'IllegalFieldValueException',
    `Cannot parse "${text}": Value ${value} for ${UNIT_NAME[unit]} must be in the range [${low},${high}]`,
  );
}
