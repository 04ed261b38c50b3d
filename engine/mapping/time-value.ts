// Durations such as `1.5h`, `30s` or plain milliseconds, as mappings and the ttl of documents give them.

import { EngineError } from '../errors';
import { numberFormat, parseDouble, parseInt64 } from './java-values';

const UNITS: readonly (readonly [string, number])[] = [
  ['ms', 1],
  ['S', 1],
  ['s', 1000],
  ['m', 60_000],
  ['H', 3_600_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
];

/**
 * A duration in milliseconds.
 *
 * @throws EngineError `ElasticsearchParseException[Failed to parse [1x]]`; the cause quotes the text without its unit
 */
export function parseTimeValue(text: string): number {
  const trimmed = text.trim();
  const unit = UNITS.find(([suffix]) => trimmed.endsWith(suffix));
  const digits = unit ? trimmed.slice(0, -unit[0].length) : trimmed;
  try {
    if (!unit) return Number(parseInt64(digits));
    const count = parseDouble(digits);
    if (!Number.isFinite(count)) throw numberFormat(digits);
    return Math.trunc(count * unit[1]);
  } catch (cause) {
    throw new EngineError('ElasticsearchParseException', `Failed to parse [${text}]`, { cause });
  }
}
