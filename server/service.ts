// How a node is reached: by one server on the main thread, or by threads that share a port.

import {
  requestCounts,
  RequestMemory,
  type HistogramStats,
  type SearchEngine,
} from '../engine/index';
import type { Logger, ServerSettings } from './config/index';
import { createFrontDoor, HttpServer } from './http/index';
import { canSharePort, HttpThreads } from './http-threads/index';
import { ConnectionCounts, connectionTotals, RequestRecorder, requestTimes } from './request/index';

/** What takes requests. */
export interface Service {
  /** `host:port` while listening. */
  address(): string;
  /** Reads certificates again, for new connections. @throws ConfigError; nothing changes then */
  reloadCertificates(): void;
  /** Has threads take over a new level of the log. */
  setLevel(level: string): void;
  /** As {@link HttpServer.drain}. */
  drain(graceMs: number): Promise<boolean>;
}

/** How many threads take requests besides main by these settings, on this runtime. */
export function httpThreads({ threads, authentication }: ServerSettings): number {
  return authentication || !canSharePort() ? 0 : threads;
}

/** Begins to listen. @throws Error when the address cannot be used */
export async function listen(
  engine: SearchEngine,
  settings: ServerSettings,
  logger: Logger,
  loopDelay: () => HistogramStats,
): Promise<Service> {
  const threads = engine.readers === undefined ? 0 : httpThreads(settings);
  if (threads < settings.threads) {
    logger.warn(
      { threads: settings.threads },
      'http.threads needs Linux, Node 22.12 or later and no http.authentication: the main thread takes requests',
    );
  }
  const counts = {
    connections: connectionTotals(1 + threads),
    requests: requestTimes(1 + threads),
    memory: requestCounts(1 + threads),
  };
  const connections = new ConnectionCounts(counts.connections);
  const requests = new RequestRecorder(counts.requests);
  const { requestMemory, memoryPerRequest } = settings;
  let service: Service | null = null;
  const frontDoor = createFrontDoor(engine, settings, logger, {
    address: () => service?.address() ?? `${settings.host}:${settings.port}`,
    connections: () => connections.stats(),
    loopDelay,
    requests,
    memory: new RequestMemory(requestMemory, memoryPerRequest, counts.memory),
  });
  if (threads > 0) {
    const { listener } = frontDoor;
    const options = { settings, threads, counts, logger, listener, frontDoor, requests };
    service = await HttpThreads.listen(engine.readers!, options);
    return service;
  }
  const server = new HttpServer(settings, frontDoor, logger, { connections });
  await server.listen();
  service = {
    address: () => server.address(),
    reloadCertificates: () => server.reloadCertificates(),
    setLevel: () => undefined,
    drain: (graceMs) => server.drain(graceMs),
  };
  return service;
}
