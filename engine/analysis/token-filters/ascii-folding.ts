// asciifolding: letters, digits and signs to their ASCII equivalents, by the table of the package
// `fold-to-ascii`, which is that of the reference server.

import ASCIIFolder from 'fold-to-ascii';
import type { Token } from '../chain/analyzer';
import type { ComponentSettings } from '../chain/component-settings';
import { streamFilter, termFilter, type TokenFilter } from '../chain/components';

/** Whether `term` has a character beyond ASCII. */
function isBeyondAscii(term: string): boolean {
  for (let i = 0; i < term.length; i++) if (term.charCodeAt(i) > 0x7f) return true;
  return false;
}

function foldToAscii(term: string): string {
  return isBeyondAscii(term) ? ASCIIFolder.foldMaintaining(term) : term;
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
