// Requests to either side of an import: kept connections, keys, certificates, another try when a server is
// busy or away for a moment, and no answer larger than asked for.

import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { urlToHttpOptions } from 'node:url';
import { decodeUtf8, isJsonObject, parseJson, type JsonObject } from '../../engine/json/index';
import { splitKey } from '../common/client';
import { EXIT, ExitError } from '../common/program';

/** Milliseconds. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;
/** How long a server may be silent in the middle of a request, in milliseconds. */
const SILENCE = 300_000;
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;
/** Metadata of both sides is read; deeper than this nothing can be. */
const MAX_DEPTH = 1000;

/** Where a server is, and how it is spoken to. */
export interface ConnectionOptions {
  /** The option by which the URL was given. */
  readonly option: string;
  /** With a key as `http://user:password@host`, and a path before all others if there is one. */
  readonly url: string;
  /** A key, `user:password`, for a URL without one. */
  readonly key?: string | undefined;
  /** Sent with each request, such as `Authorization: Bearer …`. */
  readonly headers?: readonly string[] | undefined;
  /** A file with certificates (PEM) of authorities to trust instead of the system's. */
  readonly ca?: string | undefined;
  /** How often a request is tried again. */
  readonly retries: number;
}

/** An answer with an error status. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    /** The server's words. */
    readonly reason: string,
    request: string,
  ) {
    super(`${request}: ${status} ${reason}`);
  }
}

/** A server that does not answer, however often it is asked. */
export class UnreachableError extends Error {}

/** An answer of more bytes than were asked for; it was not read to its end. */
export class TooLargeError extends Error {}

/** What one request may be allowed. */
export interface SendOptions {
  /** Bytes of the answer. */
  readonly maxBytes?: number;
  /** False for requests that change something with each time they are sent. */
  readonly retry?: boolean;
}

/** One side of an import. */
export class Connection {
  /** Without the key that may stand in it. */
  readonly url: string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly agent: HttpAgent;
  private readonly retries: number;
  private readonly prefix: string;

  /** @throws ExitError (usage) for a URL, Error for a header or a file that cannot be read */
  constructor(options: ConnectionOptions) {
    const { url, headers } = splitKey(options.url, options.key, options.option);
    const { protocol, pathname } = new URL(url);
    this.url = url;
    this.prefix = pathname.replace(/\/+$/, '');
    this.headers = { ...headers, ...readHeaders(options.headers ?? []) };
    this.retries = options.retries;
    const ca = options.ca === undefined ? {} : { ca: readFileSync(options.ca) };
    this.agent =
      protocol === 'https:'
        ? new HttpsAgent({ keepAlive: true, ...ca })
        : new HttpAgent({ keepAlive: true });
  }

  /** Whether the key goes over the network unencrypted to another machine. */
  get showsItsKey(): boolean {
    const { protocol, hostname } = new URL(this.url);
    const isLocal = /^(localhost|127\..*|\[::1\])$/.test(hostname);
    return protocol === 'http:' && !isLocal && 'Authorization' in this.headers;
  }

  /**
   * The text of an answer.
   *
   * @throws HttpError for a status of 400 or above; TooLargeError; UnreachableError
   */
  async text(
    method: string,
    path: string,
    body?: string | Buffer,
    { maxBytes = DEFAULT_MAX_BYTES, retry = true }: SendOptions = {},
  ): Promise<string> {
    const name = `${method} ${path.slice(0, 300)}`;
    for (let attempt = 0; ; attempt++) {
      let wait = Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT);
      let problem: Error;
      try {
        const { status, retryAfter, bytes } = await this.once(method, path, body, maxBytes);
        const text = decode(bytes);
        if (status < 400) return text;
        problem = new HttpError(status, errorText(text), name);
        if (![429, 502, 503, 504].includes(status)) throw problem;
        if (retryAfter !== null) wait = Math.min(retryAfter, LONGEST_WAIT);
      } catch (error) {
        if (error instanceof HttpError || error instanceof TooLargeError) throw error;
        const { message } = error as Error;
        problem = new UnreachableError(`${this.url} does not answer ${name}: ${message}`);
      }
      if (!retry || attempt >= this.retries) throw problem;
      await sleep(wait);
    }
  }

  /** The parsed answer, an object. @throws as `text`, and Error for what is no JSON object */
  async json(
    method: string,
    path: string,
    body?: string | Buffer,
    options: SendOptions = {},
  ): Promise<JsonObject> {
    const text = await this.text(method, path, body, options);
    const value = text.trim() === '' ? new Map<string, never>() : parseJson(text, MAX_DEPTH);
    if (isJsonObject(value)) return value;
    throw new Error(`${method} ${path}: the answer is no JSON object`);
  }

  /**
   * What the server says of itself. It is asked once: who has just given its address wants to know.
   *
   * @throws ExitError when nobody answers; HttpError
   */
  async greet(): Promise<JsonObject> {
    try {
      return await this.json('GET', '/', undefined, { retry: false });
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      throw new ExitError(EXIT.failed, error.message);
    }
  }

  /** The parsed answer, or null when there is nothing of that name. @throws as `json` for other errors */
  async find(path: string): Promise<JsonObject | null> {
    try {
      return await this.json('GET', path);
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return null;
      throw error;
    }
  }

  /** Closes what is kept open. */
  close(): void {
    this.agent.destroy();
  }

  private once(
    method: string,
    path: string,
    body: string | Buffer | undefined,
    maxBytes: number,
  ): Promise<{ status: number; retryAfter: number | null; bytes: Buffer }> {
    const send = this.url.startsWith('https:') ? httpsRequest : httpRequest;
    const content = Buffer.from(body ?? '');
    // Node leaves the length of a body out of a DELETE: the server would take it for the next request.
    const headers = { ...this.headers, 'Content-Length': content.length };
    return new Promise((resolve, reject) => {
      // The path as it stands: an id of two dots is a place above for whoever resolves it.
      const where = { ...urlToHttpOptions(new URL(this.url)), path: this.prefix + path };
      const request = send({ ...where, method, headers, agent: this.agent }, (response) => {
        read(response, maxBytes).then((bytes) => {
          const seconds = Number(response.headers['retry-after']);
          const retryAfter = Number.isFinite(seconds) ? seconds * 1000 : null;
          resolve({ status: response.statusCode ?? 0, retryAfter, bytes });
        }, reject);
      });
      request.setTimeout(SILENCE, () => {
        request.destroy(new Error(`silent for ${SILENCE / 1000} s`));
      });
      request.on('error', reject);
      request.end(content);
    });
  }
}

async function read(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    // Leaving the loop ends the connection.
    if (size > maxBytes) throw new TooLargeError(`an answer of more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The message of an answer with an error status, or the answer as it stands. */
function errorText(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === 'string' ? error : body;
  } catch {
    return body;
  }
}

/** Bytes that are no UTF-8 can only stand in what an old server was given so, and are replaced. */
function decode(bytes: Buffer): string {
  try {
    return decodeUtf8(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      if (at < 1) throw new Error(`a header is Name: value, not ${line}`);
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}
