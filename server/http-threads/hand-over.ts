// Small requests on their way to main: whole, in one message there and one back. What main's listener gets
// looks like a request of node:http, as far as it looks at one.

import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import type { RequestListener } from '../http/index';

/** thread -> main. */
export type HandedOver =
  | {
      readonly id: number;
      readonly method: string | undefined;
      readonly url: string | undefined;
      readonly headers: IncomingHttpHeaders;
      readonly httpVersionMinor: number;
      readonly body: Uint8Array | null;
    }
  /** The client has gone. */
  | { readonly gone: number };

/** main -> thread. */
export interface HandedBack {
  readonly id: number;
  /** 0: there is no answer, the connection is to be ended. */
  readonly status: number;
  readonly headers: string[];
  readonly body: Uint8Array;
}

/** Bytes in a buffer of their own, which can be moved to another thread. */
export function movable(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Answers the requests that a thread hands over, until it ends. */
export function answerHandedOver(port: MessagePort, listener: RequestListener): void {
  const underWay = new Map<number, HandedOverResponse>();
  port.on('message', (message: HandedOver) => {
    if ('gone' in message) {
      underWay.get(message.gone)?.destroy();
      return;
    }
    const { id } = message;
    const response = new HandedOverResponse((status, headers, body) => {
      underWay.delete(id);
      const answer: HandedBack = { id, status, headers, body };
      port.postMessage(answer, [body.buffer]);
    });
    underWay.set(id, response);
    listener(
      new HandedOverRequest(message) as unknown as IncomingMessage,
      response as unknown as ServerResponse,
    );
  });
  port.on('close', () => {
    for (const response of underWay.values()) response.destroy();
  });
}

/** The parts of a request that listeners look at. */
type RequestParts = Pick<
  IncomingMessage,
  'method' | 'url' | 'headers' | 'httpVersionMinor' | 'complete'
>;

class HandedOverRequest extends Readable implements RequestParts {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly httpVersionMinor: number;
  /** All of it is here. */
  readonly complete = true;
  readonly socket = { remoteAddress: undefined };

  constructor({
    method,
    url,
    headers,
    httpVersionMinor,
    body,
  }: Exclude<HandedOver, { gone: number }>) {
    super({ autoDestroy: false });
    this.method = method ?? 'GET';
    this.url = url ?? '/';
    this.headers = headers;
    this.httpVersionMinor = httpVersionMinor;
    if (body !== null) this.push(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
    this.push(null);
  }

  override _read(): void {
    // It has been pushed.
  }
}

/** The parts of a response that listeners use. */
type ResponseParts = Pick<
  ServerResponse,
  'statusCode' | 'headersSent' | 'destroyed' | 'writableFinished' | 'cork' | 'uncork'
>;

class HandedOverResponse extends EventEmitter implements ResponseParts {
  statusCode = 200;
  headersSent = false;
  destroyed = false;
  writableFinished = false;
  private headers: string[] = [];
  private readonly chunks: Uint8Array[] = [];

  constructor(
    private readonly handBack: (
      status: number,
      headers: string[],
      body: Uint8Array<ArrayBuffer>,
    ) => void,
  ) {
    super();
  }

  writeHead(status: number, headers: string[]): this {
    this.statusCode = status;
    this.headers = headers;
    this.headersSent = true;
    return this;
  }

  write(chunk: Uint8Array): boolean {
    this.chunks.push(chunk);
    return true;
  }

  end(chunk?: Uint8Array): this {
    if (this.destroyed) return this;
    if (chunk !== undefined) this.chunks.push(chunk);
    this.writableFinished = true;
    this.destroyed = true;
    this.handBack(this.statusCode, this.headers, movable(this.chunks));
    this.emit('close');
    return this;
  }

  cork(): void {
    // It goes in one piece.
  }

  uncork(): void {
    // See cork.
  }

  /** The answer failed, or nobody waits for it any more. */
  destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.handBack(0, [], movable([]));
    this.emit('close');
    return this;
  }
}
