// Whether anybody still wants the answer to a request.

/**
 * Tells whether anybody still wants the answer to a search. An AbortSignal is one; what is cheaper to make
 * will do, because most searches only look at `aborted`.
 */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
