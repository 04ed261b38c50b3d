// Writes the parts of one field: the same for builder and merger.

import type { Bitset } from '../contract/bitset';
import { writeDocSet } from '../sets/doc-set';
import { PART, type PartKind } from '../format/format';
import { writePoints, type PointValues } from '../columns/geo-column';
import { writeNumbers, type NumberValues } from '../columns/number-writer';
import type { PartBuffer } from '../format/part-buffer';
import type { SegmentWriter } from '../format/segment-writer';
import type { StepClock } from '../format/steps';
import type { FieldId } from '../../metadata/index';

export class FieldPartWriter {
  /**
   * Writes the presence of the field; the other parts follow.
   *
   * @param presence documents with a value, ascending
   * @param roots root documents, or null when all are
   */
  constructor(
    readonly segment: SegmentWriter,
    readonly field: FieldId,
    readonly docCount: number,
    readonly presence: Uint32Array,
    private readonly roots: Bitset | null,
  ) {
    this.add(PART.presence, writeDocSet(presence, docCount, roots));
  }

  add(kind: PartKind, content: PartBuffer): void {
    this.segment.addPart(this.field, kind, content);
  }

  /** Adds a column that has entries for `docs`, a subset of presence. */
  addColumn(kind: PartKind, docs: Uint32Array, content: PartBuffer): void {
    if (docs.length !== this.presence.length) {
      this.add(PART.columnDocs, writeDocSet(docs, this.docCount, this.roots));
    }
    this.add(kind, content);
  }

  /** Adds a numeric column, in steps. Nothing is written without values. */
  *addNumbers(values: NumberValues, turns: StepClock): Generator<void, void> {
    if (values.docs.length === 0) return;
    const column = yield* writeNumbers(values, this.docCount, turns);
    this.addColumn(PART.numbers, values.docs, column);
  }

  addPoints(values: PointValues): void {
    if (values.docs.length > 0) this.addColumn(PART.points, values.docs, writePoints(values));
  }
}
