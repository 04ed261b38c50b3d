// Sorting by the distance of a document's points from points of the request (`_geo_distance`).

import { distanceFrom } from '../../geo/index';
import { NO_MORE_DOCS, type GeoColumn, type NestedChildren } from '../../segment/index';
import { type DistanceSort, type SortKey, type SortValue, NO_DISTANCE } from '../plan/search-plan';
import { foreignLane } from './foreign-lane';
import type { SegmentSortKey } from './segment-sort-key';

/** The smallest, largest or average distance over all pairs of points. */
export class DistanceKey implements SegmentSortKey {
  readonly lanes = 1;
  readonly descending: boolean;
  private readonly mode: SortKey['mode'];
  private readonly measures: readonly ((latitude: number, longitude: number) => number)[];
  /** Of the document that is looked at: the distance so far, and the pairs it is of. */
  private result = 0;
  private count = 0;

  constructor(
    private readonly key: SortKey,
    { points, type, unitMeters }: DistanceSort,
    private readonly located: GeoColumn,
    private readonly children: NestedChildren | null,
  ) {
    this.descending = key.descending;
    this.mode = key.mode;
    this.measures = points.map((point) => distanceFrom(point, type, unitMeters));
  }

  load(doc: number, _score: number, into: Float64Array, at: number): void {
    into[at] = this.value(doc);
  }

  place(value: SortValue, into: Float64Array, at: number): void {
    into[at] = foreignLane(this.key, value);
  }

  value(doc: number): number {
    this.result = 0;
    this.count = 0;
    const { children } = this;
    if (children === null) this.add(doc);
    else {
      let child = children.first(doc);
      while (child !== NO_MORE_DOCS) {
        this.add(child);
        child = children.next(child + 1, doc);
      }
    }
    if (this.count === 0) return NO_DISTANCE;
    return this.mode === 'avg' ? this.result / this.count : this.result;
  }

  private add(doc: number): void {
    const { located, measures, mode } = this;
    const end = located.offsets[doc + 1]!;
    for (let i = located.offsets[doc]!; i < end; i++) {
      for (let m = 0; m < measures.length; m++) {
        const distance = measures[m]!(located.latitudes[i]!, located.longitudes[i]!);
        if (mode === 'avg') this.result += distance;
        else if (
          this.count === 0 ||
          (mode === 'min' ? distance < this.result : distance > this.result)
        )
          this.result = distance;
        this.count++;
      }
    }
  }
}
