// Cross-origin headers, for browsers only and only when switched on (reference server).

import type { IncomingMessage } from 'node:http';
import type { HeaderList } from '../render/index';
import type { Guard } from './guard';

/** Adds the headers a browser of an allowed origin waits for. */
export function addCorsHeaders(
  guard: Guard,
  request: IncomingMessage,
  headers: HeaderList,
  asksKeys: boolean,
): void {
  const { origin } = request.headers;
  // compat: the reference answers only clients that call themselves Mozilla.
  if (origin === undefined || request.headers['user-agent']?.startsWith('Mozilla') !== true) return;
  const allowed = guard.allowedOrigin(origin);
  if (allowed === null) return;
  headers.push('Access-Control-Allow-Origin', allowed);
  if (allowed !== '*') headers.push('Vary', 'Origin');
  if (request.method !== 'OPTIONS') return;
  headers.push('Access-Control-Max-Age', '1728000');
  headers.push('Access-Control-Allow-Methods', 'OPTIONS, HEAD, GET, POST, PUT, DELETE');
  headers.push(
    'Access-Control-Allow-Headers',
    `X-Requested-With, Content-Type, Content-Length${asksKeys ? ', Authorization' : ''}`,
  );
}
