// What is wrong with the settings of a component. The reference finds such mistakes when a text is analyzed;
// here a new index with one is refused. Indices of older data folders may have them, and are loaded.

import { EngineError } from '../../errors';

/** A setting with which a component cannot work on some texts, or on any. */
export interface Fault {
  /** The name of the setting within its component. */
  readonly setting: string;
  /** What the reference fails with when the component is used. */
  readonly error: EngineError;
  /** The component does without the setting; else every text fails. */
  readonly isHarmless?: boolean;
}

/** A fault that the reference reports as IllegalArgumentException. */
export function fault(setting: string, reason: string): Fault {
  return { setting, error: new EngineError('IllegalArgumentException', reason) };
}

/** The longest gram in code points: what is longer could be no term. */
const LONGEST_GRAM = 32_766;

/** What is wrong with the sizes of grams, if anything. */
export function gramFault(min: number, max: number): Fault | undefined {
  if (min < 1) return fault('min_gram', 'minGram must be greater than zero');
  if (min > max) return fault('min_gram', 'minGram must not be greater than maxGram');
  if (max > LONGEST_GRAM) return fault('max_gram', `maxGram must not exceed ${LONGEST_GRAM}`);
  return undefined;
}
