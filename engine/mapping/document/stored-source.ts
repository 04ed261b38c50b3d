// `_source` as it is stored: bytes that are strict JSON, because answers splice them as they are.

import { parseJsonObject, type JsonScanner, writeJson } from '../../json/index';

/** First byte of a UTF-8 byte order mark, which may precede a body but is no part of the document. */
const BYTE_ORDER_MARK = 0xef;
const BLANK = /^[ \t\r\n]*$/;

/**
 * The bytes as received when they are one strict JSON object; of a lenient body only its first object,
 * re-serialised when its spelling is not strict JSON.
 *
 * @param text the decoded source
 * @param start offset of the object in `text`
 * @param scanner has just read the object's end
 */
export function storedSource(
  source: Buffer,
  text: string,
  start: number,
  { end, isLenient }: JsonScanner,
): Buffer {
  if (isLenient) return Buffer.from(writeJson(parseJsonObject(text)));
  const isWhole =
    source[0] !== BYTE_ORDER_MARK && (end === text.length || BLANK.test(text.slice(end)));
  return isWhole ? source : Buffer.from(text.slice(start, end));
}
