// Answers that are put together from very many small pieces.

import { Slices } from '../../engine/index';

/** Smaller pieces are copied together, because each takes its time to be sent. In bytes. */
const LEAST_SENT = 64 * 1024;
/** Pieces between two looks at the clock. */
const PIECES_PER_LOOK = 64;

/** The same bytes in one piece, if they are few: a hundred thousand answers of twenty pieces take memory. */
export function joinSmall(chunks: readonly Buffer[]): readonly Buffer[] {
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  return bytes < LEAST_SENT ? [Buffer.concat(chunks, bytes)] : chunks;
}

/**
 * The same bytes in pieces that are worth sending.
 *
 * @param lists pieces of the parts of an answer; other requests get turns in between
 */
export async function joinChunks(lists: Iterable<readonly Buffer[]>): Promise<Buffer[]> {
  const slices = new Slices(PIECES_PER_LOOK);
  const joined: Buffer[] = [];
  let small: Buffer[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (small.length > 0) joined.push(small.length === 1 ? small[0]! : Buffer.concat(small, bytes));
    small = [];
    bytes = 0;
  };
  for (const list of lists) {
    for (const piece of list) {
      if (piece.length >= LEAST_SENT) {
        flush();
        joined.push(piece);
      } else {
        small.push(piece);
        bytes += piece.length;
        if (bytes >= LEAST_SENT) flush();
      }
      if (slices.isOver()) await slices.next();
    }
  }
  flush();
  return joined;
}
