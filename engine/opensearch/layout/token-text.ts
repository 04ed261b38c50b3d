// Tokens as text. An analyzer of three built-in parts of OpenSearch gives them back with their positions:
// places are separated by one sign, tokens at one place by another, and a third stands for a place without.

const PLACE = '\u0001';
const ALTERNATIVE = '\u0002';
const HOLE = '\u0003';
const ESCAPE = '\u0004';
// oxlint-disable-next-line no-control-regex -- the signs
const SIGNS = /[\u0001-\u0004]/g;

/** The analyzer that takes {@link TokenText} apart, as settings of an OpenSearch index. */
export const TOKEN_ANALYSIS = {
  tokenizer: { places: { type: 'simple_pattern_split', pattern: PLACE } },
  filter: {
    holes: { type: 'stop', stopwords: [HOLE] },
    alternatives: {
      type: 'pattern_capture',
      preserve_original: false,
      patterns: [`([^${ALTERNATIVE}]+)`],
    },
  },
  analyzer: {
    tokens: { type: 'custom', tokenizer: 'places', filter: ['holes', 'alternatives'] },
  },
} as const;

/** A token as it stands in such a text: what a text may hold is a token, not a sign. */
export function escapedToken(term: string): string {
  return term.replace(SIGNS, (sign) => ESCAPE + String.fromCharCode(0x40 + sign.charCodeAt(0)));
}

/** Puts tokens at their places. */
export class TokenText {
  private readonly places: string[] = [];

  /** Adds a token. @param increment places from the one before; 0: at the same place */
  add(term: string, increment: number): void {
    const token = escapedToken(term);
    const last = this.places.length - 1;
    if (increment === 0 && last >= 0) {
      const before = this.places[last]!;
      this.places[last] = before === HOLE ? token : `${before}${ALTERNATIVE}${token}`;
      return;
    }
    this.skip(increment - 1);
    this.places.push(token);
  }

  /** Leaves places empty. */
  skip(places: number): void {
    for (let i = 0; i < places; i++) this.places.push(HOLE);
  }

  get isEmpty(): boolean {
    return this.places.length === 0;
  }

  toString(): string {
    return this.places.join(PLACE);
  }
}
