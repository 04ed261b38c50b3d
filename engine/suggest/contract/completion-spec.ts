// The completion suggester as planned.

import type { FieldId } from '../../metadata/index';
import type { SuggestBase } from './suggest-base';

/** What typing may get wrong. */
export interface CompletionFuzziness {
  readonly maxEdits: number;
  readonly transpositions: boolean;
  /** Shorter texts are taken as they are. */
  readonly minLength: number;
  /** Leading characters that are right. */
  readonly prefixLength: number;
  /** Whether characters are counted, instead of the bytes of their UTF-8. */
  readonly unicodeAware: boolean;
}

/** A completion. */
export interface CompletionSpec extends SuggestBase {
  readonly kind: 'completion';
  readonly field: FieldId;
  /** What keys begin with: contexts; one that is empty without any. */
  readonly prefixes: readonly string[];
  /** What follows: the analyzed text. */
  readonly paths: readonly string[];
  readonly fuzziness: CompletionFuzziness | null;
}
