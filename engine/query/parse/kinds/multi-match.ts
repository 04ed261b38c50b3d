// `multi_match`: one text on several fields.

import { inTableOrder } from '../../../common/index';
import { EngineError } from '../../../errors';
import { named, withBoost, type KindParser } from '../scope/parse-scope';
import { crossFields } from './cross-fields';
import { joined, perField } from './many-fields';
import { EXACT_MATCH_OPTIONS, MatchOptions, type MatchType } from './match';
import {
  booleanOf,
  CommonOptions,
  floatOf,
  isScalar,
  members,
  optionName,
  optionNameBut,
  textOf,
  valuesWithin,
  type Scalar,
} from '../scope/members';
import { addFields } from '../scope/field-list';

interface MultiMatchType {
  /** Whether words are looked for across the fields instead of field by field. */
  readonly crossFields: boolean;
  readonly match: MatchType;
  /** Below 1 the best field counts (dis_max), at 1 all fields add up (bool). */
  readonly tieBreaker: number;
}

const TYPES: ReadonlyMap<string, MultiMatchType> = new Map([
  ['best_fields', { match: 'boolean', tieBreaker: 0, crossFields: false }],
  ['boolean', { match: 'boolean', tieBreaker: 0, crossFields: false }],
  ['most_fields', { match: 'boolean', tieBreaker: 1, crossFields: false }],
  ['cross_fields', { match: 'boolean', tieBreaker: 0, crossFields: true }],
  ['phrase', { match: 'phrase', tieBreaker: 0, crossFields: false }],
  ['phrase_prefix', { match: 'phrase_prefix', tieBreaker: 0, crossFields: false }],
]);

const BEST_FIELDS: MultiMatchType = { match: 'boolean', tieBreaker: 0, crossFields: false };

/** `{query, fields: ["a", "b^2", "c*"], type, tie_breaker, use_dis_max, ...}`. */
export const parseMultiMatch: KindParser = (body, scope) => {
  const options = new MatchOptions('multi_match', scope);
  const common = new CommonOptions();
  const fields = new Map<string, number | null>();
  let value: Scalar | null = null;
  let type = BEST_FIELDS;
  let tieBreaker: number | null = null;
  let useDisMax: boolean | null = null;
  for (const member of members(body, 'object', 'array')) {
    const { name } = member;
    if (optionName(name) === 'fields') {
      if (member.sort === 'object') {
        throw scope.error(`[multi_match] query does not support [${name}]`);
      }
      const list = member.sort === 'array' ? member.value : [member.value];
      for (const item of list) {
        if (Array.isArray(item)) {
          throw scope.error(`[multi_match] query does not support [${name}]`);
        }
        if (isScalar(item)) addFields(textOf(item), [], fields, scope);
      }
      continue;
    }
    for (const { name: option, value: given } of valuesWithin(member)) {
      const known = optionNameBut(option, EXACT_MATCH_OPTIONS);
      if (known === 'query') value = given;
      else if (known === 'type') type = readType(textOf(given));
      else if (known === 'tie_breaker') tieBreaker = floatOf(given);
      else if (known === 'use_dis_max') useDisMax = booleanOf(given);
      else if (!options.read(known, given) && !common.read(known, given)) {
        // The reference names the wrong query here.
        throw scope.error(`[match] query does not support [${option}]`);
      }
    }
  }
  if (value === null) throw scope.error('No text specified for multi_match query');
  if (fields.size === 0) throw scope.error('No fields specified for multi_match query');
  if (useDisMax !== null && useDisMax !== (type.tieBreaker !== 1)) {
    tieBreaker = useDisMax && tieBreaker === null ? 0 : 1;
  }
  const tie = tieBreaker ?? type.tieBreaker;
  // compat: fields of which a highlighter takes the last come in this order.
  const ordered = new Map(
    inTableOrder([...fields.keys()]).map((name) => [name, fields.get(name)!]),
  );
  const query =
    type.crossFields && fields.size > 1
      ? crossFields(ordered, value, tie, options, scope)
      : joined(perField(ordered, type.match, value, options, scope), tie, scope);
  return query === null ? null : named(common.name, withBoost(query, common.boost));
};

function readType(text: string): MultiMatchType {
  const type = TYPES.get(optionName(text));
  if (type !== undefined) return type;
  throw new EngineError('ElasticsearchParseException', `No type found for value: ${text}`);
}
