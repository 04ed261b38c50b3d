// What main and a worker thread say to each other. Requests are answered in any order.

import type { ErrorData } from './errors-as-data';

/** main -> thread. `kind` and `payload` are the affair of the kind of thread. */
export interface RequestMessage {
  /** From 1; never 0. */
  readonly id: number;
  readonly kind: string;
  readonly payload: unknown;
}

/** main -> thread, without an answer. `close`: finish what runs, give back resources and end. */
export interface NoticeMessage {
  readonly id: 0;
  readonly kind: string;
  readonly payload: unknown;
}

/** thread -> main. */
export type ThreadMessage =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: ErrorData }
  /** Not an answer: something that main should know. */
  | { readonly id: 0; readonly event: string; readonly value: unknown };

/** Where in the shared words what stands. */
export const WORD = {
  /** Grows while the thread's event loop turns. */
  beat: 0,
  /** Id of the request that is, or was last, worked on; 0 when it was answered. */
  running: 1,
  /** First of the words that say which requests are cancelled. */
  cancelled: 2,
} as const;

/**
 * Requests that can be marked as cancelled at the same time: request i has word i modulo this, which holds
 * the id of the cancelled one. Should two of them meet, the earlier one runs to its end.
 */
const CANCEL_WORDS = 1024;

/** Words shared by main and one thread. */
export type SharedWords = Int32Array<SharedArrayBuffer>;

/** Words that threads share, with nothing cancelled. */
export function newSharedWords(): SharedWords {
  return new Int32Array(new SharedArrayBuffer(4 * (WORD.cancelled + CANCEL_WORDS)));
}

/** Marks a request as cancelled. */
export function cancelRequest(words: SharedWords, id: number): void {
  Atomics.store(words, WORD.cancelled + (id % CANCEL_WORDS), id);
}

/** Whether a request is marked as cancelled. */
export function isCancelled(words: SharedWords, id: number): boolean {
  return Atomics.load(words, WORD.cancelled + (id % CANCEL_WORDS)) === id;
}

/** A notice that segments are gone. */
export interface ForgetNotice {
  readonly segments: readonly number[];
  /** Shards whose views are to be forgotten. */
  readonly shards: readonly number[];
}
