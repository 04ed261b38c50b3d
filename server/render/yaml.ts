// YAML beside JSON (reference server): a response in the layout of Jackson's writer, and request bodies that
// begin with `---` as the JSON they stand for.

import { isMap, isScalar, isSeq, parseDocument, type ParsedNode } from 'yaml';
import { EngineError, JsonScanner, JsonToken, writeJson } from '../../engine/index';

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

/** Whether a body is a YAML document by its first bytes. */
export function isYaml(body: Buffer): boolean {
  return body.length > 3 && body[0] === 0x2d && body[1] === 0x2d && body[2] === 0x2d;
}

/**
 * The JSON a YAML document stands for; numbers keep their spelling where JSON has it.
 *
 * @throws EngineError 400 for what is no YAML, or cannot be said in JSON
 */
export function yamlToJson(body: Buffer): Buffer {
  const document = parseDocument(body.toString('utf8'), { prettyErrors: true });
  const [problem] = document.errors;
  if (problem !== undefined) throw unreadable(problem.message);
  return Buffer.from(document.contents === null ? 'null' : jsonText(document.contents, 0));
}

const MAX_DEPTH = 200;

function jsonText(node: ParsedNode | null, depth: number): string {
  if (depth > MAX_DEPTH) throw unreadable(`more than ${MAX_DEPTH} levels`);
  if (node === null) return 'null';
  if (isMap(node)) {
    const members = node.items.map(({ key, value }) => {
      const name = isScalar(key) ? (key.source ?? String(key.value)) : null;
      if (name === null) throw unreadable('names have to be texts');
      return `${writeJson(name)}:${jsonText(value, depth + 1)}`;
    });
    return `{${members.join(',')}}`;
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => jsonText(item, depth + 1));
    return `[${items.join(',')}]`;
  }
  if (!isScalar(node)) throw unreadable('aliases are not supported');
  const { value } = node;
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(node.source, value);
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? writeJson(value) : 'null';
}

function numberText(source: string | undefined, value: number | bigint): string {
  if (source !== undefined && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(source)) {
    return source;
  }
  return Number.isFinite(Number(value)) ? String(value) : writeJson(String(value));
}

function unreadable(reason: string): EngineError {
  return new EngineError('ElasticsearchParseException', `Failed to parse YAML: ${reason}`);
}
