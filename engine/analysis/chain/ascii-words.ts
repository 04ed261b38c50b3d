// The fast path of analysis: words of plain ASCII text by table, for callers that need the bytes of terms
// and no strings. Nearly all indexed text takes it.

/**
 * How an analyzer cuts and changes text of ASCII characters only, as tables. The words begin at the first
 * character that leads out of state 0 and reach as far as the automaton was last in an accepting state;
 * the search for the next one goes on there, or, if it never was, where the automaton stopped.
 * Every word is one position.
 */
export interface AsciiWords {
  /** The next state by `state << 7 | character`; 0 between words, where it stops. */
  readonly next: Uint8Array;
  /** States from here on end a word. */
  readonly firstAccepting: number;
  /** Where the automaton would pass over more characters than this at once, the tables do not hold. */
  readonly maxLength: number;
  /** What each character becomes in the term. */
  readonly fold: Uint8Array;
}

/** Every ASCII character as it is. */
export const ASCII_IDENTITY: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => code);

/** Every ASCII character in lower case. */
export const ASCII_LOWER: Uint8Array = ASCII_IDENTITY.map((code) =>
  code >= 0x41 && code <= 0x5a ? code + 0x20 : code,
);
