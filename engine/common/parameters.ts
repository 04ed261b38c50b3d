// Texts of URL parameters, settings and bodies as booleans, lists and numbers (reference server).

import { type EngineError, illegalArgument } from '../errors';
import { numberFormat } from './java-numbers';

const FALSE: ReadonlySet<string> = new Set(['false', '0', 'off', 'no']);
const TRUE: ReadonlySet<string> = new Set(['true', '1', 'on', 'yes']);

/** False for `false|0|off|no`, true for anything else, the empty text included. */
export function ordinaryBoolean(text: string): boolean {
  return !FALSE.has(text);
}

/** As {@link ordinaryBoolean}, but false for the empty text as well: how bodies spell booleans as text. */
export function bodyBoolean(text: string): boolean {
  return text !== '' && ordinaryBoolean(text);
}

/** Whether a text is one of the words that mean yes or no outright; null for any other text. */
export function explicitBoolean(text: string): boolean | null {
  if (FALSE.has(text)) return false;
  return TRUE.has(text) ? true : null;
}

/** Parts of a comma list without the empty ones. */
export function splitCommas(text: string): string[] {
  // Nearly all lists are one name or nothing.
  if (!text.includes(',')) return text === '' ? [] : [text];
  return partsBetween(text, ',');
}

/** What is between the separators, one character each, without the empty parts: only these take memory. */
export function partsBetween(text: string, separator: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    const next = text.indexOf(separator, start);
    const end = next < 0 ? text.length : next;
    if (end > start) parts.push(text.slice(start, end));
    start = end + 1;
  }
  return parts;
}

/** A parameter that is a 32-bit integer. @throws EngineError 400 for anything else */
export function integerParameter(name: string, text: string): number {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
  if (value >= -2147483648 && value <= 2147483647) return value;
  throw badNumber('int', name, text);
}

/** What is wrong with a parameter that is no number of its kind. */
export function badNumber(kind: string, name: string, text: string): EngineError {
  return illegalArgument(
    `Failed to parse ${kind} parameter [${name}] with value [${text}]`,
    numberFormat(text),
  );
}
