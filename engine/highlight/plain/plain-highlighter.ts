// The plain highlighter: analyzes the text anew, finds in it what the query stands for, and shows the best
// fragments (reference server). Works for every text.

import type { Analyzer } from '../../analysis/index';
import { illegalArgument } from '../../errors';
import type { HighlightOptions } from '../plan/highlight-plan';
import { forEachToken } from '../texts/analyzers';
import { encoder } from '../texts/encode';
import { requireTags } from '../texts/tags';
import { bestFragments, type Cutting, type Fragment } from './fragments';
import type { PlainQuery } from './weighted-terms';

/**
 * The fragments of a field.
 *
 * @param texts values of the field
 * @throws EngineError ElasticsearchIllegalArgumentException for an unknown fragmenter, and what the reference
 *         fails with where there are no tags
 */
export function highlightPlain(
  texts: readonly string[],
  analyzer: Analyzer,
  query: PlainQuery,
  options: HighlightOptions,
  name: string,
): readonly string[] {
  const cutting = cuttingOf(options, name);
  const [preTag, postTag] = requireTags(options);
  const isWhole = cutting.kind === 'whole';
  let found: Fragment[] = [];
  for (const text of texts) {
    const terms = query.termsOf(text, analyzer);
    found = found.concat(bestFragments(text, analyzer, terms, cutting));
  }
  if (options.scoreOrdered) sortByScore(found);
  if (!isWhole) found.length = Math.min(found.length, cutting.count);
  if (found.length > 0) {
    const encode = encoder(options.isHtml);
    return found.map((fragment) => render(fragment, preTag, postTag, encode));
  }
  const [first] = texts;
  if (options.noMatchSize <= 0 || first === undefined) return [];
  const end = excerptEnd(first, analyzer, options.noMatchSize);
  // compat: it is not encoded.
  return end > 0 ? [first.slice(0, end)] : [];
}

function cuttingOf(options: HighlightOptions, name: string): Cutting {
  const { numberOfFragments, fragmentSize: size, fragmenter } = options;
  if (numberOfFragments === 0) return { kind: 'whole', size, count: 1 };
  if (fragmenter !== null && fragmenter !== 'simple' && fragmenter !== 'span') {
    throw illegalArgument(`unknown fragmenter option [${fragmenter}] for the field [${name}]`);
  }
  return { kind: fragmenter ?? 'span', size, count: numberOfFragments };
}

/**
 * compat: scores that differ by less than a half count as equal, so that the order depends on how it is
 * sorted: by insertion.
 */
function sortByScore(fragments: Fragment[]): void {
  if (fragments.length >= INSERTION_LIMIT) {
    fragments.sort((a, b) => b.score - a.score);
    return;
  }
  for (let i = 1; i < fragments.length; i++) {
    for (let j = i; j > 0; j--) {
      const before = fragments[j - 1]!;
      const fragment = fragments[j]!;
      if (Math.round(fragment.score - before.score) <= 0) break;
      fragments[j - 1] = fragment;
      fragments[j] = before;
    }
  }
}

/** Longer lists are sorted otherwise. */
const INSERTION_LIMIT = 20;

function render(
  { text, start, end, marks }: Fragment,
  preTag: string,
  postTag: string,
  encode: (text: string) => string,
): string {
  let rendered = '';
  let at = start;
  for (let i = 0; i < marks.length; i += 2) {
    const from = marks[i]!;
    const to = marks[i + 1]!;
    if (from > at) rendered += encode(text.slice(at, from));
    rendered += preTag + encode(text.slice(from, to)) + postTag;
    at = Math.max(at, to);
  }
  return rendered + encode(text.slice(at, end));
}

/** Where the last token ends that ends within so many units; the first of all may be longer: -1. */
function excerptEnd(text: string, analyzer: Analyzer, size: number): number {
  let end = -1;
  let isOver = false;
  forEachToken(analyzer, text, (_term, _start, tokenEnd) => {
    if (isOver) return;
    if (tokenEnd >= size) {
      if (tokenEnd === size) end = size;
      isOver = true;
    } else end = tokenEnd;
  });
  return end;
}
