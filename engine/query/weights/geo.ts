// Documents with a point in a region, constant score.

import { regionTest } from '../../geo/index';
import type { Bitset, SegmentReader } from '../../segment/index';
import type { QueryOf } from '../ast/traits';
import { ConstantWeight } from './query-weight';

/** Any point of a document counts. */
export class GeoRegionWeight extends ConstantWeight<QueryOf<'geo'>> {
  cost(segment: SegmentReader): number {
    return segment.presence(this.query.field)?.count() ?? 0;
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const column = segment.geo(this.query.field);
    if (column === null) return;
    const { offsets, latitudes, longitudes } = column;
    const isInside = regionTest(this.query.region);
    for (let doc = 0; doc < segment.docCount; doc++) {
      const end = offsets[doc + 1]!;
      for (let i = offsets[doc]!; i < end; i++) {
        if (!isInside(latitudes[i]!, longitudes[i]!)) continue;
        into.add(doc);
        break;
      }
    }
  }
}
