// Documents out of files, one after the other: lines of JSON in the forms that people have.

import { createReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isJsonObject, JsonSyntaxError, parseJson, type JsonObject } from '../../engine/json/index';
import { MAX_DEPTH, type ImportedDocument } from './document';
import { numberOf, textOf } from './json-values';
import { firstValue, readHitLine } from './page';

/** A line of a file that is longer cannot be a document that is taken anywhere. */
const MAX_LINE = 256 * 1024 * 1024;

/** What the documents of a file get if it does not say, or instead of what it says. */
export interface Placing {
  readonly index?: string | undefined;
  readonly type?: string | undefined;
}

/** A document of a file, or what stands in its place and is none. */
export type FileRecord =
  | { readonly kind: 'document'; readonly document: ImportedDocument }
  | { readonly kind: 'problem'; readonly reason: string };

/** A file that is being read. */
export interface OpenedFile {
  /** Unpacked if the name ends with `.gz`. */
  readonly bytes: Readable;
  /** How much of the file has been read, and how large it is, in bytes. */
  readonly progress: () => { readonly done: number; readonly total: number };
}

/** Opens a file. @throws Error when it cannot be read */
export function openFile(path: string): OpenedFile {
  const total = statSync(path).size;
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const progress = (): { done: number; total: number } => ({ done: file.bytesRead, total });
  if (!path.endsWith('.gz')) return { bytes: file, progress };
  const unpacked = createGunzip();
  file.on('error', (error) => unpacked.destroy(error));
  return { bytes: file.pipe(unpacked), progress };
}

/** The lines of a stream, without the ends of lines. @throws Error for one that is far too long */
export async function* readLines(stream: Readable): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      yield toLine(parts, chunk.subarray(from, at));
      parts = [];
      length = 0;
      from = at + 1;
    }
    if (from < chunk.length) {
      parts.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > MAX_LINE) throw new Error(`a line of more than ${MAX_LINE} bytes`);
    }
  }
  if (parts.length > 0) yield toLine(parts, Buffer.alloc(0));
}

function toLine(parts: readonly Buffer[], last: Buffer): string {
  const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
  return bytes.toString('utf8').replace(/\r$/, '');
}

/**
 * Documents out of lines of JSON: hits as elasticdump writes them, or pairs of lines as `_bulk` takes them.
 * Blank lines are left out.
 */
export async function* readDump(
  lines: AsyncIterable<string>,
  placing: Placing,
): AsyncGenerator<FileRecord> {
  let action: JsonObject | null = null;
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    try {
      if (action !== null) {
        yield { kind: 'document', document: placed(fromAction(action, firstValue(line)), placing) };
        action = null;
        continue;
      }
      action = bulkAction(line);
      if (action !== null) continue;
      const hit = readHitLine(line, Date.now());
      if (hit.source === null) throw new Error('a line that is neither a hit nor an action');
      yield { kind: 'document', document: placed(hit, placing) };
    } catch (error) {
      action = null;
      yield { kind: 'problem', reason: `line ${number}: ${messageOf(error)}` };
    }
  }
}

function placed(document: ImportedDocument, { index, type }: Placing): ImportedDocument {
  const found = {
    ...document,
    index: index ?? document.index,
    type: type ?? document.type,
    routing: document.routing ?? document.parent,
  };
  if (found.index === '') throw new Error('no index is named: --index names one');
  if (found.type === '') throw new Error('no type is named: --type names one');
  return found;
}

/** Whether an object is a line of a dump, and not a document by itself. */
export function isDumpLine(line: JsonObject): boolean {
  return line.has('_source') || actionOf(line) !== null;
}

/** The first line of a pair, or null for a hit. */
function bulkAction(line: string): JsonObject | null {
  if (!/^\s*\{\s*"(?:index|create)"/.test(line)) return null;
  const value = parseJson(line, MAX_DEPTH);
  return isJsonObject(value) ? actionOf(value) : null;
}

function actionOf(line: JsonObject): JsonObject | null {
  const [[name, members] = []] = line;
  const isAction = line.size === 1 && (name === 'index' || name === 'create');
  return isAction && isJsonObject(members) ? members : null;
}

function fromAction(action: JsonObject, source: string): ImportedDocument {
  const meta = (name: string): string | null => textOf(action.get(`_${name}`) ?? action.get(name));
  const timestamp = numberOf(action.get('_timestamp'));
  const ttl = numberOf(action.get('_ttl'));
  return {
    index: meta('index') ?? '',
    type: meta('type') ?? '',
    id: meta('id'),
    version: meta('version'),
    routing: meta('routing'),
    parent: meta('parent'),
    timestamp,
    expires: ttl === null ? null : (timestamp ?? Date.now()) + ttl,
    source,
  };
}

function messageOf(error: unknown): string {
  if (error instanceof JsonSyntaxError) return `no JSON: ${error.message.slice(0, 300)}`;
  return error instanceof Error ? error.message : String(error);
}
