// An error sent without a route: to a request that nothing else is done for.

import type { ServerResponse } from 'node:http';
import { EngineError, writeJson } from '../../engine/index';
import { engineErrorBody } from '../render/index';

/** Answers with an error and ends the connection. */
export function refuse(response: ServerResponse, error: EngineError): void {
  const body = Buffer.from(writeJson(engineErrorBody(error)));
  response.writeHead(error.status, {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': body.length,
    Connection: 'close',
  });
  response.end(body);
}

/** What requests are refused with once the node stops. */
export function stopping(): EngineError {
  return new EngineError('NodeClosedException', 'node is shutting down');
}
