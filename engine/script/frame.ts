// The state of one bound script while it runs. Closures made by the compiler hold on to it, so a bound
// script runs on one document at a time.

import type { SegmentReader } from '../segment/index';
import type { StepBudget } from './limits';
import type { DocField, ScriptField } from './doc-fields';
import { storedValues, visibleSource } from './documents';
import type { ScriptMap, ScriptValue } from './values';
import type { SourceFilter } from '../json/index';

/** The state of one running script: its document, variables and budget. */
export class Frame {
  /** Variables by slot; undefined: never assigned. */
  readonly locals: (ScriptValue | undefined)[] = [];
  /** Fields in use, to be moved from document to document. */
  readonly fields: DocField[] = [];
  segment: SegmentReader | null = null;
  doc = 0;
  score = NaN;
  /** The value that a terms facet maps (`term`, `_value`). */
  term: ScriptValue = null;
  /** Variables begin anew with each run. */
  forgets = true;
  /** Bytes of sources that were read. */
  sourceBytes = 0;
  /** What `return` leaves. */
  result: ScriptValue = null;
  private sourceDoc = -1;
  private source: ScriptMap | null = null;

  constructor(
    readonly budget: StepBudget,
    private readonly mappedSource: ReadonlyMap<string, SourceFilter>,
    /** Epoch milliseconds. */
    readonly now: number,
  ) {}

  open(segment: SegmentReader): void {
    this.segment = segment;
    this.source = null;
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
    if (this.source === null || this.sourceDoc !== this.doc) {
      const record = this.isNested() ? null : (this.segment?.record(this.doc) ?? null);
      this.source =
        record === null ? new Map<string, ScriptValue>() : visibleSource(record, this.mappedSource);
      this.sourceDoc = this.doc;
      this.sourceBytes += record?.source.length ?? 0;
    }
    return this.source;
  }

  /** Values of a stored field of the current document. */
  storedValues(field: ScriptField): readonly ScriptValue[] {
    const record = this.isNested() ? null : (this.segment?.record(this.doc) ?? null);
    return record === null ? [] : storedValues(record, field);
  }

  /** Nested objects have neither a source nor stored fields (reference server). */
  private isNested(): boolean {
    const roots = this.segment?.roots ?? null;
    return roots !== null && !roots.has(this.doc);
  }
}
