// Filters by regular expression: pattern_replace and pattern_capture.

import { illegalArgument } from '../../errors';
import type { Token } from '../chain/analyzer';
import type { ComponentSettings } from '../chain/component-settings';
import { growingFilter, streamFilter, termFilter, type TokenFilter } from '../chain/components';
import { compilePattern } from '../regex/pattern';
import { type PatternMatcher } from '../regex/pattern-matcher';
import type { TokenBudget } from '../chain/token-budget';
import { multiplied } from '../chain/volume';
import { Replacement, replacementError } from '../regex/replacement';

/**
 * From settings: `pattern`, `flags`, `replacement` (empty), `all` (true; false replaces the first match).
 * @throws EngineError ElasticsearchIllegalArgumentException without a pattern, PatternSyntaxException
 */
export function createPatternReplaceFilter(name: string, settings: ComponentSettings): TokenFilter {
  const source = settings.text('pattern');
  if (source === undefined) {
    throw illegalArgument(
      `pattern is missing for [${name}] token filter of type 'pattern_replace'`,
    );
  }
  const pattern = compilePattern(source, settings.text('flags') ?? null);
  const replacement = settings.text('replacement') ?? '';
  const all = settings.boolean('all', true);
  const error = replacementError(replacement, pattern.groupCount);
  if (error !== null) {
    const filter = termFilter(name, (term) => term);
    return { ...filter, fault: { setting: 'replacement', error, isHarmless: true } };
  }
  const template = new Replacement(replacement, pattern.groupCount);
  const filter = growingFilter(name, (term, budget) => {
    const matcher = pattern.matcher(term, budget);
    if (!matcher.find()) return term;
    let result = '';
    let copied = 0;
    do {
      result += term.slice(copied, matcher.start(0)) + template.expand(matcher, term, budget);
      copied = matcher.end(0);
    } while (all && matcher.find());
    return result + term.slice(copied);
  });
  if (!template.grows) return filter;
  return { ...filter, expand: (volume) => template.expandVolume(volume) };
}

/**
 * From settings: `patterns`, whose groups become tokens at the position of the term, and
 * `preserve_original` (true).
 * @throws EngineError ElasticsearchIllegalArgumentException without patterns, PatternSyntaxException
 */
export function createPatternCaptureFilter(name: string, settings: ComponentSettings): TokenFilter {
  const sources = settings.list('patterns');
  if (sources === undefined) {
    throw illegalArgument(`required setting 'patterns' is missing for token filter [${name}]`);
  }
  const patterns = sources.map((source) => compilePattern(source, null));
  const preserveOriginal = settings.boolean('preserve_original', true);
  const groups = patterns.reduce((sum, { groupCount }) => sum + groupCount, 0);
  const filter = streamFilter(name, (tokens, budget) => {
    const result: Token[] = [];
    for (const token of tokens) {
      const captures = patterns.map(
        (pattern) =>
          new Captures(
            token.term,
            pattern.matcher(token.term, budget),
            pattern.groupCount,
            preserveOriginal,
          ),
      );
      let increment = token.positionIncrement;
      const terms = inOrder(captures, budget);
      if (preserveOriginal || terms.length === 0) terms.unshift(token.term);
      for (const term of terms) {
        result.push({ ...token, term, positionIncrement: increment });
        increment = 0;
      }
    }
    return result;
  });
  const expand = multiplied(groups + 1);
  return {
    ...filter,
    expand: (volume) => ({ ...expand(volume), tokens: volume.tokens + volume.units * groups }),
  };
}

/** The groups of all matches of one pattern, one after the other. */
class Captures {
  start = 0;
  #end = 0;
  #group: number;

  constructor(
    private readonly term: string,
    private readonly matcher: PatternMatcher,
    private readonly groupCount: number,
    private readonly skipWhole: boolean,
  ) {
    this.#group = groupCount;
  }

  get length(): number {
    return this.#end - this.start;
  }

  get text(): string {
    return this.term.slice(this.start, this.#end);
  }

  /** Moves to the next capture that is not empty (nor the whole term); false when there is none. */
  next(): boolean {
    if (this.groupCount === 0) return false;
    for (;;) {
      if (this.#group === this.groupCount) {
        if (!this.matcher.find()) return false;
        this.#group = 0;
      }
      this.#group++;
      this.start = this.matcher.start(this.#group);
      this.#end = this.matcher.end(this.#group);
      const isWhole = this.start === 0 && this.#end === this.term.length;
      if (this.start !== this.#end && !(this.skipWhole && isWhole)) return true;
    }
  }
}

/** What the patterns capture, by place in the term; the earlier pattern first. */
function inOrder(captures: readonly Captures[], budget: TokenBudget | undefined): string[] {
  const terms: string[] = [];
  let open = captures.filter((capture) => capture.next());
  while (open.length > 0) {
    const first = open.reduce((best, capture) => (capture.start < best.start ? capture : best));
    budget?.spend(first.length);
    terms.push(first.text);
    if (!first.next()) open = open.filter((capture) => capture !== first);
  }
  return terms;
}
