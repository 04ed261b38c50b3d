// What types begin with that are the server's own, instead of `_default_` (reference server).

import type { JsonObject, JsonValue } from '../../json/index';

/** Documents of this type are stored queries; searches that name no type do not see them. */
export const PERCOLATOR_TYPE = '.percolator';

/** The type of stored queries: the query itself is not indexed. */
export const PERCOLATOR_MAPPING: JsonObject = new Map<string, JsonValue>([
  ['_id', new Map([['index', 'not_analyzed']])],
  ['properties', new Map([['query', unread()]])],
]);

/** Types of the index of stored scripts: scripts themselves are not indexed. */
export const SCRIPTS_MAPPING: JsonObject = new Map<string, JsonValue>([
  [
    'properties',
    new Map([
      ['script', unread()],
      ['template', unread()],
    ]),
  ],
]);

function unread(): JsonObject {
  return new Map<string, JsonValue>([
    ['type', 'object'],
    ['enabled', false],
  ]);
}
