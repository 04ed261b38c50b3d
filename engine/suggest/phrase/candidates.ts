// Candidates for the words of a phrase, from one or several fields (reference server).

import type { Analyzer } from '../../analysis/index';
import { compareUtf8, type SegmentReader } from '../../segment/index';
import type { FieldId } from '../../metadata/index';
import { similarWords } from '../words/similar-words';
import type { CandidateSource } from '../contract/phrase-spec';
import { TermCounts } from './term-counts';

/** A word that may stand in a place of the phrase. */
export interface Candidate {
  readonly term: string;
  readonly frequency: number;
  /** Likeness to what was typed; 1: it is that. */
  readonly distance: number;
  readonly score: number;
  /** It was typed. */
  readonly isInput: boolean;
}

/** The candidates of one place. */
export interface CandidateSet {
  readonly original: Candidate;
  candidates: Candidate[];
}

/** One source of candidates on one shard. */
export class CandidateGenerator {
  private readonly counts: TermCounts;
  private readonly plateau: number;

  /** @param field of the source */
  constructor(
    private readonly source: CandidateSource,
    private readonly field: FieldId,
    private readonly segments: readonly SegmentReader[],
    private readonly realWordLikelihood: number,
    private readonly preFilter: Analyzer | null,
    private readonly postFilter: Analyzer | null,
  ) {
    this.counts = new TermCounts(segments, field);
    const { minDocFreq } = source.spelling;
    this.plateau = Math.trunc(
      minDocFreq >= 1 ? minDocFreq : Math.fround(this.counts.total * minDocFreq),
    );
  }

  /** No document has a term in the field. */
  get isEmpty(): boolean {
    return this.counts.isEmpty;
  }

  frequency(term: string): number {
    return this.counts.of(this.filtered(term));
  }

  candidate(term: string, frequency: number, distance: number, isInput: boolean): Candidate {
    const score = this.score(frequency, distance);
    return { term, frequency, distance, score, isInput };
  }

  /** Adds candidates for the original of a set. */
  draw(set: CandidateSet): void {
    const { size, spelling } = this.source;
    const { original } = set;
    const minDocFreq = spelling.mode === 'always' ? 0 : this.threshold(original.frequency);
    const found: Candidate[] = [];
    const vocabulary = { segments: this.segments, field: this.field };
    const words = similarWords(vocabulary, this.filtered(original.term), size, {
      ...spelling,
      minDocFreq,
    });
    for (const { term, score, docFreq } of words) {
      const candidate: Candidate = {
        term,
        frequency: this.counts.of(term),
        distance: score,
        score: this.score(docFreq, score),
        isInput: false,
      };
      this.addFiltered(candidate, found);
    }
    // Of equal terms the newer stands.
    const byTerm = new Map<string, Candidate>();
    for (const candidate of [...found, ...set.candidates]) {
      if (!byTerm.has(candidate.term)) byTerm.set(candidate.term, candidate);
    }
    set.candidates = [...byTerm.values()].sort(
      (a, b) => b.score - a.score || compareUtf8(a.term, b.term),
    );
  }

  private filtered(term: string): string {
    if (this.preFilter === null) return term;
    return this.preFilter.analyze(term).at(-1)?.term ?? '';
  }

  private addFiltered(candidate: Candidate, found: Candidate[]): void {
    if (this.postFilter === null) {
      found.push(candidate);
      return;
    }
    for (const { term, positionIncrement } of this.postFilter.analyze(candidate.term)) {
      const isSame = positionIncrement > 0 && term === candidate.term;
      found.push({
        term,
        frequency: isSame ? this.counts.of(term) : candidate.frequency,
        distance: isSame ? candidate.distance : this.realWordLikelihood,
        score: this.score(candidate.frequency, candidate.distance),
        isInput: false,
      });
    }
  }

  private score(frequency: number, distance: number): number {
    return distance * ((frequency + 1) / (this.counts.total + 1));
  }

  /** Candidates of a frequent word have to be more frequent still. */
  private threshold(frequency: number): number {
    if (frequency <= 0) return 0;
    const rounded = Math.floor(
      frequency * (Math.log10(frequency - this.plateau) * (1 / Math.log10(5))) + 1 + 0.5,
    );
    return Number.isNaN(rounded) ? 0 : Math.max(0, rounded);
  }
}

/** All candidates of a place: the best of all sources. */
export function drawCandidates(
  set: CandidateSet,
  generators: readonly CandidateGenerator[],
  limit: number,
): void {
  for (const generator of generators) generator.draw(set);
  if (set.candidates.length <= limit) return;
  set.candidates = [...set.candidates].sort((a, b) => b.score - a.score).slice(0, limit);
}
