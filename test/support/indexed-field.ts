// Fields for tests that build segments without a mapping.

import type { IndexedField } from '../../engine/mapping/fields/field-sink';

/** A not analysed string field, but for `changes`. */
export function indexedField(
  id: number,
  name: string,
  changes: Partial<IndexedField> = {},
): IndexedField {
  return {
    id,
    name,
    kind: 'string',
    indexed: true,
    analyzer: null,
    indexOptions: 'docs',
    norms: false,
    docValues: true,
    positionGap: 0,
    ...changes,
  };
}
