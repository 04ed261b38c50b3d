// Answers compressed for clients that ask for it (`http.compression`), away from the main thread.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, pipeline } from 'node:stream';
import { createDeflate, createGzip, deflate, gzip } from 'node:zlib';

/** How answers are compressed. */
export interface Compression {
  /** From 1, quick, to 9, small. */
  readonly level: number;
}

type Encoding = 'gzip' | 'deflate';

/** Less is not worth it: it fits a packet or two. */
export const LEAST_COMPRESSED_BYTES = 1024;
/** Longer answers are sent while they are compressed. */
const AT_ONCE_BYTES = 64 * 1024;
/** What compression gives at a time. */
const PIECE_BYTES = 64 * 1024;

/** What a client takes of what there is, by `Accept-Encoding`; null: neither. gzip wins where both do. */
export function acceptedEncoding(header: string | undefined): Encoding | null {
  if (header === undefined) return null;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  const any = weights.get('*') ?? 0;
  const ofGzip = weights.get('gzip') ?? weights.get('x-gzip') ?? any;
  const ofDeflate = weights.get('deflate') ?? any;
  if (ofGzip > 0 && ofGzip >= ofDeflate) return 'gzip';
  return ofDeflate > 0 ? 'deflate' : null;
}

/**
 * Sends an answer compressed. Short ones have a length; long ones go out while they are compressed, in
 * chunks, unless the client knows no chunks.
 *
 * @param headers names and values by turns, without a length
 */
export function sendCompressed(
  { httpVersionMinor }: IncomingMessage,
  response: ServerResponse,
  headers: string[],
  { status, chunks, length }: { status: number; chunks: readonly Buffer[]; length: number },
  { level }: Compression,
  encoding: Encoding,
): void {
  const options = { level, chunkSize: PIECE_BYTES };
  // What is recorded of the request is recorded before the head is written.
  response.statusCode = status;
  headers.push('Content-Encoding', encoding);
  if (length > AT_ONCE_BYTES && httpVersionMinor > 0) {
    response.writeHead(status, headers);
    const encoder = encoding === 'gzip' ? createGzip(options) : createDeflate(options);
    // An error is that of a client that has gone; the response is destroyed with it.
    pipeline(Readable.from(chunks, { objectMode: true }), encoder, response, () => undefined);
    return;
  }
  const compress = encoding === 'gzip' ? gzip : deflate;
  compress(Buffer.concat(chunks, length), options, (error, body) => {
    if (error !== null) response.destroy(error);
    if (response.destroyed) return;
    headers.push('Content-Length', String(body.length));
    response.writeHead(status, headers);
    response.end(body);
  });
}
