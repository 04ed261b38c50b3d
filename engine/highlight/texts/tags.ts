// The tags around matches.

import { EngineError } from '../../errors';

/** Tags as asked. */
interface Tags {
  readonly preTags: readonly string[];
  readonly postTags: readonly string[];
}

/** The first of each. @throws EngineError ArrayIndexOutOfBoundsException (500) where there are none */
export function requireTags({ preTags, postTags }: Tags): readonly [string, string] {
  const [pre] = preTags;
  const [post] = postTags;
  if (pre !== undefined && post !== undefined) return [pre, post];
  throw new EngineError('ArrayIndexOutOfBoundsException', 'Index 0 out of bounds for length 0');
}
