// The sink of a write that is only checked: everything is accepted, nothing is kept.

import type { FieldSink } from './field-sink';

/** Accepts and drops every value. */
export const VALIDATE_ONLY: FieldSink = {
  isChecking: true,
  text: () => undefined,
  number: () => undefined,
  long: () => undefined,
  geo: () => undefined,
  completion: () => undefined,
  present: () => undefined,
  beginNested: () => undefined,
  endNested: () => undefined,
};
