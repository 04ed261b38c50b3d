// The fast vector highlighter: marks whole phrases, and moves the ends of fragments to boundaries (reference
// server). There the tokens are read from term vectors; here the values are analyzed again.

import { EngineError } from '../../errors';
import type { Analyzer } from '../../analysis/index';
import type { FieldId } from '../../metadata/index';
import type { HighlightOptions } from '../plan/highlight-plan';
import { forEachToken } from '../texts/analyzers';
import { encoder } from '../texts/encode';
import { BoundaryScanner } from './boundaries';
import {
  divideByValues,
  excerptFragment,
  groupPhrases,
  type VectorFragment,
  wholeFragment,
} from './fragment-list';
import { mergePhrases } from './merge-phrases';
import { startOf, type Phrase, type VectorQuery, type VectorToken } from './phrase-list';

/** The indexed values of a field whose matches count. */
export interface VectorField {
  readonly field: FieldId;
  /** Empty where it has no vectors. */
  readonly values: readonly string[];
  readonly analyzer: Analyzer;
  /** Positions between two values. */
  readonly positionGap: number;
  /** Units between two values: 1, or 0 where values are not analyzed. */
  readonly offsetGap: number;
}

/**
 * The fragments of a field.
 *
 * @param texts values that fragments are cut from
 * @param fields whose matches count
 * @throws EngineError IllegalArgumentException for sizes that are too small, ArithmeticException where there
 *         are no tags
 */
export function highlightVector(
  texts: readonly string[],
  fields: readonly VectorField[],
  query: VectorQuery,
  options: HighlightOptions,
): readonly string[] {
  const { numberOfFragments, fragmentSize, fragmentOffset, phraseLimit } = options;
  const phrases = mergePhrases(
    fields.map((field) => {
      const terms = query.termsOf(field.field);
      const tokens = terms === null ? [] : tokensOf(field, terms);
      return query.phrasesIn(field.field, tokens, phraseLimit);
    }),
  );
  const groups =
    numberOfFragments === 0
      ? wholeFragment(phrases)
      : groupPhrases(phrases, fragmentSize, fragmentOffset);
  const limit = numberOfFragments === 0 ? Infinity : numberOfFragments;
  if (texts.length === 0) return [];
  const writer = new FragmentWriter(texts, options);
  const fragments = writer.write(groups, limit);
  if (fragments.length > 0 || options.noMatchSize <= 0) return fragments;
  return writer.write([excerptFragment(options.noMatchSize)], 1);
}

/** The tokens of a field that are words of the query. */
function tokensOf(
  { values, analyzer, positionGap, offsetGap }: VectorField,
  terms: ReadonlySet<string>,
): readonly VectorToken[] {
  const tokens: VectorToken[] = [];
  let position = -1;
  let base = 0;
  values.forEach((value, i) => {
    if (i > 0) position += positionGap;
    position += forEachToken(analyzer, value, (term, start, end, increment) => {
      position += increment;
      if (terms.has(term)) tokens.push({ term, start: base + start, end: base + end, position });
    });
    base += value.length + offsetGap;
  });
  return tokens;
}

class FragmentWriter {
  /** The values, each with a separator behind it. */
  private readonly joined: string;
  private readonly boundaries: BoundaryScanner;
  private readonly encode: (text: string) => string;
  /** Values that the reference has joined by now: boundaries are looked for in them only. */
  private joinedValues = 0;
  private joinedLength = 0;

  constructor(
    private readonly values: readonly string[],
    private readonly options: HighlightOptions,
  ) {
    this.joined = `${values.join(' ')} `;
    this.boundaries = new BoundaryScanner(options.boundaryMaxScan, options.boundaryChars);
    this.encode = encoder(options.isHtml);
  }

  write(fragments: readonly VectorFragment[], limit: number): readonly string[] {
    if (limit < 0) {
      throw new EngineError(
        'IllegalArgumentException',
        `maxNumFragments(${limit}) must be positive number.`,
      );
    }
    this.joinedValues = 0;
    this.joinedLength = 0;
    let chosen =
      this.values.length > 1 ? [...divideByValues(fragments, this.values)] : [...fragments];
    const { scoreOrdered, numberOfFragments } = this.options;
    if (scoreOrdered && numberOfFragments !== 0) {
      chosen = chosen.sort((a, b) => b.boost - a.boost || a.start - b.start);
    }
    return chosen.slice(0, Math.min(chosen.length, limit)).map((it) => this.render(it));
  }

  private render({ start, end, phrases }: VectorFragment): string {
    while (this.joinedLength < end && this.joinedValues < this.values.length) {
      this.joinedLength += this.values[this.joinedValues++]!.length + 1;
    }
    const { joined, encode, joinedLength } = this;
    const marked = phrases.length > 1 ? inTextOrder(phrases) : phrases;
    const least = marked.length === 0 ? start : Math.min(start, startOf(marked[0]!));
    const to =
      joinedLength - 1 < end
        ? joinedLength - 1
        : this.boundaries.endFrom(joined, end, joinedLength);
    const from = this.boundaries.startFrom(joined, least, joinedLength);
    let rendered = '';
    let at = from;
    for (const { offsets, number } of marked) {
      for (let i = 0; i < offsets.length; i += 2) {
        const markStart = Math.max(at, offsets[i]!);
        const markEnd = Math.max(at, offsets[i + 1]!);
        rendered += encode(joined.slice(at, markStart)) + tagOf(this.options.preTags, number);
        rendered += encode(joined.slice(markStart, markEnd)) + tagOf(this.options.postTags, number);
        at = markEnd;
      }
    }
    return rendered + encode(joined.slice(at, Math.max(at, to)));
  }
}

/** Analyzers whose tokens go back and forth make phrases that do. */
function inTextOrder(phrases: readonly Phrase[]): readonly Phrase[] {
  return [...phrases].sort((a, b) => startOf(a) - startOf(b));
}

function tagOf(tags: readonly string[], number: number): string {
  if (tags.length === 0) throw new EngineError('ArithmeticException', '/ by zero');
  return tags[number % tags.length]!;
}
