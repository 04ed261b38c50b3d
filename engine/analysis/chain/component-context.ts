// What a component may ask of the others while it is made.

import type { Tokenizer } from './components';

/** The components of an index by name, as far as others are made from them. */
export interface ComponentContext {
  /** The tokenizer of that name, or null. */
  tokenizer(name: string): Tokenizer | null;
}
