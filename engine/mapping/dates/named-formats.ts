// The ISO formats that mappings refer to by name, in snake and camel case.

import { Alternatives, Literal, Sequence, type FormatElement } from './elements';
import { FractionElement, NumberElement } from './number-elements';
import { DateUnit } from './parsed-fields';
import { OffsetElement } from './zone-elements';

const sequence = (...parts: FormatElement[]): FormatElement => new Sequence(parts);
const literal = (text: string): FormatElement => new Literal(text);
const optional = (...parts: FormatElement[]): FormatElement =>
  new Alternatives([new Sequence(parts)], true);
const fixed = (unit: DateUnit, digits: number): FormatElement =>
  new NumberElement(unit, digits, digits, false, true);

const year = new NumberElement(DateUnit.Year, 4, 9, true);
const weekyear = new NumberElement(DateUnit.Weekyear, 4, 9, true);
const month = sequence(literal('-'), new NumberElement(DateUnit.Month, 2, 2));
const dayOfMonth = sequence(literal('-'), new NumberElement(DateUnit.DayOfMonth, 2, 2));
const week = sequence(literal('-W'), new NumberElement(DateUnit.Week, 2, 2));
const dayOfWeek = sequence(literal('-'), new NumberElement(DateUnit.DayOfWeek, 1, 1));
const dayOfYear = sequence(literal('-'), new NumberElement(DateUnit.DayOfYear, 3, 3));
const hour = new NumberElement(DateUnit.Hour, 2, 2);
const minute = sequence(literal(':'), new NumberElement(DateUnit.Minute, 2, 2));
const second = sequence(literal(':'), new NumberElement(DateUnit.Second, 2, 2));
const T = literal('T');
const offset = new OffsetElement('Z', true);
const basicOffset = new OffsetElement('Z', false);
const fraction = sequence(literal('.'), new FractionElement(DateUnit.FractionOfSecond, 1000, 3, 9));
const millis = sequence(literal('.'), new FractionElement(DateUnit.FractionOfSecond, 1000, 3, 3));

const date = sequence(year, month, dayOfMonth);
const hourMinute = sequence(hour, minute);
const hourMinuteSecond = sequence(hourMinute, second);
const timeOfDay = sequence(hourMinuteSecond, fraction);
const time = sequence(timeOfDay, offset);
const timeNoMillis = sequence(hourMinuteSecond, offset);
const ordinalDate = sequence(year, dayOfYear);
const weekDate = sequence(weekyear, week, dayOfWeek);

const basicYear = new NumberElement(DateUnit.Year, 4, 4, true, true);
const basicDate = sequence(basicYear, fixed(DateUnit.Month, 2), fixed(DateUnit.DayOfMonth, 2));
const basicOrdinalDate = sequence(basicYear, fixed(DateUnit.DayOfYear, 3));
const basicWeekDate = sequence(
  new NumberElement(DateUnit.Weekyear, 4, 4, true, true),
  literal('W'),
  fixed(DateUnit.Week, 2),
  fixed(DateUnit.DayOfWeek, 1),
);
const basicHourMinuteSecond = sequence(
  fixed(DateUnit.Hour, 2),
  fixed(DateUnit.Minute, 2),
  fixed(DateUnit.Second, 2),
);
const basicTime = sequence(basicHourMinuteSecond, fraction, basicOffset);
const basicTimeNoMillis = sequence(basicHourMinuteSecond, basicOffset);

const decimalPoint = new Alternatives([literal('.'), literal(',')], false);
const decimalOf = (unit: DateUnit, size: number): FormatElement =>
  sequence(decimalPoint, new FractionElement(unit, size, 1, 9));

/** `[+-]Y+[-M[-D]]`, `Y+-Www[-e]` or `Y+-DDD`, then optionally `T` with a time and an offset. */
const dateOptionalTime = sequence(
  new Alternatives(
    [
      sequence(year, optional(month, optional(dayOfMonth))),
      sequence(weekyear, week, optional(dayOfWeek)),
      sequence(year, dayOfYear),
    ],
    false,
  ),
  optional(
    T,
    optional(
      hour,
      new Alternatives(
        [
          sequence(
            minute,
            new Alternatives(
              [
                sequence(second, optional(decimalOf(DateUnit.FractionOfSecond, 1000))),
                decimalOf(DateUnit.FractionOfMinute, 60_000),
              ],
              true,
            ),
          ),
          decimalOf(DateUnit.FractionOfHour, 3_600_000),
        ],
        true,
      ),
    ),
    optional(offset),
  ),
);

const dateTime = sequence(date, T, time);

/** What a name stands for; `printer` where a format that has optional parts prints in full. */
interface NamedFormat {
  readonly parser: FormatElement;
  readonly printer: FormatElement;
}

const NAMED = new Map<string, NamedFormat>();

function define(name: string, parser: FormatElement, printer: FormatElement = parser): void {
  NAMED.set(name, { parser, printer });
  NAMED.set(
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    { parser, printer },
  );
}

define('basic_date', basicDate);
define('basic_date_time', sequence(basicDate, T, basicTime));
define('basic_date_time_no_millis', sequence(basicDate, T, basicTimeNoMillis));
define('basic_ordinal_date', basicOrdinalDate);
define('basic_ordinal_date_time', sequence(basicOrdinalDate, T, basicTime));
define('basic_ordinal_date_time_no_millis', sequence(basicOrdinalDate, T, basicTimeNoMillis));
define('basic_time', basicTime);
define('basic_time_no_millis', basicTimeNoMillis);
define('basic_t_time', sequence(T, basicTime));
define('basic_t_time_no_millis', sequence(T, basicTimeNoMillis));
define('basic_week_date', basicWeekDate);
define('basic_week_date_time', sequence(basicWeekDate, T, basicTime));
define('basic_week_date_time_no_millis', sequence(basicWeekDate, T, basicTimeNoMillis));
define('date', date);
define('date_hour', sequence(date, T, hour));
define('date_hour_minute', sequence(date, T, hourMinute));
define('date_hour_minute_second', sequence(date, T, hourMinuteSecond));
define('date_hour_minute_second_fraction', sequence(date, T, hourMinuteSecond, fraction));
define('date_hour_minute_second_millis', sequence(date, T, hourMinuteSecond, millis));
define('date_optional_time', dateOptionalTime, dateTime);
define('date_time', dateTime);
define('date_time_no_millis', sequence(date, T, timeNoMillis));
define('hour', hour);
define('hour_minute', hourMinute);
define('hour_minute_second', hourMinuteSecond);
define('hour_minute_second_fraction', timeOfDay);
define('hour_minute_second_millis', sequence(hourMinuteSecond, millis));
define('ordinal_date', ordinalDate);
define('ordinal_date_time', sequence(ordinalDate, T, time));
define('ordinal_date_time_no_millis', sequence(ordinalDate, T, timeNoMillis));
define('time', time);
define('time_no_millis', timeNoMillis);
define('t_time', sequence(T, time));
define('t_time_no_millis', sequence(T, timeNoMillis));
define('week_date', weekDate);
define('week_date_time', sequence(weekDate, T, time));
define('week_date_time_no_millis', sequence(weekDate, T, timeNoMillis));
define('weekyear', weekyear);
define('week_year', weekyear);
define('weekyear_week', sequence(weekyear, week));
define('weekyear_week_day', weekDate);
define('year', year);
define('year_month', sequence(year, month));
define('year_month_day', date);

/** The format of a name, or null: then the text is a pattern. */
export function namedFormat(name: string): NamedFormat | null {
  return NAMED.get(name) ?? null;
}
