// `multi_match` of type `cross_fields`: each word may be in any of the fields.
//
// Fields with the same analyzer form a group, in which a word is one blended term over all of them. What
// cannot be blended (groups of one field, unmapped names, numbers) is matched field by field.

import type { Analyzer } from '../../../analysis/index';
import { takesValues, type FieldRef } from '../scope/field-ref';
import { searchAnalyzer, textQuery } from '../fields/text-fields';
import { applyMinimumShouldMatch } from '../../ast/minimum-should-match';
import type { ParseScope } from '../scope/parse-scope';
import type { Query } from '../../ast/query';
import { joined, perField } from './many-fields';
import type { MatchOptions } from './match';
import { valueText, type Scalar } from '../scope/members';

interface GroupedField {
  readonly name: string;
  readonly ref: FieldRef;
  readonly boost: number;
}

/** The sum of the groups' queries. @throws EngineError */
export function crossFields(
  fields: ReadonlyMap<string, number | null>,
  value: Scalar,
  tieBreaker: number,
  options: MatchOptions,
  scope: ParseScope,
): Query | null {
  if (options.cutoff !== null) {
    throw scope.error('[multi_match] cutoff_frequency is not supported with type cross_fields');
  }
  const alone = new Map<string, number | null>();
  const groups = new Map<Analyzer, GroupedField[]>();
  for (const [name, boost] of fields) {
    const ref = scope.field(name);
    if (ref.mapped === null) {
      alone.set(name, boost);
    } else if (takesValues(ref)) {
      alone.set(ref.mapped.indexName, null);
    } else {
      const analyzer = options.analyzer ?? searchAnalyzer(ref, scope);
      const group = groups.get(analyzer) ?? [];
      // compat: the type that a name carries restricts nothing here.
      group.push({ name: ref.mapped.indexName, ref, boost: boost ?? 1 });
      groups.set(analyzer, group);
    }
  }
  const blended: Query[] = [];
  for (const [analyzer, group] of groups) {
    const [first, second] = group;
    // A field alone in its group loses its boost, as in the reference.
    if (first !== undefined && second === undefined) alone.set(first.name, null);
    else blended.push(groupQuery(analyzer, group, valueText(value), tieBreaker, options, scope));
  }
  return joined([...perField(alone, 'boolean', value, options, scope), ...blended], 1, scope);
}

function groupQuery(
  analyzer: Analyzer,
  group: readonly GroupedField[],
  text: string,
  tieBreaker: number,
  options: MatchOptions,
  scope: ParseScope,
): Query {
  const [first] = group;
  if (first === undefined) return options.zeroTerms;
  const query = textQuery(
    first.ref,
    text,
    {
      analyzer,
      operator: options.operator,
      phrase: false,
      slop: 0,
      term: (term) => ({
        kind: 'blended',
        terms: group.map(({ ref, boost }) => ({ field: ref.id, term, boost })),
        asBool: tieBreaker === 1,
        tieBreaker,
        boost: 1,
      }),
    },
    scope,
  );
  if (query === null) return options.zeroTerms;
  return applyMinimumShouldMatch(query, options.minimumShouldMatch);
}
