// What happens to every request, in order: an id, the access log, headers of browsers, the guard, and the
// route. A plain request listener, mounted in Express and able to stand without it.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeJson, type SearchEngine } from '../engine/index';
import type { Handler, RouteContext } from './api';
import type { ServerSettings } from './config';
import { dispatch, type Dispatcher } from './dispatch';
import type { Logger } from './logger';
import { logRequest } from './middleware/access-log';
import { addCorsHeaders } from './middleware/cors';
import { Guard } from './middleware/guard';
import { Router } from './router';
import { ROUTES } from './routes/index';

/** Facts that are only known once there is a socket. */
export interface ListenerOptions {
  /** `host:port` under which clients reach this node. */
  readonly address?: () => string;
  readonly now?: () => number;
}

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Builds the listener. */
export function createListener(
  engine: SearchEngine,
  settings: ServerSettings,
  logger: Logger,
  options: ListenerOptions = {},
): RequestListener {
  const context: RouteContext = {
    engine,
    settings,
    address: options.address ?? (() => `${settings.host}:${settings.port}`),
    now: options.now ?? Date.now,
  };
  const dispatcher: Dispatcher = { router: new Router<Handler>(ROUTES), context, logger };
  const guard = new Guard(settings);
  const nextRequestId = requestIds();
  return (request, response) => {
    const requestId = nextRequestId();
    addGeneralHeaders(request, response, requestId);
    logRequest(logger, settings.slowRequestMs, request, response, requestId);
    addCorsHeaders(guard, request, response);
    const refusal = guard.refusal(request);
    if (refusal === null) void dispatch(dispatcher, request, response, requestId);
    else refuse(response, refusal);
  };
}

/** Ids that are unique across restarts and cheap to make. */
function requestIds(): () => string {
  const prefix = randomBytes(4).toString('hex');
  let next = 0;
  return () => `${prefix}-${(next++).toString(36)}`;
}

function addGeneralHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): void {
  response.setHeader('X-Request-Id', requestId);
  const opaque = request.headers['x-opaque-id'];
  if (typeof opaque === 'string') response.setHeader('X-Opaque-Id', opaque);
}

function refuse(response: ServerResponse, reason: string): void {
  const body = Buffer.from(writeJson({ error: `ForbiddenException[${reason}]`, status: 403 }));
  response.writeHead(403, {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': body.length,
    Connection: 'close',
  });
  response.end(body);
}
