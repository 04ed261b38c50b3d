// The only place that turns something thrown into an answer.

import { EngineError, type JsonOutput } from '../../engine/index';
import type { Logger } from '../config/index';

/** An error as the client sees it. */
export interface WireError {
  readonly status: number;
  readonly body: JsonOutput;
}

/**
 * The answer to anything thrown while a request was handled. Engine errors say themselves what they are; anything else
 * is a bug of ours: 500, logged with its stack, and the client learns no more than the kind and message.
 */
export function wireError(error: unknown, requestId: string, logger: Logger): WireError {
  if (error instanceof EngineError) {
    if (error.status >= 500) {
      logger.debug({ requestId, err: error }, 'request failed');
    }
    return { status: error.status, body: { error: error.toWireString(), status: error.status } };
  }
  logger.error({ requestId, err: error }, 'unexpected error while handling a request');
  return {
    status: 500,
    body: { error: `${errorName(error)}[internal error, request id ${requestId}]`, status: 500 },
  };
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}
