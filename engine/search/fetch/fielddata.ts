// Indexed values of one document, for `fielddata_fields`.

import { Double, type JsonOutput } from '../../json/index';
import type { NumericColumn, OrdinalColumn, SegmentReader } from '../../segment/index';
import type { FielddataField } from '../plan/search-plan';

/** Sorted and distinct; points in the order given. Empty when the document has none. */
export function fielddataValues(
  segment: SegmentReader,
  field: FielddataField,
  doc: number,
): JsonOutput[] {
  switch (field.kind) {
    case 'string': {
      const column = segment.ordinals(field.field);
      return column === null ? [] : terms(column, doc);
    }
    case 'geo': {
      const column = segment.geo(field.field);
      if (column === null) return [];
      const points: JsonOutput[] = [];
      for (let i = column.offsets[doc]!; i < column.offsets[doc + 1]!; i++) {
        points.push({
          lat: new Double(column.latitudes[i]!),
          lon: new Double(column.longitudes[i]!),
        });
      }
      return points;
    }
    case 'int':
    case 'long':
    case 'float':
    case 'double': {
      const column = segment.numeric(field.field);
      return column === null ? [] : numbers(column, doc);
    }
  }
}

function terms(column: OrdinalColumn, doc: number): string[] {
  const { offsets, ordinals } = column;
  if (offsets === null) {
    const ordinal = ordinals[doc]! - 1;
    return ordinal < 0 ? [] : [column.terms.termAt(ordinal)];
  }
  const found: string[] = [];
  for (let i = offsets[doc]!; i < offsets[doc + 1]!; i++)
    found.push(column.terms.termAt(ordinals[i]!));
  return found;
}

function numbers(column: NumericColumn, doc: number): JsonOutput[] {
  const { offsets, present } = column;
  if (offsets === null) return present === null || present.has(doc) ? [number(column, doc)] : [];
  const found: JsonOutput[] = [];
  for (let i = offsets[doc]!; i < offsets[doc + 1]!; i++) found.push(number(column, i));
  return found;
}

function number(column: NumericColumn, index: number): JsonOutput {
  if (column.kind === 'float' || column.kind === 'double') return new Double(column.valueAt(index));
  return column.high === null ? column.valueAt(index) : column.longAt(index);
}
