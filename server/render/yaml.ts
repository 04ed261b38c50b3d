// Responses in YAML, in the layout of Jackson's writer (reference server).

import { JsonScanner, JsonToken, writeJson } from '../../engine/index';

/** Names that can stand without quotes. */
const PLAIN_NAME = /^[A-Za-z_][\w.$-]*$/;
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** @param text JSON text of one value, strict @returns it as a YAML document */
export function toYaml(text: string): string {
  const scanner = new JsonScanner(text, Number.POSITIVE_INFINITY);
  scanner.next();
  const lines: string[] = ['---'];
  writeValue(scanner, '', '', lines);
  return `${lines.join('\n')}\n`;
}

/**
 * Writes the value at the scanner's token.
 *
 * @param lead what stands before it on its line, without the blank
 * @param indent of the lines below it
 */
function writeValue(scanner: JsonScanner, lead: string, indent: string, lines: string[]): void {
  const { token } = scanner;
  if (token === JsonToken.ObjectStart) writeObject(scanner, lead, indent, lines);
  else if (token === JsonToken.ArrayStart) writeArray(scanner, lead, indent, lines);
  else lines.push(joined(lead, scalarText(scanner)));
}

function writeObject(scanner: JsonScanner, lead: string, indent: string, lines: string[]): void {
  // The first member of an object in a list stands behind the dash.
  let open = lead.endsWith('-') ? lead : null;
  const line = lines.length;
  if (open === null && lead !== '') lines.push(lead);
  let isEmpty = true;
  while (scanner.next() === JsonToken.Name) {
    isEmpty = false;
    const name = `${nameText(scanner.text)}:`;
    scanner.next();
    const start = open === null ? indent + name : joined(open, name);
    open = null;
    const isObject = scanner.token === JsonToken.ObjectStart;
    writeValue(scanner, start, isObject ? `${indent}  ` : indent, lines);
  }
  if (isEmpty) lines[line] = joined(lead, '{}');
}

function writeArray(scanner: JsonScanner, lead: string, indent: string, lines: string[]): void {
  const line = lines.length;
  // A list in a list begins behind the dash.
  let open = lead.endsWith('-') ? `${lead} -` : null;
  if (open === null && lead !== '') lines.push(lead);
  let isEmpty = true;
  while (scanner.next() !== JsonToken.ArrayEnd) {
    isEmpty = false;
    writeValue(scanner, open ?? `${indent}-`, `${indent}  `, lines);
    open = null;
  }
  if (isEmpty) lines[line] = joined(lead, '[]');
}

function joined(lead: string, rest: string): string {
  return lead === '' ? rest : `${lead} ${rest}`;
}

function scalarText(scanner: JsonScanner): string {
  const { token } = scanner;
  if (token === JsonToken.String) return writeJson(scanner.text);
  if (token === JsonToken.True) return 'true';
  if (token === JsonToken.False) return 'false';
  return token === JsonToken.Null ? 'null' : scanner.text;
}

function nameText(name: string): string {
  return PLAIN_NAME.test(name) && !RESERVED.test(name) ? name : writeJson(name);
}
