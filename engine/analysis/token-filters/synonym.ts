// synonym: adds or puts in other words for words and phrases. The longest rule from a token on wins.
// Words of a longer output stand at the following positions, over what is there.

import { illegalArgument } from '../../errors';
import type { Token } from '../chain/analyzer';
import type { ComponentContext } from '../chain/component-context';
import type { ComponentSettings } from '../chain/component-settings';
import type { TokenBudget } from '../chain/token-budget';
import { streamFilter, type TokenFilter } from '../chain/components';
import { lowerCase } from '../chain/lower-case';
import { parseSynonyms, type SynonymNode } from '../chain/synonym-rules';

/**
 * From settings: `synonyms`, `format` (`solr` or `wordnet`), `expand` (true), `ignore_case` (false),
 * `tokenizer` (whitespace), which cuts the rules.
 * @throws EngineError ElasticsearchIllegalArgumentException for missing or unreadable rules or an unknown
 *   tokenizer
 */
export function* createSynonymFilter(
  name: string,
  settings: ComponentSettings,
  context: ComponentContext,
): Generator<void, TokenFilter> {
  settings.refusePath('synonyms_path');
  const lines = settings.list('synonyms');
  if (lines === undefined) {
    throw illegalArgument('synonym requires either `synonyms` or `synonyms_path` to be configured');
  }
  const tokenizerName = settings.text('tokenizer') ?? 'whitespace';
  const tokenizer = context.tokenizer(tokenizerName);
  if (tokenizer === null) {
    throw illegalArgument(`failed to find tokenizer [${tokenizerName}] for synonym token filter`);
  }
  const ignoreCase = settings.boolean('ignore_case', false);
  const root = yield* parseSynonyms(lines, {
    format: settings.text('format') === 'wordnet' ? 'wordnet' : 'solr',
    expand: settings.boolean('expand', true),
    ignoreCase,
    tokenizer,
  });
  const filter = streamFilter(name, (tokens, budget) =>
    root.next.size === 0 ? tokens : addSynonyms(tokens, root, ignoreCase, budget),
  );
  const { words, units: added } = yield* largestOutput(root);
  return {
    ...filter,
    expand: ({ tokens, units, longest }) => ({
      tokens: tokens * (1 + words),
      units: units + tokens * added,
      longest: Math.max(longest, added),
    }),
  };
}

/** The most that one match puts in. */
function* largestOutput(root: SynonymNode): Generator<void, { words: number; units: number }> {
  const largest = { words: 0, units: 0 };
  const seen = new Set<SynonymNode['outputs']>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of node.next.values()) {
      open.push(next);
      yield;
    }
    if (seen.has(node.outputs)) continue;
    yield;
    seen.add(node.outputs);
    let words = 0;
    let units = 0;
    for (const output of node.outputs) {
      words += output.length;
      for (const { length } of output) units += length;
    }
    largest.words = Math.max(largest.words, words);
    largest.units = Math.max(largest.units, units);
  }
  return largest;
}

/** A word that an output puts at a position; `end` is null for parts of longer outputs. */
interface OutputWord {
  readonly term: string;
  readonly end: number | null;
}

interface Match {
  readonly node: SynonymNode;
  /** Tokens that the rule covers. */
  readonly length: number;
}

function longestMatch(
  tokens: readonly Token[],
  start: number,
  root: SynonymNode,
  ignoreCase: boolean,
): Match | null {
  let match: Match | null = null;
  let node: SynonymNode | undefined = root;
  for (let i = start; i < tokens.length; i++) {
    const { term } = tokens[i]!;
    node = node.next.get(ignoreCase ? lowerCase(term) : term);
    if (node === undefined) break;
    if (node.outputs.length > 0) match = { node, length: i - start + 1 };
  }
  return match;
}

function addSynonyms(
  tokens: readonly Token[],
  root: SynonymNode,
  ignoreCase: boolean,
  budget: TokenBudget | undefined,
): Token[] {
  const result: Token[] = [];
  /** Words of outputs by the token they stand at; those behind the last token come at the end. */
  const words: (OutputWord[] | undefined)[] = [];
  const emitWords = (index: number, at: Token, increment: number): void => {
    for (const { term, end } of words[index] ?? []) {
      result.push({
        term,
        positionIncrement: increment,
        startOffset: at.startOffset,
        endOffset: end ?? at.endOffset,
        type: 'SYNONYM',
      });
      increment = 0;
    }
  };
  for (let i = 0; i < tokens.length;) {
    const match = longestMatch(tokens, i, root, ignoreCase);
    const covered = match?.length ?? 1;
    if (match !== null) {
      for (const output of match.node.outputs)
        for (const { length } of output) budget?.spend(length);
      placeOutputs(words, i, match, tokens[i + covered - 1]!.endOffset);
    }
    for (const behind = i + covered; i < behind; i++) {
      const token = tokens[i]!;
      if (match === null) result.push(token);
      emitWords(i, token, match === null ? 0 : 1);
    }
  }
  const last = tokens.at(-1);
  for (let i = tokens.length; last !== undefined && i < words.length; i++) {
    emitWords(i, last, 1);
  }
  return result;
}

function placeOutputs(
  words: (OutputWord[] | undefined)[],
  start: number,
  { node }: Match,
  matchEnd: number,
): void {
  for (const output of node.outputs) {
    for (const [i, term] of output.entries()) {
      const end = output.length === 1 ? matchEnd : null;
      (words[start + i] ??= []).push({ term, end });
    }
  }
}
