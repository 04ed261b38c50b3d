// Highlighted words: the server puts a character of the private use area before and behind them, and what it
// returns is cut there. Nothing of a document ever becomes HTML.

/** Before a marked word. */
export const MARK_BEGIN = '\uE000';
/** Behind a marked word. */
export const MARK_END = '\uE001';

/** A piece of text. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** The pieces of a text with marks. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let isMarked = false;
  for (const part of text.split(/([\uE000\uE001])/)) {
    if (part === MARK_BEGIN) isMarked = true;
    else if (part === MARK_END) isMarked = false;
    else if (part !== '') pieces.push({ text: part, isMarked });
  }
  return pieces;
}

/** The words that are marked in any of the texts, in lower case, each once. */
export function markedWords(texts: readonly string[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const piece of piecesOf(text)) if (piece.isMarked) words.add(piece.text.toLowerCase());
  }
  return [...words];
}

/** The text without marks. */
export function unmarked(text: string): string {
  return text.replace(/[\uE000\uE001]/g, '');
}
