// What happens to every request, in order: an id, the access log, headers of browsers, the guard, and the
// route. A plain request listener, mounted in Express and able to stand without it.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  EngineError,
  RequestMemory,
  writeJson,
  type HistogramStats,
  type SearchEngine,
} from '../../engine/index';
import {
  type ConnectionStats,
  type RouteContext,
  Router,
  RequestRecorder,
  familyOf,
} from '../request/index';
import type { ServerSettings, Logger } from '../config/index';
import { dispatch, type Dispatcher, type RoutedHandler } from './dispatch';
import { logRequest } from './access-log';
import { addCorsHeaders } from './cors';
import { Guard } from './guard';
import { mostDropped, restIsRead } from './unread-body';
import { engineErrorBody, JSON_TYPE, send, type HeaderList } from '../render/index';
import { ROUTES } from '../routes/index';

/** Facts that are only known once there is a socket. */
export interface ListenerOptions {
  /** `host:port` under which clients reach this node. */
  readonly address?: () => string;
  readonly now?: () => number;
  readonly connections?: () => ConnectionStats;
  readonly loopDelay?: () => HistogramStats;
}

/** A listener for requests of node:http. */
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
    connections: options.connections ?? (() => ({ open: 0, opened: 0 })),
    requests: new RequestRecorder(),
    memory: new RequestMemory(settings.requestMemory, settings.memoryPerRequest),
    loopDelay: options.loopDelay,
  };
  const guard = new Guard(settings);
  const dispatcher: Dispatcher = { router: routedHandlers(), context, logger, guard };
  const nextRequestId = requestIds();
  return (request, response) => {
    const requestId = nextRequestId();
    const headers = generalHeaders(request, requestId);
    logRequest(logger, settings.slowRequestMs, request, response, requestId);
    addCorsHeaders(guard, request, headers);
    const refusal = guard.refusal(request);
    if (refusal === null) void dispatch(dispatcher, request, response, requestId, headers);
    else {
      context.requests.begin();
      void restIsRead(request, mostDropped(settings)).then((isWaitedFor) => {
        if (isWaitedFor) refuse(response, headers, refusal);
        context.requests.end('none', 403, 0);
      });
    }
  };
}

function routedHandlers(): Router<RoutedHandler> {
  return new Router(
    ROUTES.map((route) => ({
      ...route,
      handler: {
        handle: route.handler,
        family: familyOf(route),
        isGuarded: route.isGuarded === true,
      },
    })),
  );
}

/** Ids that are unique across restarts and cheap to make. */
function requestIds(): () => string {
  const prefix = randomBytes(4).toString('hex');
  let next = 0;
  return () => `${prefix}-${(next++).toString(36)}`;
}

/** Headers of every answer. */
function generalHeaders(request: IncomingMessage, requestId: string): HeaderList {
  const headers = ['X-Request-Id', requestId];
  const opaque = request.headers['x-opaque-id'];
  if (typeof opaque === 'string') headers.push('X-Opaque-Id', opaque);
  return headers;
}

function refuse(response: ServerResponse, headers: HeaderList, reason: string): void {
  const error = new EngineError('ForbiddenException', reason);
  const body = Buffer.from(writeJson(engineErrorBody(error)));
  headers.push('Connection', 'close');
  send(response, headers, error.status, JSON_TYPE, body);
}
