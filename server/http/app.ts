// The HTTP application without a socket: Express with the guard, the headers of browsers, and the dispatcher
// over the table of routes. Tests use it as it is; http-server.ts gives it a port.

import express, { type Express } from 'express';
import type { SearchEngine } from '../../engine/index';
import type { ServerSettings, Logger } from '../config/index';
import { createListener, type ListenerOptions, type RequestListener } from './listener';

/** Builds the application. */
export function createApp(
  engine: SearchEngine,
  settings: ServerSettings,
  logger: Logger,
  options: ListenerOptions = {},
): Express {
  return mount(createListener(engine, settings, logger, options));
}

/**
 * One matcher of ours decides about every path (server/request/router.ts): Express's own cannot express the
 * rules.
 */
function mount(listener: RequestListener): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(listener);
  return app;
}

/**
 * Paths of nearly all traffic: searches one or many at a time, their pages, suggestions, percolations,
 * counts, bulks, multi-gets and single documents.
 */
const FREQUENT =
  /^[^?]*\/_(?:bulk|count|mget|mpercolate|msearch|percolate|search(?:\/scroll)?|suggest|termvectors?)(?:\?|$)|^\/[^/?]+\/[^/?]+\/[^/?]+(?:\?|$)/;

/**
 * The application as a node serves it: frequent requests go to the listener straight away, because the way
 * through Express costs more than a small search does. What is answered is the same either way.
 */
export function createFrontDoor(
  engine: SearchEngine,
  settings: ServerSettings,
  logger: Logger,
  options: ListenerOptions = {},
): FrontDoor {
  const listener = createListener(engine, settings, logger, options);
  const app = mount(listener);
  const frontDoor: RequestListener = (request, response) => {
    if (FREQUENT.test(request.url ?? '')) listener(request, response);
    else app(request, response);
  };
  return Object.assign(frontDoor, { listener });
}

/** A front door, and the listener behind it, which answers the same to what is no request of node:http. */
export type FrontDoor = RequestListener & { readonly listener: RequestListener };
