// What frequencies come to by the length of a document, for the models DFR and IB.

import type { ComponentSettings } from '../../analysis/index';
import { choice } from '../contract/similarity';
import { type Explanation, factor } from '../contract/explanation';
import { log2, type ModelFigures } from './model-scoring';

const f = Math.fround;

/** How to normalize. Plain data; the parameter is float32. */
export interface Normalization {
  readonly name: keyof typeof NORMALIZATIONS;
  /** 0 where there is none. */
  readonly parameter: number;
}

interface NormalizationKind {
  /** The reference's name of it. */
  readonly className: string;
  /** The setting of the parameter, and its value by default. */
  readonly parameter: readonly [option: string, standard: number] | null;
  /** The frequency (float32) in a document of average length that counts as much. */
  readonly normalized: (
    freq: number,
    length: number,
    figures: ModelFigures,
    parameter: number,
  ) => number;
}

/** By the names that settings give them. */
const NORMALIZATIONS = {
  no: { className: 'NoNormalization', parameter: null, normalized: (freq) => freq },
  h1: {
    className: 'NormalizationH1',
    parameter: ['normalization.h1.c', 1],
    // compat: the parameter does not count.
    normalized: (freq, length, { averageLength }) => f(f(freq * averageLength) / length),
  },
  h2: {
    className: 'NormalizationH2',
    parameter: ['normalization.h2.c', 1],
    normalized: (freq, length, { averageLength }, c) =>
      f(freq * log2(f(1 + f(f(c * averageLength) / length)))),
  },
  h3: {
    className: 'NormalizationH3',
    parameter: ['normalization.h3.c', 800],
    normalized: (freq, length, { totalTermFreq, tokens }, mu) => {
      const probability = f(f(f(totalTermFreq) + 1) / f(f(tokens) + 1));
      return f(f(f(freq + f(mu * probability)) / f(length + mu)) * mu);
    },
  },
  z: {
    className: 'NormalizationZ',
    parameter: ['normalization.z.z', 0.3],
    normalized: (freq, length, { averageLength }, z) =>
      f(freq * Math.pow(f(averageLength / length), z)),
  },
} as const satisfies Readonly<Record<string, NormalizationKind>>;

const NAMES = Object.keys(NORMALIZATIONS) as (keyof typeof NORMALIZATIONS)[];

/** Reads `normalization` and its parameter. @throws EngineError as the reference's */
export function readNormalization(settings: ComponentSettings): Normalization {
  const name = choice(settings, 'normalization', 'Normalization', NAMES);
  const { parameter } = NORMALIZATIONS[name];
  return { name, parameter: parameter === null ? 0 : settings.float(parameter[0], parameter[1]) };
}

/** The frequency (float32) that counts. */
export function normalizedFreq(
  { name, parameter }: Normalization,
  freq: number,
  length: number,
  figures: ModelFigures,
): number {
  return NORMALIZATIONS[name].normalized(freq, length, figures, parameter);
}

/** Whether what counts rises with the frequency, and does not with the length. */
export function isMonotoneNormalization({ parameter }: Normalization): boolean {
  return parameter >= 0 && parameter < Infinity;
}

/** What {@link normalizedFreq} is made of. */
export function explainNormalization(
  normalization: Normalization,
  freq: number,
  length: number,
  figures: ModelFigures,
): Explanation {
  // compat: so it says, and goes on with the frequency 1.
  if (normalization.name === 'no') return factor(1, 'no normalization');
  const { className } = NORMALIZATIONS[normalization.name];
  return factor(
    normalizedFreq(normalization, freq, length, figures),
    `${className}, computed from: `,
    [factor(freq, 'tf'), factor(figures.averageLength, 'avgFieldLength'), factor(length, 'len')],
  );
}
