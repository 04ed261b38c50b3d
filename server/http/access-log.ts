// One line per request at debug, slow ones at warn, and the last slow ones in memory. Paths and statistics
// only: never bodies or headers.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../config/index';
import type { RequestRecorder } from '../request/index';

/** Longest request target that is logged whole. */
const MAX_TARGET = 500;

/** Logs a request once its answer is out. @param slowMs negative: nothing is logged as slow */
export function logRequest(
  logger: Logger,
  slowMs: number,
  requests: RequestRecorder,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): void {
  const isDebug = logger.isLevelEnabled?.('debug') ?? true;
  const started = performance.now();
  response.once('close', () => {
    const tookMs = Math.round((performance.now() - started) * 10) / 10;
    const { method = '', url = '' } = request;
    const status = response.writableFinished ? response.statusCode : 0;
    requests.noteSlow(method, url, status, tookMs, Date.now());
    const isSlow = slowMs >= 0 && tookMs >= slowMs;
    if (!isSlow && !isDebug) return;
    const target = request.url ?? '';
    const fields = {
      requestId,
      method: request.method,
      target: target.length > MAX_TARGET ? `${target.slice(0, MAX_TARGET)}…` : target,
      status: response.statusCode,
      tookMs,
      complete: response.writableFinished,
    };
    if (isSlow) logger.warn(fields, 'slow request');
    else logger.debug(fields, 'request');
  });
}
