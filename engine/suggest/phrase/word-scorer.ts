// How likely a word is in its place of a phrase: the error model times a language model of one to three words
// (reference server).

import type { Candidate } from './candidates';
import type { LanguageModel, PhraseSpec } from '../contract/phrase-spec';
import type { TermCounts } from './term-counts';

/** Keeps divisors from being 0. */
const EPSILON = 0.00000000001;

/** Scores words in the light of those before them. */
export class WordScorer {
  private readonly separator: string;
  private readonly realWordLikelihood: number;
  private readonly gramSize: number;

  constructor(
    private readonly counts: TermCounts,
    private readonly model: LanguageModel,
    { separator, realWordLikelihood, gramSize }: PhraseSpec,
  ) {
    this.separator = separator;
    this.realWordLikelihood = realWordLikelihood;
    this.gramSize = gramSize;
  }

  /** The logarithm (base 10) of the likelihood of the word at `at`. */
  score(path: readonly Candidate[], at: number): number {
    const word = path[at]!;
    const channel = word.distance === 1 ? this.realWordLikelihood : word.distance;
    let likelihood: number;
    if (at === 0 || this.gramSize === 1) likelihood = this.unigram(word);
    else if (at === 1 || this.gramSize === 2) likelihood = this.bigram(word, path[at - 1]!);
    else likelihood = this.trigram(word, path[at - 1]!, path[at - 2]!);
    return Math.log10(channel * likelihood);
  }

  private unigram({ term }: Candidate): number {
    return (1 + this.counts.of(term)) / (this.counts.total + this.counts.size);
  }

  private join(first: Candidate, second: Candidate): string {
    return first.term + this.separator + second.term;
  }

  private bigram(word: Candidate, before: Candidate): number {
    const { model, counts } = this;
    const count = counts.of(this.join(before, word));
    switch (model.kind) {
      case 'stupidBackoff':
        if (count < 1) return model.discount * this.unigram(word);
        return count / (before.frequency + EPSILON);
      case 'laplace':
        return (model.alpha + count) / (model.alpha + before.frequency + counts.total);
      case 'linear': {
        const alone = model.unigram * this.unigram(word);
        return count < 1 ? alone : model.bigram * (count / (0.5 + before.frequency)) + alone;
      }
    }
  }

  private trigram(word: Candidate, before: Candidate, first: Candidate): number {
    const { model, counts, separator } = this;
    const pair = counts.of(this.join(before, word));
    switch (model.kind) {
      case 'stupidBackoff': {
        if (pair < 1) return model.discount * this.unigram(word);
        const triple = counts.of(first.term + separator + this.join(before, word));
        if (triple < 1) return model.discount * (pair / (before.frequency + EPSILON));
        return triple / (pair + EPSILON);
      }
      case 'laplace': {
        const triple = counts.of(first.term + separator + this.join(before, word));
        return (model.alpha + triple) / (model.alpha + pair + counts.total);
      }
      case 'linear': {
        // compat: the words are joined backwards.
        const triple = counts.of(this.join(word, before) + separator + first.term);
        if (triple < 1) return this.bigram(word, before);
        const reversed = counts.of(this.join(word, before));
        return model.trigram * (triple / (1 + reversed)) + this.bigram(word, before);
      }
    }
  }
}
