// Opens the terms of a field in one segment.

import type { SegmentReader, TermBytes, TermDictionary } from '../segment/index';
import { numberTermColumn } from './number-terms';
import type { FieldId, FieldKind } from '../metadata/index';
import type { Term, TermColumn, TextTerms } from './term-list';

/** The terms of a field in a segment; null when no document has one. Not for points. */
export function termColumn(
  segment: SegmentReader,
  field: FieldId,
  kind: FieldKind,
): TermColumn | null {
  return kind === 'string' ? textColumn(segment, field) : numberTermColumn(segment, field, kind);
}

function textColumn(segment: SegmentReader, field: FieldId): TermColumn | null {
  const searched = segment.terms(field);
  if (searched !== null) {
    return {
      terms: new DictionaryTerms(searched),
      frequencies: searched,
      ordinals: () => segment.ordinals(field)!,
    };
  }
  const column = segment.ordinals(field);
  if (column === null) return null;
  return {
    terms: new DictionaryTerms(column.terms),
    frequencies: null,
    ordinals: () => column,
  };
}

class DictionaryTerms implements TextTerms {
  readonly type = 'string';

  constructor(private readonly dictionary: TermDictionary) {}

  get size(): number {
    return this.dictionary.size;
  }

  termAt(ordinal: number): string {
    return this.dictionary.termAt(ordinal);
  }

  bytesAt(ordinal: number): TermBytes {
    return this.dictionary.bytesAt(ordinal);
  }

  ordinalOf(term: Term): number {
    return this.dictionary.ordinalOf(term as string);
  }
}
