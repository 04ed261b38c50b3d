// `top_children`: parents by their best children. The reference looks at so many of the best children only as
// the page asked for seems to need (`factor`, `incremental_factor`), so that totals are guesses; here all of
// them count.

import { named, type KindParser } from '../scope/parse-scope';
import { CommonOptions, intOf, members, optionName } from '../scope/members';
import type { ChildScoreMode } from '../../ast/query';
import { childScoreMode, RelatedQuery } from './related-query';

/** `{type, query, score|score_mode, factor, incremental_factor, boost}`. */
export const parseTopChildren: KindParser = (body, scope) => {
  const related = new RelatedQuery({ name: 'top_children', form: 'query' }, scope, body);
  const common = new CommonOptions();
  let scoreMode: ChildScoreMode = 'max';
  for (const member of members(body, 'object')) {
    const { name } = member;
    const option = optionName(name);
    if (member.sort === 'object') related.readInner(name, member.value);
    else if (name === 'type') related.readType(member.value);
    else if (name === 'score' || option === 'score_mode') scoreMode = childScoreMode(member.value);
    else if (name === 'factor') {
      if (intOf(member.value) < 1) throw scope.error('[top_children] [factor] must be positive');
    } else if (option === 'incremental_factor') intOf(member.value);
    else if (!common.read(name, member.value)) throw related.unsupported(name);
  }
  const query = related.finish('type', common.boost, true);
  if (query === null) return null;
  const { mapping } = scope.context;
  const type = related.type!;
  if (!mapping.types.includes(type)) throw scope.error(`No mapping for for type [${type}]`);
  const parentType = mapping.parentType(type);
  if (parentType === null) throw scope.error(`Type [${type}] does not have parent mapping`);
  if (scoreMode === 'none') throw scope.error('No support for score type [NONE]');
  return named(common.name, {
    kind: 'hasChild',
    parentType,
    query,
    scoreMode,
    minChildren: 0,
    maxChildren: Infinity,
    alwaysWeighs: true,
    // The boost is that of the inner query alone.
    boost: 1,
  });
};
