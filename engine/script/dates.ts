// Dates as scripts see them: `doc['f'].date`, `new Date()`.

import {
  dateFormat,
  civilDate,
  DAY_MS,
  dayNumber,
  dayOfWeek,
  fromEpoch,
  weekOf,
} from '../mapping/index';
import { EngineError } from '../errors';
import { missingProperty, runtimeError } from './errors';
import { compareValues, HostObject, isNumber, toDouble, type ScriptValue } from './values';

const ISO = "yyyy-MM-dd'T'HH:mm:ss.SSSZZ";

const PARTS: ReadonlyMap<string, (millis: number) => number> = new Map<
  string,
  (millis: number) => number
>([
  ['year', (millis) => civil(millis).year],
  ['yearOfEra', (millis) => Math.abs(civil(millis).year)],
  ['yearOfCentury', (millis) => Math.abs(civil(millis).year) % 100],
  ['centuryOfEra', (millis) => Math.floor(Math.abs(civil(millis).year) / 100)],
  ['era', (millis) => (civil(millis).year > 0 ? 1 : 0)],
  ['monthOfYear', (millis) => civil(millis).month],
  ['dayOfMonth', (millis) => civil(millis).day],
  ['dayOfYear', (millis) => dayOf(millis) - dayNumber(civil(millis).year, 1, 1) + 1],
  ['dayOfWeek', (millis) => dayOfWeek(dayOf(millis))],
  ['weekyear', (millis) => weekOf(dayOf(millis)).weekyear],
  ['weekOfWeekyear', (millis) => weekOf(dayOf(millis)).week],
  ['hourOfDay', (millis) => Math.floor(msOf(millis) / 3_600_000)],
  ['minuteOfHour', (millis) => Math.floor(msOf(millis) / 60_000) % 60],
  ['minuteOfDay', (millis) => Math.floor(msOf(millis) / 60_000)],
  ['secondOfMinute', (millis) => Math.floor(msOf(millis) / 1000) % 60],
  ['secondOfDay', (millis) => Math.floor(msOf(millis) / 1000)],
  ['millisOfSecond', (millis) => msOf(millis) % 1000],
  ['millisOfDay', msOf],
]);

/** A part of an instant in UTC (`hourOfDay` …) as an integer; null for unknown names. */
export function datePart(name: string): ((millis: number) => number) | null {
  return PARTS.get(name) ?? null;
}

function civil(millis: number): ReturnType<typeof civilDate> {
  return civilDate(dayOf(millis));
}

function dayOf(millis: number): number {
  return Math.floor(millis / DAY_MS);
}

function msOf(millis: number): number {
  return fromEpoch(millis).ms;
}

/** `getMonthOfYear` names the property `monthOfYear`. */
export function propertyOfGetter(name: string): string | null {
  const match = /^(?:get|is)([A-Z])(.*)$/.exec(name);
  return match === null ? null : match[1]!.toLowerCase() + match[2]!;
}

/** An instant in UTC. */
export class ScriptDate extends HostObject {
  readonly javaClass = 'org.elasticsearch.common.joda.time.MutableDateTime';

  /** @param millis epoch milliseconds */
  constructor(
    readonly millis: number,
    private readonly now: number,
  ) {
    super();
  }

  override property(name: string): ScriptValue {
    const part = PARTS.get(name);
    if (part !== undefined) return part(this.millis);
    switch (name) {
      case 'millis':
      case 'time':
        return BigInt(this.millis);
      case 'afterNow':
        return this.millis > this.now;
      case 'beforeNow':
        return this.millis < this.now;
      default:
        throw missingProperty(name, this.javaClass);
    }
  }

  override method(name: string, args: readonly ScriptValue[]): ScriptValue | undefined {
    const [first] = args;
    const property = propertyOfGetter(name);
    if (property !== null && args.length === 0) return this.property(property);
    if (name === 'toString') return first === undefined ? this.text() : print(this.millis, first);
    if (name === 'toDate' || name === 'toDateTime') return this;
    if (first !== undefined && args.length === 1) {
      const other = millisOf(first);
      if (other !== null) {
        if (name === 'isAfter' || name === 'after') return this.millis > other;
        if (name === 'isBefore' || name === 'before') return this.millis < other;
        if (name === 'isEqual' || name === 'equals') return this.millis === other;
        if (name === 'compareTo') return compareValues(BigInt(this.millis), BigInt(other));
      }
    }
    return super.method(name, args);
  }

  plain(): ScriptValue {
    return print(this.millis, ISO);
  }

  override text(): string {
    return print(this.millis, ISO);
  }
}

function millisOf(value: ScriptValue): number | null {
  if (value instanceof ScriptDate) return value.millis;
  return isNumber(value) ? toDouble(value) : null;
}

function print(millis: number, pattern: ScriptValue): string {
  if (typeof pattern !== 'string')
    throw runtimeError('IllegalArgumentException', 'Invalid pattern specification');
  try {
    return pattern === ISO
      ? dateFormat('dateTime').print(millis)
      : dateFormat(pattern).print(millis);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw runtimeError('IllegalArgumentException', error.message);
  }
}
