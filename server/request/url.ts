// Decoding of request targets as the reference does it: `+` is a blank in paths too, `&` alone separates
// parameters, the last of repeated parameters wins.

import { EngineError } from '../../engine/index';

/**
 * Percent-decodes one path segment, parameter name or value; the bytes are read as UTF-8, escaped or not.
 *
 * @throws EngineError 400 for a broken escape (the reference answers 500 or drops the connection)
 */
export function decodeComponent(text: string): string {
  if (!/[%+\x80-\uffff]/.test(text)) return text;
  // The HTTP parser hands raw bytes over as Latin-1, so code units are bytes here.
  const bytes = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x25) {
      const value = hexByte(text, at + 1);
      if (value < 0) throw badEscape(text, at);
      bytes[length++] = value;
      at += 2;
    } else {
      bytes[length++] = code === 0x2b ? 0x20 : code;
    }
  }
  return bytes.toString('utf8', 0, length);
}

/** Splits a raw request target at its first `?`. What proxies send in front of the path is left out. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  if (target.charCodeAt(0) !== SLASH) return splitTarget(withoutOrigin(target));
  const mark = target.indexOf('?');
  if (mark < 0) return { path: target, query: '' };
  return { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

const SLASH = 0x2f;

/** `http://host:port/path` as `/path`; the host that is served is that of the `Host` header. */
function withoutOrigin(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/**
 * The parameters of a raw query string; a name without `=` has the empty value.
 *
 * @throws EngineError 400 for a broken escape
 */
export function parseQueryParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  if (query === '') return parameters;
  for (const part of query.split('&')) {
    if (part === '') continue;
    const mark = part.indexOf('=');
    if (mark < 0) parameters.set(decodeComponent(part), '');
    else
      parameters.set(decodeComponent(part.slice(0, mark)), decodeComponent(part.slice(mark + 1)));
  }
  return parameters;
}

function hexByte(text: string, at: number): number {
  const digits = text.slice(at, at + 2);
  return /^[0-9a-fA-F]{2}$/.test(digits) ? parseInt(digits, 16) : -1;
}

function badEscape(text: string, at: number): EngineError {
  const problem =
    at + 3 > text.length
      ? `unterminated escape sequence at end of string: ${text}`
      : `invalid escape sequence \`${text.slice(at, at + 3)}' at index ${at} of: ${text}`;
  return new EngineError('IllegalArgumentException', problem, { status: 400 });
}
