// Files with nothing but documents: tables (CSV) and JSON without ids. What the index is to be like is
// guessed.

import type { Readable } from 'node:stream';
import {
  isJsonObject,
  parseJson,
  writeJson,
  type JsonObject,
  type JsonOutput,
} from '../../engine/json/index';
import { MAX_DEPTH } from './document';
import { MappingGuess } from './guess';
import { textOf, valueAt } from './json-values';
import type { LoadItem } from './load';
import { readObjects } from './objects';
import { openFile, type FileRecord } from './records';
import { ColumnGuess, readRows, toDocument, type ColumnKinds } from './table';

/** What a file with documents holds. */
export type PlainFormat = 'csv' | 'json';

/** Where documents of a file go. */
export interface PlainOptions {
  readonly format: PlainFormat;
  readonly index: string;
  readonly type: string;
  /** The field that holds the id; without one the place of a document in the file is its id. */
  readonly idField: string | null;
  /** Between values of a table. */
  readonly delimiter: string;
}

/** A file, and what was guessed of it. */
export interface GuessedFile {
  readonly item: LoadItem;
  readonly documents: number;
  /** The first document. */
  readonly first: string | null;
  /** The mapping of the type. */
  readonly mapping: JsonOutput;
}

/** A document, or what stands in its place. */
interface Plain {
  readonly value: JsonObject | null;
  readonly source: string;
}

/** Reads a file to its end, and guesses. @throws Error for a file that is not of its format */
export async function guessFile(path: string, options: PlainOptions): Promise<GuessedFile> {
  const columns = new ColumnGuess();
  if (options.format === 'csv') {
    for await (const row of readRows(openFile(path).bytes, options.delimiter)) columns.add(row);
  }
  const guess = new MappingGuess();
  let documents = 0;
  let first: string | null = null;
  for await (const { value, source } of readPlain(openFile(path).bytes, options, columns.kinds)) {
    documents++;
    first ??= source;
    if (value !== null) guess.add(value);
  }
  const mapping = guess.mapping();
  const nothing: JsonObject = new Map();
  const definition = {
    name: options.index,
    settings: nothing,
    mappings: parseJson(writeJson({ [options.type]: mapping }), MAX_DEPTH) as JsonObject,
    aliases: nothing,
    warmers: nothing,
  };
  const open = (): ReturnType<LoadItem['open']> => {
    const file = openFile(path);
    return { file, records: toRecords(readPlain(file.bytes, options, columns.kinds), options) };
  };
  return { item: { path, definition, open }, documents, first, mapping };
}

async function* readPlain(
  bytes: Readable,
  { format, delimiter }: PlainOptions,
  kinds: ColumnKinds,
): AsyncGenerator<Plain> {
  if (format === 'csv') {
    for await (const row of readRows(bytes, delimiter)) {
      const value = toDocument(row, kinds);
      yield { value, source: writeJson(value) };
    }
    return;
  }
  for await (const source of readObjects(bytes)) yield { value: parsed(source), source };
}

function parsed(source: string): JsonObject | null {
  try {
    const value = parseJson(source, MAX_DEPTH);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

async function* toRecords(
  documents: AsyncIterable<Plain>,
  { index, type, idField }: PlainOptions,
): AsyncGenerator<FileRecord> {
  for await (const { value, source } of documents) {
    const id = idField === null ? null : textOf(valueAt(value ?? undefined, ...idField.split('.')));
    if (value === null) {
      yield { kind: 'problem', reason: `no JSON object: ${source.slice(0, 100)}` };
    } else if (idField !== null && id === null) {
      yield { kind: 'problem', reason: `no value of [${idField}], which is to be the id` };
    } else {
      const document = {
        ...{ index, type, id, source },
        ...{ version: null, routing: null, parent: null, timestamp: null, expires: null },
      };
      yield { kind: 'document', document };
    }
  }
}
