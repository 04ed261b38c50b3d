// User text in keys and records: UTF-8, extended so that every JavaScript string has its own bytes.
//
// Plain UTF-8 maps each lone surrogate to U+FFFD, so two different document ids could share one key.
// Lone surrogates are written as the three bytes their code unit would have (the encoding known as
// WTF-8); well-formed text, which is all but everything, has its ordinary UTF-8 bytes.

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Encodes any string, injectively.
 */
export function encodeText(text: string): Buffer {
  if (!LONE_SURROGATE.test(text)) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(i + 1);
    if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
      i++;
      continue;
    }
    parts.push(Buffer.from(text.slice(start, i), 'utf8'));
    parts.push(
      Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]),
    );
    start = i + 1;
  }
  parts.push(Buffer.from(text.slice(start), 'utf8'));
  return Buffer.concat(parts);
}

/** Texts up to so many characters are short. */
const SHORT = 96;

/**
 * Writes a short text of ASCII characters, as most are, where there is room for it; for them several times
 * cheaper than {@link encodeText}.
 * @returns where it ends; -1 when it is not of that kind.
 */
export function writeShortText(text: string, into: Buffer, from: number): number {
  const { length } = text;
  if (length > SHORT) return -1;
  let at = from;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return -1;
    into[at++] = code;
  }
  return at;
}

/**
 * Decodes what `encodeText` wrote between two offsets.
 */
export function decodeText(bytes: Buffer, start = 0, end = bytes.length): string {
  let text = '';
  let from = start;
  // ED A0..BF xx is a surrogate: the one sequence strict UTF-8 never contains.
  for (
    let at = bytes.indexOf(0xed, start);
    at >= 0 && at + 2 < end;
    at = bytes.indexOf(0xed, at + 1)
  ) {
    const second = bytes[at + 1] ?? 0;
    if (second < 0xa0) continue;
    text += bytes.toString('utf8', from, at);
    text += String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | ((bytes[at + 2] ?? 0) & 0x3f));
    from = at + 3;
  }
  return text + bytes.toString('utf8', from, end);
}
