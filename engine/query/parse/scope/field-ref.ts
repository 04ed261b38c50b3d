// A field name of a request, resolved: which physical field it means and how values reach it.

import {
  META_FIELD,
  KIND_OF_TYPE,
  type FieldMatch,
  type MappedField,
} from '../../../mapping/index';
import type { EngineError } from '../../../errors';
import type { QueryParseContext } from './parse-context';
import { UNMAPPED_FIELD, type Query } from '../../ast/query';
import type { FieldId, FieldKind } from '../../../metadata/index';

/** Metadata names whose queries are answered by other fields than their own. */
type SpecialField = '_id' | '_parent' | '_type';

export interface FieldRef {
  /** The name as asked. */
  readonly name: string;
  /** Where terms are looked up; {@link UNMAPPED_FIELD} for names that index nothing. */
  readonly id: FieldId;
  readonly mapped: MappedField | null;
  /** What the name means in types that are not asked for: that analyzes text. */
  readonly foreign: MappedField | null;
  readonly special: SpecialField | null;
  /** The type named as a prefix, to which queries are restricted as well. */
  readonly restrictToType: string | null;
  /** Types that a query on `_id` looks at. */
  readonly types: readonly string[];
}

/** What a name is resolved in. */
interface FieldScope {
  readonly context: QueryParseContext;
  /** Types that a query on `_id` looks at. */
  readonly queryTypes: readonly string[];
  error(text: string): EngineError;
}

/** Resolves a name (reference server). */
export function resolveField(name: string, scope: FieldScope): FieldRef {
  const { mapping, types, strictFields } = scope.context;
  const match = mapping.find(name, types);
  const mapped = leafOf(match);
  const foreign = match === null ? leafOf(mapping.find(name, [])) : null;
  const restrictToType = match?.restrictToType ?? null;
  const special = specialField(mapped?.path ?? name, mapping.types.length > 0);
  if (mapped === null && special === null && strictFields) {
    throw scope.error(
      `Strict field resolution and no field mapping can be found for the field with name [${name}]`,
    );
  }
  return {
    name,
    id: special === '_type' ? META_FIELD._type : (mapped?.field?.id ?? idOfForeign(name, foreign)),
    mapped,
    foreign,
    special,
    restrictToType: mapped === null ? null : restrictToType,
    types: restrictToType === null ? scope.queryTypes : [restrictToType],
  };
}

/** compat: text is looked up in the index as a whole, so that other types' terms count for scores. */
function idOfForeign(name: string, foreign: MappedField | null): FieldId {
  const field = foreign?.indexName === name ? foreign.field : null;
  return field?.kind === 'string' ? field.id : UNMAPPED_FIELD;
}

function leafOf(match: FieldMatch | null): MappedField | null {
  const mapped = match?.mapped ?? null;
  return mapped === null || mapped.type === 'object' || mapped.type === 'nested' ? null : mapped;
}

function specialField(path: string, hasTypes: boolean): SpecialField | null {
  if (!hasTypes) return null;
  return path === '_id' || path === '_parent' || path === '_type' ? path : null;
}

/** What a node says of the field it is about; also the name, where nothing is indexed by it. */
export function fieldOf(
  { name }: FieldRef,
  field: FieldId,
): { readonly field: FieldId; readonly fieldName?: string } {
  return field === UNMAPPED_FIELD ? { field, fieldName: name } : { field };
}

/** The kind of values the field holds, or would if it were indexed; null for fields of no kind. */
export function kindOf({ mapped }: FieldRef): FieldKind | null {
  if (mapped === null) return null;
  return mapped.field?.kind ?? KIND_OF_TYPE.get(mapped.type) ?? null;
}

/** Whether a field holds numbers; an unmapped one does not. */
export function isNumeric(ref: FieldRef): boolean {
  return isNumericKind(kindOf(ref));
}

/** Whether fields of a kind hold numbers. */
export function isNumericKind(kind: FieldKind | null): boolean {
  return kind === 'int' || kind === 'long' || kind === 'float' || kind === 'double';
}

/** Whether a field holds dates, `_timestamp` included. */
export function isDate(ref: FieldRef): boolean {
  return ref.mapped !== null && (ref.mapped.type === 'date' || ref.mapped.path === '_timestamp');
}

/** True for fields whose query text is a value to convert, not text to analyze. */
export function takesValues(ref: FieldRef): boolean {
  return isNumeric(ref) || ref.special !== null || ref.mapped?.type === 'boolean';
}

/** Adds the restriction to the type that the field name carried. */
export function restrict(ref: FieldRef, query: Query): Query {
  if (ref.restrictToType === null) return query;
  return {
    kind: 'filtered',
    query,
    filter: { kind: 'types', types: [ref.restrictToType], boost: 1 },
    boost: 1,
  };
}
