// The values of one segment's documents, as aggregations read them.

import {
  ColumnReader,
  ComputedNumbers,
  DocumentScript,
  type NumberReader,
  type ScoresOf,
} from '../../counting/index';
import type { SegmentReader } from '../../segment/index';
import type { ValuesSpec } from './values';

/**
 * Opens the numbers of a segment; the function gives null where there are none.
 *
 * @param isWhole those of scripts are made into what 64 bits can hold
 */
export function numbersOf(
  values: ValuesSpec,
  scoresOf: ScoresOf,
  isWhole = false,
): (segment: SegmentReader) => NumberReader | null {
  const { field, script, hasField } = values;
  if (script === null) {
    return (segment) => {
      const column = field === null ? null : segment.numeric(field);
      return column === null ? null : new ColumnReader(column);
    };
  }
  const run = new DocumentScript(script.plan, script.now, scoresOf, ['_value']);
  return (segment) => {
    if (hasField && field === null) return null;
    run.open(segment);
    const column = field === null ? null : (segment.numeric(field) ?? undefined);
    return column === undefined ? null : new ComputedNumbers(segment, run, column, isWhole);
  };
}

/** What numbers a segment may have, or what stands for not knowing. */
export function extentOf(values: ValuesSpec, segment: SegmentReader) {
  const column =
    values.script !== null || values.field === null ? null : segment.numeric(values.field);
  return column ?? { min: NaN, max: NaN, valueCount: 0 };
}
