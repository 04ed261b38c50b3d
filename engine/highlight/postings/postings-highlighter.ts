// The postings highlighter: shows whole sentences (reference server). There the places of terms are read from
// postings; here the values are analyzed again.

import type { Analyzer } from '../../analysis/index';
import { EngineError } from '../../errors';
import type { HighlightOptions } from '../plan/highlight-plan';
import { forEachToken } from '../texts/analyzers';
import { encoder } from '../texts/encode';
import { requireTags } from '../texts/tags';
import { bestPassages, termWeight, type Occurrence, type Passage } from './passages';
import { sentenceEnds } from './sentences';

/** Between values that are cut into sentences together. */
const SEPARATOR = '\u2029';

/** A passage as it is shown. */
interface Snippet {
  readonly text: string;
  readonly score: number;
  readonly isMarked: boolean;
}

/**
 * The fragments of a field.
 *
 * @param texts values that fragments are cut from
 * @param indexed values that terms are looked for in; empty where nothing is indexed
 * @param terms of the query; a term of several fields as often
 * @throws EngineError IllegalArgumentException for a negative number of fragments
 */
export function highlightPostings(
  texts: readonly string[],
  indexed: readonly string[],
  analyzer: Analyzer,
  terms: readonly string[],
  options: HighlightOptions,
): readonly string[] {
  const { numberOfFragments: count, scoreOrdered } = options;
  const tags = requireTags(options);
  const occurrences = occurrencesOf(indexed, analyzer, terms);
  const isWhole = count === 0;
  if (count < 0) throw new EngineError('IllegalArgumentException', 'null');
  const values = isWhole ? texts : [texts.join(SEPARATOR)];
  const length = values.reduce((sum, value) => sum + value.length, 0);
  const freqs = new Uint32Array(terms.length);
  for (const { term } of occurrences) freqs[term]!++;
  const weights = Array.from(freqs, (freq) => termWeight(length, freq));
  const snippets: Snippet[] = [];
  let offset = 0;
  let from = 0;
  for (const value of values) {
    if (value.length === 0) {
      offset++;
      continue;
    }
    const here: Occurrence[] = [];
    while (from < occurrences.length && occurrences[from]!.start < offset) from++;
    while (from < occurrences.length && occurrences[from]!.start < offset + value.length) {
      const { start, end, term } = occurrences[from++]!;
      here.push({ start: start - offset, end: end - offset, term });
    }
    const ends = isWhole ? [value.length] : sentenceEnds(value);
    const source = { length: value.length, ends, offset, occurrences: here };
    let passages = bestPassages(source, weights, isWhole ? 1 : count);
    if (passages.length === 0 && options.noMatchSize > 0) {
      passages = [{ start: 0, end: ends[0]!, score: NaN, marks: [] }];
    }
    for (const passage of passages) {
      const snippet = snippetOf(passage, value, tags, options);
      if (/\S/.test(snippet.text)) snippets.push(snippet);
    }
    offset += value.length + 1;
  }
  const shown = chosen(snippets, isWhole);
  if (scoreOrdered) shown.sort((a, b) => b.score - a.score || 0);
  return shown.map(({ text }) => text);
}

/** Where the terms stand in the values, each value one unit behind the one before. */
function occurrencesOf(
  values: readonly string[],
  analyzer: Analyzer,
  terms: readonly string[],
): readonly Occurrence[] {
  const positions = new Map<string, number[]>();
  terms.forEach((term, i) => {
    const known = positions.get(term);
    if (known === undefined) positions.set(term, [i]);
    else known.push(i);
  });
  const found: Occurrence[] = [];
  let base = 0;
  for (const value of values) {
    if (positions.size === 0) break;
    forEachToken(analyzer, value, (term, start, end) => {
      for (const i of positions.get(term) ?? []) {
        found.push({ start: base + start, end: base + end, term: i });
      }
    });
    base += value.length + 1;
  }
  return found.sort((a, b) => a.start - b.start || a.term - b.term);
}

function snippetOf(
  { start, end, score, marks }: Passage,
  text: string,
  [preTag, postTag]: readonly [string, string],
  { isHtml }: HighlightOptions,
): Snippet {
  const encode = encoder(isHtml);
  let rendered = '';
  let at = start;
  for (let i = 0; i < marks.length; i += 2) {
    const from = marks[i]!;
    const to = marks[i + 1]!;
    if (from > at) rendered += encode(text.slice(at, from));
    if (to > at) {
      rendered += preTag + encode(text.slice(Math.max(at, from), to)) + postTag;
      at = to;
    }
  }
  rendered += encode(text.slice(at, Math.max(at, end)));
  if (rendered.endsWith(SEPARATOR)) rendered = rendered.slice(0, -1);
  return { text: trimmed(rendered), score, isMarked: marks.length > 0 };
}

/** Without blanks and control characters at the ends. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 32) start++;
  while (end > start && text.charCodeAt(end - 1) <= 32) end--;
  return text.slice(start, end);
}

/** Those with matches; where there are none, the first, of a whole value its first sentence. */
function chosen(snippets: readonly Snippet[], isWhole: boolean): Snippet[] {
  const marked = snippets.filter(({ isMarked }) => isMarked);
  const [first] = snippets;
  if (marked.length > 0 || first === undefined) return marked;
  if (!isWhole) return [first];
  const [end] = sentenceEnds(first.text);
  return [{ ...first, text: trimmed(first.text.slice(0, end)) }];
}
