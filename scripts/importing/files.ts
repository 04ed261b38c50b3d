// What a path holds, as things to load.

import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../../engine/json/index';
import { MAX_DEPTH } from './document';
import type { IndexDefinition } from './definition';
import { dumpedPart, listDump, readDefinition, readTemplates } from './dump-folder';
import type { LoadItem } from './load';
import { matches } from './old-server';
import { guessFile, type GuessedFile, type PlainFormat } from './plain';
import { isDumpLine, openFile, readDump, readLines, type Placing } from './records';

/** The type of documents that come without one. */
const DEFAULT_TYPE = 'document';
const TABLE = /\.(csv|tsv)(?:\.gz)?$/i;

/** What may be said of files. */
export interface FileOptions extends Placing {
  /** Names of indices of a folder, with `*`. */
  readonly indices: string;
  /** The field with the ids of documents that are nothing but documents. */
  readonly idField?: string | undefined;
  /** Between values of a table. */
  readonly delimiter?: string | undefined;
}

/** Things to load. */
export interface Files {
  readonly items: readonly LoadItem[];
  readonly templates: JsonObject;
  /** What was guessed, of a file with nothing but documents. */
  readonly guessed: GuessedFile | null;
}

/**
 * The files of a folder, or one.
 *
 * @throws Error for what cannot be read
 */
export async function filesOf(path: string, options: FileOptions): Promise<Files> {
  if (!existsSync(path)) throw new Error(`there is no file ${path}`);
  if (!statSync(path).isDirectory()) return fileOf(path, options);
  const dumped = listDump(path).filter(({ name }) => matches(options.indices, name));
  if (dumped.length === 0) throw new Error(`there is no dump of [${options.indices}] in ${path}`);
  const items = dumped.map(({ name, data }) => dumpItem(readDefinition(path, name), data));
  return { items, templates: readTemplates(path), guessed: null };
}

/** The documents of an index in a dump. */
export function dumpItem(definition: IndexDefinition, path: string): LoadItem {
  return lineItem(path, definition, { index: definition.name });
}

async function fileOf(path: string, options: FileOptions): Promise<Files> {
  const templates: JsonObject = new Map();
  const format = await plainFormat(path);
  if (format === null) return { items: [lineItem(path, null, options)], templates, guessed: null };
  const { index = indexNameOf(path), type = DEFAULT_TYPE, idField = null } = options;
  const delimiter = options.delimiter ?? (/\.tsv/i.test(path) ? '\t' : ',');
  const guessed = await guessFile(path, { format, index, type, idField, delimiter });
  return { items: [guessed.item], templates, guessed };
}

/** What a file with nothing but documents holds; null for lines of a dump. */
async function plainFormat(path: string): Promise<PlainFormat | null> {
  if (TABLE.test(path)) return 'csv';
  for await (const line of readLines(openFile(path).bytes)) {
    if (line.trim() === '') continue;
    const value = parsedOrNull(line);
    const part = dumpedPart(value);
    if (part !== null) {
      throw new Error(
        `${path} is the ${part} of an index, no documents: ` +
          `call it NAME.${part}.json beside the documents in NAME.json, and name their folder`,
      );
    }
    return isJsonObject(value) && isDumpLine(value) ? null : 'json';
  }
  throw new Error(`${path} is empty`);
}

function parsedOrNull(line: string): JsonValue {
  try {
    return parseJson(line, MAX_DEPTH);
  } catch {
    return null;
  }
}

/** `/data/My Shirts.csv.gz` is `my-shirts`. */
function indexNameOf(path: string): string {
  const [name = ''] = basename(path).split('.');
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, '-')
      .replace(/^[-_]+/, '') || 'documents'
  );
}

function lineItem(path: string, definition: IndexDefinition | null, placing: Placing): LoadItem {
  return {
    path,
    definition,
    open: () => {
      const file = openFile(path);
      return { file, records: readDump(readLines(file.bytes), placing) };
    },
  };
}
