// Typed access to request parameters. The reference has two boolean parsers, and words its complaints about
// numbers and times in a particular way; both live here (reference server).

import {
  badNumber,
  integerParameter,
  ordinaryBoolean,
  parseTimeValue,
  splitCommas,
} from '../../engine/index';

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
    return value === undefined ? otherwise : ordinaryBoolean(value);
  }

  /** A boolean of the indices options: `no` is true there. */
  lenientFlag(name: string, otherwise: boolean): boolean {
    const value = this.values.get(name);
    return value === undefined ? otherwise : !LENIENT_FALSE.has(value);
  }

  /** @throws EngineError 400 for anything but a 32-bit integer */
  int(name: string): number | undefined {
    const value = this.values.get(name);
    return value === undefined ? undefined : integerParameter(name, value);
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
