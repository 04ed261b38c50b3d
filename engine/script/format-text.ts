// `String.format`: conversions s, d, f, x, X, c, b, n and %, with width, precision and the flags `-`, `0`,
// `+`, `,`.

import { runtimeError } from './errors';
import { MAX_STRING_LENGTH } from './limits';
import {
  isIntegral,
  isNumber,
  isTrue,
  javaClassOf,
  textOf,
  toBigInt,
  toDouble,
  type ScriptValue,
} from './values';

const DIRECTIVE = /%([-0+, ]*)(\d{1,6})?(?:\.(\d{1,3}))?([a-zA-Z%])/g;

/** @throws EngineError IllegalFormatException and its kin */
export function formatText(pattern: string, args: readonly ScriptValue[]): string {
  let next = 0;
  let length = 0;
  return pattern.replace(
    DIRECTIVE,
    (
      directive: string,
      flags: string,
      width: string | undefined,
      precision: string | undefined,
      conversion: string,
    ) => {
      if (conversion === '%') return '%';
      if (conversion === 'n') return '\n';
      const value = args[next++];
      if (value === undefined)
        throw failed('MissingFormatArgumentException', `Format specifier '${directive}'`);
      const plain = converted(value, flags, precision ?? '', conversion);
      const wide = Number(width ?? 0);
      length += Math.max(wide, plain.length);
      if (length > MAX_STRING_LENGTH) throw failed('IllegalFormatException', directive);
      return padded(plain, wide, flags, value);
    },
  );
}

function converted(
  value: ScriptValue,
  flags: string,
  precision: string,
  conversion: string,
): string {
  switch (conversion) {
    case 's': {
      const text = textOf(value);
      return precision === '' ? text : text.slice(0, Number(precision));
    }
    case 'b':
      return String(value !== null && (typeof value !== 'boolean' || isTrue(value)));
    case 'd':
      if (value === null) return 'null';
      if (!isNumber(value) || !isIntegral(value)) throw wrongType(conversion, value);
      return signed(grouped(toBigInt(value).toString(), flags), flags);
    case 'x':
    case 'X': {
      if (value === null) return 'null';
      if (!isNumber(value) || !isIntegral(value)) throw wrongType(conversion, value);
      const bits = typeof value === 'number' ? 32 : 64;
      const digits = BigInt.asUintN(bits, toBigInt(value)).toString(16);
      return conversion === 'X' ? digits.toUpperCase() : digits;
    }
    case 'f':
      if (value === null) return 'null';
      if (!isNumber(value) || isIntegral(value)) throw wrongType(conversion, value);
      return signed(
        grouped(fixed(toDouble(value), precision === '' ? 6 : Number(precision)), flags),
        flags,
      );
    default:
      throw failed('UnknownFormatConversionException', `Conversion = '${conversion}'`);
  }
}

/** Decimals rounded half up, as the digits of the number are printed. */
function fixed(value: number, places: number): string {
  if (!Number.isFinite(value))
    return Number.isNaN(value) ? 'NaN' : value < 0 ? '-Infinity' : 'Infinity';
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const digits = BigInt(mantissa.replace('.', ''));
  const scale = (mantissa.length > 1 ? mantissa.length - 2 : 0) - Number(exponent);
  const shift = places - scale;
  const whole = shift >= 0 ? digits * 10n ** BigInt(shift) : halfUp(digits, 10n ** BigInt(-shift));
  const text = whole.toString().padStart(places + 1, '0');
  const point = text.length - places;
  const number = places === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
  return value < 0 || Object.is(value, -0) ? `-${number}` : number;
}

function halfUp(value: bigint, by: bigint): bigint {
  return (value * 2n + by) / (by * 2n);
}

function grouped(text: string, flags: string): string {
  if (!flags.includes(',')) return text;
  const [whole = '', ...rest] = text.split('.');
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...rest].join('.');
}

function signed(text: string, flags: string): string {
  if (text.startsWith('-')) return text;
  return flags.includes('+') ? `+${text}` : flags.includes(' ') ? ` ${text}` : text;
}

function padded(text: string, width: number, flags: string, value: ScriptValue): string {
  if (flags.includes('-')) return text.padEnd(width);
  if (!flags.includes('0') || value === null || !isNumber(value)) return text.padStart(width);
  const sign = /^[-+ ]/.exec(text)?.[0] ?? '';
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}

function wrongType(conversion: string, value: ScriptValue) {
  return failed('IllegalFormatConversionException', `${conversion} != ${javaClassOf(value)}`);
}

function failed(exception: string, message: string) {
  return runtimeError(exception, message);
}
