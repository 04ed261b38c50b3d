// Regular expressions as trees: parse.ts makes them, program.ts compiles them.

import type { CharSet } from './char-set';

/** Places that take no text. */
export type AssertionKind =
  | 'lineStart'
  | 'lineEnd'
  | 'textStart'
  | 'textEnd'
  | 'lastLineEnd'
  | 'boundary'
  | 'notBoundary'
  | 'unixLineStart'
  | 'unixLineEnd';

/** A piece of an expression. */
export type RegexNode =
  | { readonly kind: 'empty' }
  | { readonly kind: 'char'; readonly set: CharSet }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  | {
      readonly kind: 'repeat';
      readonly body: RegexNode;
      readonly min: number;
      /** Infinity: no limit. */
      readonly max: number;
      readonly greedy: boolean;
    }
  | { readonly kind: 'group'; readonly body: RegexNode; readonly index: number }
  | { readonly kind: 'assertion'; readonly assertion: AssertionKind }
  | {
      readonly kind: 'look';
      readonly body: RegexNode;
      readonly ahead: boolean;
      readonly negative: boolean;
    };

/** A whole expression. */
export interface ParsedRegex {
  readonly root: RegexNode;
  readonly groupCount: number;
}
