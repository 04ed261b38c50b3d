// What clients are told about something thrown while a request was handled.

import { EngineError, type JsonOutput } from '../../engine/index';
import type { Logger } from '../config/index';
import { errorBody } from '../render/index';

/** An error as the client sees it. */
interface WireError {
  readonly status: number;
  readonly body: JsonOutput;
}

/**
 * The answer to anything thrown while a request was handled. Engine errors say themselves what they are;
 * anything else is a bug of ours: 500, logged with its stack, and the client learns no more than the kind and
 * message.
 *
 * @param hint what else clients are told of an engine error, by its text
 */
export function wireError(
  error: unknown,
  requestId: string,
  logger: Logger,
  hint: (text: string) => string = () => '',
): WireError {
  if (error instanceof EngineError) {
    if (error.status >= 500) {
      logger.debug({ requestId, err: error }, 'request failed');
    }
    const text = error.toWireString();
    return { status: error.status, body: errorBody(text + hint(text), error.status) };
  }
  logger.error({ requestId, err: error }, 'unexpected error while handling a request');
  return {
    status: 500,
    body: errorBody(`${errorName(error)}[internal error, request id ${requestId}]`, 500),
  };
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}
