// Request bodies as raw bytes: any method, any content type, with a limit that also holds after inflating.
// Nothing is decoded to text here; handlers parse JSON and NDJSON.

import type { IncomingMessage } from 'node:http';
import { createGunzip, createInflate } from 'node:zlib';
import type { Readable } from 'node:stream';
import { EngineError, type MemoryLease } from '../../engine/index';
import type { ApiRequest } from './api';

const NOTHING = Buffer.alloc(0);

/** What a body of a kind of request may have. */
export interface BodyLimit {
  /** On the wire and inflated. */
  readonly bytes: number;
  /** The setting that says so. */
  readonly setting: string;
}

const REFUSALS: ReadonlySet<string> = new Set([
  'ContentTooLargeException',
  'CircuitBreakingException',
]);

/**
 * Reads the body to its end.
 *
 * @param memory holds what has come so far
 * @throws EngineError ContentTooLargeException (413) past the limit, CircuitBreakingException (503) where
 *         there is no memory for it, 400 for an unknown or broken content encoding or a connection that ends
 *         early
 */
export async function readBody(
  request: IncomingMessage,
  limit: BodyLimit,
  memory?: MemoryLease,
): Promise<Buffer> {
  const announced = request.headers['content-length'];
  const length = announced === undefined ? -1 : Number(announced);
  if (length === 0 || (length < 0 && request.headers['transfer-encoding'] === undefined)) {
    return NOTHING;
  }
  if (length > limit.bytes) throw tooLarge(length, limit);
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  switch (encoding) {
    case 'identity':
    case '':
      return collect(request, limit, memory);
    case 'gzip':
    case 'x-gzip':
      return inflate(request, createGunzip(), limit, memory);
    case 'deflate':
      return inflate(request, createInflate(), limit, memory);
    default:
      throw new EngineError(
        'ElasticsearchIllegalArgumentException',
        `content encoding [${encoding}] is not supported`,
        { status: 415 },
      );
  }
}

/** The body, or the text of `source=` when there is no body: body-taking reads accept both. */
export function bodyOrSource(request: Pick<ApiRequest, 'params' | 'body'>): Buffer {
  if (request.body.length > 0) return request.body;
  const source = request.params.get('source');
  return source === undefined ? NOTHING : Buffer.from(source);
}

function collect(
  stream: Readable,
  limit: BodyLimit,
  memory: MemoryLease | undefined,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let isRefused = false;
    const fail = (error: EngineError): void => {
      isRefused = true;
      chunks = [];
      reject(error);
    };
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // What comes behind the limit is read and dropped, so that the client comes to read the answer.
      if (isRefused) return;
      if (size > limit.bytes) return fail(tooLarge(size, limit));
      try {
        memory?.grow(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        fail(error as EngineError);
      }
    });
    stream.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks, size)),
    );
    for (const event of ['error', 'aborted', 'close']) {
      stream.on(event, () => {
        if (!stream.readableEnded) fail(endedEarly());
      });
    }
  });
}

async function inflate(
  request: IncomingMessage,
  inflater: ReturnType<typeof createGunzip>,
  limit: BodyLimit,
  memory: MemoryLease | undefined,
): Promise<Buffer> {
  // A pipe does not end when its source breaks off.
  const stop = (): void => {
    if (!request.complete) inflater.destroy();
  };
  request.on('aborted', stop).on('close', stop).on('error', stop);
  request.pipe(inflater);
  try {
    return await collect(inflater, limit, memory);
  } catch (error) {
    if (error instanceof EngineError && REFUSALS.has(error.wireName)) throw error;
    if (!request.complete && request.destroyed) throw endedEarly();
    throw badContent('the compressed request body is damaged');
  } finally {
    request.off('aborted', stop).off('close', stop);
    request.unpipe(inflater);
    inflater.destroy();
    // The rest is read and dropped.
    request.resume();
  }
}

function endedEarly(): EngineError {
  return badContent('the request body ended early');
}

function tooLarge(size: number, { bytes, setting }: BodyLimit): EngineError {
  return new EngineError(
    'ContentTooLargeException',
    `content length [${size}] is larger than [${bytes}] (${setting})`,
  );
}

function badContent(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}
