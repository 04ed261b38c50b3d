// From a handler's answer to bytes on the connection: layout parameters, content types, lengths. Always with
// Content-Length and never chunked; HEAD never has a body.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { prettyJson, writeJson } from '../../engine/index';
import type { ApiResponse, Params } from '../request/index';
import { camelCaseNames } from './camel-case';
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

/** Sends an answer in the layout its request asked for. */
export function respond(
  request: IncomingMessage,
  response: ServerResponse,
  headers: HeaderList,
  params: Params,
  answer: ApiResponse,
): void {
  if (request.method === 'HEAD' || answer.kind === 'empty') {
    return send(response, headers, answer.status, TEXT_TYPE, NOTHING);
  }
  switch (answer.kind) {
    case 'text':
      return send(
        response,
        headers,
        answer.status,
        answer.type ?? TEXT_TYPE,
        Buffer.from(answer.text),
      );
    case 'chunks':
      if (!needsText(params)) return sendChunks(response, headers, answer.status, answer.chunks);
      return sendJson(
        response,
        headers,
        answer.status,
        Buffer.concat(answer.chunks).toString(),
        params,
        {
          isPretty: params.flag('pretty'),
          holdsSources: true,
        },
      );
    case 'json':
      return sendJson(response, headers, answer.status, writeJson(answer.body), params, {
        isPretty: params.flag('pretty', answer.isPretty === true),
        holdsSources: answer.holdsSources === true,
      });
  }
}

/** Whether the response text has to be worked over as a whole. */
function needsText(params: Params): boolean {
  return (
    params.flag('pretty') || params.has('filter_path') || params.has('case') || wantsYaml(params)
  );
}

function wantsYaml(params: Params): boolean {
  return params.get('format') === 'yaml';
}

function sendJson(
  response: ServerResponse,
  headers: HeaderList,
  status: number,
  compact: string,
  params: Params,
  layout: { readonly isPretty: boolean; readonly holdsSources: boolean },
): void {
  let text = compact;
  // Errors are never filtered.
  if (status < 400) text = filterPath(text, readFilterPath(params.get('filter_path')));
  if (params.get('case') === 'camelCase') text = camelCaseNames(text);
  if (wantsYaml(params)) {
    return send(response, headers, status, YAML_TYPE, Buffer.from(toYaml(text)));
  }
  if (layout.isPretty) text = prettyJson(text, layout.holdsSources ? '_source' : undefined);
  send(response, headers, status, JSON_TYPE, Buffer.from(text));
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

function sendChunks(
  response: ServerResponse,
  headers: HeaderList,
  status: number,
  chunks: readonly Buffer[],
): void {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length < 65_536)
    return send(response, headers, status, JSON_TYPE, Buffer.concat(chunks, length));
  writeHead(response, headers, status, JSON_TYPE, length);
  response.cork();
  for (const chunk of chunks) response.write(chunk);
  response.uncork();
  response.end();
}
