// Values held back for later. Needed where a value belongs to an enclosing document while a nested one
// is still being written (copy_to out of a nested object), and where a nested document's values also go
// to its parent or root (include_in_parent, include_in_root).

import type { CompletionEntry, FieldSink, IndexedField } from './field-sink';

type Call = (sink: FieldSink) => void;

/** Records values and hands them to another sink later, in order. Nested brackets are not recorded. */
export class ValueBuffer implements FieldSink {
  private readonly calls: Call[] = [];

  text(field: IndexedField, value: string, boost: number): void {
    this.calls.push((sink) => sink.text(field, value, boost));
  }
  number(field: IndexedField, value: number): void {
    this.calls.push((sink) => sink.number(field, value));
  }
  long(field: IndexedField, value: bigint): void {
    this.calls.push((sink) => sink.long(field, value));
  }
  geo(field: IndexedField, latitude: number, longitude: number): void {
    this.calls.push((sink) => sink.geo(field, latitude, longitude));
  }
  completion(field: IndexedField, entry: CompletionEntry): void {
    this.calls.push((sink) => sink.completion(field, entry));
  }
  present(field: IndexedField): void {
    this.calls.push((sink) => sink.present(field));
  }
  beginNested(): void {}
  endNested(): void {}

  /** Hands everything recorded so far to `sink`. */
  copyTo(sink: FieldSink): void {
    for (const call of this.calls) call(sink);
  }
}

/**
 * Passes everything on to `target`, and to `copy` what belongs to the document at hand itself,
 * leaving out the documents nested in it.
 */
export class CopyingSink implements FieldSink {
  private nested = 0;

  constructor(
    private readonly target: FieldSink,
    private readonly copy: FieldSink,
  ) {}

  text(field: IndexedField, value: string, boost: number): void {
    this.target.text(field, value, boost);
    if (this.nested === 0) this.copy.text(field, value, boost);
  }
  number(field: IndexedField, value: number): void {
    this.target.number(field, value);
    if (this.nested === 0) this.copy.number(field, value);
  }
  long(field: IndexedField, value: bigint): void {
    this.target.long(field, value);
    if (this.nested === 0) this.copy.long(field, value);
  }
  geo(field: IndexedField, latitude: number, longitude: number): void {
    this.target.geo(field, latitude, longitude);
    if (this.nested === 0) this.copy.geo(field, latitude, longitude);
  }
  completion(field: IndexedField, entry: CompletionEntry): void {
    this.target.completion(field, entry);
    if (this.nested === 0) this.copy.completion(field, entry);
  }
  present(field: IndexedField): void {
    this.target.present(field);
    if (this.nested === 0) this.copy.present(field);
  }
  beginNested(path: string): void {
    this.target.beginNested(path);
    this.nested++;
  }
  endNested(): void {
    this.target.endNested();
    this.nested--;
  }
}
