// Offsets and time zones in date formats.

import type { FormatElement, PrintedTime } from './elements';
import type { ParsedFields } from './parsed-fields';
import { namedZone } from './time-zone';
import { isDigit, padded } from './unit-value';

/** `+02:00`, `+0200`, `+02`, `Z`. */
export class OffsetElement implements FormatElement {
  /** @param zero printed for UTC instead of `+00:00`, or null */
  constructor(
    private readonly zero: string | null,
    private readonly colon: boolean,
  ) {}

  parse(fields: ParsedFields, text: string, at: number): number {
    const sign = text.charCodeAt(at);
    if (sign === 0x5a || sign === 0x7a) {
      fields.offset = 0;
      return at + 1;
    }
    if ((sign !== 0x2b && sign !== 0x2d) || text.length - at <= 1) return ~at;
    const hours = twoDigits(text, at + 1);
    if (hours < 0 || hours > 23) return ~at;
    let end = at + 3;
    let offset = hours * 3_600_000;
    const separated = text.charCodeAt(end) === 0x3a;
    const sizes = [60_000, 1000];
    for (const size of sizes) {
      const start = separated ? end + 1 : end;
      if (separated ? text.charCodeAt(end) !== 0x3a : !isDigit(text.charCodeAt(end))) break;
      const value = twoDigits(text, start);
      if (value < 0 || value > 59) return ~at;
      offset += value * size;
      end = start + 2;
    }
    fields.offset = sign === 0x2d ? -offset : offset;
    return end;
  }

  print(time: PrintedTime): string {
    if (time.offset === 0 && this.zero !== null) return this.zero;
    const minutes = Math.floor(Math.abs(time.offset) / 60_000);
    const sign = time.offset < 0 ? '-' : '+';
    const colon = this.colon ? ':' : '';
    return `${sign}${padded(Math.floor(minutes / 60), 2)}${colon}${padded(minutes % 60, 2)}`;
  }
}

/** Zone abbreviations that can be read. */
const ABBREVIATIONS = new Map([
  ['UT', 'UTC'],
  ['UTC', 'UTC'],
  ['GMT', 'UTC'],
  ['EST', 'America/New_York'],
  ['EDT', 'America/New_York'],
  ['CST', 'America/Chicago'],
  ['CDT', 'America/Chicago'],
  ['MST', 'America/Denver'],
  ['MDT', 'America/Denver'],
  ['PST', 'America/Los_Angeles'],
  ['PDT', 'America/Los_Angeles'],
]);

/** A zone by abbreviation (`z`) or by id (`ZZZ`). */
export class ZoneElement implements FormatElement {
  constructor(private readonly byId: boolean) {}

  parse(fields: ParsedFields, text: string, at: number): number {
    let end = at;
    while (end < text.length && /[A-Za-z0-9_+/-]/.test(text.charAt(end))) end++;
    for (; end > at; end--) {
      const name = text.slice(at, end);
      const id = this.byId ? name : ABBREVIATIONS.get(name);
      const zone = id === undefined ? null : namedZone(id);
      if (zone) {
        fields.zone = zone;
        return end;
      }
    }
    return ~at;
  }

  print(time: PrintedTime): string {
    return time.zoneId;
  }
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at);
  const ones = text.charCodeAt(at + 1);
  return isDigit(tens) && isDigit(ones) ? (tens - 0x30) * 10 + ones - 0x30 : -1;
}
