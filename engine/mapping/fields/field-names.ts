// The names of indexed fields by their ids.

import type { FieldId, IndexMetadata } from '../../metadata/index';
import { META_FIELD } from './field-sink';

/** Of the fields that all indices have. */
export const META_NAMES: ReadonlyMap<FieldId, string> = new Map(
  Object.entries(META_FIELD).map(([name, id]) => [id, name]),
);

/** The names of all fields of an index by their ids. */
export function fieldNamesOf(index: IndexMetadata): ReadonlyMap<FieldId, string> {
  const names = new Map(META_NAMES);
  for (const field of index.fields.values()) names.set(field.id, field.name);
  return names;
}
