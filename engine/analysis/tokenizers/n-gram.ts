// nGram and edgeNGram tokenizers: every gram is a token at a position of its own.

import { illegalArgument } from '../../errors';
import { CATEGORIES } from '../chain/categories';
import { isWhitespace } from '../chain/character-classes';
import type { ComponentSettings } from '../chain/component-settings';
import type { Tokenizer } from '../chain/components';
import { gramFault } from '../chain/fault';
import { edgeGrams, grams } from '../chain/volume';

type CharTest = (codePoint: string) => boolean;

/** From settings: `min_gram` (1), `max_gram` (2), `token_chars` (all). By start, then by length. */
export function createNGramTokenizer(name: string, settings: ComponentSettings): Tokenizer {
  return gramTokenizer(name, settings, 2, false);
}

/**
 * Makes tokenizers that give grams at the beginnings of runs of `token_chars`, or of the whole text.
 * @param defaultMax what `max_gram` is when settings do not say it
 */
export function edgeNGramTokenizers(
  defaultMax: number,
): (name: string, settings: ComponentSettings) => Tokenizer {
  return (name, settings) => gramTokenizer(name, settings, defaultMax, true);
}

function gramTokenizer(
  name: string,
  settings: ComponentSettings,
  defaultMax: number,
  edgesOnly: boolean,
): Tokenizer {
  const min = settings.integer('min_gram', 1);
  const max = settings.integer('max_gram', defaultMax);
  const accepts = readTokenChars(settings.list('token_chars'));
  const isBack = edgesOnly && settings.text('side') === 'back';
  const fault = isBack
    ? { setting: 'side', error: illegalArgument(SIDE_BACK) }
    : gramFault(min, max);
  return {
    name,
    fault,
    // Every run of token characters has an edge.
    expand:
      edgesOnly && settings.list('token_chars') === undefined
        ? edgeGrams(min, max)
        : grams(min, max),
    scan: (text, visit) => {
      if (fault !== undefined) throw fault.error;
      const points = [...text];
      const isTokenChar = points.map(accepts);
      let start = 0;
      for (let i = 0; i < points.length; i++) {
        if (!edgesOnly || i === 0 || isTokenChar[i - 1] === false) {
          let end = start;
          for (let j = i; j < points.length && j < i + max && isTokenChar[j] === true; j++) {
            end += points[j]!.length;
            if (j - i + 1 >= min) visit(text.slice(start, end), start, end, 1, 'word');
          }
        }
        start += points[i]!.length;
      }
    },
  };
}

const SIDE_BACK =
  'side=back is not supported anymore. Please fix your analysis chain or use an older compatibility version ' +
  '(<=4.2) but beware that it might cause highlighting bugs. To obtain the same behavior as the previous ' +
  'version please use "edgeNGram" filter which still supports side=back in combination with a "keyword" tokenizer';

/** Kinds of characters that are no single category. */
const GROUPS: ReadonlyMap<string, CharTest> = new Map<string, CharTest>([
  ['letter', (char) => /^\p{L}/u.test(char)],
  ['digit', (char) => /^\p{Nd}/u.test(char)],
  ['whitespace', (char) => isWhitespace(char.codePointAt(0)!)],
  ['punctuation', (char) => /^\p{P}/u.test(char)],
  ['symbol', (char) => /^\p{S}/u.test(char)],
]);

function readTokenChars(names: readonly string[] | undefined): CharTest {
  if (names === undefined) return () => true;
  const tests = names.map((name): CharTest => {
    const key = name.toLowerCase().trim();
    const group = GROUPS.get(key);
    if (group !== undefined) return group;
    const pattern = CATEGORIES.get(key);
    if (pattern === undefined) {
      const known = [...GROUPS.keys(), ...CATEGORIES.keys()].join(', ');
      throw illegalArgument(`Unknown token type: '${key}', must be one of [${known}]`);
    }
    return (char) => pattern.test(char);
  });
  return (char) => tests.some((test) => test(char));
}
