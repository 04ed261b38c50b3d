// Numbers by patterns such as `#,##0.00` or `0.0%`: those of Java's DecimalFormat in the neutral locale,
// rounded half-even (reference server).

import { EngineError } from '../errors';

/** A pattern taken apart. */
interface DecimalPattern {
  readonly positive: Affixes;
  /** Null: the positive one with a minus sign in front. */
  readonly negative: Affixes | null;
  readonly minInteger: number;
  /** Digits before the point in scientific notation; elsewhere there is no limit. */
  readonly maxInteger: number;
  readonly minFraction: number;
  readonly maxFraction: number;
  /** Digits between two grouping separators; 0: none. */
  readonly grouping: number;
  /** Least digits of the exponent; 0: no exponent. */
  readonly exponentDigits: number;
  /** 100 for per cent, 1000 for per mille. */
  readonly multiplier: number;
}

interface Affixes {
  readonly prefix: string;
  readonly suffix: string;
}

const MAX_PATTERNS = 64;
const MAX_DIGITS = 100;
const MAX_PATTERN_LENGTH = 256;
const patterns = new Map<string, DecimalPattern>();

/**
 * A number as a pattern writes it.
 *
 * @throws EngineError IllegalArgumentException for what is no pattern
 */
export function formatDecimal(text: string, value: number): string {
  const pattern = patternOf(text);
  if (Number.isNaN(value)) return 'NaN';
  const isNegative = value < 0 || Object.is(value, -0);
  const size = Math.abs(value) * pattern.multiplier;
  const digits = size === Infinity ? '∞' : digitsOf(pattern, size);
  // What is rounded to nothing keeps its sign.
  if (!isNegative) return pattern.positive.prefix + digits + pattern.positive.suffix;
  const { negative, positive } = pattern;
  return negative === null
    ? `-${positive.prefix}${digits}${positive.suffix}`
    : negative.prefix + digits + negative.suffix;
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

function plain(
  { minInteger, minFraction, maxFraction, grouping }: DecimalPattern,
  size: number,
): string {
  const [whole, fraction] = rounded(size, maxFraction).split('.') as [string, string?];
  let integer = whole === '0' ? '' : whole;
  integer = integer.padStart(minInteger, '0');
  const part = trimmed(fraction ?? '', minFraction);
  if (integer === '' && part === '') integer = '0';
  if (grouping > 0) integer = grouped(integer, grouping);
  return part === '' ? integer : `${integer}.${part}`;
}

function scientific(pattern: DecimalPattern, size: number): string {
  const { minInteger, maxInteger, minFraction, maxFraction, exponentDigits } = pattern;
  let exponent = size === 0 ? 0 : Number(size.toExponential().split('e')[1]);
  const groups = maxInteger > minInteger && maxInteger > 1;
  const step = groups ? maxInteger : 1;
  exponent = groups ? Math.floor(exponent / step) * step : exponent - Math.max(minInteger, 1) + 1;
  const mantissa =
    size === 0
      ? 0
      : Number(
          `${size.toExponential().split('e')[0]}e${Number(size.toExponential().split('e')[1]) - exponent}`,
        );
  const [whole, fraction] = rounded(mantissa, maxFraction).split('.') as [string, string?];
  const part = trimmed(fraction ?? '', minFraction);
  const integer = whole.padStart(Math.max(1, minInteger), '0');
  const sign = exponent < 0 ? '-' : '';
  return `${integer}${part === '' ? '' : `.${part}`}E${sign}${String(Math.abs(exponent)).padStart(exponentDigits, '0')}`;
}

/** At most so many digits after the point; exact ties go to the even digit. */
function rounded(size: number, digits: number): string {
  if (size >= 1e21) return BigInt(size).toString();
  const most = Math.min(digits, MAX_DIGITS);
  const text = size.toFixed(most);
  const exact = size.toFixed(MAX_DIGITS);
  const rest = exact.slice(exact.indexOf('.') + 1 + most);
  if (!/^50*$/.test(rest)) return text;
  // toFixed takes the larger of two that are equally near.
  const last = Number(text.at(-1));
  if (last % 2 === 0) return text;
  const down = exact.slice(0, exact.indexOf('.') + (most === 0 ? 0 : 1 + most));
  return down;
}

function trimmed(fraction: string, least: number): string {
  let end = fraction.length;
  while (end > least && fraction[end - 1] === '0') end--;
  return fraction.slice(0, end).padEnd(least, '0');
}

function grouped(integer: string, size: number): string {
  let text = '';
  for (let end = integer.length; end > 0; end -= size) {
    const part = integer.slice(Math.max(0, end - size), end);
    text = text === '' ? part : `${part},${text}`;
  }
  return text;
}

/** Reads a pattern from left to right. */
class PatternReader {
  at = 0;
  multiplier = 1;

  constructor(private readonly text: string) {}

  get rest(): string | undefined {
    return this.text[this.at];
  }

  /** What stands before or behind the digits. */
  affix(): string {
    let affix = '';
    for (; this.at < this.text.length; this.at++) {
      const c = this.text[this.at]!;
      if ('#0,.;'.includes(c)) break;
      if (c === "'") {
        if (this.text[this.at + 1] === "'") {
          affix += "'";
          this.at++;
          continue;
        }
        const end = this.text.indexOf("'", this.at + 1);
        if (end < 0) throw malformed(this.text);
        affix += this.text.slice(this.at + 1, end);
        this.at = end;
        continue;
      }
      if (c === '%') this.multiplier = 100;
      if (c === '\u2030') this.multiplier = 1000;
      affix += c === '\u00a4' ? '\u00a4' : c;
    }
    return affix;
  }

  /** The digits themselves. */
  digits(): string {
    const start = this.at;
    while (this.at < this.text.length && '#0,.'.includes(this.text[this.at]!)) this.at++;
    if (this.text[this.at] === 'E' && this.text[this.at + 1] === '0') {
      this.at++;
      while (this.text[this.at] === '0') this.at++;
    }
    return this.text.slice(start, this.at);
  }
}

function parsePattern(text: string): DecimalPattern {
  if (text.length > MAX_PATTERN_LENGTH) throw malformed(text.slice(0, MAX_PATTERN_LENGTH));
  const reader = new PatternReader(text);
  const prefix = reader.affix();
  const digits = reader.digits();
  const suffix = reader.affix();
  let negative: Affixes | null = null;
  if (reader.rest === ';') {
    reader.at++;
    const before = reader.affix();
    reader.digits();
    const after = reader.affix();
    negative = before === prefix && after === suffix ? null : { prefix: before, suffix: after };
  }
  if (reader.rest !== undefined) throw malformed(text);
  const shape = /^([#,]*)([0,]*)(?:\.(0*)(#*))?(?:E(0+))?$/.exec(digits);
  if (shape === null) throw malformed(text);
  const [, optional = '', required = '', fraction, more = '', exponent = ''] = shape;
  const integer = optional + required;
  if (digits === '') {
    // Nothing but a text: numbers are written in full.
    return {
      positive: { prefix, suffix },
      negative,
      minInteger: 0,
      maxInteger: Infinity,
      minFraction: 0,
      maxFraction: 340,
      grouping: 0,
      exponentDigits: 0,
      multiplier: reader.multiplier,
    };
  }
  const comma = integer.lastIndexOf(',');
  if (comma === integer.length - 1 && comma >= 0) throw malformed(text);
  const minInteger = required.replaceAll(',', '').length;
  const hasPoint = fraction !== undefined;
  return {
    positive: { prefix, suffix },
    negative,
    // A pattern of optional digits only writes a zero before the point where nothing stands behind it.
    minInteger: minInteger === 0 && !hasPoint ? 1 : minInteger,
    maxInteger: integer.replaceAll(',', '').length,
    minFraction: (fraction ?? '').length,
    maxFraction: (fraction ?? '').length + more.length,
    grouping: comma < 0 || exponent !== '' ? 0 : integer.length - comma - 1,
    exponentDigits: exponent.length,
    multiplier: reader.multiplier,
  };
}

function malformed(text: string): EngineError {
  return new EngineError('IllegalArgumentException', `Malformed pattern "${text}"`);
}
