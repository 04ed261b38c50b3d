// Documents of OpenSearch as a segment in memory: what is worked out of the documents themselves is worked
// out there, as in the embedded engine.

import type { LogRecord } from '../../../storage/index';
import type { IndexMapping } from '../../mapping/index';
import { type MemorySegment, MemorySegments, SegmentBuilder } from '../../segment/index';

/** Some documents; close the segment. */
export interface FoundSegment {
  readonly segment: MemorySegment;
  /** The documents there, by sequence number. */
  readonly places: ReadonlyMap<number, number>;
}

/** Builds a segment, a step for each document. @param records by sequence number, in its order */
export function* foundSegment(
  records: ReadonlyMap<number, LogRecord>,
  mapping: IndexMapping,
): Generator<void, FoundSegment> {
  const builder = new SegmentBuilder();
  const places = new Map<number, number>();
  for (const [sequence, record] of records) {
    if (record.op !== 'index') continue;
    builder.beginDocument(sequence);
    mapping.documentMapper(record.type)?.parse(record.source, record, builder);
    builder.endDocument();
    places.set(sequence, builder.docCount - 1);
    yield;
  }
  return { segment: new MemorySegments().open(builder.finish(), records), places };
}
