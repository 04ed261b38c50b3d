// What a thread that takes requests runs: the same server and routes as main, over an engine that reads. What
// that cannot answer is handed over to main.

import { MessageChannel } from 'node:worker_threads';
import {
  RequestMemory,
  type ReaderFrame,
  type ReaderProgram,
  type SlowLogger,
} from '../../engine/index';
import { createLogger, createSlowLogger, type ServerSettings } from '../config/index';
import { createFrontDoor, HttpServer } from '../http/index';
import { ConnectionCounts, RequestRecorder, type SlowRequest } from '../request/index';
import { Relay } from './relay';
import { RequestKinds } from './request-kind';

/** Where threads count what there is of requests; plain data that they share. */
export interface SharedCounts {
  readonly connections: SharedArrayBuffer;
  readonly requests: SharedArrayBuffer;
  readonly memory: SharedArrayBuffer;
}

/** What main passes to the program. */
export interface ThreadProgramData {
  /** The port is the one to listen on, never 0. */
  readonly settings: ServerSettings;
  readonly counts: SharedCounts;
  /** The place of the thread in them; main has the first. */
  readonly place: number;
}

/** What the program tells main. */
export const EVENTS = {
  slow: 'slow',
  /** The port on which small requests are handed over. */
  handOver: 'handOver',
  /** The other end of a new connection to main. */
  relay: 'relay',
} as const;

/** What main asks of the program. */
export const REQUESTS = {
  /** Begin to listen. */
  listen: 'listen',
  /** Answer what has come, and stop listening; resolves with whether all was answered in time. */
  drain: 'drain',
  /** Read certificates again. */
  certificates: 'certificates',
  level: 'level',
} as const;

/** Where the thread logs slow operations. */
export function slowLoggerOf({ settings }: ThreadProgramData): SlowLogger {
  return createSlowLogger(settings.logLevel);
}

/** Starts the program; it listens when it is told to. */
export function startProgram({
  engine,
  data,
  tellMain,
}: ReaderFrame<ThreadProgramData>): ReaderProgram {
  const { settings, counts, place } = data;
  const logger = createLogger(settings.logLevel);
  const connections = new ConnectionCounts(counts.connections, place);
  const { requestMemory, memoryPerRequest } = settings;
  const memory = new RequestMemory(requestMemory, memoryPerRequest, counts.memory, place);
  const frontDoor = createFrontDoor(engine, settings, logger, {
    requests: new RequestRecorder(counts.requests, place, (slow: SlowRequest) =>
      tellMain(EVENTS.slow, slow),
    ),
    memory,
  });
  const { port1, port2 } = new MessageChannel();
  tellMain(EVENTS.handOver, port2, [port2]);
  const relay = new Relay(port1, memory, (port) => tellMain(EVENTS.relay, port, [port]));
  const kinds = new RequestKinds();
  const server = new HttpServer(
    settings,
    (request, response) => {
      const kind = kinds.of(request.method, request.url);
      if (kind === 'read' && engine.isServing) frontDoor(request, response);
      else relay.pass(request, response, kind === 'other');
    },
    logger,
    { connections, reusePort: true },
  );
  let listening: Promise<string> | null = null;
  return {
    serve: async (kind, payload) => {
      switch (kind) {
        case REQUESTS.listen:
          // Asked for again when storage was opened anew.
          listening ??= server.listen();
          return listening;
        case REQUESTS.drain:
          return server.drain(payload as number);
        case REQUESTS.certificates:
          server.reloadCertificates();
          return null;
        case REQUESTS.level:
          logger.level = payload as string;
          return null;
        default:
          throw new TypeError(`no request ${kind}`);
      }
    },
    close: async () => {
      await server.drain(0);
      relay.close();
    },
  };
}
