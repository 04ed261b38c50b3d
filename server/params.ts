// Typed access to request parameters. The reference has two boolean parsers, and words its complaints about
// numbers and times in a particular way; both live here (reference server).

import { EngineError, illegalArgument, parseTimeValue } from '../engine/index';

const ORDINARY_FALSE = new Set(['false', '0', 'off', 'no']);
const LENIENT_FALSE = new Set(['false', '0', 'off']);

/** Query parameters and path variables of one request; all values as decoded text. */
export class Params {
  constructor(readonly values: ReadonlyMap<string, string>) {}

  has(name: string): boolean {
    return this.values.has(name);
  }

  get(name: string): string | undefined {
    return this.values.get(name);
  }

  /** The first of several spellings that is given. */
  firstOf(...names: string[]): string | undefined {
    return names.map((name) => this.values.get(name)).find((value) => value !== undefined);
  }

  /** An ordinary boolean: false for `false|0|off|no`, true for anything else, the empty text included. */
  flag(name: string, otherwise = false): boolean {
    const value = this.values.get(name);
    return value === undefined ? otherwise : !ORDINARY_FALSE.has(value);
  }

  /** A boolean of the indices options: `no` is true there. */
  lenientFlag(name: string, otherwise: boolean): boolean {
    const value = this.values.get(name);
    return value === undefined ? otherwise : !LENIENT_FALSE.has(value);
  }

  /** @throws EngineError 400 for anything but a 32-bit integer */
  int(name: string): number | undefined {
    const value = this.values.get(name);
    if (value === undefined) return undefined;
    const number = /^[+-]?\d+$/.test(value) ? Number(value) : NaN;
    if (number >= -2147483648 && number <= 2147483647) return number;
    throw badNumber('int', name, value);
  }

  /** @throws EngineError 400 for anything but an integer that a double holds exactly */
  long(name: string): number | undefined {
    const value = this.values.get(name);
    if (value === undefined) return undefined;
    const number = /^[+-]?\d+$/.test(value) ? Number(value) : NaN;
    if (Number.isSafeInteger(number)) return number;
    throw badNumber('int', name, value);
  }

  /** @throws EngineError 400 for anything but a decimal number */
  float(name: string): number | undefined {
    const value = this.values.get(name);
    if (value === undefined) return undefined;
    const number = value.trim() === '' ? NaN : Number(value);
    if (Number.isFinite(number)) return number;
    throw badNumber('float', name, value);
  }

  /**
   * Milliseconds of a time value.
   *
   * @throws EngineError 400
   */
  timeMs(name: string): number | undefined {
    const value = this.values.get(name);
    return value === undefined ? undefined : parseTimeValue(value);
  }

  /** A comma list; empty parts are dropped, a missing parameter is an empty list. */
  list(name: string): string[] {
    return splitCommas(this.values.get(name) ?? '');
  }
}

/** Parts of a comma list without the empty ones. */
export function splitCommas(value: string): string[] {
  // Nearly all lists are one name or nothing.
  if (!value.includes(',')) return value === '' ? [] : [value];
  return value.split(',').filter((part) => part !== '');
}

/** Whether a text is one of the words that mean yes or no outright; null for any other text. */
export function explicitBoolean(value: string): boolean | null {
  if (ORDINARY_FALSE.has(value)) return false;
  return ['true', '1', 'on', 'yes'].includes(value) ? true : null;
}

const BYTE_UNITS = new Map([
  ['', 1],
  ['b', 1],
  ['k', 1024],
  ['m', 1024 ** 2],
  ['g', 1024 ** 3],
  ['t', 1024 ** 4],
  ['p', 1024 ** 5],
]);

/**
 * A byte size such as `100mb`, `1.5g`, `4kib` or plain bytes.
 *
 * @throws EngineError 400
 */
export function parseByteSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgtp]?)(?:i?b)?$/i.exec(text.trim());
  const factor = BYTE_UNITS.get((match?.[2] ?? '').toLowerCase());
  if (match === null || factor === undefined) {
    throw new EngineError('ElasticsearchParseException', `Failed to parse [${text}]`, {
      cause: numberFormat(text),
    });
  }
  return Math.trunc(Number(match[1]) * factor);
}

/** The reference's complaint about a text that is no number. */
export function numberFormat(text: string): EngineError {
  return new EngineError('NumberFormatException', `For input string: "${text}"`);
}

function badNumber(kind: string, name: string, value: string): EngineError {
  return illegalArgument(
    `Failed to parse ${kind} parameter [${name}] with value [${value}]`,
    numberFormat(value),
  );
}
