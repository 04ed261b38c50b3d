// `has_child`: parents by what their children match, as query and as filter.

import { named, type KindParser, type ParseScope } from '../scope/parse-scope';
import {
  type KindBody,
  CommonOptions,
  intOf,
  isCacheOption,
  members,
  optionName,
} from '../scope/members';
import type { ChildScoreMode, Query } from '../../ast/query';
import { childScoreMode, RelatedQuery } from './related-query';

/** `{type, query, score_mode, min_children, max_children, short_circuit_cutoff, boost}`. */
export const parseHasChild: KindParser = (body, scope) => parse(body, scope, 'query');

/** `{type, query|filter, min_children, max_children, short_circuit_cutoff}`. */
export const parseHasChildFilter: KindParser = (body, scope) => parse(body, scope, 'filter');

function parse(body: KindBody, scope: ParseScope, form: 'query' | 'filter'): Query | null {
  const related = new RelatedQuery({ name: 'has_child', form }, scope, body);
  const common = new CommonOptions();
  let scoreMode: ChildScoreMode = 'none';
  let min = 0;
  let max = 0;
  for (const member of members(body, 'object')) {
    const { name } = member;
    const option = optionName(name);
    if (member.sort === 'object') related.readInner(name, member.value);
    else if (option === 'type' || option === 'child_type') related.readType(member.value);
    else if (option === 'min_children') min = intOf(member.value);
    else if (option === 'max_children') max = intOf(member.value);
    // It chose between two ways to the same documents.
    else if (name === 'short_circuit_cutoff') intOf(member.value);
    else if (form === 'query' && (option === 'score_mode' || option === 'score_type')) {
      scoreMode = childScoreMode(member.value);
    } else if (form === 'filter' ? name === 'boost' : isCacheOption(option)) {
      throw related.unsupported(name);
    } else if (!common.read(name, member.value) && !isCacheOption(option)) {
      throw related.unsupported(name);
    }
  }
  const query = related.finish('type', common.boost, scoreMode !== 'none');
  if (query === null) return null;
  const parentType = parentTypeOf(related.type!, form, scope);
  if (max > 0 && max < min) {
    throw scope.error("[has_child] 'max_children' is less than 'min_children'");
  }
  if (!scope.context.mapping.types.includes(parentType)) {
    throw scope.error(
      `[has_child]  Type [${related.type!}] points to a non existent parent type [${parentType}]`,
    );
  }
  // compat: numbers below 1 are no limits, unless something else has the children counted.
  const isCounted = min > 1 || max > 0 || scoreMode !== 'none';
  return named(common.name, {
    kind: 'hasChild',
    parentType,
    query,
    scoreMode,
    minChildren: isCounted ? min : 0,
    maxChildren: isCounted && max !== 0 ? max : Infinity,
    alwaysWeighs: false,
    boost: common.boost,
  });
}

/** @throws EngineError for a type that is not mapped or has no parent */
function parentTypeOf(type: string, form: 'query' | 'filter', scope: ParseScope): string {
  const { mapping } = scope.context;
  // compat: two blanks.
  const [missing, orphan] = form === 'query' ? ['[has_child] ', '[has_child]  '] : ['', ''];
  if (!mapping.types.includes(type)) {
    throw scope.error(`${missing}No mapping for for type [${type}]`);
  }
  const parentType = mapping.parentType(type);
  if (parentType === null) {
    throw scope.error(`${orphan}Type [${type}] does not have parent mapping`);
  }
  return parentType;
}
