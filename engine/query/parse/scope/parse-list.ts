// Lists of queries or filters, as `bool`, `dis_max`, `and` and `or` have them.

import { isJsonObject, type JsonValue } from '../../../json/index';
import type { Query } from '../../ast/query';
import { isScalar } from './members';

/**
 * The queries or filters in a list. compat: a list within the list is entered when it begins with an
 * object, and one thing before an object that is none is passed over.
 */
export function parseList(
  list: readonly JsonValue[],
  parse: (value: JsonValue) => Query | null,
): Query[] {
  return list.flatMap((value, i) => {
    if (Array.isArray(value) && isJsonObject(value[0] ?? null)) return parseList(value, parse);
    if (isScalar(value) && isJsonObject(list[i + 1] ?? null)) return [];
    const query = parse(value);
    return query === null ? [] : [query];
  });
}
