// Long lists of small objects as JSON text, without a value and a string for every member: entries are laid
// down as bytes and become one string at the end. Numbers are spelled as engine/json/write.ts spells them.

import { RawJson } from './json';
import { formatDouble, writeJson } from './write';

/** A list that is rendered already. */
export class RenderedList extends RawJson {
  /** @param length how many elements the list has */
  constructor(
    text: string,
    readonly length: number,
  ) {
    super(text);
  }
}

const FIRST_ROOM = 4096;
/** More than any number needs. */
const NUMBER_ROOM = 32;
const DIGIT_0 = 0x30;
const COMMA = 0x2c;
const DOT = 0x2e;
const MINUS = 0x2d;
const CLOSE = 0x7d;
const BILLION = 1e9;
/** From here on Java prints doubles with an exponent. */
const FIRST_SCIENTIFIC = 1e7;

/** The text before a member's value, for {@link EntryList}: ASCII only. */
export function memberLead(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** Builds a list of objects. Members are written as a lead, such as `,"count":`, and a value behind it. */
export class EntryList {
  private bytes = Buffer.allocUnsafe(FIRST_ROOM);
  private end = 0;
  private length = 0;

  /** Begins an entry with its first member; the lead opens the object. */
  open(lead: Uint8Array): void {
    this.reserve(lead.length);
    if (this.length++ > 0) this.bytes[this.end++] = COMMA;
    this.append(lead);
  }

  /** Begins the next member of the entry. */
  member(lead: Uint8Array): void {
    this.reserve(lead.length);
    this.append(lead);
  }

  /** Ends the entry. */
  close(): void {
    this.reserve(0);
    this.bytes[this.end++] = CLOSE;
  }

  /** A number as {@link writeJson} prints it: usually an integer. */
  integer(value: number): void {
    this.reserve(0);
    if (Number.isSafeInteger(value)) this.digits(value);
    else this.text(writeJson(value));
  }

  /** The 64-bit integer at a position. */
  long(values: BigInt64Array, at: number): void {
    const value = values[at]!;
    const double = Number(value);
    if (Number.isSafeInteger(double)) this.integer(double);
    else this.text(value.toString());
  }

  /** A 64-bit float, as {@link formatDouble} prints it. */
  double(value: number): void {
    this.reserve(0);
    // Integers below 2^53 have no shorter spelling than their own digits.
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) this.text(formatDouble(value));
    else if (value < FIRST_SCIENTIFIC && value > -FIRST_SCIENTIFIC) {
      this.digits(value);
      this.bytes[this.end++] = DOT;
      this.bytes[this.end++] = DIGIT_0;
    } else this.scientific(value);
  }

  /** Short ASCII text as it stands. */
  text(text: string): void {
    this.reserve(text.length);
    for (let i = 0; i < text.length; i++) this.bytes[this.end++] = text.charCodeAt(i);
  }

  /** Any text as a JSON string. */
  string(value: string): void {
    const text = writeJson(value);
    // No UTF-16 unit takes more than three bytes.
    this.reserve(3 * text.length);
    this.end += this.bytes.write(text, this.end);
  }

  /** The list. */
  rendered(): RenderedList {
    return new RenderedList(`[${this.bytes.toString('utf8', 0, this.end)}]`, this.length);
  }

  /** Makes room for so many bytes and a number. */
  private reserve(bytes: number): void {
    const needed = this.end + bytes + NUMBER_ROOM;
    if (needed <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(2 * needed);
    grown.set(this.bytes.subarray(0, this.end));
    this.bytes = grown;
  }

  private append(bytes: Uint8Array): void {
    const into = this.bytes;
    const at = this.end;
    for (let i = 0; i < bytes.length; i++) into[at + i] = bytes[i]!;
    this.end = at + bytes.length;
  }

  private digits(value: number): void {
    if (value < 0) this.bytes[this.end++] = MINUS;
    const size = Math.abs(value);
    if (size < BILLION) {
      this.small(size, digitsOf(size));
      return;
    }
    const high = Math.floor(size / BILLION);
    this.small(high, digitsOf(high));
    this.small(size - high * BILLION, 9);
  }

  /** An integer below 10^9 in exactly so many digits. */
  private small(value: number, digits: number): void {
    const into = this.bytes;
    let rest = value | 0;
    for (let at = this.end + digits - 1; at >= this.end; at--) {
      const tens = (rest / 10) | 0;
      into[at] = DIGIT_0 + (rest - tens * 10);
      rest = tens;
    }
    this.end += digits;
  }

  /** A safe integer of at least 8 digits: `d.dddE±n` without zeros at the end. */
  private scientific(value: number): void {
    const first = this.end + (value < 0 ? 1 : 0);
    this.digits(value);
    const { bytes } = this;
    const exponent = this.end - first - 1;
    let last = this.end - 1;
    while (last > first + 1 && bytes[last] === DIGIT_0) last--;
    bytes.copyWithin(first + 2, first + 1, last + 1);
    bytes[first + 1] = DOT;
    this.end = last + 2;
    this.text(`E${exponent}`);
  }
}

/** How many digits an integer below 10^9 has. */
function digitsOf(value: number): number {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits++;
  return digits;
}
