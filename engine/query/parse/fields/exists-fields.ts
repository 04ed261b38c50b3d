// Fields with and without values: the `exists` and `missing` filters, `_exists_:` and `_missing_:`.

import { boolQuery } from '../../ast/bool-query';
import { META_FIELD } from '../../../mapping/index';
import { MATCH_ALL, MATCH_NONE, type Query, UNMAPPED_FIELD } from '../../ast/query';
import type { ParseScope } from '../scope/parse-scope';
import { isScalar } from '../scope/members';
import type { FieldRef } from '../scope/field-ref';
import { termsFilter } from './term-fields';
import type { FieldId } from '../../../metadata/index';

/** Metadata that every document has; `_id` counts as stored nowhere. */
const IN_EVERY_DOCUMENT: ReadonlySet<string> = new Set(['_uid', '_type', '_source', '_version']);

interface FoundFields {
  readonly refs: readonly FieldRef[];
  readonly ids: readonly FieldId[];
  readonly everywhere: boolean;
}

/** Documents with a value in the field, in any field of a pattern, or in any leaf of an object. */
export function existsFilter(pattern: string, scope: ParseScope): Query {
  const found = findFields(pattern, scope);
  return scope.shown(restrictToFirst(found, anyOf(found)), () => presenceText(found));
}

/**
 * Documents without a value and, with `nullValue`, those where the mapping's null_value stands for null.
 * Null: no filter.
 */
export function missingFilter(
  pattern: string,
  existence: boolean,
  nullValue: boolean,
  scope: ParseScope,
): Query | null {
  const found = findFields(pattern, scope);
  if (found.refs.length === 0) return existence ? MATCH_ALL : null;
  const absent = existence ? without(anyOf(found)) : null;
  const shown = (filter: Query): Query =>
    scope.shown(restrictToFirst(found, filter), () => `NotFilter(cache(${presenceText(found)}))`);
  const nulls = nullValue ? nullValueFilter(found.refs, scope) : null;
  if (absent !== null && nulls !== null) return shown(either(absent, nulls));
  const filter = absent ?? nulls;
  return filter === null ? null : shown(filter);
}

function presenceText({ refs }: FoundFields): string {
  const names = refs.map((ref) => `_field_names:${ref.mapped?.indexName ?? ref.name}`);
  return `BooleanFilter(${names.join(' ')})`;
}

function findFields(pattern: string, scope: ParseScope): FoundFields {
  const { mapping, types, meter } = scope.context;
  // A name that is also a type resolves to the root object, which has no leaves under that name.
  if (mapping.types.includes(pattern)) return { refs: [], ids: [], everywhere: false };
  if (mapping.nestedObject(pattern, types) !== null) {
    meter.patterns.add(mapping.fieldCount);
    return resolved(
      mapping.leavesOf(pattern, types).map((leaf) => leaf.path),
      scope,
    );
  }
  if (!pattern.includes('*')) return resolved([pattern], scope);
  meter.patterns.add(mapping.fieldCount);
  return resolved(
    mapping.match(pattern, types).map((field) => field.indexName),
    scope,
  );
}

function resolved(names: readonly string[], scope: ParseScope): FoundFields {
  const refs = [...new Set(names)].map((name) => scope.field(name));
  const ids = refs.flatMap((ref) => idsOf(ref, scope));
  return {
    refs,
    ids: [...new Set(ids)].filter((id) => id !== UNMAPPED_FIELD),
    everywhere: refs.some((ref) => IN_EVERY_DOCUMENT.has(ref.mapped?.path ?? ref.name)),
  };
}

/** compat: presence goes by field name: another type's field of another kind counts as well. */
function idsOf({ special, id, mapped }: FieldRef, { context }: ParseScope): FieldId[] {
  if (special === '_parent') return [META_FIELD._parent];
  if (mapped === null) return [id];
  const ids = context.mapping.types.map((type) => {
    const other = context.mapping.find(mapped.path, [type])?.mapped;
    return other?.indexName === mapped.indexName ? (other.field?.id ?? id) : id;
  });
  return [id, ...ids];
}

function anyOf(found: FoundFields): Query {
  if (found.everywhere) return MATCH_ALL;
  return found.ids.length === 0 ? MATCH_NONE : { kind: 'exists', fields: found.ids, boost: 1 };
}

/** A type prefix on the (first) field name restricts the documents as well. */
function restrictToFirst(found: FoundFields, filter: Query): Query {
  const type = found.refs[0]?.restrictToType ?? null;
  if (type === null) return filter;
  return combine([{ kind: 'types', types: [type], boost: 1 }, filter], [], []);
}

function nullValueFilter(refs: readonly FieldRef[], scope: ParseScope): Query | null {
  let filter: Query | null = null;
  for (const ref of refs) {
    const value = ref.mapped?.nullValue ?? null;
    if (isScalar(value)) filter = termsFilter(ref, [value], scope);
  }
  return filter;
}

function without(filter: Query): Query {
  return combine([MATCH_ALL], [], [filter]);
}

function either(a: Query, b: Query): Query {
  return combine([], [a, b], []);
}

/** Filters combined as a set: at least one of `should`, if there is any. */
export function combine(
  must: readonly Query[],
  should: readonly Query[],
  mustNot: readonly Query[],
): Query {
  return boolQuery({
    must: must.length + should.length === 0 ? [MATCH_ALL] : must,
    should,
    mustNot,
    minimumShouldMatch: should.length > 0 ? 1 : 0,
    disableCoord: true,
  });
}
