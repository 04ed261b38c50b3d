// Documents with a point in a region, constant score.

import { checkTurn } from '../../common/index';
import { boxesAround, regionBoxTest, regionTest } from '../../geo/index';
import { type Bitset, pointOrder, type SegmentReader } from '../../segment/index';
import type { QueryOf } from '../ast/traits';
import type { DocTest } from '../scoring/weight';
import { NOTHING } from './boosted-weight';
import { ConstantWeight } from './query-weight';

/** Documents, or points, between two looks at the clock. */
const DOCS_PER_LOOK = 1024;
/** The set of points in their order takes as long as testing one in so many documents of the segment. */
const SET_SHARE = 64;

/** Any point of a document counts. */
export class GeoRegionWeight extends ConstantWeight<QueryOf<'geo'>> {
  cost(segment: SegmentReader): number {
    return segment.presence(this.query.field)?.count() ?? 0;
  }

  test(segment: SegmentReader, asked = 0): DocTest | null {
    const { region, field } = this.query;
    const column = segment.geo(field);
    if (column === null) return NOTHING;
    const asksMany = asked * SET_SHARE > segment.docCount;
    if (asksMany && boxesAround(region) !== null && pointOrder(segment, field) !== null)
      return null;
    const { offsets, latitudes, longitudes } = column;
    const isInside = regionTest(region);
    return {
      has: (doc) => {
        const end = offsets[doc + 1]!;
        for (let i = offsets[doc]!; i < end; i++) {
          if (isInside(latitudes[i]!, longitudes[i]!)) return true;
        }
        return false;
      },
    };
  }

  addMatches(segment: SegmentReader, into: Bitset): void {
    const column = segment.geo(this.query.field);
    if (column === null) return;
    const { offsets, latitudes, longitudes } = column;
    const { region, field } = this.query;
    const isInside = regionTest(region);
    const boxes = boxesAround(region);
    const order = boxes === null ? null : pointOrder(segment, field);
    if (boxes !== null && order !== null) {
      let looked = 0;
      const visitor = {
        tell: regionBoxTest(region),
        take: (doc: number) => into.add(doc),
        test: (point: number, doc: number) => {
          if (looked++ % DOCS_PER_LOOK === 0) checkTurn();
          if (isInside(latitudes[point]!, longitudes[point]!)) into.add(doc);
        },
      };
      for (const box of boxes) order.forEachNear(box, visitor);
      return;
    }
    for (let doc = 0; doc < segment.docCount; doc++) {
      if (doc % DOCS_PER_LOOK === 0) checkTurn();
      const end = offsets[doc + 1]!;
      for (let i = offsets[doc]!; i < end; i++) {
        if (!isInside(latitudes[i]!, longitudes[i]!)) continue;
        into.add(doc);
        break;
      }
    }
  }
}
