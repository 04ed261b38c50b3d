// The usual shapes of dateOptionalTime by plain character codes. Documents are full of them; anything
// unusual is left to the general parser.

import { DAY_MS, dayNumber, daysInMonth } from './calendar';

/**
 * Epoch ms of `YYYY-MM-DD`, optionally with `Thh:mm[:ss[.f…]]` and `Z` or `±hh[:]mm`; NaN for every other
 * text, valid or not.
 */
export function parseIsoDate(text: string): number {
  const { length } = text;
  if (length < 10 || text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d) return NaN;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return NaN;
  const date = dayNumber(year, month, day) * DAY_MS;
  if (length === 10) return date;
  if (length < 16 || text.charCodeAt(10) !== 0x54 || text.charCodeAt(13) !== 0x3a) return NaN;
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  if (!(hour <= 23 && minute <= 59)) return NaN;
  let ms = hour * 3_600_000 + minute * 60_000;
  let at = 16;
  if (text.charCodeAt(at) === 0x3a) {
    const second = digits(text, 17, 2);
    if (!(second <= 59)) return NaN;
    ms += second * 1000;
    at = 19;
    if (text.charCodeAt(at) === 0x2e) {
      let weight = 100;
      let end = at + 1;
      for (; end < length && end <= at + 9; end++) {
        const code = text.charCodeAt(end) - 0x30;
        if (!(code >= 0 && code <= 9)) break;
        ms += Math.floor(code * weight);
        weight = weight > 1 ? weight / 10 : 0;
      }
      if (end === at + 1) return NaN;
      at = end;
    }
  }
  if (at === length) return date + ms;
  const sign = text.charCodeAt(at);
  if (sign === 0x5a) return at + 1 === length ? date + ms : NaN;
  if (sign !== 0x2b && sign !== 0x2d) return NaN;
  const colon = text.charCodeAt(at + 3) === 0x3a ? 1 : 0;
  if (length !== at + 5 + colon) return NaN;
  const offsetHour = digits(text, at + 1, 2);
  const offsetMinute = digits(text, at + 3 + colon, 2);
  if (!(offsetHour <= 23 && offsetMinute <= 59)) return NaN;
  const offset = offsetHour * 3_600_000 + offsetMinute * 60_000;
  return date + ms - (sign === 0x2d ? -offset : offset);
}

/** The number in `count` digits, or NaN when one of them is none. */
function digits(text: string, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    value = value * 10 + digit;
  }
  return value;
}
