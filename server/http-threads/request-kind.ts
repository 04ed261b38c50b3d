// What a thread does with a request: which ones it answers itself, and how it hands others over.

import { effectiveMethod, parseQueryParameters, Router, splitTarget } from '../request/index';
import { ROUTES } from '../routes/index';

/**
 * Parameters that make of a read what only main can do: a search that is kept open, a refresh, an older
 * state.
 */
const OF_MAIN = ['scroll', 'refresh', 'realtime'];

/** `read`: answered here. `api`: of a route of main. `other`: files, and what nobody knows. */
export type RequestKind = 'read' | 'api' | 'other';

/** Tells requests apart by method and target. */
export class RequestKinds {
  private readonly router = new Router(
    ROUTES.map(({ isReading, ...route }) => ({ ...route, handler: isReading === true })),
  );

  /** The kind of a request. Whatever is odd is left to main. */
  of(method = 'GET', target = '/'): RequestKind {
    try {
      const { path, query } = splitTarget(target);
      const match = this.router.match(method, path);
      if (match === null || method === 'OPTIONS') return 'other';
      // No index has such a name: files are there (the explorer, folders that are served).
      const index = match.variables.get('index') ?? '';
      if (index.startsWith('_') && index !== '_all') return 'other';
      if (!match.handler || effectiveMethod(method) !== method) return 'api';
      if (query === '') return 'read';
      const parameters = parseQueryParameters(query);
      return OF_MAIN.some((name) => parameters.has(name)) ? 'api' : 'read';
    } catch {
      return 'other';
    }
  }
}
