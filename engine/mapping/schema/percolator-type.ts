// The type of stored queries, which documents are tried against (reference server).

import type { JsonObject, JsonValue } from '../../json/index';

/** Documents of this type are stored queries; searches that name no type do not see them. */
export const PERCOLATOR_TYPE = '.percolator';

/** What the mapping of that type begins with, instead of `_default_`: the query itself is not indexed. */
export const PERCOLATOR_MAPPING: JsonObject = new Map<string, JsonValue>([
  ['_id', new Map([['index', 'not_analyzed']])],
  [
    'properties',
    new Map([
      [
        'query',
        new Map<string, JsonValue>([
          ['type', 'object'],
          ['enabled', false],
        ]),
      ],
    ]),
  ],
]);
