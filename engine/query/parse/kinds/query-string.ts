// `query_string` as a query body; the language itself is in engine/query/query-string.

import { named, type KindParser } from '../scope/parse-scope';
import { readQueryStringOptions } from '../query-string/options';
import { parseQueryString } from '../query-string/query-string';

/** `{query, default_field, fields, default_operator, ...}`. */
export const parseQueryStringQuery: KindParser = (body, scope) => {
  const options = readQueryStringOptions(body, scope);
  return named(options.common.name, parseQueryString(options, scope));
};
