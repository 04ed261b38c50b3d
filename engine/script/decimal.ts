// Numbers beyond 64 bits: what integer division and powers give in scripts (groovy's BigDecimal and
// BigInteger). Both are printed as strings, as the reference does.

import { formatDouble } from '../json/index';

/** An integer of any size. */
export class BigInteger {
  constructor(readonly value: bigint) {}
}

/** Digits beyond those of the operands that a division keeps, and at least keeps (groovy). */
const EXTRA_DIGITS = 10;

/** A decimal number: `unscaled` · 10^-scale, scale >= 0. */
export class Decimal {
  constructor(
    readonly unscaled: bigint,
    readonly scale: number,
  ) {}

  static of(value: bigint): Decimal {
    return new Decimal(value, 0);
  }

  /** The exact value of a double as its shortest decimal notation. */
  static fromDouble(value: number): Decimal {
    const [mantissa = '0', exponent = '0'] = formatDouble(value).split('E');
    const [whole = '0', fraction = ''] = mantissa.split('.');
    const shift = fraction.length - Number(exponent);
    const digits = BigInt(whole + fraction);
    return shift >= 0
      ? new Decimal(digits, shift).stripped()
      : new Decimal(digits * 10n ** BigInt(-shift), 0);
  }

  add(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(this.at(scale) + other.at(scale), scale);
  }

  subtract(other: Decimal): Decimal {
    return this.add(other.negate());
  }

  multiply(other: Decimal): Decimal {
    return new Decimal(this.unscaled * other.unscaled, this.scale + other.scale);
  }

  /** Exact where that ends, else rounded half up to 10 places. Null: division by zero. */
  divide(other: Decimal): Decimal | null {
    if (other.unscaled === 0n) return null;
    return this.divideExactly(other) ?? this.divideRounded(other);
  }

  compare(other: Decimal): number {
    const scale = Math.max(this.scale, other.scale);
    const difference = this.at(scale) - other.at(scale);
    return difference > 0n ? 1 : difference < 0n ? -1 : 0;
  }

  negate(): Decimal {
    return new Decimal(-this.unscaled, this.scale);
  }

  /** Towards zero. */
  truncate(): bigint {
    return this.unscaled / 10n ** BigInt(this.scale);
  }

  /** The nearest double. */
  toNumber(): number {
    return Number(this.toString());
  }

  toString(): string {
    if (this.scale === 0) return this.unscaled.toString();
    const negative = this.unscaled < 0n;
    const digits = (negative ? -this.unscaled : this.unscaled)
      .toString()
      .padStart(this.scale + 1, '0');
    const point = digits.length - this.scale;
    return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
  }

  private at(scale: number): bigint {
    return this.unscaled * 10n ** BigInt(scale - this.scale);
  }

  private divideExactly(other: Decimal): Decimal | null {
    const preferred = Math.max(0, this.scale - other.scale);
    const scale = Math.max(this.scale, other.scale);
    let numerator = this.at(scale);
    let denominator = other.at(scale);
    const divisor = gcd(abs(numerator), abs(denominator));
    numerator /= divisor;
    denominator /= divisor;
    if (denominator < 0n) {
      numerator = -numerator;
      denominator = -denominator;
    }
    let twos = 0;
    let fives = 0;
    let rest = denominator;
    while (rest % 2n === 0n) {
      rest /= 2n;
      twos++;
    }
    while (rest % 5n === 0n) {
      rest /= 5n;
      fives++;
    }
    if (rest !== 1n) return null;
    const places = Math.max(twos, fives);
    const exact = new Decimal((numerator * 10n ** BigInt(places)) / denominator, places);
    return exact.scale >= preferred ? exact : new Decimal(exact.at(preferred), preferred);
  }

  private divideRounded(other: Decimal): Decimal {
    const precision = Math.max(this.precision(), other.precision()) + EXTRA_DIGITS;
    const most = Math.max(this.scale, other.scale, EXTRA_DIGITS);
    // The quotient with `precision` significant digits, then with no more than `most` places.
    const size = this.precision() - this.scale - (other.precision() - other.scale);
    let scale = Math.max(0, precision - size);
    let quotient = divideHalfUp(
      this.unscaled * 10n ** BigInt(scale + other.scale),
      other.unscaled * 10n ** BigInt(this.scale),
    );
    const excess = digitsOf(quotient) - precision;
    if (excess > 0 && scale >= excess) {
      quotient = divideHalfUp(
        this.unscaled * 10n ** BigInt(scale - excess + other.scale),
        other.unscaled * 10n ** BigInt(this.scale),
      );
      scale -= excess;
    }
    if (scale <= most) return new Decimal(quotient, scale);
    return new Decimal(divideHalfUp(quotient, 10n ** BigInt(scale - most)), most);
  }

  private precision(): number {
    return digitsOf(this.unscaled);
  }

  private stripped(): Decimal {
    let { unscaled, scale } = this;
    while (scale > 0 && unscaled % 10n === 0n) {
      unscaled /= 10n;
      scale--;
    }
    return new Decimal(unscaled, scale);
  }
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}

function digitsOf(value: bigint): number {
  return abs(value).toString().length;
}

function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const n = abs(numerator);
  const d = abs(denominator);
  const quotient = (2n * n + d) / (2n * d);
  return negative ? -quotient : quotient;
}
