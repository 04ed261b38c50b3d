// From a handler's answer to bytes on the connection: layout parameters, content types, lengths. With
// Content-Length and not chunked, unless a long answer is compressed; HEAD never has a body.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { prettyJson, writeJson } from '../../engine/index';
import type { ApiResponse, KeptNames, Params } from '../request/index';
import { camelCaseNames } from './camel-case';
import {
  acceptedEncoding,
  LEAST_COMPRESSED_BYTES,
  sendCompressed,
  type Compression,
} from './compression';
import { filterPath, readFilterPath } from './filter-path';
import { toYaml } from './yaml';

/** Content type of JSON answers. */
export const JSON_TYPE = 'application/json; charset=UTF-8';
const YAML_TYPE = 'application/yaml';
const TEXT_TYPE = 'text/plain; charset=UTF-8';
const NOTHING = Buffer.alloc(0);

/**
 * Names and values of headers by turns. They are handed over at once when the head is written: headers that
 * are set one by one make Node take a way that costs several times as much.
 */
export type HeaderList = string[];

/** A body as it is sent. */
interface Content {
  readonly type: string;
  readonly chunks: readonly Buffer[];
}

/**
 * Sends an answer in the layout its request asked for.
 *
 * @param compression null: never
 */
export function respond(
  request: IncomingMessage,
  response: ServerResponse,
  headers: HeaderList,
  params: Params,
  answer: ApiResponse,
  compression: Compression | null,
): void {
  const { status } = answer;
  if (request.method === 'HEAD' || answer.kind === 'empty') {
    return send(response, headers, status, TEXT_TYPE, NOTHING);
  }
  const { type, chunks } = layOut(params, answer);
  const length = chunks.length === 1 ? chunks[0]!.length : lengthOf(chunks);
  if (compression !== null && length >= LEAST_COMPRESSED_BYTES) {
    headers.push('Vary', 'Accept-Encoding');
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (encoding !== null) {
      headers.push('Content-Type', type);
      const body = { status, chunks, length };
      return sendCompressed(request, response, headers, body, compression, encoding);
    }
  }
  sendChunks(response, headers, status, type, chunks, length);
}

function layOut(params: Params, answer: Exclude<ApiResponse, { kind: 'empty' }>): Content {
  switch (answer.kind) {
    case 'text':
      return { type: answer.type ?? TEXT_TYPE, chunks: [Buffer.from(answer.text)] };
    case 'chunks':
      if (!needsText(params)) return { type: JSON_TYPE, chunks: answer.chunks };
      return layOutJson(answer.status, Buffer.concat(answer.chunks).toString(), params, {
        isPretty: params.flag('pretty'),
        holdsSources: true,
        keptNames: answer.keptNames,
      });
    case 'json':
      return layOutJson(answer.status, writeJson(answer.body), params, {
        isPretty: params.flag('pretty', answer.isPretty === true),
        holdsSources: answer.holdsSources === true,
        keptNames: answer.keptNames,
      });
  }
}

/** Whether the response text has to be worked over as a whole. */
function needsText(params: Params): boolean {
  return (
    params.flag('pretty') || params.has('filter_path') || params.has('case') || wantsYaml(params)
  );
}

/** What the exact content type of a request says about its answer; not `Accept` (reference server). */
const FORMATS_OF_TYPES: ReadonlyMap<string, 'json' | 'yaml'> = new Map([
  ['application/json', 'json'],
  ['json', 'json'],
  ['application/yaml', 'yaml'],
  ['yaml', 'yaml'],
]);

/** The format of answers to a request without the parameter `format`; undefined: as each route has it. */
export function formatOfType(contentType: string | undefined): 'json' | 'yaml' | undefined {
  return FORMATS_OF_TYPES.get(contentType ?? '');
}

function wantsYaml(params: Params): boolean {
  return params.get('format') === 'yaml';
}

function layOutJson(
  status: number,
  compact: string,
  params: Params,
  layout: {
    readonly isPretty: boolean;
    readonly holdsSources: boolean;
    readonly keptNames: KeptNames | undefined;
  },
): Content {
  let text = compact;
  // Errors are never filtered.
  if (status < 400) text = filterPath(text, readFilterPath(params.get('filter_path')));
  if (params.get('case') === 'camelCase') text = camelCaseNames(text, layout.keptNames);
  if (wantsYaml(params)) return { type: YAML_TYPE, chunks: [Buffer.from(toYaml(text))] };
  if (layout.isPretty) text = prettyJson(text, layout.holdsSources ? '_source' : undefined);
  return { type: JSON_TYPE, chunks: [Buffer.from(text)] };
}

/** Sends a body that is complete. */
export function send(
  response: ServerResponse,
  headers: HeaderList,
  status: number,
  type: string,
  body: Buffer,
): void {
  writeHead(response, headers, status, type, body.length);
  response.end(body);
}

function writeHead(
  response: ServerResponse,
  headers: HeaderList,
  status: number,
  type: string,
  length: number,
): void {
  headers.push('Content-Type', type, 'Content-Length', String(length));
  response.writeHead(status, headers);
}

function lengthOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0);
}

function sendChunks(
  response: ServerResponse,
  headers: HeaderList,
  status: number,
  type: string,
  chunks: readonly Buffer[],
  length: number,
): void {
  if (chunks.length === 1) return send(response, headers, status, type, chunks[0]!);
  if (length < 65_536) {
    return send(response, headers, status, type, Buffer.concat(chunks, length));
  }
  writeHead(response, headers, status, type, length);
  response.cork();
  for (const chunk of chunks) response.write(chunk);
  response.uncork();
  response.end();
}
