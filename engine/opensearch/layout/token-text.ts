// Tokens as text. An analyzer of three built-in parts of OpenSearch gives them back with their positions:
// places are separated by one sign, tokens at one place by another, and a third stands for a place without.

import { fieldNorm } from '../../similarity/index';

const PLACE = '\u0001';
const ALTERNATIVE = '\u0002';
const HOLE = '\u0003';
const ESCAPE = '\u0004';
/** A token that nothing asks for: it makes a text longer. */
export const FILLER = '\u0005';
// oxlint-disable-next-line no-control-regex -- the signs
const SIGNS = /[\u0001-\u0005]/g;

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
  /** Tokens, those at the place of another one included. */
  private tokenCount = 0;
  private holes = 0;

  /** Adds a token. @param increment places from the one before; 0: at the same place */
  add(term: string, increment: number): void {
    const token = escapedToken(term);
    this.tokenCount++;
    const last = this.places.length - 1;
    if (increment === 0 && last >= 0) {
      const before = this.places[last]!;
      if (before === HOLE) this.holes--;
      this.places[last] = before === HOLE ? token : `${before}${ALTERNATIVE}${token}`;
      return;
    }
    this.skip(increment - 1);
    this.places.push(token);
  }

  /** Leaves places empty. */
  skip(places: number): void {
    for (let i = 0; i < places; i++) this.places.push(HOLE);
    this.holes += Math.max(0, places);
  }

  get isEmpty(): boolean {
    return this.places.length === 0;
  }

  /** All tokens. */
  get tokens(): number {
    return this.tokenCount;
  }

  /** The norm byte. @param countsOverlaps whether tokens at the place of another one count */
  norm(countsOverlaps: boolean): number {
    return fieldNorm(countsOverlaps ? this.tokenCount : this.length, 1);
  }

  /**
   * Makes the text as long as it has to be for the norm that the embedded engine gives it: OpenSearch keeps
   * lengths above 40 less exactly.
   *
   * @param countsOverlaps whether tokens at the place of another one count
   */
  fill(countsOverlaps: boolean): void {
    const { length } = this;
    const norm = this.norm(countsOverlaps);
    let filled = length;
    while (fieldNorm(keptLength(filled), 1) > norm) filled++;
    for (let i = length; i < filled; i++) this.addFiller();
  }

  /** Places that are taken. */
  private get length(): number {
    return this.places.length - this.holes;
  }

  /** Adds what makes texts longer. */
  addFiller(): void {
    this.places.push(FILLER);
  }

  toString(): string {
    return this.places.join(PLACE);
  }
}

/** Lengths that OpenSearch keeps as they are; above it keeps four bits of what is more. */
const KEPT_WHOLE = 24;
const KEPT_BITS = 4;

/** A length as OpenSearch keeps it. */
function keptLength(length: number): number {
  const more = length - KEPT_WHOLE;
  if (more < 1 << KEPT_BITS) return length;
  const shift = 32 - Math.clz32(more) - KEPT_BITS;
  return KEPT_WHOLE + ((more >>> shift) << shift);
}
