// The phrase suggester: corrections of the whole text, by a noisy channel model (reference server).

import { type AnalysisSource, type Analyzer, registryOf } from '../../analysis/index';
import { EngineError } from '../../errors';
import type { SegmentReader } from '../../segment/index';
import { byScore, type SuggestEntry, type Suggester } from '../contract/suggest';
import {
  CandidateGenerator,
  drawCandidates,
  type Candidate,
  type CandidateSet,
} from './candidates';
import { bestCorrections } from './corrections';
import type { PhraseSpec } from '../contract/phrase-spec';
import { TermCounts } from './term-counts';
import { WordScorer } from './word-scorer';

/** The least positive number: what every phrase is better than. */
const NO_CUTOFF = Number.MIN_VALUE;

export const phraseSuggester: Suggester<PhraseSpec> = {
  *suggest(spec, segments) {
    const { text } = spec;
    const entry = { text, offset: 0, length: text.length };
    const generators = generatorsOf(spec, segments);
    const counts = new TermCounts(segments, spec.field);
    if (generators.length === 0 || counts.isEmpty) {
      return [{ ...entry, options: [], cutoff: NO_CUTOFF }];
    }
    if (spec.lacksUnigrams) {
      throw new EngineError(
        'IllegalStateException',
        'At least one unigram is required but all tokens were ngrams',
        { status: 500 },
      );
    }
    const sets = setsOf(spec, generators[0]!);
    if (sets.length === 0 || sets.length >= spec.tokenLimit) {
      return [{ ...entry, options: [], cutoff: NO_CUTOFF }];
    }
    for (const set of sets) {
      drawCandidates(set, generators, spec.shardSize);
      yield;
    }
    const scorer = new WordScorer(counts, spec.model, spec);
    let cutoff = NO_CUTOFF;
    if (spec.confidence > 0) {
      const typed = sets.map(({ original }) => original);
      let score = 0;
      for (let at = 0; at < typed.length; at++) score += scorer.score(typed, at);
      cutoff = Math.exp(score) * spec.confidence;
    }
    const best = yield* bestCorrections(sets, scorer, spec.maxErrors, spec.shardSize, cutoff);
    const options = best.map(({ score, words }) => optionOf(Math.fround(score), words, spec));
    return [{ ...entry, options: options.filter(({ score }) => score > cutoff), cutoff }];
  },

  compare: () => byScore,
};

function generatorsOf(
  { sources, analysis, realWordLikelihood }: PhraseSpec,
  segments: readonly SegmentReader[],
): readonly CandidateGenerator[] {
  const generators: CandidateGenerator[] = [];
  for (const source of sources) {
    if (source.field === null) continue;
    const generator = new CandidateGenerator(
      source,
      source.field,
      segments,
      realWordLikelihood,
      analyzerNamed(source.preFilter, analysis),
      analyzerNamed(source.postFilter, analysis),
    );
    if (!generator.isEmpty) generators.push(generator);
  }
  return generators;
}

function analyzerNamed(name: string | null, source: AnalysisSource | null): Analyzer | null {
  if (name === null || source === null) return null;
  const registry = registryOf(source);
  return name === 'default' ? registry.defaultIndex : registry.analyzer(name);
}

/** The places of the phrase with what was typed there. */
function setsOf(
  { words, realWordLikelihood }: PhraseSpec,
  generator: CandidateGenerator,
): readonly CandidateSet[] {
  const sets: CandidateSet[] = [];
  for (const { term, isSynonym } of words) {
    const frequency = generator.frequency(term);
    const current = sets.at(-1);
    if (!isSynonym || current === undefined) {
      const original = generator.candidate(term, frequency, 1, true);
      sets.push({ original, candidates: [] });
    } else if (frequency > 0) {
      current.candidates.push(generator.candidate(term, frequency, realWordLikelihood, false));
    }
  }
  return sets;
}

function optionOf(
  score: number,
  words: readonly Candidate[],
  { highlight }: PhraseSpec,
): SuggestEntry['options'][number] {
  const text = words.map(({ term }) => term).join(' ');
  if (highlight === null) return { text, score };
  const { pre, post } = highlight;
  const isInput = (at: number): boolean => words[at]?.isInput ?? true;
  const marked = words.map(({ term }, at) => {
    if (isInput(at)) return term;
    if (post === null) {
      throw new EngineError('NullPointerException', 'post_tag is missing', { status: 500 });
    }
    return (isInput(at - 1) ? pre : '') + term + (isInput(at + 1) ? post : '');
  });
  return { text, score, highlighted: marked.join(' ') };
}
