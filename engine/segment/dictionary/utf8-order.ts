// The order of terms: by the bytes of their UTF-8 form, which is the order of code points. It differs from
// JavaScript's own order of strings only where surrogates are involved.

/**
 * Compares as the UTF-8 bytes of both strings compare. Unpaired surrogates count as U+FFFD, which is what
 * they become when a string is encoded.
 */
export function compareUtf8(a: string, b: string): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y && (x & 0xf800) !== 0xd800) continue;
    if ((x & 0xf800) === 0xd800 || (y & 0xf800) === 0xd800) return compareCodePoints(a, b, i);
    return x - y;
  }
  return a.length - b.length;
}

/** Both strings are equal before `from` and hold no surrogates there. */
function compareCodePoints(a: string, b: string, from: number): number {
  let i = from;
  let j = from;
  while (i < a.length && j < b.length) {
    const x = a.codePointAt(i)!;
    const y = b.codePointAt(j)!;
    const difference = wellFormed(x) - wellFormed(y);
    if (difference !== 0) return difference;
    i += x > 0xffff ? 2 : 1;
    j += y > 0xffff ? 2 : 1;
  }
  return a.length - i - (b.length - j);
}

function wellFormed(codePoint: number): number {
  return codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
}

/** Bytes that {@link writeUtf8} needs at most for a string. */
export function maxUtf8Length(text: string): number {
  return text.length * 3;
}

/**
 * Writes the UTF-8 form of `text` at `at`; there must be room for {@link maxUtf8Length} bytes.
 *
 * @returns the offset after the last byte
 */
export function writeUtf8(text: string, into: Uint8Array, at: number): number {
  const n = text.length;
  let p = at;
  for (let i = 0; i < n; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      into[p++] = unit;
    } else if (unit < 0x800) {
      into[p++] = 0xc0 | (unit >>> 6);
      into[p++] = 0x80 | (unit & 0x3f);
    } else if ((unit & 0xf800) === 0xd800) {
      const codePoint = wellFormed(text.codePointAt(i)!);
      if (codePoint > 0xffff) {
        i++;
        into[p++] = 0xf0 | (codePoint >>> 18);
        into[p++] = 0x80 | ((codePoint >>> 12) & 0x3f);
      } else {
        into[p++] = 0xe0 | (codePoint >>> 12);
      }
      into[p++] = 0x80 | ((codePoint >>> 6) & 0x3f);
      into[p++] = 0x80 | (codePoint & 0x3f);
    } else {
      into[p++] = 0xe0 | (unit >>> 12);
      into[p++] = 0x80 | ((unit >>> 6) & 0x3f);
      into[p++] = 0x80 | (unit & 0x3f);
    }
  }
  return p;
}

/** Compares two byte ranges, shorter first where one is a prefix of the other. */
export function compareBytes(
  a: Uint8Array,
  aFrom: number,
  aTo: number,
  b: Uint8Array,
  bFrom: number,
  bTo: number,
): number {
  const n = Math.min(aTo - aFrom, bTo - bFrom);
  for (let i = 0; i < n; i++) {
    const difference = a[aFrom + i]! - b[bFrom + i]!;
    if (difference !== 0) return difference;
  }
  return aTo - aFrom - (bTo - bFrom);
}

/** The string of a range of UTF-8 bytes; short ASCII ones, the usual terms, without a native call. */
export function readUtf8(bytes: Uint8Array, from: number, to: number): string {
  const n = to - from;
  if (n <= 12) {
    let text = '';
    let i = from;
    for (; i < to; i++) {
      const byte = bytes[i]!;
      if (byte >= 0x80) break;
      text += String.fromCharCode(byte);
    }
    if (i === to) return text;
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, n).toString();
}
