// What the reference has and this server does not yet: refused by name, so that a request never means
// something else, such as a document whose id is `_percolate`.

import { illegalArgument, type EngineError } from '../../engine/index';
import type { Handler, Params, Route } from '../request/index';

/** Levels of a path that a route may stand at. */
const LEVELS = {
  root: '',
  index: '/{index}',
  type: '/{index}/{type}',
  document: '/{index}/{type}/{id}',
} as const;

type Level = keyof typeof LEVELS;

const EVERYWHERE: readonly Level[] = ['root', 'index', 'type'];
const PER_INDEX: readonly Level[] = ['root', 'index'];
const PER_TYPE: readonly Level[] = ['type', 'document'];

/** What it is called, methods, levels, and the paths behind them. */
const MISSING: readonly (readonly [string, string, readonly Level[], ...string[]])[] = [
  ['scroll', 'GET POST DELETE', ['root'], '_search/scroll', '_search/scroll/{scrollId}'],
  ['a search template', 'GET POST', EVERYWHERE, '_search/template'],
  ['a search template', 'GET PUT POST DELETE', ['root'], '_search/template/{name}'],
  ['a search template', 'PUT POST', ['root'], '_search/template/{name}/_create'],
  ['percolate', 'GET POST', PER_TYPE, '_percolate', '_percolate/count'],
  ['percolate', 'GET POST', EVERYWHERE, '_mpercolate'],
  ['explain', 'GET POST', ['document'], '_explain'],
  ['termvectors', 'GET POST', PER_TYPE, '_termvector', '_termvectors'],
  ['termvectors', 'GET POST', EVERYWHERE, '_mtermvectors'],
  ['field stats', 'GET POST', PER_INDEX, '_field_stats'],
];

/** Routes that refuse what is not there yet. */
export const UNSUPPORTED: readonly Route<Handler>[] = MISSING.flatMap(
  ([name, methods, levels, ...paths]) =>
    levels.flatMap((level) =>
      paths.map((path) => ({
        methods: methods.split(' '),
        path: `${LEVELS[level]}/${path}`,
        handler: () => {
          throw unsupported(`${name} [${path}]`);
        },
      })),
    ),
);

/** The error (400) of something that is not there yet. */
export function unsupported(name: string): EngineError {
  return illegalArgument(`${name} is not supported yet`);
}

/** Parameters of a search that ask for what is not there yet; a search without it is another one. */
const PARAMETERS = ['scroll', 'search_scroll'] as const;

/** @throws EngineError 400 for a search that asks in its URL for what is not there yet */
export function refuseUnsupportedParameters(params: Params): void {
  const name = PARAMETERS.find((parameter) => params.has(parameter));
  if (name !== undefined) throw unsupported(`the parameter [${name}]`);
}
