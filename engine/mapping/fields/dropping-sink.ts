// Sinks that keep nothing of what they are not made for.

import type { CompletionEntry, FieldSink, IndexedField } from './field-sink';

/** Accepts and drops every value; what a sink is about, it overrides. */
export class DroppingSink implements FieldSink {
  text(_field: IndexedField, _value: string, _boost: number): void {}
  number(_field: IndexedField, _value: number): void {}
  long(_field: IndexedField, _value: bigint): void {}
  geo(_field: IndexedField, _latitude: number, _longitude: number): void {}
  completion(_field: IndexedField, _entry: CompletionEntry): void {}
  present(_field: IndexedField): void {}
  beginNested(_path: string): void {}
  endNested(): void {}
}

class ValidatingSink extends DroppingSink {
  readonly isChecking = true;
}

/** The sink of a write that is only checked. */
export const VALIDATE_ONLY: FieldSink = new ValidatingSink();
