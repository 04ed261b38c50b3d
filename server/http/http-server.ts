// The socket side: limits that are enforced, clients that misbehave, and an orderly end.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, Server as SecureServer } from 'node:https';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError, writeJson } from '../../engine/index';
import type { ServerSettings, Logger } from '../config/index';
import { engineErrorBody } from '../render/index';
import { ConnectionCounts } from '../request/index';
import { listenError } from './listen-error';
import { Pipelines } from './pipelines';
import { refuse, stopping } from './refuse';
import { secureContext } from './tls';
import { expectsContinue } from './unread-body';

/** How often time limits of connections are looked at. */
const CHECK_INTERVAL_MS = 1000;
/** Between the decision to stop and the end of listening: time for requests that are already on their way. */
const LAST_CALL_MS = 50;
/** Request line and headers together. */
const MAX_HEADER_BYTES = 16 * 1024;

/** What Node says of a client that takes too long to send a request. */
const TOO_SLOW = Object.assign(new Error('request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

/** What a server is told besides its settings. */
interface HttpServerOptions {
  /** Where connections are counted. */
  readonly connections?: ConnectionCounts;
  /** Other threads of the process listen on the same port, and share its connections. */
  readonly reusePort?: boolean;
}

type Application = (request: IncomingMessage, response: ServerResponse) => void;

/** A listening server around an application. */
export class HttpServer {
  private readonly server: Server | SecureServer;
  private readonly connections: ConnectionCounts;
  private draining = false;
  private readonly inFlight = new Set<ServerResponse>();
  /** Connections that wait for their last answer before they are refused. */
  private readonly refused = new WeakSet<Socket>();
  private onIdle: (() => void) | null = null;
  private readonly pipelines: Pipelines;
  private readonly forget: (this: ServerResponse) => void;

  constructor(
    private readonly settings: ServerSettings,
    application: Application,
    private readonly logger: Logger,
    private readonly options: HttpServerOptions = {},
  ) {
    this.connections = options.connections ?? new ConnectionCounts();
    const { inFlight } = this;
    const idle = () => this.onIdle?.();
    const pipelines = new Pipelines({
      most: settings.maxPipelined,
      sendTimeoutMs: settings.requestTimeoutMs,
      requestTimeoutMs: settings.requestTimeoutMs,
      start: (request, response) => {
        if (this.draining) refuseClosed(request, response);
        else application(request, response);
      },
      expire: (socket) => this.refuseClient(TOO_SLOW, socket),
    });
    this.pipelines = pipelines;
    this.forget = function () {
      inFlight.delete(this);
      pipelines.end(this);
      if (inFlight.size === 0) idle();
    };
    const limits = {
      headersTimeout: settings.headersTimeoutMs,
      requestTimeout: settings.requestTimeoutMs,
      keepAliveTimeout: settings.keepAliveMs,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // HTTP/1.1 clients of the reference server may leave it out.
      requireHostHeader: false,
    };
    const { tls } = settings;
    this.server =
      tls === null
        ? createServer(limits, (request, response) => this.handle(request, response))
        : createSecureServer(
            {
              ...limits,
              ...secureContext(tls),
              handshakeTimeout: settings.headersTimeoutMs,
              requestCert: tls.clientCa !== null,
            },
            (request, response) => this.handle(request, response),
          );
    // A body that is announced is asked for when it is going to be read.
    this.server.on('checkContinue', (request, response) => this.handle(request, response));
    // compat: the reference knows no other expectation, and does without.
    this.server.on('checkExpectation', (request, response) => this.handle(request, response));
    this.server.maxConnections = settings.maxConnections;
    // What requests come on: behind a handshake it is not what was accepted.
    this.server.on(tls === null ? 'connection' : 'secureConnection', (socket: Socket) => {
      this.connections.begin();
      pipelines.open(socket);
      socket.once('close', () => this.connections.end());
    });
    this.server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
      this.refuseClient(error, socket),
    );
  }

  /**
   * Starts listening.
   *
   * @returns the address as `host:port`
   * @throws ListenError, or another Error, when the address cannot be used
   */
  async listen(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      const { port, host } = this.settings;
      const { reusePort } = this.options;
      const refuse = (error: Error) => reject(listenError(error, host, port));
      this.server.once('error', refuse);
      // Node before 22.12 does not know the option, and has no type for it.
      const options: ListenOptions & { readonly reusePort?: boolean | undefined } = {
        port,
        host,
        reusePort,
      };
      this.server.listen(options, () => {
        this.server.off('error', refuse);
        resolve();
      });
    });
    this.server.on('error', (error) => this.logger.error({ err: error }, 'HTTP server error'));
    return this.address();
  }

  /** Takes requests of a connection that something else has accepted. */
  accept(connection: Duplex): void {
    this.server.emit('connection', connection);
  }

  /** Reads certificates again, for new connections. @throws ConfigError; nothing changes then */
  reloadCertificates(): void {
    const { tls } = this.settings;
    if (tls === null || !(this.server instanceof SecureServer)) return;
    this.server.setSecureContext(secureContext(tls));
  }

  /** `host:port` while listening. */
  address(): string {
    const address = this.server.address() as AddressInfo | null;
    if (address === null) return `${this.settings.host}:${this.settings.port}`;
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `${host}:${address.port}`;
  }

  /**
   * Answers newcomers with 503, stops listening, and waits for requests in flight.
   *
   * @returns false when some were still running after `graceMs` and have been cut off
   */
  async drain(graceMs: number): Promise<boolean> {
    this.draining = true;
    const deadline = performance.now() + graceMs;
    // Clients must not send their next request on a connection that is about to end.
    for (const response of this.inFlight) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    // Closing resets idle connections on which a request is on its way; those requests get their 503 first.
    await sleep(Math.min(LAST_CALL_MS, graceMs));
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const finished = await this.waitForIdle(Math.max(0, deadline - performance.now()));
    this.server.closeAllConnections();
    await closed;
    return finished;
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    this.inFlight.add(response);
    // A function that all responses share: it is not called twice, and closures per request are not free.
    response.on('close', this.forget);
    this.pipelines.begin(request, response);
  }

  private waitForIdle(graceMs: number): Promise<boolean> {
    if (this.inFlight.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), graceMs);
      this.onIdle = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  /**
   * A listener that does not end the socket would switch the time limits off. What cannot be read is refused
   * in its turn: written at once, the refusal would be taken for the answer to the request before.
   */
  private refuseClient(error: NodeJS.ErrnoException, socket: Socket): void {
    if (this.refused.has(socket)) return;
    if (error.code === TOO_SLOW.code && this.pipelines.excuses(socket)) return;
    this.logger.debug({ code: error.code }, 'client connection refused');
    const before = [...this.inFlight].findLast(({ req }) => req.socket === socket && req.complete);
    if (before === undefined || error.code === 'ECONNRESET') {
      writeRefusal(error.code, socket);
      socket.destroy();
      return;
    }
    this.refused.add(socket);
    before.once('close', () => {
      writeRefusal(error.code, socket);
      // After the bytes of the answer before.
      socket.destroySoon();
    });
  }
}

function writeRefusal(code: string | undefined, socket: Socket): void {
  if (!socket.writable || code === 'ECONNRESET') return;
  const status = clientErrorStatus(code);
  const refusal = new EngineError('ClientError', status, { status: Number(status.slice(0, 3)) });
  const body = writeJson(engineErrorBody(refusal));
  socket.write(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=UTF-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function clientErrorStatus(code: string | undefined): string {
  switch (code) {
    case TOO_SLOW.code:
      return '408 Request Timeout';
    case 'HPE_HEADER_OVERFLOW':
      return '431 Request Header Fields Too Large';
    case undefined:
    default:
      return '400 Bad Request';
  }
}

/** The body is taken first: a connection closed over unread bytes is reset, and the answer lost with it. */
function refuseClosed(request: IncomingMessage, response: ServerResponse): void {
  const error = stopping();
  // A client that waits to be asked for the body does not send it.
  if (expectsContinue(request)) return refuse(response, error);
  request.resume();
  request.once('end', () => refuse(response, error));
}
