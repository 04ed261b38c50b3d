// Bodies of many lines of JSON, as bulk requests and multi-searches have them.

import { EngineError } from '../../engine/index';

/** Where lines end; nothing else ends one. */
export const LINE_FEED = 0x0a;

/** How far into a body its first object must open. */
const SNIFFED_BYTES = 20;

/** @throws EngineError 400 for a body that the reference does not take for JSON */
export function assertJsonLines(body: Buffer): void {
  if (body.subarray(0, SNIFFED_BYTES).includes('{')) return;
  throw new EngineError('ElasticsearchParseException', 'Failed to derive xcontent');
}
