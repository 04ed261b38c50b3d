// Text without regard to case or accents, for finding terms by what a user types.

/** Combining marks; Hangul and other letters come together again afterwards. */
const MARKS = /\p{M}+/gu;

/**
 * `text` in a form in which letters that differ only in case or accents are the same. Without accents:
 * decomposed, marks dropped (`Ä` is `A`, `é` is `e`; `ø` and `ß` have no marks and stay).
 */
export function foldText(text: string, ignoreCase: boolean, ignoreAccents: boolean): string {
  const plain = ignoreAccents ? text.normalize('NFD').replace(MARKS, '').normalize('NFC') : text;
  // Up first: some letters have several small forms.
  return ignoreCase ? plain.toUpperCase().toLowerCase() : plain;
}
