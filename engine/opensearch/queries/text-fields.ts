// Which fields have tokens in OpenSearch, besides their distinct terms, and what is known of these.

import { type IndexedField, type IndexMapping, META_FIELD } from '../../mapping/index';
import type { FieldId } from '../../metadata/index';
import { isMeasured, isText } from '../layout/definitions';

/** A string that is scored by frequency or length. */
export interface TextField {
  readonly norms: boolean;
  /** Its tokens are counted beside it: another similarity than the default one asks for that. */
  readonly counted: boolean;
}

const known = new WeakMap<IndexMapping, ReadonlyMap<FieldId, TextField>>();

/** The strings of a mapping that are scored by frequency or length. Worked out once for each mapping. */
export function textFieldsOf(mapping: IndexMapping): ReadonlyMap<FieldId, TextField> {
  let fields = known.get(mapping);
  if (fields === undefined) known.set(mapping, (fields = new Map(textFields(mapping))));
  return fields;
}

function* textFields(mapping: IndexMapping): Generator<[FieldId, TextField]> {
  const all = mapping.find('_all', [])?.mapped?.field ?? null;
  const { _all } = META_FIELD;
  yield [_all, all === null ? { norms: true, counted: false } : textField(mapping, all)];
  for (const type of mapping.types) {
    for (const { field } of mapping.fieldsOf(type)) {
      if (field === null || field.kind !== 'string' || !isText(field)) continue;
      yield [field.id, textField(mapping, field)];
    }
  }
}

function textField({ similarities }: IndexMapping, field: IndexedField): TextField {
  const { id, norms, indexOptions } = field;
  return { norms, counted: indexOptions !== 'docs' && isMeasured(similarities, id) };
}
