// Sizes as settings spell them.

import { EngineError, numberFormat } from '../../engine/index';

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
