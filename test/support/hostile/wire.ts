// Requests that no ordinary client would send, with as little of an HTTP client as possible between them and
// the socket, and what can be said of any answer.

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';

/** A request with any body. */
export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Parts are sent one after the other, chunked. */
  readonly body?: string | Buffer | Iterable<string | Buffer>;
}

/** What came back; of long bodies the beginning. */
export interface HostileAnswer {
  /** 0: the connection broke before there was an answer. */
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** Words anywhere in the body that only an error of ours says; null: none. */
  readonly bug: string | null;
}

/** What the documents say may be answered. */
const STATUSES = [
  ...[200, 201, 400, 403, 404, 405, 406, 408, 409, 413, 415, 429, 431, 500, 503],
] as readonly number[];
/** Names and texts of the errors that JavaScript throws where a program is wrong. */
const BUG =
  /internal error, request id|\b(?:Type|Range|Reference|Syntax|Eval|URI|Assertion)Error\b|Maximum call stack|Invalid (?:string|array|typed array) length|is not a function|undefined \(reading/;
const KEPT = 65_536;
/** What a match may need of the chunk before. */
const OVERLAP = 100;

/** Sends one request on a connection of its own. Never rejects. */
export function exchange(port: number, request: HostileRequest): Promise<HostileAnswer> {
  return new Promise((resolve) => {
    const broken = (error: Error) =>
      resolve({ status: 0, type: '', text: error.message, bug: null });
    const { method, path, headers, body } = request;
    const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
    const outgoing = httpRequest(
      {
        agent: false,
        host: '127.0.0.1',
        port,
        method,
        path: path.replace(/[^\x21-\x7e]+/g, encode),
        headers: {
          ...(isWhole ? { 'content-length': Buffer.byteLength(body) } : {}),
          ...(body !== undefined && !isWhole ? { 'transfer-encoding': 'chunked' } : {}),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        let tail = '';
        let bug: string | null = null;
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          bug ??= BUG.exec(tail + chunk)?.[0] ?? null;
          tail = chunk.slice(-OVERLAP);
          if (text.length < KEPT) text += chunk.slice(0, KEPT - text.length);
        });
        response.on('error', broken);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: (response.headers['content-type'] ?? '').split(';')[0]!,
            text,
            bug,
          }),
        );
      },
    );
    outgoing.on('error', broken);
    if (body === undefined || isWhole) outgoing.end(body);
    else Readable.from(body).pipe(outgoing);
  });
}

/** A text as part of a path. Lone surrogates cannot be said in UTF-8: something else stands for them. */
export function encode(part: string): string {
  return encodeURIComponent(Buffer.from(part).toString());
}

/** What is wrong with an answer, whatever was asked; null: nothing. */
export function complaint({ status, type, text, bug }: HostileAnswer): string | null {
  const beginning = text.slice(0, 300);
  if (status === 0) return `no answer: ${beginning}`;
  if (!STATUSES.includes(status)) return `status ${status}: ${beginning}`;
  if (bug !== null) return `${status} with a bug's words [${bug}]: ${beginning}`;
  if (
    status >= 400 &&
    status !== 404 &&
    type === 'application/json' &&
    text !== '' &&
    !/"error"|"failures"/.test(text)
  ) {
    return `${status} without an error: ${beginning}`;
  }
  return null;
}

/** Sends bytes as they are and reads until the server closes, or there was nothing to read for a while. */
export async function sendBytes(
  port: number,
  bytes: string | Buffer,
  quietMs = 200,
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString('latin1').slice(0, KEPT)));
  socket.on('error', () => undefined);
  socket.setTimeout(quietMs, () => socket.destroy());
  socket.write(bytes);
  // `once` would reject over a reset, which is an answer as good as another.
  await new Promise((resolve) => socket.on('close', resolve));
  return answer;
}

/** Begins a request and breaks the connection off. */
export async function breakOff(port: number, bytes: string | Buffer): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  socket.resetAndDestroy();
}
