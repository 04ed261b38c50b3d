// Which suggestions take long, whatever the index.

import type { SuggestSpec } from './contract/suggest';

/** A longer text may be mistyped in too many ways. */
const MAX_FUZZY_LENGTH = 16;
/** The same of several beginnings: contexts and analyzed texts. */
const MAX_FUZZY_BEGINNINGS = 2;

/**
 * Words and phrases are looked for in whole dictionaries; completions of a text with two mistakes, or a long
 * one, among thousands of beginnings.
 */
export function isSlowSuggest(spec: SuggestSpec): boolean {
  if (spec.kind !== 'completion') return true;
  const { fuzziness, prefixes, paths } = spec;
  if (fuzziness === null) return false;
  return (
    fuzziness.maxEdits > 1 ||
    prefixes.length * paths.length > MAX_FUZZY_BEGINNINGS ||
    paths.some((path) => path.length > MAX_FUZZY_LENGTH)
  );
}

/** Whether keys are looked up all over the dictionary, some hundreds of them. */
export function readsManyKeys(spec: SuggestSpec): boolean {
  return spec.kind === 'completion' && spec.fuzziness !== null;
}
