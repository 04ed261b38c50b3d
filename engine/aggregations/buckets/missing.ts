// missing: the documents of a bucket without a value (reference server).

import { Bitset, type SegmentReader } from '../../segment/index';
import type { FieldId } from '../../metadata/index';
import { type ValuesSpec, readsOfValues } from '../contract/values';
import { metricValues } from '../metrics/metric';
import { SetAggregator, singleBucket } from './single-bucket';

/** Plain data. */
export interface MissingSpec {
  readonly values: ValuesSpec;
}

const NO_MORE = (): boolean => false;
const FIELD_ONLY = { takesScripts: false, takesFormat: false };

export const MISSING_AGGREGATION = singleBucket<MissingSpec>('missing', {
  parse: (name, body, context) => ({
    values: metricValues(name, body, 'any', context, NO_MORE, FIELD_ONLY),
  }),
  reads: readsOfValues,
  open:
    ({ spec: { values } }) =>
    (segment, subs) =>
      new SetAggregator(segment, subs, withoutValue(values, segment).words),
});

function withoutValue(values: ValuesSpec, segment: SegmentReader): Bitset {
  const { field, fieldKind, constant } = values;
  if (constant !== null) return new Bitset(segment.docCount);
  if (field !== null && fieldKind === 'string') return withoutTerm(field, segment);
  const present = field === null ? null : segment.presence(field);
  return present === null ? Bitset.full(segment.docCount) : present.clone().not();
}

/** compat: a text of which analysis leaves nothing is no value, though the field is there. */
function withoutTerm(field: FieldId, segment: SegmentReader): Bitset {
  const column = segment.ordinals(field);
  if (column === null) return Bitset.full(segment.docCount);
  const { offsets, ordinals } = column;
  const without = new Bitset(segment.docCount);
  for (let doc = 0; doc < segment.docCount; doc++) {
    const isEmpty = offsets === null ? ordinals[doc] === 0 : offsets[doc] === offsets[doc + 1];
    if (isEmpty) without.add(doc);
  }
  return without;
}
