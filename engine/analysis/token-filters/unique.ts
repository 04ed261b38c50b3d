// unique: drops repeated terms; what follows them moves up (no holes).

import type { Token } from '../chain/analyzer';
import type { ComponentSettings } from '../chain/component-settings';
import { streamFilter, type TokenFilter } from '../chain/components';

/** From settings: `only_on_same_position` drops repetitions within one position only. */
export function createUniqueFilter(name: string, settings: ComponentSettings): TokenFilter {
  const samePosition = settings.boolean('only_on_same_position', false);
  return streamFilter(name, (tokens) => dropRepeated(tokens, samePosition));
}

function dropRepeated(tokens: readonly Token[], samePosition: boolean): Token[] {
  const seen = new Set<string>();
  const kept: Token[] = [];
  for (const token of tokens) {
    if (samePosition && token.positionIncrement > 0) seen.clear();
    if (seen.has(token.term)) continue;
    seen.add(token.term);
    kept.push(token);
  }
  return kept;
}
