// Score functions: what `function_score` multiplies or replaces scores by. Plain data here; what runs them
// is in weights/score-functions.ts.

import type { ScriptPlan } from '../../script/index';
import type { FieldId } from '../../metadata/index';

/** How a number of a field is changed before it becomes a factor. */
export type Modifier =
  | 'none'
  | 'log'
  | 'log1p'
  | 'log2p'
  | 'ln'
  | 'ln1p'
  | 'ln2p'
  | 'square'
  | 'sqrt'
  | 'reciprocal';

/** Which of several distances of a document counts. */
export type ValueMode = 'min' | 'max' | 'avg' | 'sum';

export type DecayShape = 'gauss' | 'exp' | 'linear';

/** One function without its weight. */
export type ScoreFunction =
  /** The same for all documents; absent: 1. */
  | { readonly kind: 'constant'; readonly value?: number }
  | { readonly kind: 'script'; readonly script: ScriptPlan; readonly now: number }
  | {
      readonly kind: 'fieldValue';
      readonly field: FieldId;
      /** For error texts. */
      readonly name: string;
      /** float32 */
      readonly factor: number;
      readonly modifier: Modifier;
      /** Stands for the value of documents without one; null: they fail the search. */
      readonly missing: number | null;
    }
  | {
      readonly kind: 'decay';
      readonly shape: DecayShape;
      readonly field: FieldId;
      /** A number (of dates epoch milliseconds), or a point; then distances are in meters. */
      readonly origin: number | { readonly latitude: number; readonly longitude: number };
      readonly scale: number;
      readonly offset: number;
      readonly decay: number;
      readonly mode: ValueMode;
    }
  /** Pseudo-random numbers in [0, 1) that depend on seed and document. */
  | { readonly kind: 'random'; readonly seed: number };

/** A function as one entry of `functions`. */
export interface WeightedFunction<Filter> {
  /** Null: it applies to all documents. */
  readonly filter: Filter | null;
  readonly function: ScoreFunction;
  /** Multiplies the function's value; null: not given. */
  readonly weight: number | null;
}

/** How several functions of a document become one factor. */
export type FunctionMode = 'multiply' | 'sum' | 'avg' | 'first' | 'max' | 'min';

/** How that factor and the score of the query become the score. */
export type BoostMode = 'multiply' | 'replace' | 'sum' | 'avg' | 'max' | 'min';
