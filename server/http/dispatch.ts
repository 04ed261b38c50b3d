// One request from its target to its answer: parameters, route, body, handler, rendering. Knows nothing of
// Express, so that it can also stand before it.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AccessKey,
  type Action,
  EngineError,
  type MemoryLease,
  writeJson,
  type CancelSignal,
} from '../../engine/index';
import {
  text,
  type ApiResponse,
  type Handler,
  type RouteContext,
  type BodyLimit,
  type RestOfBody,
  Turns,
  hasBody,
  readBeginning,
  Params,
  effectiveMethod,
  type Router,
  type RouteFamily,
  parseQueryParameters,
  splitTarget,
} from '../request/index';
import type { Logger } from '../config/index';
import { audit, auditKind } from './audit-log';
import type { Authenticator } from './authenticator';
import { wireError } from './errors';
import type { Guard } from './guard';
import type { KeyContexts } from './key-contexts';
import { KeyLimitReached, type KeyLimits } from './key-limits';
import { laterClientHint } from './later-clients';
import {
  errorBody,
  respond,
  type HeaderList,
  formatOfType,
  isYaml,
  readFilterPath,
  yamlToJson,
} from '../render/index';
import { expectsContinue, mostDropped, restIsRead, wantBody } from './unread-body';

const NO_PARAMS = new Params(new Map());
/** The Retry-After header of 503 answers, in seconds. */
const RETRY_AFTER = '30';
/** The same where memory was short, which passes with the requests that hold it. */
const RETRY_SOON = '1';

/** Aborted when the connection ends before the answer was written. */
class ClientGone implements CancelSignal {
  private controller: AbortController | null = null;

  constructor(private readonly response: ServerResponse) {}

  get aborted(): boolean {
    return this.response.destroyed && !this.response.writableFinished;
  }

  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void {
    this.controller ??= this.watch(new AbortController());
    this.controller.signal.addEventListener(type, listener, options);
  }

  removeEventListener(type: 'abort', listener: () => void): void {
    this.controller?.signal.removeEventListener(type, listener);
  }

  private watch(controller: AbortController): AbortController {
    this.response.once('close', () => {
      if (this.aborted) controller.abort();
    });
    return controller;
  }
}

/** A handler and the family that its requests are counted in. */
export interface RoutedHandler {
  readonly handle: Handler;
  readonly family: RouteFamily;
  /** What a key has to be granted for it. */
  readonly action: Action;
  /** No page of another site may cause it, not even by GET. */
  readonly isGuarded: boolean;
}

/** What a dispatcher needs. */
export interface Dispatcher {
  readonly router: Router<RoutedHandler>;
  readonly context: RouteContext;
  readonly logger: Logger;
  readonly guard: Guard;
  /** Null: nobody is asked for a key. */
  readonly security: {
    readonly authenticator: Authenticator;
    readonly contexts: KeyContexts;
    readonly limits: KeyLimits;
  } | null;
}

/**
 * Answers a request. Never rejects: whatever goes wrong becomes an answer.
 *
 * @param headers of the answer, besides type and length; added to
 */
export async function dispatch(
  { router, context, logger, guard, security }: Dispatcher,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  headers: HeaderList,
): Promise<void> {
  const { requests } = context;
  const started = performance.now();
  requests.begin();
  let family: RouteFamily = 'none';
  let key: AccessKey | null = null;
  let endUse: (() => void) | null = null;
  let action: Action = { on: 'nothing' };
  const target = request.url ?? '/';
  let params = NO_PARAMS;
  let answer: ApiResponse;
  let rest: RestOfBody | null = null;
  const memory = context.memory.lease();
  const trippedBefore = context.memory.tripped;
  try {
    const { path, query } = splitTarget(target);
    const values = parseQueryParameters(query);
    params = new Params(values);
    const format = formatOfType(request.headers['content-type']);
    if (format !== undefined && !values.has('format')) values.set('format', format);
    const method = request.method ?? 'GET';
    if (security !== null && method !== 'OPTIONS') {
      const found = security.authenticator.keyOf(request);
      key = found instanceof Promise ? await found : found;
      endUse = security.limits.begin(key, memory);
    }
    const callback = values.get('callback');
    const match = method === 'OPTIONS' ? null : router.match(method, path);
    if (method === 'OPTIONS') {
      answer = { kind: 'empty', status: 200 };
    } else if (callback !== undefined) {
      answer = jsonpRefused(callback);
    } else if (match === null) {
      answer = text(
        `No handler found for uri [${target}] and method [${effectiveMethod(method)}]`,
        400,
      );
    } else {
      family = match.handler.family;
      ({ action } = match.handler);
      const refusal = match.handler.isGuarded ? guard.crossSiteRefusal(request) : null;
      // What the key is not granted is not in the engine that the handler gets.
      const own = key === null ? context : security!.contexts.of(key, action);
      if (refusal !== null) throw new EngineError('ForbiddenException', refusal);
      // Refused before anything is done, not when the outcome is written.
      readFilterPath(values.get('filter_path'));
      for (const [name, value] of match.variables) values.set(name, value);
      const limit = bodyLimit(family, context, key);
      if (expectsContinue(request) && hasBody(request, limit)) wantBody(request, response);
      const most = family === 'bulk' ? context.settings.streamBulkAbove : Infinity;
      const read = await readBeginning(request, limit, most, memory);
      let { body } = read;
      rest = read.rest;
      if (rest === null) memory.grow(parsedBytes(family, body.length));
      if (body.length > SMALL_BODY && !LARGE_BODIES.has(family)) await largeBodies.next();
      if (isYaml(body)) {
        body = yamlToJson(body);
        // A request in YAML gets an answer in YAML.
        if (!values.has('format')) values.set('format', 'yaml');
      }
      const signal = () => new ClientGone(response);
      answer = await match.handler.handle(
        { method, uri: target, params, body, rest, signal, memory },
        own,
      );
    }
  } catch (error) {
    if (error instanceof KeyLimitReached) await sleep(error.waitMs);
    const { status, body } = wireError(error, requestId, logger, (text) =>
      laterClientHint(request, text),
    );
    answer = { kind: 'json', status, body };
  }
  endUse?.();
  rest?.close();
  try {
    // Hits have been counted in where they came from.
    const more = Math.max(0, answerBytes(answer) - memory.bytes);
    if (answer.kind === 'chunks' && answer.isOutcome === true) memory.hold(more);
    else memory.grow(more);
  } catch (error) {
    const { status, body } = wireError(error, requestId, logger);
    answer = { kind: 'json', status, body };
  }
  const isShortOfMemory = context.memory.tripped > trippedBefore;
  releaseAfter(response, memory);
  if (response.destroyed || response.headersSent) {
    requests.end(family, 0, performance.now() - started);
    return;
  }
  if (security !== null) {
    const { status } = answer;
    const { method = '' } = request;
    const what = auditKind(action, method, status);
    if (what !== null) audit(logger, what, { requestId, key, method, target, status, request });
  }
  if (answer.status === 429 && security !== null) headers.push('Retry-After', RETRY_SOON);
  if (answer.status === 401) headers.push('WWW-Authenticate', CHALLENGE);
  if (answer.status === 503) {
    headers.push('Retry-After', isShortOfMemory ? RETRY_SOON : RETRY_AFTER);
  }
  // The rest of an unread body would be taken for the next request.
  if (!request.complete && answer.status >= 400) {
    headers.push('Connection', 'close');
    if (!(await restIsRead(request, mostDropped(context.settings)))) {
      requests.end(family, 0, performance.now() - started);
      return;
    }
  }
  try {
    respond(request, response, headers, params, answer, context.settings.compression);
  } catch (error) {
    // Rendering failed: a bug. Without the layout parameters the error itself can always be shown.
    const { status, body } = wireError(error, requestId, logger);
    if (response.headersSent) response.destroy();
    else respond(request, response, headers, NO_PARAMS, { kind: 'json', status, body }, null);
  }
  requests.end(family, response.statusCode, performance.now() - started);
}

/** Basic authentication, in UTF-8. */
const CHALLENGE = 'Basic realm="facetd", charset="UTF-8"';

/** Requests that bring documents, or many searches. */
const LARGE_BODIES: ReadonlySet<RouteFamily> = new Set(['bulk', 'index', 'update', 'msearch']);

/** Bodies up to here are parsed in a few milliseconds, in bytes. */
const SMALL_BODY = 64 * 1024;
/** Bodies that are parsed in one go. */
const largeBodies = new Turns();

function bodyLimit(family: RouteFamily, context: RouteContext, key: AccessKey | null): BodyLimit {
  const limit = nodeLimit(family, context);
  const own = key?.role.limits.maxBody ?? Infinity;
  return own < limit.bytes ? { bytes: own, setting: 'max_body of the key' } : limit;
}

function nodeLimit(family: RouteFamily, { settings }: RouteContext): BodyLimit {
  const { maxContentLength, maxBodyLength, maxBulkLength } = settings;
  if (family === 'bulk') return { bytes: maxBulkLength, setting: 'http.max_bulk_length' };
  return LARGE_BODIES.has(family) || maxBodyLength >= maxContentLength
    ? { bytes: maxContentLength, setting: 'http.max_content_length' }
    : { bytes: maxBodyLength, setting: 'http.max_body_length' };
}

/** Values that are parsed in one go are limited in number, so that a tree does not grow with its body. */
const LARGEST_TREE = 64 * 1024 * 1024;

/** An estimate of what is made of a body before the answer: its text, and a tree or a list of actions. */
function parsedBytes(family: RouteFamily, length: number): number {
  return LARGE_BODIES.has(family) ? 2 * length : length + Math.min(8 * length, LARGEST_TREE);
}

/** Bytes of an answer that is made already. */
function answerBytes(answer: ApiResponse): number {
  return answer.kind === 'chunks' ? answer.chunks.reduce((sum, { length }) => sum + length, 0) : 0;
}

/** Less is not worth waiting for. */
const KEPT_BYTES = 256 * 1024;

/** What is held is free when the client has the answer, or has gone. */
function releaseAfter(response: ServerResponse, memory: MemoryLease): void {
  if (memory.bytes < KEPT_BYTES || response.destroyed) memory.release();
  else response.once('close', () => memory.release());
}

/** JSONP would let any page read answers; the name is echoed only when it is one. */
function jsonpRefused(callback: string): ApiResponse {
  const name = /^[\w$.]{1,100}$/.test(callback) ? callback : 'callback';
  return {
    kind: 'text',
    status: 403,
    type: 'application/javascript',
    text: `${name}(${writeJson(errorBody('JSONP is disabled.'))});`,
  };
}
