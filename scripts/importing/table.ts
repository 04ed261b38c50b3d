// Rows of a CSV file as documents.

import { parse } from 'csv-parse';
import type { Readable } from 'node:stream';
import { JsonNumber, type JsonObject, type JsonValue } from '../../engine/json/index';

const INTEGER = /^-?(?:0|[1-9]\d{0,17})$/;
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,2})?$/;

/** What the values of a column are: whatever all of them are. */
type ColumnKind = 'long' | 'double' | 'boolean' | 'string';

/** Kinds of columns by name. */
export type ColumnKinds = ReadonlyMap<string, ColumnKind>;

/** A row: its values by the names of the columns, in order. */
export type Row = ReadonlyMap<string, string>;

/**
 * The rows below the first line, which has the names of the columns. Quotes as in RFC 4180; empty values
 * are left out.
 *
 * @throws Error for a line that has more or fewer values than there are columns, or an open quote
 */
export async function* readRows(bytes: Readable, delimiter: string): AsyncGenerator<Row> {
  const parser = bytes.pipe(parse({ delimiter, bom: true, skip_empty_lines: true }));
  bytes.on('error', (error) => parser.destroy(error));
  let names: readonly string[] | null = null;
  for await (const values of parser as AsyncIterable<readonly string[]>) {
    if (names === null) names = checkedNames(values);
    else {
      yield new Map(
        names
          .map((name, at) => [name, values[at] ?? ''] as const)
          .filter(([, value]) => value !== ''),
      );
    }
  }
}

function checkedNames(names: readonly string[]): readonly string[] {
  const trimmed = names.map((name) => name.trim());
  const at = trimmed.findIndex((name, place) => name === '' || trimmed.indexOf(name) !== place);
  if (at < 0) return trimmed;
  const what = trimmed[at] === '' ? 'has no name' : `has the name of another one: ${trimmed[at]}`;
  throw new Error(`the first line names the columns; column ${at + 1} ${what}`);
}

/** Finds out what columns hold while rows pass. */
export class ColumnGuess {
  private readonly found = new Map<string, ColumnKind>();

  /** Looks at a row. */
  add(row: Row): void {
    for (const [name, value] of row) {
      const known = this.found.get(name);
      if (known === 'string') continue;
      const kind = kindOf(value);
      if (known === undefined) this.found.set(name, kind);
      else if (known !== kind) {
        const isNumber = known !== 'boolean' && kind !== 'boolean' && kind !== 'string';
        this.found.set(name, isNumber ? 'double' : 'string');
      }
    }
  }

  get kinds(): ColumnKinds {
    return this.found;
  }
}

function kindOf(value: string): ColumnKind {
  if (INTEGER.test(value)) return 'long';
  if (DECIMAL.test(value)) return 'double';
  return value === 'true' || value === 'false' ? 'boolean' : 'string';
}

/** The document of a row; columns with dots in their names make objects. */
export function toDocument(row: Row, kinds: ColumnKinds): JsonObject {
  const document: JsonObject = new Map();
  for (const [name, value] of row)
    setMember(document, name.split('.'), toValue(value, kinds.get(name)));
  return document;
}

function toValue(value: string, kind: ColumnKind | undefined): JsonValue {
  if (kind === 'long' || kind === 'double') return new JsonNumber(value);
  return kind === 'boolean' ? value === 'true' : value;
}

function setMember(into: JsonObject, path: readonly string[], value: JsonValue): void {
  let current = into;
  for (const name of path.slice(0, -1)) {
    const next = current.get(name);
    if (next instanceof Map) current = next;
    else {
      const made: JsonObject = new Map();
      current.set(name, made);
      current = made;
    }
  }
  current.set(path.at(-1)!, value);
}
