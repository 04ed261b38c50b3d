// The state of one bound script while it runs. Closures made by the compiler hold on to it, so a bound
// script runs on one document at a time.

import type { SegmentReader } from '../segment/reader';
import { StepBudget, type StepLimits } from './limits';
import type { DocField } from './doc-fields';
import type { ScriptMap, ScriptValue } from './values';

/** Where scripts get what is not in columns. */
export interface DocumentAccess {
  /** The `_source` of a root document, or of a nested one's root; null when there is none. */
  source(segment: SegmentReader, doc: number): ScriptMap | null;
  /** Values of a stored field of that document. */
  stored(segment: SegmentReader, doc: number, field: string): readonly ScriptValue[];
}

export class Frame {
  readonly budget: StepBudget;
  /** Variables by slot; undefined: never assigned. */
  readonly locals: (ScriptValue | undefined)[] = [];
  /** Fields in use, to be moved from document to document. */
  readonly fields: DocField[] = [];
  segment: SegmentReader | null = null;
  doc = 0;
  score = NaN;
  /** The value that a terms facet maps (`term`, `_value`). */
  term: ScriptValue = null;
  /** What `return` leaves. */
  result: ScriptValue = null;
  private sourceDoc = -1;
  private source: ScriptMap | null = null;

  constructor(
    limits: StepLimits,
    private readonly access: DocumentAccess | null,
    /** Epoch milliseconds. */
    readonly now: number,
  ) {
    this.budget = new StepBudget(limits);
  }

  open(segment: SegmentReader): void {
    this.segment = segment;
    this.sourceDoc = -1;
    for (const field of this.fields) field.open(segment);
  }

  /** Adds a field that is first asked for while running. */
  add(field: DocField): void {
    this.fields.push(field);
    if (this.segment !== null) field.open(this.segment);
    field.seek(this.doc);
  }

  seek(doc: number): void {
    this.doc = doc;
    for (const field of this.fields) field.seek(doc);
  }

  /** The `_source` of the current document. */
  currentSource(): ScriptMap {
    if (this.sourceDoc !== this.doc || this.source === null) {
      const { segment, doc } = this;
      this.source = segment === null ? null : (this.access?.source(segment, doc) ?? null);
      this.sourceDoc = doc;
    }
    return this.source ?? new Map<string, ScriptValue>();
  }

  /** Values of a stored field of the current document. */
  storedValues(field: string): readonly ScriptValue[] {
    const { segment, doc } = this;
    return segment === null ? [] : (this.access?.stored(segment, doc, field) ?? []);
  }
}
