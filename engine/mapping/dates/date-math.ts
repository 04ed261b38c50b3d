// Date math in queries: `now-1d/d`, `2014-01-01||+1M/d`, and the rounding of bounds.
//
// Behaviour as on the reference server. A bound that is rounded up fills missing parts of the time (not
// of the date) and rounds to the last millisecond of a unit.

import { EngineError } from '../../errors';
import {
  addMillis,
  approximate,
  civilDate,
  DAY_MS,
  dayNumber,
  dayOfWeek,
  daysInMonth,
  fromEpoch,
  toEpoch,
  type EpochMillis,
  type LocalTime,
} from './calendar';
import { dateFormat, type DateFormat } from './date-format';
import { offsetFromLocal, UTC, type TimeZone } from './time-zone';
import { compact, parseInt32, parseInt64 } from '../../common/index';

/** Of an expression, whose every step is worked out one after the other. */
const MOST_CHARACTERS = 4096;

/** How a date expression is read. */
interface DateMathOptions {
  readonly format: DateFormat;
  /** Applies to text without an offset of its own and to rounding. */
  readonly zone: TimeZone;
  /** Epoch ms that `now` stands for. */
  readonly now: () => number;
  readonly roundUp: boolean;
  /** Milliseconds per unit of a plain integer (`numeric_resolution`). */
  readonly resolution: number;
}

/**
 * The instant of a date expression.
 *
 * @throws EngineError ElasticsearchParseException as the reference words it
 */
export function parseDateMath(text: string, options: DateMathOptions): EpochMillis {
  if (text.length > MOST_CHARACTERS) {
    const shown = text.slice(0, 32);
    throw new EngineError(
      'ElasticsearchParseException',
      `date [${shown}...] has [${text.length}] characters, more than [${MOST_CHARACTERS}]`,
    );
  }
  if (text.startsWith('now')) return applyMath(text.slice(3), options.now(), options);
  const mark = text.indexOf('||');
  if (mark < 0) return parseDate(text, options, options.roundUp);
  const base = parseDate(text.slice(0, mark), options, options.roundUp);
  return applyMath(text.slice(mark + 2), base, options);
}

/**
 * The instant, in epoch milliseconds, of a date expression in UTC whose missing parts have their smallest
 * value.
 *
 * @param pattern a date format
 * @param now epoch milliseconds, asked for where the text says so
 * @throws EngineError ElasticsearchParseException
 */
export function instantOf(text: string, pattern: string, now: () => number): number {
  const format = dateFormat(pattern);
  return Number(parseDateMath(text, { format, zone: UTC, now, roundUp: false, resolution: 1 }));
}

/** Parses a date text; with `fill` missing parts of the time get their largest value. */
function parseDate(
  text: string,
  { format, zone, resolution }: DateMathOptions,
  fill: boolean,
): EpochMillis {
  try {
    if (!fill) return format.parse(text, zone);
    const { end, instant } = format.parseOnto({ day: 0, ms: DAY_MS - 1 }, text, zone);
    // compat: reading stops without an error at the first part that does not match, unless the year
    // shows that the text was no date.
    if (instant !== null && (end === text.length || !isDistant(instant))) return instant;
    throw new EngineError('IllegalArgumentException', `Invalid format: "${text}"`);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const millis = asMillis(text, resolution);
    if (millis !== null) return millis;
    const message = `failed to parse date field [${text}], tried both date format [${format.pattern}], and timestamp number`;
    // compat: bounds that round up name this failure twice instead of its cause.
    const cause =
      fill && error.wireName === 'IllegalArgumentException'
        ? new EngineError('ElasticsearchParseException', message)
        : error;
    throw new EngineError('ElasticsearchParseException', message, { cause });
  }
}

/** Years that only digits meant as milliseconds stand for. */
function isDistant(instant: EpochMillis): boolean {
  return civilDate(fromEpoch(instant).day).year > 5000;
}

function asMillis(text: string, resolution: number): EpochMillis | null {
  try {
    return compact(parseInt64(text) * BigInt(resolution));
  } catch {
    return null;
  }
}

function applyMath(math: string, start: EpochMillis, options: DateMathOptions): EpochMillis {
  let instant = start;
  let at = 0;
  while (at < math.length) {
    const operator = math.charAt(at++);
    if (operator !== '/' && operator !== '+' && operator !== '-') {
      throw mathError(`operator not supported for date math [${math}]`);
    }
    if (at >= math.length) throw mathError(`truncated date math [${math}]`);
    let end = at;
    while (end < math.length && isDigit(math.charCodeAt(end))) end++;
    if (end >= math.length) throw mathError(`truncated date math [${math}]`);
    const count = end === at ? 1 : parseInt32(math.slice(at, end));
    if (operator === '/' && count !== 1) {
      throw mathError(`rounding \`/\` can only be used on single unit types [${math}]`);
    }
    const unit = math.charAt(end);
    at = end + 1;
    if (!'yMwdhHms'.includes(unit)) {
      throw mathError(`unit [${unit}] not supported for date math [${math}]`);
    }
    instant =
      operator === '/'
        ? round(instant, unit, options)
        : shift(instant, unit, operator === '-' ? -count : count, options.zone);
  }
  return instant;
}

function mathError(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function toLocal(instant: EpochMillis, zone: TimeZone): LocalTime {
  return fromEpoch(
    zone === UTC ? instant : addMillis(instant, zone.offsetAt(approximate(instant))),
  );
}

function fromLocal(day: number, ms: number, zone: TimeZone): EpochMillis {
  const local = toEpoch(day, ms);
  return zone === UTC ? local : addMillis(local, -offsetFromLocal(zone, approximate(local)));
}

/** Adds units: hours and less are exact durations, days and more keep the local time of day. */
function shift(instant: EpochMillis, unit: string, count: number, zone: TimeZone): EpochMillis {
  switch (unit) {
    case 's':
      return addMillis(instant, count * 1000);
    case 'm':
      return addMillis(instant, count * 60_000);
    case 'h':
    case 'H':
      return addMillis(instant, count * 3_600_000);
  }
  const { day, ms } = toLocal(instant, zone);
  if (unit === 'd' || unit === 'w') {
    return fromLocal(day + (unit === 'w' ? 7 * count : count), ms, zone);
  }
  const { year, month, day: dayOfMonth } = civilDate(day);
  const months = year * 12 + month - 1 + (unit === 'y' ? 12 * count : count);
  const toYear = Math.floor(months / 12);
  const toMonth = months - toYear * 12 + 1;
  const toDay = Math.min(dayOfMonth, daysInMonth(toYear, toMonth));
  return fromLocal(dayNumber(toYear, toMonth, toDay), ms, zone);
}

/** The first millisecond of the unit that holds `instant`, or its last one when rounding up. */
function round(
  instant: EpochMillis,
  unit: string,
  { zone, roundUp }: DateMathOptions,
): EpochMillis {
  const local = toLocal(instant, zone);
  const floor = floorTo(local, unit);
  if (!roundUp) return fromLocal(floor.day, floor.ms, zone);
  const next = nextUnit(floor, unit);
  return addMillis(fromLocal(next.day, next.ms, zone), -1);
}

const UNIT_MS = new Map([
  ['h', 3_600_000],
  ['H', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
]);

/** Weeks begin on Monday. */
function floorTo({ day, ms }: LocalTime, unit: string): LocalTime {
  const { year, month } = civilDate(day);
  switch (unit) {
    case 'y':
      return { day: dayNumber(year, 1, 1), ms: 0 };
    case 'M':
      return { day: dayNumber(year, month, 1), ms: 0 };
    case 'w':
      return { day: day - dayOfWeek(day) + 1, ms: 0 };
    case 'd':
      return { day, ms: 0 };
    default:
      return { day, ms: ms - (ms % (UNIT_MS.get(unit) ?? 1)) };
  }
}

function nextUnit({ day, ms }: LocalTime, unit: string): LocalTime {
  const { year, month } = civilDate(day);
  switch (unit) {
    case 'y':
      return { day: dayNumber(year + 1, 1, 1), ms: 0 };
    case 'M':
      return { day: day + daysInMonth(year, month), ms: 0 };
    case 'w':
      return { day: day + 7, ms: 0 };
    case 'd':
      return { day: day + 1, ms: 0 };
    default:
      return { day, ms: ms + (UNIT_MS.get(unit) ?? 1) };
  }
}
