// One keep-alive connection, as cheap as can be: on a machine with few cores the load generator takes CPU
// time from the server it measures. Answers must have a Content-Length.

import { connect, type Socket } from 'node:net';
import type { BenchRequest } from './workload';

/** An answer with its body as bytes. */
export interface BenchAnswer {
  readonly status: number;
  readonly body: Buffer;
}

const HEADERS_END = Buffer.from('\r\n\r\n');
const MAX_HEADERS = 16_384;

/** A connection that carries one request at a time. */
export class Connection {
  private received: Buffer = Buffer.alloc(0);
  private waiting: {
    readonly resolve: (answer: BenchAnswer) => void;
    readonly reject: (error: Error) => void;
  } | null = null;

  private constructor(
    private readonly socket: Socket,
    private readonly host: string,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the server closed the connection')));
  }

  /** Connects. @throws Error when nobody listens */
  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () =>
        resolve(new Connection(socket, `${hostname}:${port}`)),
      );
      socket.once('error', reject);
    });
  }

  /** False once either side has closed it. */
  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /** Sends a request and waits for its answer. @throws Error when the connection ends first, or has ended */
  send({ method, path, body }: BenchRequest): Promise<BenchAnswer> {
    if (this.waiting !== null) throw new Error('a request is under way');
    if (!this.isOpen) throw new Error('the connection is closed');
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
      this.socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${this.host}\r\n${length}\r\n${body}`);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const end = this.received.indexOf(HEADERS_END);
    if (end < 0) {
      if (this.received.length > MAX_HEADERS) this.fail(new Error('no end of headers'));
      return;
    }
    const head = this.received.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) return this.fail(new Error(`no Content-Length in ${head}`));
    const from = end + HEADERS_END.length;
    if (this.received.length < from + Number(length)) return;
    const body = this.received.subarray(from, from + Number(length));
    const { waiting } = this;
    this.received = Buffer.alloc(0);
    this.waiting = null;
    waiting?.resolve({ status: Number(head.slice(9, 12)), body });
  }

  private fail(error: Error): void {
    const { waiting } = this;
    this.waiting = null;
    waiting?.reject(error);
    this.socket.destroy();
  }
}
