// Conformance cases: requests, and the answers a 1.7.6 server gave to them.
//
// A case file holds a list of { name, area, setup, checks }; beside it, `*.golden.json` holds the recorded
// answers by case name. Of setup requests only the status counts.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../../../engine/json/json';
import { parseJson } from '../../../engine/json/parse';
import { writeJson } from '../../../engine/json/write';

/** One request; numbers and member order of `body` are sent as written in the file. */
export interface CaseRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Response paths that are not compared, nor what lies below them; `*` is one member. */
  readonly ignore: readonly string[];
  readonly statusOnly: boolean;
  /** Variable name → response path; `{{name}}` in later requests stands for the string found there. */
  readonly capture: ReadonlyMap<string, string>;
}

/** A recorded or received answer. `body` is set for JSON, `text` for everything else. */
export interface Answer {
  readonly status: number;
  /** Content type without parameters. */
  readonly type: string;
  readonly body: JsonValue | undefined;
  readonly text: string;
}

export interface ConformanceCase {
  readonly name: string;
  readonly area: string;
  readonly setup: readonly CaseRequest[];
  readonly checks: readonly CaseRequest[];
  readonly expectedSetup: readonly number[];
  readonly expected: readonly Answer[];
}

/** Reads all cases of a folder, in the order of file names. */
export function readCases(folder: string): ConformanceCase[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.endsWith('.golden.json'))
    .sort();
  return files.flatMap((file) => {
    const golden = member(
      object(read(join(folder, file.replace(/\.json$/, '.golden.json')))),
      'cases',
    );
    const content = read(join(folder, file));
    return (Array.isArray(content) ? content : [content]).map((entry) =>
      toCase(object(entry), object(golden), file),
    );
  });
}

function read(file: string): JsonValue {
  return parseJson(readFileSync(file, 'utf8'));
}

function object(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error('a case file holds objects');
  return value;
}

function member(value: JsonObject, name: string): JsonValue | undefined {
  return value.get(name);
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function text(value: JsonValue | undefined, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

function number(value: JsonValue | undefined): number {
  return value instanceof JsonNumber ? value.value : Number.NaN;
}

function toCase(entry: JsonObject, golden: JsonObject, file: string): ConformanceCase {
  const name = text(entry.get('name'), '');
  const recorded = object(golden.get(name));
  return {
    name,
    area: text(entry.get('area'), file.split('-')[0]!),
    setup: list(entry.get('setup')).map((request) => toRequest(object(request))),
    checks: list(entry.get('checks')).map((request) => toRequest(object(request))),
    expectedSetup: list(recorded.get('setup')).map(number),
    expected: list(recorded.get('checks')).map((answer) => {
      const map = object(answer);
      return {
        status: number(map.get('status')),
        type: text(map.get('type'), ''),
        body: map.get('body'),
        text: text(map.get('text'), ''),
      };
    }),
  };
}

function toRequest(map: JsonObject): CaseRequest {
  const body = map.get('body');
  const raw = map.get('raw');
  const strings = (value: JsonValue | undefined): [string, string][] =>
    isJsonObject(value) ? [...value].map(([key, item]) => [key, text(item, '')]) : [];
  return {
    method: text(map.get('method'), 'GET'),
    path: text(map.get('path'), '/'),
    body: body !== undefined ? writeJson(body) : typeof raw === 'string' ? raw : undefined,
    headers: Object.fromEntries(strings(map.get('headers'))),
    ignore: list(map.get('ignore')).map((path) => text(path, '')),
    statusOnly: map.get('compare') === 'status',
    capture: new Map(strings(map.get('capture'))),
  };
}
