// asciifolding: letters, digits and signs to their ASCII equivalents, by the table of the reference server in
// data/ascii-folding.json.

import data from '../data/ascii-folding.json';
import type { Token } from '../chain/analyzer';
import type { ComponentSettings } from '../chain/component-settings';
import { streamFilter, termFilter, type TokenFilter } from '../chain/components';

/** Whether `term` has a character beyond ASCII. */
function isBeyondAscii(term: string): boolean {
  for (let i = 0; i < term.length; i++) if (term.charCodeAt(i) > 0x7f) return true;
  return false;
}

/** What stands for a UTF-16 unit. */
const FOLDED = new Map(
  Object.entries(data).flatMap(([to, from]) =>
    Array.from(from, (character) => [character.charCodeAt(0), to] as const),
  ),
);

/** Folds what has an ASCII equivalent and keeps everything else. */
function foldToAscii(term: string): string {
  if (!isBeyondAscii(term)) return term;
  let folded = '';
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i);
    folded += (unit > 0x7f ? FOLDED.get(unit) : undefined) ?? term[i]!;
  }
  return folded;
}

/** From settings: `preserve_original` keeps a folded term's original behind it, at the same position. */
export function createAsciiFoldingFilter(name: string, settings: ComponentSettings): TokenFilter {
  if (!settings.boolean('preserve_original', false)) return termFilter(name, foldToAscii);
  return streamFilter(name, (tokens) => {
    const result: Token[] = [];
    for (const token of tokens) {
      result.push(token);
      // compat: also where there is nothing to fold in what is beyond ASCII.
      if (!isBeyondAscii(token.term)) continue;
      result.push({ ...token, positionIncrement: 0 });
      token.term = foldToAscii(token.term);
    }
    return result;
  });
}
