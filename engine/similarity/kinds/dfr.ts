// DFR: how unlikely it is that a term occurs so often by chance (divergence from randomness).

import { type Explanation, factor } from '../contract/explanation';
import { choice, type SimilarityKind } from '../contract/similarity';
import { explainFigure, log2, modelScoring, type Model, type ModelFigures } from './model-scoring';
import {
  explainNormalization,
  isMonotoneNormalization,
  normalizedFreq,
  readNormalization,
  type Normalization,
} from './normalization';

const f = Math.fround;

/** Settings of DFR. */
export interface Dfr {
  readonly kind: 'DFR';
  readonly basicModel: keyof typeof BASIC_MODELS;
  readonly afterEffect: keyof typeof AFTER_EFFECTS;
  readonly normalization: Normalization;
}

/** Of a normalized frequency, in float32. */
type Part = (freq: number, figures: ModelFigures) => number;

/** How unlikely so many occurrences are, by the names that settings give the models. */
const BASIC_MODELS = {
  be: (freq, { totalTermFreq, documents }) => {
    const total = f(f(totalTermFreq + 1) + freq);
    const n = total + documents;
    return f(
      -log2((n - 1) * Math.E) +
        stirling(n + total - 1, n + total - freq - 2) -
        stirling(total, total - freq),
    );
  },
  d: (freq, { totalTermFreq, documents }) => {
    const total = f(f(totalTermFreq + 1) + freq);
    const phi = freq / total;
    const rest = 1 - phi;
    const p = 1 / (documents + 1);
    const divergence = phi * log2(phi / p) + rest * log2(rest / (1 - p));
    return f(divergence * total + 0.5 * log2(1 + 2 * Math.PI * freq * rest));
  },
  g: (freq, { totalTermFreq, documents }) => {
    const total = totalTermFreq + 1;
    const lambda = total / (documents + total);
    return f(log2(lambda + 1) + freq * log2((1 + lambda) / lambda));
  },
  if: (freq, { totalTermFreq, documents }) =>
    f(freq * f(log2(1 + (documents + 1) / (totalTermFreq + 0.5)))),
  in: (freq, { docFreq, documents }) => f(freq * f(log2((documents + 1) / (docFreq + 0.5)))),
  ine: (freq, { totalTermFreq, documents }) => {
    const expected = documents * (1 - Math.pow((documents - 1) / documents, totalTermFreq));
    return f(freq * f(log2((documents + 1) / (expected + 0.5))));
  },
  p: (freq, { totalTermFreq, documents }) => {
    const lambda = f(f(totalTermFreq + 1) / f(documents + 1));
    const correction = f(f(lambda + f(1 / f(12 * freq))) - freq);
    return f(
      freq * log2(f(freq / lambda)) + correction * log2(Math.E) + 0.5 * log2(2 * Math.PI * freq),
    );
  },
} as const satisfies Readonly<Record<string, Part>>;

function stirling(n: number, m: number): number {
  return (m + 0.5) * log2(n / m) + (n - m) * log2(n);
}

/** How much less further occurrences say, by the names that settings give the effects. */
const AFTER_EFFECTS = {
  no: () => 1,
  b: (freq, { totalTermFreq, docFreq }) =>
    f(f(totalTermFreq + 2) / f(f(docFreq + 1) * f(freq + 1))),
  l: (freq) => f(1 / f(freq + 1)),
} as const satisfies Readonly<Record<string, Part>>;

/**
 * The models that are a sum of a constant and so much for each occurrence, and not less for one than the
 * constant: with every effect, more occurrences score more. It cannot be told of the others.
 */
const MONOTONE: ReadonlySet<keyof typeof BASIC_MODELS> = new Set(['g', 'if', 'in', 'ine']);

const BASIC_MODEL_NAMES = Object.keys(BASIC_MODELS) as (keyof typeof BASIC_MODELS)[];
const AFTER_EFFECT_NAMES = Object.keys(AFTER_EFFECTS) as (keyof typeof AFTER_EFFECTS)[];

/** The similarity `DFR`. */
export const DFR: SimilarityKind<Dfr> = {
  read: (settings) => ({
    kind: 'DFR',
    basicModel: choice(settings, 'basic_model', 'BasicModel', BASIC_MODEL_NAMES),
    afterEffect: choice(settings, 'after_effect', 'AfterEffect', AFTER_EFFECT_NAMES),
    normalization: readNormalization(settings),
  }),
  needsTotals: true,
  scoring: (settings, terms) => modelScoring(dfrModel(settings), terms),
};

/** The figures that explanations of a part show. */
type Shown = 'documents' | 'docFreq' | 'totalTermFreq';

/** What explanations call the parts, and the figures they show. */
const NAMES: {
  readonly [Name in keyof typeof BASIC_MODELS | 'b' | 'l']: readonly [string, ...Shown[]];
} = {
  be: ['BasicModelBE', 'documents', 'totalTermFreq'],
  d: ['BasicModelD', 'documents', 'totalTermFreq'],
  g: ['BasicModelG', 'documents', 'totalTermFreq'],
  if: ['BasicModelIF', 'documents', 'totalTermFreq'],
  in: ['BasicModelIn', 'documents', 'docFreq'],
  ine: ['BasicModelIne', 'documents', 'totalTermFreq'],
  p: ['BasicModelP', 'documents', 'totalTermFreq'],
  b: ['AfterEffectB', 'totalTermFreq', 'docFreq'],
  l: ['AfterEffectL'],
};

function explainPart(
  name: keyof typeof NAMES,
  part: Part,
  freq: number,
  figures: ModelFigures,
): Explanation {
  const [className, ...shown] = NAMES[name];
  return factor(part(freq, figures), `${className}, computed from: `, [
    factor(freq, 'tfn'),
    ...shown.map((each) => explainFigure(figures, each)),
  ]);
}

function dfrModel({ basicModel, afterEffect, normalization }: Dfr): Model {
  const chance: Part = BASIC_MODELS[basicModel];
  const gain: Part = AFTER_EFFECTS[afterEffect];
  return {
    name: 'DFRSimilarity',
    isMonotone: (figures) =>
      MONOTONE.has(basicModel) && isMonotoneNormalization(normalization) && chance(1, figures) > 0,
    score(figures, freq, length, boost) {
      const normalized = normalizedFreq(normalization, freq, length, figures);
      return f(f(boost * chance(normalized, figures)) * gain(normalized, figures));
    },
    explain(figures, freq, length) {
      const normalized = explainNormalization(normalization, freq, length, figures);
      return [
        normalized,
        explainPart(basicModel, chance, normalized.value, figures),
        afterEffect === 'no'
          ? factor(1, 'no aftereffect')
          : explainPart(afterEffect, gain, normalized.value, figures),
      ];
    },
  };
}
