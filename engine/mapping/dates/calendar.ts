// The proleptic ISO calendar by arithmetic: day numbers count from 1970-01-01. Years go far beyond what
// JavaScript's Date covers, because the reference reads `20140101` as a year.

export const DAY_MS = 86_400_000;

export const MIN_YEAR = -292275054;
export const MAX_YEAR = 292278993;

/** A calendar date; `month` and `day` count from 1. */
interface CivilDate {
  year: number;
  month: number;
  day: number;
}

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** By the rules of the Gregorian calendar, for all years. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Days of a month, 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (DAYS_IN_MONTH[month - 1] ?? 31);
}

/** Day number of a date. Years are shifted to begin in March, so that the leap day comes last. */
export function dayNumber(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

/** The date of a day number. */
export function civilDate(number: number): CivilDate {
  const z = number + 719468;
  const era = Math.floor(z / 146097);
  const dayOfEra = z - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36524) -
      Math.floor(dayOfEra / 146096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** 1 = Monday … 7 = Sunday. */
export function dayOfWeek(number: number): number {
  return ((((number + 3) % 7) + 7) % 7) + 1;
}

/** Day number of the Monday that begins week 1 of a week-based year. */
export function firstWeekStart(weekyear: number): number {
  const january4 = dayNumber(weekyear, 1, 4);
  return january4 - (dayOfWeek(january4) - 1);
}

/** Weeks of a week-based year: 52 or 53. */
export function weeksInWeekyear(weekyear: number): number {
  return (firstWeekStart(weekyear + 1) - firstWeekStart(weekyear)) / 7;
}

/** Week-based year and week (1–53) of a day. */
export function weekOf(number: number): { weekyear: number; week: number } {
  const { year } = civilDate(number - (dayOfWeek(number) - 1) + 3);
  return { weekyear: year, week: Math.floor((number - firstWeekStart(year)) / 7) + 1 };
}

/** An instant as day and millisecond of that day, both of local time. */
export interface LocalTime {
  day: number;
  ms: number;
}

/** Milliseconds since 1970 as a number where that is exact, else as a bigint. */
export type EpochMillis = number | bigint;

/** `day` and `ms` (which may lie outside 0…86399999) as one instant. */
export function toEpoch(day: number, ms: number): EpochMillis {
  if (Math.abs(day) < 100_000_000) return day * DAY_MS + ms;
  return BigInt(day) * BigInt(DAY_MS) + BigInt(ms);
}

/** An instant as day and millisecond of the day. */
export function fromEpoch(instant: EpochMillis): LocalTime {
  if (typeof instant === 'number') {
    const day = Math.floor(instant / DAY_MS);
    return { day, ms: instant - day * DAY_MS };
  }
  const divisor = BigInt(DAY_MS);
  let day = instant / divisor;
  let ms = instant % divisor;
  if (ms < 0n) {
    day -= 1n;
    ms += divisor;
  }
  return { day: Number(day), ms: Number(ms) };
}

/** The nearest number to an instant, for time zone rules, which need no more. */
export function approximate(instant: EpochMillis): number {
  return typeof instant === 'number' ? instant : Number(instant);
}

/** Adds milliseconds without losing digits. */
export function addMillis(instant: EpochMillis, ms: number): EpochMillis {
  if (typeof instant === 'bigint') return instant + BigInt(ms);
  const sum = instant + ms;
  return Number.isSafeInteger(sum) ? sum : BigInt(instant) + BigInt(ms);
}
