// What happens to every request, in order: an id, the access log, headers of browsers, the guard, and the
// route. A plain request listener, mounted in Express and able to stand without it.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Access,
  appendAll,
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
import { ConfigError, type ServerSettings, type Logger } from '../config/index';
import { Authenticator } from './authenticator';
import { dispatch, type Dispatcher, type RoutedHandler } from './dispatch';
import { logRequest } from './access-log';
import { addCorsHeaders } from './cors';
import { ExplorerFiles } from './explorer-files';
import { Guard } from './guard';
import { KeyContexts } from './key-contexts';
import { KeyLimits } from './key-limits';
import { laterClientWarning } from './later-clients';
import { mostDropped, restIsRead } from './unread-body';
import { StaticFolder } from './static-folder';
import { engineErrorBody, JSON_TYPE, send, type HeaderList } from '../render/index';
import { ROUTES } from '../routes/index';

/** Facts that are only known once there is a socket. */
export interface ListenerOptions {
  /** `host:port` under which clients reach this node. */
  readonly address?: () => string;
  readonly now?: () => number;
  readonly connections?: () => ConnectionStats;
  readonly loopDelay?: () => HistogramStats;
  /** Where requests are counted, and what they hold, with those of other threads. */
  readonly requests?: RequestRecorder;
  readonly memory?: RequestMemory;
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
  const access = accessOf(engine, settings);
  const authenticator = access === null ? null : new Authenticator(access);
  const context: RouteContext = {
    engine,
    key: null,
    settings,
    address: options.address ?? (() => `${settings.host}:${settings.port}`),
    now: options.now ?? Date.now,
    connections: options.connections ?? (() => ({ open: 0, opened: 0 })),
    requests: options.requests ?? new RequestRecorder(),
    memory: options.memory ?? new RequestMemory(settings.requestMemory, settings.memoryPerRequest),
    loopDelay: options.loopDelay,
  };
  const security =
    authenticator === null
      ? null
      : {
          authenticator,
          contexts: new KeyContexts(access!, context),
          limits: new KeyLimits(settings.requestMemory),
        };
  const guard = new Guard(settings);
  const dispatcher: Dispatcher = { router: routedHandlers(), context, logger, guard, security };
  const explorer = new ExplorerFiles();
  const kibana = StaticFolder.of(settings);
  const nextRequestId = requestIds();
  return (request, response) => {
    const requestId = nextRequestId();
    const files = explorer.owns(request)
      ? explorer
      : kibana?.owns(request) === true
        ? kibana
        : null;
    // Files are the same for everybody.
    const isPrivate = security !== null && files === null;
    const headers = generalHeaders(request, requestId, isPrivate);
    logRequest(logger, settings.slowRequestMs, context.requests, request, response, requestId);
    addCorsHeaders(guard, request, headers, isPrivate);
    const refusal = guard.refusal(request);
    if (refusal === null && files !== null) void files.answer(request, response, headers);
    else if (refusal === null) void dispatch(dispatcher, request, response, requestId, headers);
    else {
      context.requests.begin();
      void restIsRead(request, mostDropped(settings)).then((isWaitedFor) => {
        if (isWaitedFor) refuse(response, headers, refusal);
        context.requests.end('none', 403, 0);
      });
    }
  };
}

/** @throws ConfigError when keys are asked for and the engine has none */
function accessOf(engine: SearchEngine, settings: ServerSettings): Access | null {
  if (!settings.authentication) return null;
  if (engine.access !== undefined) return engine.access;
  throw new ConfigError('http.authentication: this engine has no keys');
}

function routedHandlers(): Router<RoutedHandler> {
  return new Router(
    ROUTES.map((route) => ({
      ...route,
      handler: {
        handle: route.handler,
        family: familyOf(route),
        action: route.action,
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

/** What browsers are told of answers that not everybody may see. */
const PRIVATE_HEADERS = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['X-Frame-Options', 'DENY'],
  ...['Cache-Control', 'no-store'],
];

/** Whether a request may be that of a browser: all call themselves Mozilla, and say where pages ask from. */
function isBrowser({ headers }: IncomingMessage): boolean {
  return (
    headers['user-agent']?.startsWith('Mozilla') === true ||
    headers['sec-fetch-mode'] !== undefined ||
    headers.origin !== undefined
  );
}

/** Headers of every answer. */
function generalHeaders(
  request: IncomingMessage,
  requestId: string,
  isPrivate: boolean,
): HeaderList {
  const headers = ['X-Request-Id', requestId];
  if (isPrivate && isBrowser(request)) appendAll(headers, PRIVATE_HEADERS);
  const opaque = request.headers['x-opaque-id'];
  if (typeof opaque === 'string') headers.push('X-Opaque-Id', opaque);
  const warning = laterClientWarning(request);
  if (warning !== null) headers.push('Warning', warning);
  return headers;
}

function refuse(response: ServerResponse, headers: HeaderList, reason: string): void {
  const error = new EngineError('ForbiddenException', reason);
  const body = Buffer.from(writeJson(engineErrorBody(error)));
  headers.push('Connection', 'close');
  send(response, headers, error.status, JSON_TYPE, body);
}
