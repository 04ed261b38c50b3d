// Durations such as `1.5h`, `30s` or plain milliseconds, wherever requests, mappings, documents and settings
// give them (reference server).

import { EngineError } from '../errors';
import { parseDouble, parseInt64 } from './java-numbers';

/** In the order in which they are tried: `S` is for whole milliseconds, `ms` is no `s`. */
const UNITS: readonly (readonly [suffix: string, millis: number])[] = [
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['H', 3_600_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
];

/** As far as 64 bits go. */
const LONGEST = 2 ** 63;

/**
 * A duration in milliseconds, rounded towards zero: a decimal with a unit, or a whole number without.
 *
 * @throws EngineError `ElasticsearchParseException[Failed to parse [1x]]` (400); the cause quotes the text
 *         without its unit
 */
export function parseTimeValue(text: string): number {
  try {
    if (text.endsWith('S')) return Number(parseInt64(text.slice(0, -1)));
    const unit = UNITS.find(([suffix]) => text.endsWith(suffix));
    if (unit === undefined) return Number(parseInt64(text));
    const millis = parseDouble(text.slice(0, -unit[0].length)) * unit[1];
    // compat: what is no number is no time.
    if (Number.isNaN(millis)) return 0;
    return Math.trunc(Math.min(LONGEST, Math.max(-LONGEST, millis))) + 0;
  } catch (cause) {
    throw new EngineError('ElasticsearchParseException', `Failed to parse [${text}]`, { cause });
  }
}

/** As {@link parseTimeValue}, or null when the text cannot be read. */
export function tryTimeValue(text: string): number | null {
  try {
    return parseTimeValue(text);
  } catch {
    return null;
  }
}
