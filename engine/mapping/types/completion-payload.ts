// What a suggestion shows of a payload, as JSON text (reference server): objects as they are, text that
// looks like a number as that number, everything else as text.

import {
  formatDouble,
  JsonToken,
  parseJsonObject,
  type JsonScanner,
  writeJson,
} from '../../json/index';
import { isInteger, parseDouble, parseInt64 } from '../../common/index';

/**
 * Reads the value at the scanner's token, an object or a scalar, and leaves the scanner at its end.
 *
 * @returns null for an empty text, which is no payload
 */
export function readPayloadValue(scanner: JsonScanner): string | null {
  return scanner.token === JsonToken.ObjectStart ? objectText(scanner) : scalarText(scanner.text);
}

function scalarText(text: string): string | null {
  if (text === '') return null;
  const number = numberText(text);
  if (number !== null) return number;
  return text.trimStart().startsWith('{') && isObject(text) ? text : writeJson(text);
}

function numberText(text: string): string | null {
  try {
    return String(parseInt64(text));
  } catch {
    // No integer.
  }
  try {
    const value = parseDouble(text);
    return Number.isFinite(value) ? formatDouble(value) : null;
  } catch {
    return null;
  }
}

function isObject(text: string): boolean {
  try {
    parseJsonObject(text);
    return JSON.stringify(JSON.parse(text)) !== '';
  } catch {
    return false;
  }
}

/** The object at the scanner's token without blanks. */
function objectText(scanner: JsonScanner): string {
  const depth = scanner.depth - 1;
  let out = '{';
  let isFirst = true;
  while (scanner.depth > depth) {
    const token = scanner.next();
    if (token === JsonToken.ObjectEnd || token === JsonToken.ArrayEnd) {
      out += token === JsonToken.ObjectEnd ? '}' : ']';
      isFirst = false;
      continue;
    }
    if (!isFirst) out += ',';
    isFirst = token === JsonToken.ObjectStart || token === JsonToken.ArrayStart;
    if (token === JsonToken.ObjectStart) out += '{';
    else if (token === JsonToken.ArrayStart) out += '[';
    else if (token === JsonToken.Name) {
      out += `${writeJson(scanner.text)}:`;
      isFirst = true;
    } else if (token === JsonToken.String) out += writeJson(scanner.text);
    else if (token === JsonToken.Number) {
      const { text } = scanner;
      out += isInteger(text) ? text : formatDouble(Number(text));
    } else out += scanner.text;
  }
  return out;
}
