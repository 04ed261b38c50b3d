// Numbers in date formats: plain ones, years of two digits, and decimal fractions.

import type { FormatElement, PrintedTime } from './elements';
import type { DateUnit, ParsedFields } from './parsed-fields';
import { isDigit, padded, unitValue } from './unit-value';

/** A number: `min` digits when printed, at most `max` when parsed, exactly `max` when `fixed`. */
export class NumberElement implements FormatElement {
  constructor(
    private readonly unit: DateUnit,
    private readonly min: number,
    private readonly max: number,
    private readonly signed: boolean = false,
    private readonly fixed: boolean = false,
  ) {}

  parse(fields: ParsedFields, text: string, start: number): number {
    let at = start;
    let limit = Math.min(this.max, text.length - at);
    let length = 0;
    let negative = false;
    const first = text.charCodeAt(at);
    if (this.signed && limit > 0 && (first === 0x2d || first === 0x2b)) {
      if (limit < 2 || !isDigit(text.charCodeAt(at + 1))) return ~start;
      negative = first === 0x2d;
      at++;
      limit = Math.min(this.max, text.length - at);
    }
    let value = 0;
    while (length < limit) {
      const code = text.charCodeAt(at + length);
      if (!isDigit(code)) break;
      value = value * 10 + code - 0x30;
      length++;
    }
    if (length === 0) return ~start;
    if (this.fixed && length < this.max) return ~(at + length);
    fields.set(this.unit, negative ? -value : value);
    return at + length;
  }

  print(time: PrintedTime): string {
    return padded(unitValue(this.unit, time), this.min);
  }
}

/** A year of two digits around a pivot; when `lenient`, other numbers of digits are taken as they stand. */
export class TwoDigitYear implements FormatElement {
  constructor(
    private readonly unit: DateUnit,
    private readonly pivot: number,
    private readonly lenient: boolean,
  ) {}

  parse(fields: ParsedFields, text: string, start: number): number {
    let at = start;
    let negative = false;
    let signed = false;
    if (this.lenient) {
      const first = text.charCodeAt(at);
      if (first === 0x2d || first === 0x2b) {
        signed = true;
        negative = first === 0x2d;
        at++;
      }
    }
    let length = 0;
    let value = 0;
    while (length < (this.lenient ? 9 : 2) && isDigit(text.charCodeAt(at + length))) {
      value = value * 10 + text.charCodeAt(at + length) - 0x30;
      length++;
    }
    if (length === 0 || (!this.lenient && length < 2)) return ~start;
    if (signed || length !== 2) {
      fields.set(this.unit, negative ? -value : value);
      return at + length;
    }
    const low = this.pivot - 50;
    const lowInCentury = low >= 0 ? low % 100 : 99 + ((low + 1) % 100);
    fields.set(this.unit, value + low + (value < lowInCentury ? 100 : 0) - lowInCentury);
    return at + length;
  }

  print(time: PrintedTime): string {
    return padded(Math.abs(unitValue(this.unit, time)) % 100, 2);
  }
}

/** A decimal fraction of a unit of `size` ms: up to `max` digits, kept to the millisecond. */
export class FractionElement implements FormatElement {
  constructor(
    private readonly unit: DateUnit,
    private readonly size: number,
    private readonly min: number,
    private readonly max: number,
  ) {}

  parse(fields: ParsedFields, text: string, at: number): number {
    let length = 0;
    let weight = this.size * 10;
    let value = 0;
    while (length < this.max && isDigit(text.charCodeAt(at + length))) {
      weight = Math.floor(weight / 10);
      value += (text.charCodeAt(at + length) - 0x30) * weight;
      length++;
    }
    if (length === 0) return ~at;
    fields.set(this.unit, Math.floor(value / 10));
    return at + length;
  }

  print(time: PrintedTime): string {
    const part = time.ms % this.size;
    const digits = Math.min(this.max, Math.max(this.min, 3));
    const scaled = Math.floor((part * 10 ** Math.min(digits, 9)) / this.size);
    const text = String(scaled)
      .padStart(Math.min(digits, 9), '0')
      .padEnd(Math.min(this.max, digits), '0');
    let end = text.length;
    while (end > this.min && text[end - 1] === '0') end--;
    return text.slice(0, end).padEnd(this.min, '0');
  }
}
