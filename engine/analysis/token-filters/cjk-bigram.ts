// cjk_bigram: pairs of neighbouring Chinese, Japanese and Korean characters, single ones where a character
// has no neighbour.

import { cut } from '../chain/volume';
import type { Token } from '../chain/analyzer';
import type { ComponentSettings } from '../chain/component-settings';
import { streamFilter, type TokenFilter } from '../chain/components';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['han', '<IDEOGRAPHIC>'],
  ['hiragana', '<HIRAGANA>'],
  ['katakana', '<KATAKANA>'],
  ['hangul', '<HANGUL>'],
]);

/** From settings: `ignored_scripts` (none), `output_unigrams` (false). */
export function createCjkBigramFilter(name: string, settings: ComponentSettings): TokenFilter {
  const types = new Set(TYPES.values());
  for (const script of settings.list('ignored_scripts') ?? []) {
    types.delete(TYPES.get(script) ?? '');
  }
  const unigrams = settings.boolean('output_unigrams', false);
  const filter = streamFilter(name, (tokens, budget) => {
    for (const { term, type } of tokens) {
      if (budget === undefined || !types.has(type)) continue;
      for (let i = 0; i < term.length; i++) budget.spend(2);
    }
    return bigrams(tokens, types, unigrams);
  });
  return { ...filter, expand: cut };
}

/** One character of a run, with its place in the text. */
interface Character {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

function bigrams(tokens: readonly Token[], types: ReadonlySet<string>, unigrams: boolean): Token[] {
  const result: Token[] = [];
  let run: Character[] = [];
  const flush = (): void => {
    if (run.length > 0) addRun(result, run, unigrams);
    run = [];
  };
  for (const token of tokens) {
    if (!types.has(token.type)) {
      flush();
      result.push(token);
      continue;
    }
    if (run.length > 0 && run.at(-1)!.end !== token.startOffset) flush();
    // One by one: the characters of a long token are too many for arguments of a call.
    for (const character of charactersOf(token)) run.push(character);
  }
  flush();
  return result;
}

function charactersOf({ term, startOffset, endOffset }: Token): Character[] {
  const isPlain = endOffset - startOffset === term.length;
  let start = startOffset;
  return [...term].map((char) => {
    const place = { term: char, start, end: isPlain ? start + char.length : endOffset };
    if (isPlain) start += char.length;
    return place;
  });
}

function addRun(result: Token[], run: readonly Character[], unigrams: boolean): void {
  for (const [i, { term, start, end }] of run.entries()) {
    const next = run[i + 1];
    if (unigrams || run.length === 1) {
      const place = { startOffset: start, endOffset: end, positionIncrement: 1 };
      result.push({ ...place, term, type: '<SINGLE>' });
    }
    if (next === undefined) continue;
    result.push({
      term: term + next.term,
      positionIncrement: unigrams ? 0 : 1,
      startOffset: start,
      endOffset: next.end,
      type: '<DOUBLE>',
    });
  }
}
