// Request bodies as raw bytes: any method, any content type, with a limit that also holds after inflating.
// Nothing is decoded to text here; handlers parse JSON and NDJSON.

import type { IncomingMessage } from 'node:http';
import { createGunzip, createInflate } from 'node:zlib';
import type { Readable } from 'node:stream';
import { EngineError, type MemoryLease } from '../../engine/index';
import type { ApiRequest } from './api';
import { RestOfBody } from './rest-of-body';

const NOTHING = Buffer.alloc(0);

/** What a body of a kind of request may have. */
export interface BodyLimit {
  /** On the wire and inflated. */
  readonly bytes: number;
  /** The setting that says so. */
  readonly setting: string;
}

/** What there is of a body. */
export interface ReadBody {
  readonly body: Buffer;
  /** What comes behind it; null when that is all. */
  readonly rest: RestOfBody | null;
}

const EMPTY: ReadBody = { body: NOTHING, rest: null };

/** What is taken of a body that is known to be longer than its reader wants to hold, in bytes. */
const FIRST_BYTES = 64 * 1024;

const REFUSALS: ReadonlySet<string> = new Set([
  'ContentTooLargeException',
  'CircuitBreakingException',
]);

/**
 * Whether a request has a body, as far as its headers say.
 *
 * @throws EngineError ContentTooLargeException (413) for one that is announced to be beyond the limit, 415
 *         for an encoding that is not known
 */
export function hasBody({ headers }: IncomingMessage, limit: BodyLimit): boolean {
  const length = announcedLength(headers);
  if (length === 0 || (length < 0 && headers['transfer-encoding'] === undefined)) return false;
  if (length > limit.bytes) throw tooLarge(length, limit);
  makeInflater(headers);
  return true;
}

/** -1: not announced. */
function announcedLength(headers: IncomingMessage['headers']): number {
  const announced = headers['content-length'];
  return announced === undefined ? -1 : Number(announced);
}

/** @returns null for a body as it is. @throws EngineError 415 */
function makeInflater(headers: IncomingMessage['headers']): (() => Inflater) | null {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  switch (encoding) {
    case 'identity':
    case '':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip;
    case 'deflate':
      return createInflate;
    default:
      throw new EngineError(
        'ElasticsearchIllegalArgumentException',
        `content encoding [${encoding}] is not supported`,
        { status: 415 },
      );
  }
}

type Inflater = ReturnType<typeof createGunzip>;

/**
 * Reads the body, to its end if that comes within `most` bytes. Of a longer one the beginning is given as it
 * has come, and the rest, which whoever asked must take or close.
 *
 * @param memory holds the beginning
 * @throws EngineError ContentTooLargeException (413) past the limit, CircuitBreakingException (503) where
 *         there is no memory for it, 400 for an unknown or broken content encoding or a connection that ends
 *         early
 */
export async function readBeginning(
  request: IncomingMessage,
  limit: BodyLimit,
  most: number,
  memory?: MemoryLease,
): Promise<ReadBody> {
  const { headers } = request;
  if (!hasBody(request, limit)) return EMPTY;
  const wanted = announcedLength(headers) > most ? Math.min(most, FIRST_BYTES) : most;
  const make = makeInflater(headers);
  return make === null
    ? collect({ stream: request, limit, failure: endedEarly, close: NO_CLOSE }, wanted, memory)
    : inflate(request, make(), limit, wanted, memory);
}

/** The body, or the text of `source=` when there is no body: body-taking reads accept both. */
export function bodyOrSource(request: Pick<ApiRequest, 'params' | 'body'>): Buffer {
  if (request.body.length > 0) return request.body;
  const source = request.params.get('source');
  return source === undefined ? NOTHING : Buffer.from(source);
}

/** Where a body comes from. */
interface Source {
  readonly stream: Readable;
  readonly limit: BodyLimit;
  /** What it is when the stream breaks off. */
  readonly failure: () => EngineError;
  /** Lets go of the stream: nobody wants more of it. */
  readonly close: () => void;
}

const NO_CLOSE = (): void => undefined;

function collect(
  { stream, limit, failure, close }: Source,
  most: number,
  memory: MemoryLease | undefined,
): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let isRefused = false;
    const fail = (error: EngineError): void => {
      isRefused = true;
      chunks = [];
      reject(error);
    };
    const joined = (): Buffer =>
      chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks, size);
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      // What comes behind the limit is read and dropped, so that the client comes to read the answer.
      if (isRefused) return;
      if (size > limit.bytes) return fail(tooLarge(size, limit));
      try {
        memory?.grow(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        return fail(error as EngineError);
      }
      if (size <= most) return;
      stream.off('data', take).pause();
      const refuse = (length: number): EngineError | null =>
        length > limit.bytes ? tooLarge(length, limit) : null;
      resolve({ body: joined(), rest: new RestOfBody(stream, size, refuse, failure, close) });
    };
    stream.on('data', take);
    stream.on('end', () => resolve({ body: joined(), rest: null }));
    for (const event of ['error', 'aborted', 'close']) {
      stream.on(event, () => {
        if (!stream.readableEnded) fail(failure());
      });
    }
  });
}

async function inflate(
  request: IncomingMessage,
  inflater: Inflater,
  limit: BodyLimit,
  most: number,
  memory: MemoryLease | undefined,
): Promise<ReadBody> {
  // A pipe does not end when its source breaks off.
  const stop = (): void => {
    if (!request.complete) inflater.destroy();
  };
  const failure = (): EngineError =>
    !request.complete && request.destroyed
      ? endedEarly()
      : badContent('the compressed request body is damaged');
  const close = (): void => {
    request.off('aborted', stop).off('close', stop);
    request.unpipe(inflater);
    inflater.destroy();
    // The rest is read and dropped.
    request.resume();
  };
  request.on('aborted', stop).on('close', stop).on('error', stop);
  request.pipe(inflater);
  let isOpen = false;
  try {
    const read = await collect({ stream: inflater, limit, failure, close }, most, memory);
    isOpen = read.rest !== null;
    return read;
  } catch (error) {
    if (error instanceof EngineError && REFUSALS.has(error.wireName)) throw error;
    throw failure();
  } finally {
    if (!isOpen) close();
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
