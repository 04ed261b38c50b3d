// Filters that look at apostrophes: elision, apostrophe, classic.

import { EngineError } from '../../errors';
import type { ComponentSettings } from '../chain/component-settings';
import { streamFilter, termFilter, type TokenFilter } from '../chain/components';
import { lowerCase } from '../chain/lower-case';

/** The articles that French elides, in lower case. */
export const FRENCH_ARTICLES: ReadonlySet<string> = new Set(
  'l m t qu n s j d c jusqu quoiqu lorsqu puisqu'.split(' '),
);

/** Removes an article and its apostrophe from the front of a term; `articles` in lower case. */
export function elisionFilter(name: string, articles: ReadonlySet<string>): TokenFilter {
  return elision(name, (prefix) => articles.has(lowerCase(prefix)));
}

function elision(name: string, isArticle: (prefix: string) => boolean): TokenFilter {
  return termFilter(name, (term) => {
    for (let i = 0; i < term.length; i++) {
      const unit = term.charCodeAt(i);
      if (unit !== 0x27 && unit !== 0x2019) continue;
      return isArticle(term.slice(0, i)) ? term.slice(i + 1) : term;
    }
    return term;
  });
}

/** From settings: `articles`, `articles_case` (true: case does not matter). */
export function createElisionFilter(name: string, settings: ComponentSettings): TokenFilter {
  settings.refusePath('articles_path');
  const articles = settings.list('articles');
  if (articles === undefined) {
    const error = new EngineError('NullPointerException', 'null');
    const filter = elisionFilter(name, new Set());
    return { ...filter, fault: { setting: 'articles', error, isHarmless: true } };
  }
  const ignoreCase = settings.boolean('articles_case', false);
  if (ignoreCase) return elisionFilter(name, new Set(articles.map(lowerCase)));
  const set = new Set(articles);
  return elision(name, (prefix) => set.has(prefix));
}

/** Removes everything from the first apostrophe on, as Turkish suffixes to names are written. */
export const APOSTROPHE_FILTER: TokenFilter = termFilter('apostrophe', (term) => {
  const end = term.search(/['\u2019]/);
  return end < 0 ? term : term.slice(0, end);
});

/** Removes `'s` from words and dots from acronyms that the classic tokenizer found. */
export const CLASSIC_FILTER: TokenFilter = streamFilter('classic', (tokens) => {
  for (const token of tokens) {
    if (token.type === '<APOSTROPHE>' && /'[sS]$/.test(token.term)) {
      token.term = token.term.slice(0, -2);
    } else if (token.type === '<ACRONYM>') {
      token.term = token.term.replaceAll('.', '');
    }
  }
  return tokens;
});
