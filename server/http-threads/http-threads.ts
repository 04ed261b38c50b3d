// The threads that take requests, as main sees them: they share one port, the kernel shares out connections.
// What they hand over is answered by main's own server, as if it came on connections of its own.

import { createServer } from 'node:net';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { findPackage, type Readers, type ReaderThreads } from '../../engine/index';
import type { Logger, ServerSettings } from '../config/index';
import { HttpServer, listenError, type RequestListener } from '../http/index';
import type { RequestRecorder, SlowRequest } from '../request/index';
import { ChannelStream } from './channel-stream';
import { answerHandedOver } from './hand-over';
import { EVENTS, REQUESTS, type SharedCounts, type ThreadProgramData } from './thread-program';

/** The first releases of Node in which several threads may listen on one port. */
const SHARES_PORTS = { 22: 12, 23: 1 } as const;

/** What the threads of a server are made of. */
interface HttpThreadsOptions {
  readonly settings: ServerSettings;
  readonly threads: number;
  readonly counts: SharedCounts;
  readonly logger: Logger;
  /** Answers on main, and what stands before it for what comes on a connection. */
  readonly listener: RequestListener;
  readonly frontDoor: RequestListener;
  readonly requests: RequestRecorder;
}

/** Whether several threads can share a port on this runtime. */
export function canSharePort(version = process.versions.node): boolean {
  if (process.platform !== 'linux') return false;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const since = (SHARES_PORTS as Readonly<Record<number, number>>)[major];
  return since === undefined ? major > 23 : minor >= since;
}

/** Serves on several threads. */
export class HttpThreads {
  /** Answers what is handed over. */
  private readonly server: HttpServer;
  private readonly threads: ReaderThreads;
  /** Told when each thread listens for the first time, or cannot. */
  private readonly starts: PromiseWithEnds[];
  private isDraining = false;

  private constructor(
    readers: Readers,
    private readonly options: HttpThreadsOptions,
    private readonly port: number,
    private readonly host: string,
  ) {
    const { settings, threads, counts, frontDoor, logger } = options;
    // Time limits are kept by the threads that have the clients.
    const internal = {
      ...settings,
      tls: null,
      maxConnections: 0,
      headersTimeoutMs: 0,
      requestTimeoutMs: 0,
      keepAliveMs: 0,
    };
    this.server = new HttpServer(internal, frontDoor, logger);
    const own = {
      ...settings,
      port,
      maxConnections: Math.ceil(settings.maxConnections / threads),
    };
    this.starts = Array.from({ length: threads }, withEnds);
    this.threads = readers.start({
      threads,
      entry: join(findPackage().folder, 'dist', 'server', 'http-thread.js'),
      data: (i): ThreadProgramData => ({ settings: own, counts, place: i + 1 }),
      onReady: (i) => void this.listenOn(i),
      onEvent: (_thread, event, value) => this.receive(event, value),
    });
  }

  /**
   * Starts threads that listen on the port of the settings.
   * @throws Error when the address cannot be used
   */
  static async listen(readers: Readers, options: HttpThreadsOptions): Promise<HttpThreads> {
    const { port, host } = await freePort(options.settings);
    const threads = new HttpThreads(readers, options, port, host);
    try {
      await Promise.all(threads.starts.map(({ promise }) => promise));
      return threads;
    } catch (error) {
      await threads.threads.close();
      throw error;
    }
  }

  /** `host:port`. */
  address(): string {
    return `${this.host}:${this.port}`;
  }

  /** As {@link HttpServer.drain}. */
  async drain(graceMs: number): Promise<boolean> {
    this.isDraining = true;
    const answered = await Promise.all(
      Array.from({ length: this.options.threads }, (_, i) =>
        this.threads.request<boolean>(i, REQUESTS.drain, graceMs).catch(() => false),
      ),
    );
    await this.server.drain(0);
    await this.threads.close();
    return answered.every((isAnswered) => isAnswered);
  }

  /** Reads certificates again, for new connections; errors are logged. */
  reloadCertificates(): void {
    this.tellAll(REQUESTS.certificates, null, 'certificates stay as they were');
  }

  /** Takes a new level of the log over. */
  setLevel(level: string): void {
    this.tellAll(REQUESTS.level, level, 'the level of the log stays as it was');
  }

  private tellAll(kind: string, payload: unknown, problem: string): void {
    const { threads, logger } = this.options;
    for (let i = 0; i < threads; i++) {
      this.threads
        .request(i, kind, payload)
        .catch((error: unknown) => logger.error({ err: error, thread: i }, problem));
    }
  }

  private async listenOn(thread: number): Promise<void> {
    if (this.isDraining) return;
    try {
      await this.threads.request(thread, REQUESTS.listen, null);
      this.starts[thread]!.resolve();
    } catch (error) {
      this.starts[thread]!.reject(error as Error);
      this.options.logger.error({ err: error, thread }, 'a thread cannot listen');
    }
  }

  private receive(event: string, value: unknown): void {
    if (event === EVENTS.handOver) answerHandedOver(value as MessagePort, this.options.listener);
    else if (event === EVENTS.relay) this.server.accept(new ChannelStream(value as MessagePort));
    else if (event === EVENTS.slow) this.options.requests.remember(value as SlowRequest);
  }
}

interface PromiseWithEnds {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function withEnds(): PromiseWithEnds {
  let resolve: () => void;
  let reject: (error: Error) => void;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve: resolve!, reject: reject! };
}

/**
 * A port that nobody listens on: threads that share one would share it with another process, too, and its
 * clients with it.
 */
async function freePort({ port, host }: ServerSettings): Promise<{ port: number; host: string }> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(listenError(error, host, port)));
    probe.listen({ port, host }, resolve);
  });
  const address = probe.address() as { port: number; address: string; family: string };
  await new Promise((resolve) => probe.close(resolve));
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { port: address.port, host: shown };
}
