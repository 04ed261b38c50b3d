// What a similarity is to the code around it: settings as plain data, and scores made of figures.
//
// Scores are part of the interface: every step is rounded to 32 bits in the order in which the reference
// rounds it.

import { illegalArgument } from '../../errors';
import type { Explanation } from './explanation';
import type { ComponentSettings } from '../../analysis/index';

/** What is counted of a field in one shard, or in all of a search. Plain data. */
export interface FieldFigures {
  /** All documents, nested and deleted ones included, whether they have the field or not. */
  readonly maxDoc: number;
  /** Tokens in all documents; -1 where frequencies are not recorded. */
  readonly sumTotalTermFreq: number;
}

/** What is counted of a term. Plain data. */
export interface TermFigures {
  /** Documents that have it, deleted ones included. */
  readonly docFreq: number;
  /** How often it occurs in them; -1 where frequencies are not recorded. */
  readonly totalTermFreq: number;
}

/** A term, or the terms of a phrase, as a query asks for them. */
export interface ScoredTerms {
  readonly field: FieldFigures;
  /** None: all documents score 0. */
  readonly terms: readonly TermFigures[];
  readonly boost: number;
}

/** The scores of the documents that have a term or phrase. Those of a hot loop: no state per document. */
export interface Scoring {
  /** What it adds to the sum from which the query norm is made (float32). */
  squaredWeights(): number;
  /** Settles the factors, before the first score: the query norm, and the product of the boosts above. */
  normalize(queryNorm: number, topBoost: number): void;
  /**
   * The score (float32) of a document with the term.
   *
   * @param freq how often it has it, a whole number
   * @param norm its norm byte, or NO_NORM
   */
  score(freq: number, norm: number): number;
  /** The same of a phrase, whose frequency need not be whole. */
  scorePhrase(freq: number, norm: number): number;
  /** Whether {@link most} holds; asked when the factors are settled. */
  isBounded(): boolean;
  /** What {@link most} is asked with for a frequency, for many norms. */
  ofFreq(freq: number): number;
  /**
   * The most (float32) that documents score whose frequencies and norm bytes are not higher than these.
   *
   * @param freqPart of the frequency, by {@link ofFreq}
   */
  most(freqPart: number, norm: number): number;
  /**
   * Why a document has its score (reference server).
   *
   * @param doc as explanations call it
   * @param freq what its frequency is
   */
  explain(doc: number, freq: Explanation, norm: number): Explanation;
}

/** One kind of similarity: how its settings are read, and how it scores. */
export interface SimilarityKind<Settings> {
  /** @throws EngineError ElasticsearchIllegalArgumentException, SettingsException as the reference's */
  read(settings: ComponentSettings): Settings;
  /** Whether {@link TermFigures.totalTermFreq} counts. */
  readonly needsTotals: boolean;
  scoring(settings: Settings, terms: ScoredTerms): Scoring;
}

/** What settings can say of how the length of a field is counted. */
export interface LengthRule {
  /** Tokens at the position of the one before count as well (`discount_overlaps: false`). */
  readonly countsOverlaps: boolean;
}

/** Reads `discount_overlaps`. */
export function lengthRule(settings: ComponentSettings): LengthRule {
  return { countsOverlaps: !settings.boolean('discount_overlaps', true) };
}

/** An option that is one of some names. @throws EngineError as the reference's */
export function choice<Name extends string>(
  settings: ComponentSettings,
  option: string,
  what: string,
  names: readonly Name[],
): Name {
  const text = settings.text(option);
  const known = names.find((name) => name === text);
  if (known === undefined) throw illegalArgument(`Unsupported ${what} [${text ?? 'null'}]`);
  return known;
}
