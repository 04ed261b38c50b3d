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
  /** The same in order; null: they have changed since. */
  private alwaysInOrder: readonly Entry[] | null = null;

  /** @param compare the order in which entries are best met */
  constructor(private readonly compare: (a: Entry, b: Entry) => number) {}

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
      this.alwaysInOrder = null;
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
      this.alwaysInOrder = null;
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

  /** The entries that may match a document in a segment, as they are now: those of a change come later. */
  candidates(segment: SegmentReader): Iterable<Entry> {
    const found: (readonly Entry[])[] = [];
    for (const [field, marks] of this.fields) {
      const terms = segment.terms(field);
      const numbers = segment.numeric(field);
      if (terms !== null) addByTerms(found, marks, terms);
      if (numbers !== null) addByNumbers(found, marks, numbers);
      if (marks.anyValue.size > 0 && (terms ?? numbers ?? segment.presence(field)) !== null) {
        found.push([...marks.anyValue]);
      }
    }
    this.alwaysInOrder ??= [...this.always].sort(this.compare);
    return distinct(this.alwaysInOrder, found);
  }
}

/** Each entry of any of the lists once, those of the first before all others, of which they are none. */
function* distinct<Entry>(
  first: readonly Entry[],
  others: readonly (readonly Entry[])[],
): Generator<Entry, void> {
  yield* first;
  const [only] = others;
  if (others.length === 1) yield* only!;
  if (others.length < 2) return;
  const seen = new Set<Entry>();
  for (const list of others) {
    for (const entry of list) {
      if (seen.has(entry)) continue;
      seen.add(entry);
      yield entry;
    }
  }
}

/** Looks up whatever is less: the terms of the document or those that are required. */
function addByTerms<Entry>(
  found: (readonly Entry[])[],
  { byValue }: FieldMarks<Entry>,
  terms: TermDictionary,
): void {
  if (byValue.size < terms.size) {
    for (const [term, entries] of byValue) if (terms.ordinalOf(term) >= 0) found.push([...entries]);
    return;
  }
  terms.forEach(0, terms.size, (term) => {
    const entries = byValue.get(term);
    if (entries !== undefined) found.push([...entries]);
  });
}

function addByNumbers<Entry>(
  found: (readonly Entry[])[],
  { byValue }: FieldMarks<Entry>,
  numbers: NumericColumn,
): void {
  if (byValue.size === 0) return;
  const isWhole = numbers.kind === 'long' || numbers.kind === 'int';
  // Where documents have one place each, those without a value hold any: one candidate too many.
  for (let i = 0; i < numbers.values.length; i++) {
    const value = isWhole ? numbers.longAt(i) : numbers.valueAt(i);
    const entries = byValue.get(numberMark(value));
    if (entries !== undefined) found.push([...entries]);
  }
}
