// `has_parent`: children by what their parents match, as query and as filter.

import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import {
  type KindBody,
  CommonOptions,
  isCacheOption,
  members,
  optionName,
  textOf,
} from '../scope/members';
import type { Query } from '../../ast/query';
import { RelatedQuery } from './related-query';

/** `{parent_type, query, score_mode: none|score, boost}`. */
export const parseHasParent: KindParser = (body, scope) => parse(body, scope, 'query');

/** `{parent_type, query|filter}`. */
export const parseHasParentFilter: KindParser = (body, scope) => parse(body, scope, 'filter');

function parse(body: KindBody, scope: ParseScope, form: 'query' | 'filter'): Query | null {
  const related = new RelatedQuery({ name: 'has_parent', form }, scope, body);
  const common = new CommonOptions();
  let scored = false;
  for (const member of members(body, 'object')) {
    const { name } = member;
    const option = optionName(name);
    if (member.sort === 'object') related.readInner(name, member.value);
    else if (option === 'type' || option === 'parent_type') related.readType(member.value);
    else if (form === 'query' && (option === 'score_mode' || option === 'score_type')) {
      // compat: other words change nothing.
      const mode = textOf(member.value);
      if (mode === 'score' || mode === 'none') scored = mode === 'score';
    } else if (form === 'filter' ? name === 'boost' : isCacheOption(option)) {
      throw related.unsupported(name);
    } else if (!common.read(name, member.value) && !isCacheOption(option)) {
      throw related.unsupported(name);
    }
  }
  const query = related.finish('parent_type', common.boost, scored);
  if (query === null) return null;
  const parentType = related.type!;
  const { mapping } = scope.context;
  if (!mapping.types.includes(parentType)) {
    throw scope.error(
      `[has_parent] query configured 'parent_type' [${parentType}] is not a valid type`,
    );
  }
  if (mapping.types.every((type) => mapping.parentType(type) === null)) {
    throw scope.error('[has_parent] no _parent field configured');
  }
  return named(common.name, {
    kind: 'hasParent',
    parentType,
    query,
    scored,
    boost: common.boost,
  });
}
