// The fields whose numbers facets read (reference server).

import { EngineError } from '../../errors';
import type { FacetParseContext } from './facet';
import type { FieldId, FieldKind } from '../../metadata/index';
import { type MappedField, type MappedTypeName, refuseUnloadable } from '../../mapping/index';

/** Mapping types whose values are numbers; metadata fields are told by how they are indexed. */
const NUMBER_TYPES: ReadonlySet<MappedTypeName> = new Set<MappedTypeName>([
  'byte',
  'short',
  'integer',
  'long',
  'float',
  'double',
  'date',
  'ip',
  'token_count',
  'murmur3',
]);

/** The field under a name; null when there is none, or an object. */
export function findLeaf(name: string, context: FacetParseContext): MappedField | null {
  const mapped = context.mapping.find(name, context.types)?.mapped;
  return mapped === undefined || mapped.type === 'object' || mapped.type === 'nested'
    ? null
    : mapped;
}

/** Whether a field has numbers; fields that index nothing have them by their type. */
export function isNumberField({ type, field }: MappedField): boolean {
  return type === 'meta' ? isNumberKind(field?.kind) : NUMBER_TYPES.has(type);
}

function isNumberKind(kind: FieldKind | undefined): boolean {
  return kind !== undefined && kind !== 'string' && kind !== 'geo';
}

/**
 * The numbers of a field; null: it is a number field that indexes nothing.
 *
 * @throws EngineError ClassCastException where it has none
 */
export function numbersOf(mapped: MappedField): FieldId | null {
  refuseUnloadable(mapped);
  const isStamp = mapped.path === '_timestamp' || mapped.path === '_ttl';
  if (!isNumberField(mapped) && !isStamp) {
    throw castFailure(mapped, 'IndexNumericFieldData');
  }
  return mapped.field?.id ?? null;
}

/**
 * Fails the run of a facet that counts the terms of binary values; parsing lets it pass (reference server).
 *
 * @param field the name of such a field, or null
 * @throws EngineError ElasticsearchIllegalStateException
 */
export function refuseUnreadable(field: string | null): void {
  if (field === null) return;
  throw new EngineError(
    'ElasticsearchIllegalStateException',
    `Field data loading is forbidden on ${field}`,
  );
}

/** The failure of reading a field as what it is not. */
export function castFailure(mapped: MappedField, wanted: string): EngineError {
  const held = valuesClass(mapped);
  return new EngineError(
    'ClassCastException',
    `class org.elasticsearch.index.fielddata.plain.${held} cannot be cast to class org.elasticsearch.index.fielddata.${wanted}`,
    { status: 400 },
  );
}

/** The reference's name for what holds the values of a field. */
function valuesClass(mapped: MappedField): string {
  if (mapped.type === 'geo_point') return 'GeoPointDoubleArrayIndexFieldData';
  if (mapped.type === 'binary') return 'DisabledIndexFieldData';
  return isNumberField(mapped) ? 'PackedArrayIndexFieldData' : 'PagedBytesIndexFieldData';
}

/** A failure of one facet, by name. */
export function facetFailure(facet: string, message: string): EngineError {
  return new EngineError('FacetPhaseExecutionException', `Facet [${facet}]: ${message}`);
}
