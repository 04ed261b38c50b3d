// How the fields of an index are called in OpenSearch. Names of users never get there: two types that map one
// name differently are two fields, and names with dots or leading underscores do no harm.

import type { IndexMapping } from '../../mapping/index';
import type { FieldId } from '../../metadata/index';

/** The source of a document as it was received, a string; not indexed. */
export const SOURCE = 'src';
/** The envelope of a document, a string; not indexed. */
export const ENVELOPE = 'm';
/** The ids of the fields that have a value. */
export const PRESENT = 'p';

/** What an analyzed string is searched and scored by: its tokens. Numbers and points have the same name. */
export function valueField(field: FieldId): string {
  return `f${field}`;
}

/** The distinct terms of a string. */
export function termField(field: FieldId): string {
  return `f${field}k`;
}

/** Latitudes and longitudes of points, exact. */
export function latitudeField(field: FieldId): string {
  return `f${field}a`;
}

/** See {@link latitudeField}. */
export function longitudeField(field: FieldId): string {
  return `f${field}o`;
}

/** The norm byte of a string, where its similarity is not the default one. */
export function normField(field: FieldId): string {
  return `f${field}n`;
}

/** How many tokens a string has, where {@link normField} is. */
export function tokensField(field: FieldId): string {
  return `f${field}c`;
}

/** The nested object at a full path, within the one around it. */
export function nestedField(path: string): string {
  return `n${Buffer.from(path).toString('hex')}`;
}

/** The nested object at a full path with all those around it, as clauses and aggregations name it. */
export function nestedPath(mapping: Pick<IndexMapping, 'nestedObject'>, path: string): string {
  const names: string[] = [];
  for (let at: string | null = path; at !== null;) {
    names.unshift(nestedField(at));
    const object = mapping.nestedObject(at, []);
    at = object === null || object === 'plain' ? null : object.parent;
  }
  return names.join('.');
}

/** A field within a nested object as {@link nestedPath} gives it; null: of the document itself. */
export function within(nested: string | null, name: string): string {
  return nested === null ? name : `${nested}.${name}`;
}
