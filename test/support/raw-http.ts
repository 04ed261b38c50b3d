// Requests as they go over the wire, for what HTTP clients hide: chunks, encodings, clients that go away.

import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { createTestApp, type TestApp } from './app';

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request to be sent. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** Sent one after the other, chunked when no length is given. */
  readonly pieces?: readonly (string | Buffer)[];
}

/** A node behind a port of its own. */
export class RawHttp {
  private constructor(
    private readonly app: TestApp,
    private readonly server: Server | SecureServer,
  ) {}

  /** Starts a node with settings given as `--set name=value` would. @param tls null: without */
  static async start(
    values: Readonly<Record<string, string>> = {},
    tls: SecureContextOptions | null = null,
  ): Promise<RawHttp> {
    const app = await createTestApp({ 'index.refresh_interval': '-1', ...values });
    const server = tls === null ? createServer(app.handler) : createSecureServer(tls, app.handler);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new RawHttp(app, server);
  }

  get engine(): TestApp['engine'] {
    return this.app.engine;
  }

  /** Where it listens. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Sends a request and waits for all of the answer. */
  async send({ method, path, headers = {}, pieces = [] }: RawRequest): Promise<RawAnswer> {
    const sending = request({ host: '127.0.0.1', port: this.port, method, path, headers });
    const answered = once(sending, 'response');
    for (const piece of pieces) {
      if (!sending.write(piece)) await Promise.race([once(sending, 'drain'), answered]);
    }
    sending.end();
    const [response] = (await answered) as [IncomingMessage];
    const body: Buffer[] = [];
    for await (const piece of response) body.push(piece as Buffer);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: Buffer.concat(body),
    };
  }

  /** As {@link send}, with the body of the answer parsed. */
  async json(wanted: RawRequest): Promise<{ readonly status: number; readonly body: unknown }> {
    const { status, body } = await this.send(wanted);
    return { status, body: JSON.parse(body.toString()) as unknown };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await this.app.close();
  }
}
