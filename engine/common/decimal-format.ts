// Numbers by patterns such as `#,##0.00` or `0.0%`: those of Java's DecimalFormat in the neutral locale,
// rounded half-even (reference server).

import { EngineError } from '../errors';

/** A pattern taken apart. */
interface DecimalPattern {
  readonly positive: Affixes;
  readonly negative: Affixes;
  readonly minInteger: number;
  /** Digits before the point in scientific notation; elsewhere there is no limit. */
  readonly maxInteger: number;
  readonly minFraction: number;
  readonly maxFraction: number;
  /** Digits between two grouping separators; 0: none. */
  readonly grouping: number;
  /** A point stands also where no digit is behind it. */
  readonly showsPoint: boolean;
  /** Least digits of the exponent; 0: no exponent. */
  readonly exponentDigits: number;
  /** 100 for per cent, 1000 for per mille. */
  readonly multiplier: number;
}

interface Affixes {
  readonly prefix: string;
  readonly suffix: string;
}

/** The number 0.`digits` times ten to the power of `point`; no digits stand for 0. */
interface Digits {
  readonly digits: string;
  readonly point: number;
}

const MAX_PATTERNS = 64;
const MAX_PATTERN_LENGTH = 256;
const patterns = new Map<string, DecimalPattern>();

/**
 * A number as a pattern writes it.
 *
 * @throws EngineError as {@link checkDecimalPattern}
 */
export function formatDecimal(text: string, value: number): string {
  const pattern = patternOf(text);
  if (Number.isNaN(value)) return 'NaN';
  const size = Math.abs(value) * pattern.multiplier;
  const isNegative = value < 0 || Object.is(value, -0);
  // What is rounded to nothing keeps its sign.
  const { prefix, suffix } = isNegative ? pattern.negative : pattern.positive;
  return prefix + (size === Infinity ? '∞' : digitsOf(pattern, size)) + suffix;
}

/** @throws EngineError IllegalArgumentException (400) for what is no pattern */
export function checkDecimalPattern(text: string): void {
  patternOf(text);
}

function patternOf(text: string): DecimalPattern {
  let pattern = patterns.get(text);
  if (pattern === undefined) {
    pattern = parsePattern(text);
    if (patterns.size >= MAX_PATTERNS) patterns.clear();
    patterns.set(text, pattern);
  }
  return pattern;
}

function digitsOf(pattern: DecimalPattern, size: number): string {
  return pattern.exponentDigits > 0 ? scientific(pattern, size) : plain(pattern, size);
}

function plain(pattern: DecimalPattern, size: number): string {
  const { minInteger, minFraction, maxFraction, grouping, showsPoint } = pattern;
  const exact = shortest(size);
  const { digits, point } = rounded(exact, exact.point + maxFraction, size);
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '';
  let integer = whole.padStart(minInteger, '0');
  const rest = point > 0 ? digits.slice(point) : digits === '' ? '' : '0'.repeat(-point) + digits;
  const fraction = rest.padEnd(minFraction, '0');
  if (integer === '' && fraction === '') integer = '0';
  if (grouping > 0) integer = grouped(integer, grouping);
  return fraction === '' && !showsPoint ? integer : `${integer}.${fraction}`;
}

function scientific(pattern: DecimalPattern, size: number): string {
  const { minInteger, maxInteger, minFraction, maxFraction, exponentDigits } = pattern;
  const { digits, point } = rounded(shortest(size), maxInteger + maxFraction, size);
  const isZero = digits === '';
  // With more digits than are required the exponent is a multiple of their number.
  const isStepped = maxInteger > 1 && maxInteger > minInteger;
  const exponent = isStepped
    ? Math.floor((point - 1) / maxInteger) * maxInteger
    : point - minInteger;
  const shown = isZero ? (isStepped ? 1 : minInteger) : point - exponent;
  const all = digits.padEnd(Math.max(minInteger + minFraction, shown), '0');
  const fraction = all.slice(shown);
  const dot = fraction !== '' || pattern.showsPoint ? '.' : '';
  const sign = exponent < 0 && !isZero ? '-' : '';
  const power = String(isZero ? 0 : Math.abs(exponent)).padStart(exponentDigits, '0');
  return `${all.slice(0, shown)}${dot}${fraction}E${sign}${power}`;
}

/** The fewest digits that tell a double from its neighbours. */
function shortest(size: number): Digits {
  if (size === 0) return { digits: '', point: 0 };
  const [mantissa, exponent] = size.toExponential().split('e') as [string, string];
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
}

/** The first `keep` digits, without zeros at the end; ties of the double itself go to the even digit. */
function rounded({ digits, point }: Digits, keep: number, size: number): Digits {
  if (keep < 0) return { digits: '', point: 0 };
  if (keep >= digits.length) return { digits, point };
  let kept = digits.slice(0, keep);
  let at = point;
  if (roundsUp(digits, keep, point, size)) {
    const nines = /9*$/.exec(kept)![0].length;
    if (nines === keep) {
      kept = '1';
      at++;
    } else {
      const last = keep - nines - 1;
      kept = kept.slice(0, last) + String(Number(kept[last]) + 1);
    }
  }
  kept = kept.replace(/0+$/, '');
  return kept === '' ? { digits: '', point: 0 } : { digits: kept, point: at };
}

function roundsUp(digits: string, keep: number, point: number, size: number): boolean {
  if (digits[keep] !== '5') return digits[keep]! > '5';
  if (keep + 1 < digits.length) return true;
  // The digits end in the 5 that decides: the double may be a little more or less than they say.
  const order = compareToDigits(size, digits, point);
  if (order !== 0) return order > 0;
  return keep > 0 && Number(digits[keep - 1]) % 2 === 1;
}

/** Whether a double is more (above 0) or less than what its shortest digits say. */
function compareToDigits(size: number, digits: string, point: number): number {
  let scaled = size;
  let twos = 0n;
  for (; !Number.isInteger(scaled); scaled *= 2) twos++;
  const tens = BigInt(point - digits.length);
  const left = BigInt(scaled) * (tens < 0n ? 10n ** -tens : 1n);
  const right = BigInt(digits) * (tens > 0n ? 10n ** tens : 1n) * 2n ** twos;
  return left > right ? 1 : left < right ? -1 : 0;
}

function grouped(integer: string, size: number): string {
  const first = integer.length % size;
  const parts = first === 0 ? [] : [integer.slice(0, first)];
  for (let at = first; at < integer.length; at += size) parts.push(integer.slice(at, at + size));
  return parts.join(',');
}

/** Reads a pattern from left to right. */
class PatternReader {
  multiplier = 1;
  /** `#` before the first 0, zeros, and `#` behind them. */
  optional = 0;
  zeros = 0;
  more = 0;
  /** Digits before the point; negative: there is none. */
  point = -1;
  /** Digits since the last grouping separator; negative: there is none. */
  grouping = -1;
  exponentDigits = 0;
  private at = 0;

  constructor(private readonly text: string) {}

  /** One half of the pattern. @param isNegative only what is around the digits counts */
  half(isNegative: boolean): Affixes {
    const { text } = this;
    const prefix = this.affix(isNegative, true);
    let suffix = '';
    while (this.at < text.length && text[this.at] !== ';') {
      if (isNegative) this.skipDigits();
      else this.digits();
      suffix += this.affix(isNegative, false);
    }
    return { prefix, suffix };
  }

  /** Goes on behind the `;`; false: there is nothing. */
  next(): boolean {
    return ++this.at < this.text.length;
  }

  private affix(isNegative: boolean, isPrefix: boolean): string {
    const { text } = this;
    let affix = '';
    for (; this.at < text.length; this.at++) {
      const c = text[this.at]!;
      if ('#0,.'.includes(c)) break;
      if (c === ';') {
        if (isNegative || isPrefix)
          throw invalid(`Unquoted special character ';' in pattern "${text}"`);
        break;
      }
      if (c === "'") affix += this.quoted();
      else if (c === '\u00a4') {
        const isDoubled = text[this.at + 1] === c;
        if (isDoubled) this.at++;
        affix += isDoubled ? 'XXX' : c;
      } else {
        if (c === '%' || c === '\u2030') this.multiply(c === '%' ? 100 : 1000, isNegative);
        affix += c;
      }
    }
    return affix;
  }

  /** What stands between two quotes, the second of which is the current character afterwards. */
  private quoted(): string {
    const { text } = this;
    if (text[this.at + 1] === "'") {
      this.at++;
      return "'";
    }
    let quoted = '';
    for (;;) {
      const end = text.indexOf("'", this.at + 1);
      if (end < 0) throw malformed(text);
      quoted += text.slice(this.at + 1, end);
      this.at = end;
      if (text[end + 1] !== "'") return quoted;
      quoted += "'";
      this.at++;
    }
  }

  private multiply(factor: number, isNegative: boolean): void {
    if (isNegative) return;
    if (this.multiplier !== 1) {
      throw invalid(`Too many percent/per mille characters in pattern "${this.text}"`);
    }
    this.multiplier = factor;
  }

  private digits(): void {
    const { text } = this;
    for (; this.at < text.length; this.at++) {
      switch (text[this.at]) {
        case '#':
          if (this.zeros > 0) this.more++;
          else this.optional++;
          if (this.grouping >= 0 && this.point < 0) this.grouping++;
          break;
        case '0':
          if (this.more > 0) throw invalid(`Unexpected '0' in pattern "${text}"`);
          this.zeros++;
          if (this.grouping >= 0 && this.point < 0) this.grouping++;
          break;
        case ',':
          this.grouping = 0;
          break;
        case '.':
          if (this.point >= 0) throw invalid(`Multiple decimal separators in pattern "${text}"`);
          this.point = this.optional + this.zeros + this.more;
          break;
        case 'E':
          this.exponent();
          return;
        case undefined:
        default:
          return;
      }
    }
  }

  private exponent(): void {
    const { text } = this;
    if (this.exponentDigits > 0) {
      throw invalid(`Multiple exponential symbols in pattern "${text}"`);
    }
    this.at++;
    for (; text[this.at] === '0'; this.at++) this.exponentDigits++;
    if (this.optional + this.zeros < 1 || this.exponentDigits < 1) {
      throw invalid(`Malformed exponential pattern "${text}"`);
    }
  }

  private skipDigits(): void {
    while ('#0,.E'.includes(this.text[this.at] ?? ' ')) this.at++;
  }
}

function parsePattern(text: string): DecimalPattern {
  if (text.length > MAX_PATTERN_LENGTH) throw malformed(text.slice(0, MAX_PATTERN_LENGTH));
  const reader = new PatternReader(text);
  const positive = reader.half(false);
  let { optional, zeros, more } = reader;
  const { point, grouping } = reader;
  if (zeros === 0 && optional > 0 && point >= 0) {
    // One of them is a 0 all the same: the last one before the point, or the first one behind it.
    const before = Math.max(point, 1);
    more = optional - before;
    optional = before - 1;
    zeros = 1;
  }
  const total = optional + zeros + more;
  const isPlaced = point < 0 ? more === 0 : point >= optional && point <= optional + zeros;
  if (!isPlaced || grouping === 0) throw malformed(text);
  let negative = reader.next() ? reader.half(true) : positive;
  if (negative.prefix === positive.prefix && negative.suffix === positive.suffix) {
    negative = { prefix: `-${positive.prefix}`, suffix: positive.suffix };
  }
  const minInteger = (point >= 0 ? point : total) - optional;
  return {
    positive,
    negative,
    minInteger,
    maxInteger: optional + minInteger,
    minFraction: point >= 0 ? optional + zeros - point : 0,
    // No pattern at all: all digits.
    maxFraction: text === '' ? 340 : point >= 0 ? total - point : 0,
    grouping: text === '' ? 3 : Math.max(grouping, 0),
    showsPoint: point >= 0 && (point === 0 || point === total),
    exponentDigits: reader.exponentDigits,
    multiplier: reader.multiplier,
  };
}

function malformed(text: string): EngineError {
  return invalid(`Malformed pattern "${text}"`);
}

function invalid(reason: string): EngineError {
  return new EngineError('IllegalArgumentException', reason, { status: 400 });
}
