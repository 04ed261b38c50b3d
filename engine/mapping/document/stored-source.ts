// `_source` as it is stored: the bytes of one object, because answers splice them as they are.

import type { JsonScanner } from '../../json/index';

/** First byte of a UTF-8 byte order mark, which may precede a body but is no part of the document. */
const BYTE_ORDER_MARK = 0xef;
const BLANK = /^[ \t\r\n]*$/;

/**
 * The bytes as received when they are one object, in whatever spelling: names without quotes and comments
 * inside it stay (reference server). Of other bodies its first object.
 *
 * @param text the decoded source
 * @param start offset of the object in `text`
 * @param scanner has just read the object's end
 */
export function storedSource(
  source: Buffer,
  text: string,
  start: number,
  { end }: JsonScanner,
): Buffer {
  const isWhole =
    source[0] !== BYTE_ORDER_MARK &&
    (start === 0 || BLANK.test(text.slice(0, start))) &&
    (end === text.length || BLANK.test(text.slice(end)));
  return isWhole ? source : Buffer.from(text.slice(start, end));
}
