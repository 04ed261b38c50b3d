// Which fields have tokens in OpenSearch, besides their distinct terms.

import { type IndexMapping, META_FIELD } from '../../mapping/index';
import type { FieldId } from '../../metadata/index';
import { isText } from '../layout/definitions';

const known = new WeakMap<IndexMapping, ReadonlySet<FieldId>>();

/** The strings of a mapping that are scored by frequency or length. Worked out once for each mapping. */
export function textFieldsOf(mapping: IndexMapping): ReadonlySet<FieldId> {
  let fields = known.get(mapping);
  if (fields === undefined) known.set(mapping, (fields = new Set(textFields(mapping))));
  return fields;
}

function* textFields(mapping: IndexMapping): Generator<FieldId> {
  yield META_FIELD._all;
  for (const type of mapping.types) {
    for (const { field } of mapping.fieldsOf(type)) {
      if (field !== null && field.kind === 'string' && isText(field)) yield field.id;
    }
  }
}
