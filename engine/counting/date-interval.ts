// Intervals, time zones and offsets of dates as requests spell them (reference server).

import type { CalendarUnit } from '../counting/date-rounding';
import { EngineError, illegalArgument } from '../errors';
import { JsonNumber, type JsonScalar } from '../json/index';
import { timeZone } from '../mapping/index';
import { parseTimeValue, numberFormat } from '../common/index';

const UNITS: ReadonlyMap<string, CalendarUnit> = new Map([
  ['year', 'year'],
  ['1y', 'year'],
  ['quarter', 'quarter'],
  ['1q', 'quarter'],
  ['month', 'month'],
  ['1M', 'month'],
  ['week', 'week'],
  ['1w', 'week'],
  ['day', 'day'],
  ['1d', 'day'],
  ['hour', 'hour'],
  ['1h', 'hour'],
  ['minute', 'minute'],
  ['1m', 'minute'],
  ['second', 'second'],
  ['1s', 'second'],
]);

/**
 * A calendar unit, or a length in milliseconds above 0.
 *
 * @throws EngineError ElasticsearchParseException, ElasticsearchIllegalArgumentException
 */
export function parseDateInterval(text: string): CalendarUnit | number {
  const unit = UNITS.get(text);
  if (unit !== undefined) return unit;
  const length = parseTimeValue(text);
  if (length <= 0) throw illegalArgument('Zero or negative time interval not supported');
  return length;
}

/**
 * The id of a time zone: a number of hours, `hours:minutes`, or a name.
 *
 * @throws EngineError IllegalArgumentException, NumberFormatException
 */
export function parseZone(value: JsonScalar): string {
  if (value instanceof JsonNumber) return offsetId(Math.trunc(value.value), 0);
  const text = String(value);
  const colon = text.indexOf(':');
  if (colon < 0) return timeZone(text).id;
  return offsetId(integer(text.slice(0, colon)), integer(text.slice(colon + 1)));
}

function integer(text: string): number {
  if (!/^[+-]?\d{1,9}$/.test(text)) {
    throw numberFormat(text);
  }
  return Number(text);
}

/** compat: minutes have the sign of the hours, so that `-00:30` lies east of Greenwich. */
function offsetId(hours: number, minutes: number): string {
  if (Math.abs(hours) > 23) throw outOfRange('Hours', hours);
  if (minutes < 0 || minutes > 59) throw outOfRange('Minutes', minutes);
  if (hours === 0 && minutes === 0) return 'UTC';
  const two = (n: number) => String(n).padStart(2, '0');
  return `${hours < 0 ? '-' : '+'}${two(Math.abs(hours))}:${two(minutes)}`;
}

function outOfRange(unit: string, value: number): EngineError {
  return new EngineError('IllegalArgumentException', `${unit} out of range: ${value}`);
}

/**
 * Milliseconds to shift instants by: a time value with or without a sign.
 *
 * @throws EngineError ElasticsearchParseException, StringIndexOutOfBoundsException
 */
export function parseDateOffset(text: string): number {
  if (text === '') {
    throw new EngineError('StringIndexOutOfBoundsException', 'String index out of range: 0');
  }
  if (text.startsWith('-')) return -parseTimeValue(text.slice(1)) + 0;
  return parseTimeValue(text.startsWith('+') ? text.slice(1) : text);
}
