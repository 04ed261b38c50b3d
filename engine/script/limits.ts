// What one script may take. Every loop turn, closure call and large copy is charged; straight-line code is
// bounded by the length of its source.

import { checkTurn, tick } from '../common/index';
import { limitExceeded } from './errors';

/** Characters of a source. */
export const MAX_SOURCE_LENGTH = 16_384;
/** Brackets, blocks and operators inside of each other. */
export const MAX_NESTING = 100;
/** Characters of a string that a script makes. */
export const MAX_STRING_LENGTH = 1_000_000;
/** Elements of a list or map that a script makes. */
const MAX_COLLECTION_SIZE = 100_000;
/** The same where scripts gather something of many documents, as `scripted_metric` does. */
export const GATHERED_COLLECTION_SIZE = 1_000_000;
/** Levels of lists and maps that are compared, printed or copied. */
export const MAX_VALUE_DEPTH = 100;
/** Values, and pieces of text of so many characters, that a script may have written on one document. */
const MAX_WRITTEN = 2_000_000;
const CHARACTERS_PER_PIECE = 64;
/** Values looked at for one step. */
export const VISITS_PER_STEP = 16;

/** Steps of a script on one document. Searches run it on many. */
export const SEARCH_STEPS = 10_000;
/** Steps of the script of one update. */
export const UPDATE_STEPS = 1_000_000;
/** Steps of a script that goes over what was gathered of many documents. */
export const GATHERED_STEPS = 2_000_000;
/** Steps of all scripts of one request together. */
export const REQUEST_STEPS = 50_000_000;
/** Taken from a request's steps at once, so that threads seldom meet there. */
const GRANT = 1000;

/**
 * The steps that the scripts of one request have left together: shared memory, whichever threads they run in.
 */
export type RequestSteps = SharedArrayBuffer;

/** The steps that all scripts of a request have together, shared between threads. */
export function requestSteps(): RequestSteps {
  const steps = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  new Int32Array(steps)[0] = REQUEST_STEPS;
  return steps;
}

/** The budget of the script that began last in this thread: scripts run one after the other. */
let running: StepBudget | null = null;

function run(budget: StepBudget): void {
  tick();
  running = budget;
}

/**
 * Values are compared: a list in a list twice is two of them, so that time is bounded and not only depth.
 *
 * @throws EngineError when the running script, or the one whose result this is, has no steps left
 */
export function chargeVisits(count: number): void {
  running?.visit(count);
}

/**
 * A value is written, as text or in a response or document, with so many characters of its own.
 *
 * @throws EngineError as {@link chargeVisits}, and when more is written than a document may have
 */
export function chargeWritten(characters: number): void {
  running?.write(characters);
}

/** @throws EngineError for a text of lists and maps that is longer than any string of a script */
export function checkTextLength(length: number): void {
  if (length > MAX_STRING_LENGTH) {
    throw limitExceeded(`[${MAX_STRING_LENGTH}] characters in a string`);
  }
}

/** The steps that a bound script has left. */
export class StepBudget {
  private left = 0;
  /** Visits that are no whole step yet. */
  private visits = 0;
  private written = 0;
  /** Taken from the request's steps and not spent yet. */
  private granted = 0;
  private readonly shared: Int32Array;

  /** @param collectionSize elements that a list or map may have */
  constructor(
    private readonly perDocument: number,
    request: RequestSteps,
    private readonly collectionSize = MAX_COLLECTION_SIZE,
  ) {
    this.shared = new Int32Array(request);
  }

  /** Steps taken since it was reset. */
  get taken(): number {
    return this.perDocument - this.left;
  }

  /** Begins a document. */
  reset(): void {
    this.left = this.perDocument;
    this.visits = 0;
    this.written = 0;
    run(this);
  }

  /** `count` values are looked at, each as often as it is met: lists may contain one another many times. */
  visit(count: number): void {
    this.visits += count;
    if (this.visits < VISITS_PER_STEP) return;
    this.charge(Math.floor(this.visits / VISITS_PER_STEP));
    this.visits %= VISITS_PER_STEP;
  }

  /** A value is written, with so many characters of its own. */
  write(characters: number): void {
    const pieces = 1 + Math.floor(characters / CHARACTERS_PER_PIECE);
    this.written += pieces;
    if (this.written > MAX_WRITTEN) throw limitExceeded(`[${MAX_WRITTEN}] values that are written`);
    this.visit(pieces);
  }

  /** @throws EngineError when there are not so many steps left */
  charge(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw limitExceeded(`[${this.perDocument}] steps`);
    this.granted -= steps;
    while (this.granted < 0) this.takeMore();
  }

  private takeMore(): void {
    checkTurn();
    if (Atomics.load(this.shared, 0) < GRANT) {
      throw limitExceeded(`[${REQUEST_STEPS}] steps in one request`);
    }
    Atomics.sub(this.shared, 0, GRANT);
    this.granted += GRANT;
  }

  /** A list or map has grown to `size`. */
  checkSize(size: number): void {
    if (size > this.collectionSize) throw limitExceeded(`[${this.collectionSize}] elements`);
  }

  /** A string of this length is going to be made. */
  checkLength(length: number): void {
    checkTextLength(length);
    if (length > 1024) this.charge(length >> 10);
  }
}
