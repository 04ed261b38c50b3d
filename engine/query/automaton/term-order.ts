// Neighbours in the order of terms (UTF-8 bytes, that is code points; see segment/dictionary/utf8-order.ts).

/**
 * The smallest string that sorts after every string with this prefix, or null when there is none (the
 * prefix is empty or made of the last code point).
 */
export function afterPrefix(prefix: string): string | null {
  let end = prefix.length;
  while (end > 0) {
    const low = prefix.charCodeAt(end - 1);
    const paired =
      (low & 0xfc00) === 0xdc00 && end > 1 && (prefix.charCodeAt(end - 2) & 0xfc00) === 0xd800;
    const start = paired ? end - 2 : end - 1;
    const point = prefix.codePointAt(start)!;
    if (point < 0x10ffff) {
      const next = point >= 0xd7ff && point < 0xe000 ? 0xe000 : point + 1;
      return prefix.slice(0, start) + String.fromCodePoint(next);
    }
    end = start;
  }
  return null;
}
