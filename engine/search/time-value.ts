// Time values in requests, such as `1.5m` or `100` (reference server).

import { EngineError } from '../errors';
import { parseTime } from '../metadata/setting-values';

const UNIT = /(ms|[sSmhHdw])$/;

/**
 * Milliseconds; a bare number is milliseconds already.
 *
 * @throws EngineError ElasticsearchParseException that quotes the text without its unit
 */
export function parseTimeValue(text: string): number {
  const trimmed = text.trim();
  const millis = parseTime(trimmed);
  if (millis !== null) return millis;
  const cause = new EngineError(
    'NumberFormatException',
    `For input string: "${trimmed.replace(UNIT, '')}"`,
  );
  throw new EngineError('ElasticsearchParseException', `Failed to parse [${text}]`, { cause });
}
