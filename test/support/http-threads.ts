// A node with threads that take requests, each on a port of its own, so that a test chooses which one it
// talks to. Where threads share a port the kernel chooses.

import { request as send, Agent, type IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import type { Engine } from '../../engine/index';
import { requestCounts, RequestMemory } from '../../engine/common/request-memory';
import type { ReaderThreads } from '../../engine/api/readers';
import { createFrontDoor } from '../../server/http/app';
import { HttpServer } from '../../server/http/http-server';
import { createLogger } from '../../server/config/logger';
import type { ServerSettings } from '../../server/config/config';
import { ChannelStream } from '../../server/http-threads/channel-stream';
import { answerHandedOver } from '../../server/http-threads/hand-over';
import { ConnectionCounts, connectionTotals } from '../../server/request/connection-counts';
import { RequestRecorder, requestTimes } from '../../server/request/request-recorder';
import { until } from './until';

/** An answer as a client gets it. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Threads, and main's own server beside them. */
export class HttpThreadsNode {
  /** Of the threads, and last of main. */
  readonly ports: number[] = [];
  readonly requests: RequestRecorder;
  readonly memory: RequestMemory;
  private readonly connections: ConnectionCounts;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly threads: ReaderThreads;
  private readonly main: HttpServer;

  private constructor(
    engine: Engine,
    settings: ServerSettings,
    private readonly count: number,
  ) {
    const counts = {
      connections: connectionTotals(count + 1),
      requests: requestTimes(count + 1),
      memory: requestCounts(count + 1),
    };
    this.connections = new ConnectionCounts(counts.connections);
    this.requests = new RequestRecorder(counts.requests);
    const { requestMemory, memoryPerRequest } = settings;
    this.memory = new RequestMemory(requestMemory, memoryPerRequest, counts.memory);
    const frontDoor = createFrontDoor(engine, settings, createLogger('silent'), {
      connections: () => this.connections.stats(),
      requests: this.requests,
      memory: this.memory,
    });
    const { connections } = this;
    this.main = new HttpServer(settings, frontDoor, createLogger('silent'), { connections });
    this.threads = engine.readers.start({
      threads: count,
      entry: resolve(__dirname, 'dying-http-thread.js'),
      data: (i) => ({ settings, counts, place: i + 1 }),
      onReady: (i) => {
        void this.threads.request<string>(i, 'listen', null).then((address) => {
          this.ports[i] = portOf(address);
        });
      },
      onEvent: (_thread, event, value) => {
        if (event === 'handOver') answerHandedOver(value as MessagePort, frontDoor.listener);
        if (event === 'relay') this.main.accept(new ChannelStream(value as MessagePort));
      },
    });
  }

  /** Starts `count` threads over an engine that was opened for as many. */
  static async start(
    engine: Engine,
    settings: ServerSettings,
    count: number,
  ): Promise<HttpThreadsNode> {
    const node = new HttpThreadsNode(engine, { ...settings, port: 0 }, count);
    node.ports[count] = portOf(await node.main.listen());
    await until(() => node.ports.filter((port) => port > 0).length === count + 1);
    return node;
  }

  /** Sends a request to a thread; `count` stands for main. */
  send(
    thread: number,
    method: string,
    path: string,
    body?: object | string | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const bytes = body === undefined || body instanceof Buffer ? body : Buffer.from(textOf(body));
    return new Promise((resolveAnswer, reject) => {
      const sent = send(
        {
          ...{ host: '127.0.0.1', port: this.ports[thread], agent: this.agent, method, path },
          headers:
            bytes === undefined || 'Transfer-Encoding' in headers
              ? headers
              : { 'Content-Length': bytes.length, ...headers },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (text += chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolveAnswer({ status: response.statusCode!, headers: response.headers, text }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(bytes);
    });
  }

  /** Ends a thread and waits for the next one in its place. */
  async kill(thread: number): Promise<void> {
    this.ports[thread] = 0;
    await this.threads.request(thread, 'die', null).catch(() => undefined);
    await until(() => this.ports[thread]! > 0);
  }

  async stop(): Promise<void> {
    this.agent.destroy();
    await Promise.all(
      Array.from({ length: this.count }, (_, i) => this.threads.request(i, 'drain', 1000)),
    );
    await this.main.drain(1000);
    await this.threads.close();
  }
}

function textOf(body: object | string): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(':') + 1));
}
