// Runs conformance cases against a server. Every case first deletes all indices and templates there.

import { request as httpRequest } from 'node:http';
import { isJsonObject, type JsonValue } from '../../../engine/json/json';
import { parseJson } from '../../../engine/json/parse';
import type { Answer, CaseRequest, ConformanceCase } from './cases';
import { compareAnswers } from './compare';

/** After so many milliseconds no answer will come any more; machines may be slow. */
const TIMEOUT_MS = 120_000;

/** The first thing that differs; null when the case passes. */
export async function runCase(port: number, testCase: ConformanceCase): Promise<string | null> {
  await empty(port);
  const captured = new Map<string, string>();
  for (const [i, request] of testCase.setup.entries()) {
    const { status } = await send(port, fill(request, captured), captured);
    const expected = testCase.expectedSetup[i]!;
    if (status !== expected) return `setup ${i}: expected status ${expected}, got ${status}`;
  }
  for (const [i, request] of testCase.checks.entries()) {
    const answer = await send(port, fill(request, captured), captured);
    const difference = compareAnswers(
      testCase.expected[i]!,
      answer,
      request.ignore,
      request.statusOnly,
    );
    if (difference !== null) return `check ${i} ${request.method} ${request.path}: ${difference}`;
  }
  return null;
}

function fill(request: CaseRequest, captured: ReadonlyMap<string, string>): CaseRequest {
  const put = (text: string) =>
    text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => captured.get(name) ?? whole);
  return {
    ...request,
    path: put(request.path),
    body: request.body === undefined ? undefined : put(request.body),
  };
}

/** Lifts blocks that a case may have left behind, and deletes everything. */
async function empty(port: number): Promise<void> {
  const remove = (path: string) => send(port, plainRequest('DELETE', path), new Map());
  if ((await remove('/_all')).status === 403) {
    for (const block of ['read_only', 'metadata', 'write']) {
      const body = `{"index.blocks.${block}":false}`;
      await send(port, { ...plainRequest('PUT', '/_all/_settings'), body }, new Map());
    }
    await remove('/_all');
  }
  await remove('/_template/*');
}

function plainRequest(method: string, path: string): CaseRequest {
  return {
    method,
    path,
    body: undefined,
    headers: {},
    ignore: [],
    statusOnly: true,
    capture: new Map(),
  };
}

/**
 * Sends one request on a connection of its own and notes what it captures. A broken connection is status 0.
 */
async function send(
  port: number,
  request: CaseRequest,
  captured: Map<string, string>,
): Promise<Answer> {
  const answer = await exchange(port, request);
  for (const [name, path] of request.capture) {
    let value: JsonValue | undefined = answer.body;
    for (const part of path.split('.')) value = isJsonObject(value) ? value.get(part) : undefined;
    if (typeof value === 'string') captured.set(name, value);
  }
  return answer;
}

function exchange(port: number, { method, path, body, headers }: CaseRequest): Promise<Answer> {
  return new Promise((resolve) => {
    const failed = (error: Error) =>
      resolve({ status: 0, type: '', body: undefined, text: error.message });
    const outgoing = httpRequest(
      {
        agent: false,
        host: '127.0.0.1',
        port,
        method,
        path: path.replace(/[^\x21-\x7e]+/g, encodeURIComponent),
        headers: {
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
        timeout: TIMEOUT_MS,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', failed);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8');
          const type = (response.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
          const isJson = type === 'application/json' && text.trim() !== '';
          resolve({
            status: response.statusCode ?? 0,
            type,
            text,
            body: isJson ? tryParse(text) : undefined,
          });
        });
      },
    );
    outgoing.on('error', failed);
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.end(body);
  });
}

function tryParse(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
