// limit: only the first tokens of a text.

import type { ComponentSettings } from '../chain/component-settings';
import { streamFilter, type TokenFilter } from '../chain/components';

/** From settings: `max_token_count` (1). */
export function createLimitFilter(name: string, settings: ComponentSettings): TokenFilter {
  const count = settings.integer('max_token_count', 1);
  return streamFilter(name, (tokens) => tokens.slice(0, Math.max(count, 0)));
}
