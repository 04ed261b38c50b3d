// What the reference has and this server does not yet: refused by name, so that a request never means
// something else, such as a document whose id is `_explain`.

import { illegalArgument, type EngineError } from '../../engine/index';
import type { Handler, Route } from '../request/index';

/** What it is called, methods, and paths. */
const MISSING: readonly (readonly [string, string, ...string[]])[] = [
  ['explain [_explain]', 'GET POST', '/{index}/{type}/{id}/_explain'],
];

/** Routes that refuse what is not there yet. */
export const UNSUPPORTED: readonly Route<Handler>[] = MISSING.flatMap(([name, methods, ...paths]) =>
  paths.map((path) => ({
    methods: methods.split(' '),
    path,
    handler: () => {
      throw unsupported(name);
    },
  })),
);

/** The error (400) of something that is not there yet. */
export function unsupported(name: string): EngineError {
  return illegalArgument(`${name} is not supported yet`);
}
