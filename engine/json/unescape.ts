// Strings of JSON with escapes, which the scanner has checked, as the text they stand for.

/** Strings from here on are put together in blocks: a piece that is added costs more than its characters. */
const LONG_STRING = 4096;
const BLOCK = Buffer.alloc(64 * 1024);
const UNITS = new Uint16Array(BLOCK.buffer, BLOCK.byteOffset, BLOCK.length / 2);

/** The value of the string body between two offsets, whose escapes have been checked. */
export function unescapeJson(source: string, start: number, end: number): string {
  if (end - start >= LONG_STRING) return unescapeLong(source, start, end);
  let result = '';
  let from = start;
  for (let at = source.indexOf('\\', start); at >= 0 && at < end; at = source.indexOf('\\', from)) {
    result += source.slice(from, at);
    const code = source.charCodeAt(at + 1);
    if (code === 0x75) {
      result += String.fromCharCode(hexValue(source, at + 2));
      from = at + 6;
    } else {
      result += String.fromCharCode(escapedUnit(code));
      from = at + 2;
    }
  }
  return result + source.slice(from, end);
}

function unescapeLong(source: string, start: number, end: number): string {
  let result = '';
  let filled = 0;
  for (let at = start; at < end; at++) {
    let code = source.charCodeAt(at);
    if (code === 0x5c) {
      code = source.charCodeAt(++at);
      if (code === 0x75) {
        code = hexValue(source, at + 1);
        at += 4;
      } else code = escapedUnit(code);
    }
    UNITS[filled++] = code;
    if (filled < UNITS.length) continue;
    result += BLOCK.toString('utf16le');
    filled = 0;
  }
  return result + BLOCK.toString('utf16le', 0, 2 * filled);
}

function escapedUnit(code: number): number {
  switch (code) {
    case 0x62:
      return 0x08;
    case 0x66:
      return 0x0c;
    case 0x6e:
      return 0x0a;
    case 0x72:
      return 0x0d;
    case 0x74:
      return 0x09;
    default:
      return code;
  }
}

/** Of four hex digits. */
function hexValue(source: string, at: number): number {
  let value = 0;
  for (let i = at; i < at + 4; i++) {
    const digit = source.charCodeAt(i);
    // Letters of either case, behind the digits.
    value = value * 16 + (digit <= 0x39 ? digit - 0x30 : (digit | 0x20) - 0x57);
  }
  return value;
}
