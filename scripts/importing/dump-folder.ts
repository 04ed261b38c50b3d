// A folder of files as multielasticdump makes it: for each index one with its documents (NAME.json) and one
// for each other thing (NAME.mapping.json and so on), each a line of JSON as the server tells it.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  isJsonObject,
  parseJson,
  writeJson,
  type JsonObject,
  type JsonValue,
} from '../../engine/json/index';
import type { IndexDefinition } from './definition';
import { MAX_DEPTH } from './document';
import { objectAt } from './json-values';

const TEMPLATES = 'templates.template.json';
const DATA = /^(.+?)\.json(\.gz)?$/;
const OTHER = /\.(?:settings|mapping|analyzer|alias|warmer|template)\.json$/;

/** Parts of a definition: the name of the file, and of the member in it. */
const PARTS = [
  ['settings', 'settings'],
  ['mapping', 'mappings'],
  ['alias', 'aliases'],
  ['warmer', 'warmers'],
] as const;

/** An index in a folder. */
export interface DumpedIndex {
  readonly name: string;
  /** The file of its documents. */
  readonly data: string;
}

/** The indices of a folder, by name. */
export function listDump(folder: string): readonly DumpedIndex[] {
  return readdirSync(folder)
    .filter((file) => DATA.test(file) && !OTHER.test(file))
    .sort()
    .map((file) => ({ name: DATA.exec(file)![1]!, data: join(folder, file) }));
}

/** The file for the documents of an index. @throws Error for a name that leads out of the folder */
export function dataFile(folder: string, index: string): string {
  if (/[/\\]/.test(index)) throw new Error(`index [${index}] has no name for a file`);
  return join(folder, `${index}.json`);
}

/** Everything that a folder says about an index. @throws Error for a file that is no JSON */
export function readDefinition(folder: string, name: string): IndexDefinition {
  const read = (part: string, member: string): JsonObject => {
    const content = readObject(join(folder, `${name}.${part}.json`));
    // The name within is that of the index when it was dumped; the file may have been named anew.
    return objectAt([...content.values()][0], member);
  };
  const analyzer = read('analyzer', 'settings');
  const settings = read('settings', 'settings');
  return {
    name,
    settings: settings.size > 0 ? settings : analyzer,
    mappings: read('mapping', 'mappings'),
    aliases: read('alias', 'aliases'),
    warmers: read('warmer', 'warmers'),
  };
}

/** Writes everything about an index but its documents. */
export function writeDefinition(folder: string, definition: IndexDefinition): void {
  const data = dataFile(folder, definition.name);
  for (const [part, member] of PARTS) {
    const file = data.replace(/json$/, `${part}.json`);
    const content = new Map([[definition.name, { [member]: definition[member] }]]);
    writeFileSync(file, `${writeJson(content)}\n`);
  }
}

/** All templates of a folder. */
export function readTemplates(folder: string): JsonObject {
  const all: JsonObject = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.template.json'))) {
    for (const [name, template] of readObject(join(folder, file))) all.set(name, template);
  }
  return all;
}

/** Writes all templates. */
export function writeTemplates(folder: string, templates: JsonObject): void {
  writeFileSync(join(folder, TEMPLATES), `${writeJson(templates)}\n`);
}

/** Which part of a definition (`mapping`, ...) a line is that stands where documents do; null: none. */
export function dumpedPart(line: JsonValue): string | null {
  const value = unwrapped(line);
  if (!isJsonObject(value) || value.size !== 1) return null;
  const [inner] = value.values();
  if (inner === undefined || !isJsonObject(inner) || inner.size !== 1) return null;
  return PARTS.find(([, member]) => inner.has(member))?.[0] ?? null;
}

/** Everything but documents and mappings elasticdump 6 writes as JSON within a text of JSON. */
function unwrapped(value: JsonValue): JsonValue {
  return typeof value === 'string' && value.startsWith('{') ? parseJson(value, MAX_DEPTH) : value;
}

/** All objects of a file, one to a line or one over several lines, as one. */
function readObject(path: string): JsonObject {
  const all: JsonObject = new Map();
  if (!existsSync(path)) return all;
  const text = readFileSync(path, 'utf8').trim();
  const lines = text.split('\n');
  const isByLine = lines.every((line) => line.trim() === '' || /^\s*\{.*\}\s*$/.test(line));
  for (const part of isByLine ? lines : [text]) {
    if (part.trim() === '') continue;
    const value = unwrapped(parseJson(part, MAX_DEPTH));
    if (!isJsonObject(value)) throw new Error(`${basename(path)} holds no JSON object`);
    for (const [name, member] of value) all.set(name, member);
  }
  return all;
}
