// What the similarities share that are made of a model: it scores a frequency and a length by figures of the
// term and its field.

import { formatFloat } from '../../json/index';
import { boostFactor, type Explanation, factor } from '../contract/explanation';
import { NORM_LENGTHS } from '../contract/norms';
import type { FieldFigures, ScoredTerms, Scoring, TermFigures } from '../contract/similarity';

const f = Math.fround;

/** What models know of a term and its field. */
export interface ModelFigures {
  /** All documents, whether they have the field or not. */
  readonly documents: number;
  readonly docFreq: number;
  /** How often the term occurs; the number of its documents where that is not recorded. */
  readonly totalTermFreq: number;
  /** Tokens of the field in all documents. */
  readonly tokens: number;
  /** Of the field (float32). */
  readonly averageLength: number;
}

/** The score of one term but for its boost. */
export interface Model {
  /**
   * @param boost of the term and all above it (float32)
   * @returns the score times the boost, in float32
   */
  score(figures: ModelFigures, freq: number, length: number, boost: number): number;
  /**
   * Whether no score of a frequency up to one, in a text as long or longer, is higher than that of this one,
   * but for what is rounded.
   */
  isMonotone(figures: ModelFigures): boolean;
  /** The reference's name of it. */
  readonly name: string;
  /** What the score is made of besides frequency and boost. */
  explain(figures: ModelFigures, freq: number, length: number): readonly Explanation[];
}

const FIGURE_NAMES = {
  documents: 'numberOfDocuments',
  docFreq: 'docFreq',
  totalTermFreq: 'totalTermFreq',
} as const;

/** A figure as explanations show it. */
export function explainFigure(figures: ModelFigures, name: keyof typeof FIGURE_NAMES): Explanation {
  return factor(figures[name], FIGURE_NAMES[name]);
}

/** Binary logarithm as the reference computes it, in double. */
export function log2(value: number): number {
  return Math.log(value) / Math.LN2;
}

/** The scoring of terms by a model; that of a phrase is the sum over its terms. */
export function modelScoring(model: Model, { field, terms, boost }: ScoredTerms): Scoring {
  const parts = terms.map((term) => new ModelScoring(model, figuresOf(field, term), boost));
  return parts.length === 1 ? parts[0]! : new SumScoring(parts);
}

function figuresOf(
  { maxDoc, sumTotalTermFreq }: FieldFigures,
  { docFreq, totalTermFreq }: TermFigures,
): ModelFigures {
  const isCounted = sumTotalTermFreq > 0;
  return {
    documents: maxDoc,
    docFreq,
    totalTermFreq: totalTermFreq === -1 ? docFreq : totalTermFreq,
    tokens: isCounted ? sumTotalTermFreq : docFreq,
    averageLength: isCounted ? f(f(sumTotalTermFreq) / f(maxDoc)) : 1,
  };
}

/** Above all that rounding makes of a bound: of a share of it, and where figures nearly cancel out. */
const ABOVE_ROUNDING = 1 + 2 ** -20;
const MORE_THAN_ROUNDED = 2 ** -18;

/** More than a document has room for. */
const MOST_OCCURRENCES = 2 ** 26;
const HIGHEST_NORM = 255;

/** Scorings of which no bound is known, unless they say so. */
abstract class UnboundedScoring implements Scoring {
  abstract squaredWeights(): number;
  abstract normalize(queryNorm: number, topBoost: number): void;
  abstract scorePhrase(freq: number, norm: number): number;
  abstract explain(doc: number, freq: Explanation, norm: number): Explanation;

  score(freq: number, norm: number): number {
    return this.scorePhrase(freq, norm);
  }

  isBounded(): boolean {
    return false;
  }

  ofFreq(freq: number): number {
    return freq;
  }

  most(_freqPart: number, _norm: number): number {
    return Infinity;
  }
}

class ModelScoring extends UnboundedScoring {
  private readonly boost: number;
  private totalBoost: number;

  constructor(
    private readonly model: Model,
    private readonly figures: ModelFigures,
    boost: number,
  ) {
    super();
    this.boost = f(boost);
    this.totalBoost = this.boost;
  }

  squaredWeights(): number {
    return f(this.boost * this.boost);
  }

  /** compat: the query norm does not count. */
  normalize(_queryNorm: number, topBoost: number): void {
    this.totalBoost = f(this.boost * topBoost);
  }

  override isBounded(): boolean {
    const { totalBoost, model, figures } = this;
    if (!(totalBoost > 0) || !model.isMonotone(figures)) return false;
    // Nor are others infinite then, or no numbers.
    return Number.isFinite(this.scorePhrase(MOST_OCCURRENCES, HIGHEST_NORM));
  }

  override most(freqPart: number, norm: number): number {
    return f(
      this.scorePhrase(freqPart, norm) * ABOVE_ROUNDING + this.totalBoost * MORE_THAN_ROUNDED,
    );
  }

  scorePhrase(freq: number, norm: number): number {
    return this.model.score(this.figures, freq, NORM_LENGTHS[norm]!, this.totalBoost);
  }

  explain(doc: number, freq: Explanation, norm: number): Explanation {
    const { model, figures, totalBoost } = this;
    return factor(
      this.scorePhrase(freq.value, norm),
      `score(${model.name}, doc=${doc}, freq=${formatFloat(freq.value)}), computed from:`,
      [
        freq,
        ...boostFactor(totalBoost),
        ...model.explain(figures, freq.value, NORM_LENGTHS[norm]!),
      ],
    );
  }
}

class SumScoring extends UnboundedScoring {
  constructor(private readonly parts: readonly ModelScoring[]) {
    super();
  }

  squaredWeights(): number {
    let sum = 0;
    for (const part of this.parts) sum = f(sum + part.squaredWeights());
    return f(sum / this.parts.length);
  }

  normalize(queryNorm: number, topBoost: number): void {
    for (const part of this.parts) part.normalize(queryNorm, topBoost);
  }

  scorePhrase(freq: number, norm: number): number {
    const { parts } = this;
    let sum = 0;
    for (let i = 0; i < parts.length; i++) sum = f(sum + parts[i]!.scorePhrase(freq, norm));
    return sum;
  }

  explain(doc: number, freq: Explanation, norm: number): Explanation {
    const details = this.parts.map((part) => part.explain(doc, freq, norm));
    return factor(this.scorePhrase(freq.value, norm), 'sum of:', details);
  }
}
