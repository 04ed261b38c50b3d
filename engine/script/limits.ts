// What one script may take. Every loop turn, closure call and large copy is charged; straight-line code is
// bounded by the length of its source.

import { limitExceeded } from './errors';

/** Characters of a source. */
export const MAX_SOURCE_LENGTH = 16_384;
/** Brackets, blocks and operators inside of each other. */
export const MAX_NESTING = 100;
/** Characters of a string that a script makes. */
export const MAX_STRING_LENGTH = 1_000_000;
/** Elements of a list or map that a script makes. */
export const MAX_COLLECTION_SIZE = 100_000;
/** Levels of lists and maps that are compared, printed or copied. */
export const MAX_VALUE_DEPTH = 100;

/** How much a script may do. */
export interface StepLimits {
  readonly perDocument: number;
  readonly perRequest: number;
}

/** Searches run a script on many documents. */
export const SEARCH_LIMITS: StepLimits = { perDocument: 10_000, perRequest: 50_000_000 };
/** An update runs its script once. */
export const UPDATE_LIMITS: StepLimits = { perDocument: 1_000_000, perRequest: 1_000_000 };

/** The steps that a bound script has left. */
export class StepBudget {
  private left = 0;
  private total: number;

  constructor(private readonly limits: StepLimits) {
    this.total = limits.perRequest;
  }

  /** Begins a document. */
  reset(): void {
    this.left = this.limits.perDocument;
  }

  /** @throws EngineError when there are not so many steps left */
  charge(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw limitExceeded(`[${this.limits.perDocument}] steps`);
    this.total -= steps;
    if (this.total < 0) throw limitExceeded(`[${this.limits.perRequest}] steps in one request`);
  }

  /** A list or map has grown to `size`. */
  checkSize(size: number): void {
    if (size > MAX_COLLECTION_SIZE) throw limitExceeded(`[${MAX_COLLECTION_SIZE}] elements`);
  }

  /** A string of this length is going to be made. */
  checkLength(length: number): void {
    if (length > MAX_STRING_LENGTH) {
      throw limitExceeded(`[${MAX_STRING_LENGTH}] characters in a string`);
    }
    if (length > 1024) this.charge(length >> 10);
  }
}
