// All suggestions of a search on one shard. A step per few words, corrections or entries.

import type { SegmentReader } from '../segment/index';
import type { SuggestEntry, SuggestPartial, SuggestSpec } from './contract/suggest';
import { suggesterOf } from './registry';

/** @throws EngineError */
export function* runSuggest(
  specs: readonly SuggestSpec[],
  segments: readonly SegmentReader[],
): Generator<void, SuggestPartial, void> {
  // compat: a shard without documents says nothing, not even that there is nothing.
  if (segments.every(({ docCount, deletedCount }) => docCount === deletedCount)) return null;
  const results: (readonly SuggestEntry[])[] = [];
  for (const spec of specs) {
    results.push(yield* suggesterOf(spec).suggest(spec, segments));
    yield;
  }
  return results;
}
