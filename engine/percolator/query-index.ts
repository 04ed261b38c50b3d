// Stored queries by what they require, so that a document meets only those that may match it.

import type { FieldId } from '../metadata/index';
import type { NumericColumn, SegmentReader, TermDictionary } from '../segment/index';
import { numberMark, type Mark, type Requirement } from './requirement';

/** How much worse a mark is that says nothing of a value: most documents have the fields of the others. */
const ANY_VALUE_COST = 1000;

/** Bytes of a mark and of the place of a query under it, about. */
const MARK_BYTES = 160;

/** The queries that require something of a field. */
class FieldMarks<Entry> {
  readonly byValue = new Map<string, Set<Entry>>();
  readonly anyValue = new Set<Entry>();
}

/** Entries by the marks that they require. */
export class QueryIndex<Entry> {
  private readonly fields = new Map<FieldId, FieldMarks<Entry>>();
  /** Those that may match any document. */
  private readonly always = new Set<Entry>();

  /** How bad it is to have one more entry stand under a mark: how many stand there already. */
  costOf({ field, value }: Mark): number {
    const marks = this.fields.get(field);
    if (value === null) return ANY_VALUE_COST + (marks?.anyValue.size ?? 0);
    return 1 + (marks?.byValue.get(value)?.size ?? 0);
  }

  /** Bytes that an entry takes here, about. */
  static bytesOf(requirement: Requirement | null): number {
    let bytes = MARK_BYTES;
    for (const { value } of requirement ?? []) bytes += MARK_BYTES + 2 * (value?.length ?? 0);
    return bytes;
  }

  /** @param requirement null: it may match any document */
  add(entry: Entry, requirement: Requirement | null): void {
    if (requirement === null) {
      this.always.add(entry);
      return;
    }
    for (const { field, value } of requirement) {
      let marks = this.fields.get(field);
      if (marks === undefined) this.fields.set(field, (marks = new FieldMarks<Entry>()));
      if (value === null) marks.anyValue.add(entry);
      else {
        const known = marks.byValue.get(value);
        if (known === undefined) marks.byValue.set(value, new Set([entry]));
        else known.add(entry);
      }
    }
  }

  /** @param requirement the one that it was added with */
  remove(entry: Entry, requirement: Requirement | null): void {
    if (requirement === null) {
      this.always.delete(entry);
      return;
    }
    for (const { field, value } of requirement) {
      const marks = this.fields.get(field);
      if (marks === undefined) continue;
      if (value === null) marks.anyValue.delete(entry);
      else {
        const known = marks.byValue.get(value);
        known?.delete(entry);
        if (known?.size === 0) marks.byValue.delete(value);
      }
      if (marks.anyValue.size + marks.byValue.size === 0) this.fields.delete(field);
    }
  }

  /** The entries that may match a document in a segment. */
  candidates(segment: SegmentReader): Set<Entry> {
    const found = new Set(this.always);
    for (const [field, marks] of this.fields) {
      const terms = segment.terms(field);
      const numbers = segment.numeric(field);
      if (terms !== null) addByTerms(found, marks, terms);
      if (numbers !== null) addByNumbers(found, marks, numbers);
      if (marks.anyValue.size > 0 && (terms ?? numbers ?? segment.presence(field)) !== null) {
        for (const entry of marks.anyValue) found.add(entry);
      }
    }
    return found;
  }
}

/** Looks up whatever is less: the terms of the document or those that are required. */
function addByTerms<Entry>(
  found: Set<Entry>,
  { byValue }: FieldMarks<Entry>,
  terms: TermDictionary,
): void {
  if (byValue.size < terms.size) {
    for (const [term, entries] of byValue) {
      if (terms.ordinalOf(term) >= 0) for (const entry of entries) found.add(entry);
    }
    return;
  }
  terms.forEach(0, terms.size, (term) => {
    for (const entry of byValue.get(term) ?? []) found.add(entry);
  });
}

function addByNumbers<Entry>(
  found: Set<Entry>,
  { byValue }: FieldMarks<Entry>,
  numbers: NumericColumn,
): void {
  if (byValue.size === 0) return;
  const isWhole = numbers.kind === 'long' || numbers.kind === 'int';
  // Where documents have one place each, those without a value hold any: one candidate too many.
  for (let i = 0; i < numbers.values.length; i++) {
    const value = isWhole ? numbers.longAt(i) : numbers.valueAt(i);
    for (const entry of byValue.get(numberMark(value)) ?? []) found.add(entry);
  }
}
