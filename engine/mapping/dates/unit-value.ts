// What the units of a date format hold at a moment, and the digits they are written with.

import { civilDate, dayNumber, dayOfWeek, weekOf, type LocalTime } from './calendar';
import { DateUnit } from './parsed-fields';

/** True for the code of `0` to `9`. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** A number with at least `digits` digits, not counting its sign. */
export function padded(value: number, digits: number): string {
  return value < 0
    ? `-${String(-value).padStart(digits, '0')}`
    : String(value).padStart(digits, '0');
}

/** What a unit holds at a moment. */
export function unitValue(unit: DateUnit, { day, ms }: LocalTime): number {
  const hour = Math.floor(ms / 3_600_000);
  switch (unit) {
    case DateUnit.Era:
      return civilDate(day).year > 0 ? 1 : 0;
    case DateUnit.YearOfEra: {
      const { year } = civilDate(day);
      return year > 0 ? year : 1 - year;
    }
    case DateUnit.CenturyOfEra:
      return Math.floor(Math.abs(civilDate(day).year) / 100);
    case DateUnit.Year:
      return civilDate(day).year;
    case DateUnit.Weekyear:
      return weekOf(day).weekyear;
    case DateUnit.Month:
      return civilDate(day).month;
    case DateUnit.Week:
      return weekOf(day).week;
    case DateUnit.DayOfYear:
      return day - dayNumber(civilDate(day).year, 1, 1) + 1;
    case DateUnit.DayOfMonth:
      return civilDate(day).day;
    case DateUnit.DayOfWeek:
      return dayOfWeek(day);
    case DateUnit.Halfday:
      return hour < 12 ? 0 : 1;
    case DateUnit.Hour:
      return hour;
    case DateUnit.ClockHour:
      return hour === 0 ? 24 : hour;
    case DateUnit.HourOfHalfday:
      return hour % 12;
    case DateUnit.ClockHourOfHalfday:
      return hour % 12 === 0 ? 12 : hour % 12;
    case DateUnit.Minute:
      return Math.floor(ms / 60_000) % 60;
    case DateUnit.Second:
      return Math.floor(ms / 1000) % 60;
    case DateUnit.FractionOfHour:
    case DateUnit.FractionOfMinute:
    case DateUnit.FractionOfSecond:
      return ms % 1000;
  }
}
