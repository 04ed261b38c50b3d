// Hands requests over to the main thread as they came, and its answers back to the client: small ones whole,
// in one message, others on connections of their own.

import { Agent, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { EngineError, RequestMemory } from '../../engine/index';
import { refuse, stopping } from '../http/index';
import { ChannelStream } from './channel-stream';
import { type HandedBack, type HandedOver, movable } from './hand-over';

/** Idle connections to main that are kept. */
const MOST_IDLE = 64;
/** Bodies up to here go in one message. Bytes. */
const SMALL_BODY = 64 * 1024;

/** What concerns one connection only, and not what is at its other end. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
]);

/** Methods whose requests have no body unless they say so. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Connections to main. */
class ChannelAgent extends Agent {
  constructor(private readonly open: (port: MessagePort) => void) {
    super({ keepAlive: true, maxFreeSockets: MOST_IDLE });
  }

  override createConnection(): never {
    const { port1, port2 } = new MessageChannel();
    this.open(port2);
    // All that node:http asks of it.
    return new ChannelStream(port1) as unknown as never;
  }
}

/** Hands requests over. */
export class Relay {
  private readonly agent: Agent;
  private readonly waiting = new Map<number, ServerResponse>();
  private nextId = 1;

  /**
   * @param port for small requests; main has the other end
   * @param memory holds bodies until main has them
   * @param open gives main the other end of a new connection
   */
  constructor(
    private readonly port: MessagePort,
    private readonly memory: RequestMemory,
    open: (port: MessagePort) => void,
  ) {
    this.agent = new ChannelAgent(open);
    port.on('message', (answer: HandedBack) => this.handBack(answer));
  }

  /**
   * Answers a request with what main answers.
   * @param mayStream the answer may be a file
   */
  pass(request: IncomingMessage, response: ServerResponse, mayStream: boolean): void {
    const { 'transfer-encoding': coding, 'content-length': length = '0', expect } = request.headers;
    const isSmall = coding === undefined && expect === undefined && Number(length) <= SMALL_BODY;
    if (isSmall && !mayStream) this.passWhole(request, response);
    else this.passOn(request, response);
  }

  /** Ends all connections to main. */
  close(): void {
    this.agent.destroy();
    this.port.close();
  }

  private passWhole(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Uint8Array[] = [];
    const lease = this.memory.lease();
    request.on('data', (chunk: Buffer) => {
      try {
        lease.grow(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        lease.release();
        // The rest of the body is read and dropped.
        request.removeAllListeners('data').removeAllListeners('end').resume();
        refuse(response, error as EngineError);
      }
    });
    request.on('close', () => lease.release());
    request.on('end', () => {
      lease.release();
      if (response.destroyed) return;
      const { method, url, headers, httpVersionMinor } = request;
      const id = this.nextId++;
      const body = chunks.length === 0 ? null : movable(chunks);
      const message: HandedOver = { id, method, url, headers, httpVersionMinor, body };
      this.waiting.set(id, response);
      this.port.postMessage(message, body === null ? [] : [body.buffer]);
      // When the client goes, main learns of it.
      response.once('close', () => {
        if (!this.waiting.delete(id)) return;
        const gone: HandedOver = { gone: id };
        this.port.postMessage(gone);
      });
    });
  }

  private handBack({ id, status, headers, body }: HandedBack): void {
    const response = this.waiting.get(id);
    this.waiting.delete(id);
    if (response === undefined || response.destroyed) return;
    if (status === 0) {
      response.destroy();
      return;
    }
    response.writeHead(status, headers);
    response.end(body);
  }

  private passOn(request: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url, rawHeaders } = request;
    const headers = ofMessage(rawHeaders);
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    const hasBody = length !== undefined || coding !== undefined;
    // Else node:http announces a body of unknown length.
    if (!hasBody && !WITHOUT_BODY.has(method)) headers.push('Content-Length', '0');
    const upstream = send({
      agent: this.agent,
      method,
      path: url,
      headers,
      setHost: false,
    });
    upstream.on('continue', () => response.writeContinue());
    upstream.on('response', (answer) => {
      const answered = ofMessage(answer.rawHeaders);
      if (closes(answer)) answered.push('Connection', 'close');
      response.writeHead(answer.statusCode!, answer.statusMessage, answered);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    upstream.on('error', () => {
      if (response.headersSent) response.destroy();
      else if (!response.destroyed) refuse(response, stopping());
    });
    // When the client goes, main learns of it.
    response.once('close', () => {
      if (!response.writableFinished) upstream.destroy();
    });
    if (hasBody) request.pipe(upstream);
    else upstream.end();
  }
}

/** The headers of a message, without those of its connection. */
function ofMessage(raw: readonly string[]): string[] {
  const headers: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    if (OF_CONNECTION.has(raw[i]!.toLowerCase())) continue;
    headers.push(raw[i]!, raw[i + 1]!);
  }
  return headers;
}

function closes({ headers }: IncomingMessage): boolean {
  return headers.connection?.toLowerCase() === 'close';
}
