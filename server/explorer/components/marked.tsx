// Text with marked words.

import { piecesOf } from '../model/marks';

/** A text as the server marked it. */
export function Marked({ text }: { readonly text: string }) {
  return (
    <>{piecesOf(text).map((piece) => (piece.isMarked ? <mark>{piece.text}</mark> : piece.text))}</>
  );
}
