// `match_all` as query and as filter.

import { MATCH_ALL } from '../../ast/query';
import type { KindParser } from '../scope/parse-scope';
import { floatOf, members } from '../scope/members';

/** `{boost}`; an empty list is accepted for the object. */
export const parseMatchAll: KindParser = (body, scope) => {
  let boost = 1;
  for (const { name, value } of members(body)) {
    if (name !== 'boost') throw scope.error(`[match_all] query does not support [${name}]`);
    boost = floatOf(value);
  }
  return { kind: 'matchAll', boost };
};

/** Takes no options and ignores those it gets. */
export const parseMatchAllFilter: KindParser = () => MATCH_ALL;
