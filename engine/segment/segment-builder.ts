// Builds a segment: takes documents as streams of field values, numbers them (nested ones before their
// root) and hands their values to one collector per field.
//
// A document's values are kept until it ends. Only then its nested documents are complete, and a document
// can be given up halfway without a trace.

import type { Analyzer } from '../analysis/analyzer';
import type { FieldId, FieldSink, IndexedField } from '../mapping/field';
import { Bitset } from './bitset';
import { writeDocSet } from './doc-set';
import { FieldPartWriter } from './field-parts';
import { FLAG, MAX_DOCS, PART, type FieldEntry } from './format';
import { GrowableF64, GrowableU32, type MemoryUse } from './growable';
import { SegmentWriter, type BuiltSegment } from './segment-writer';
import { writeSequences } from './sequence-column';
import { StringInverter } from './string-inverter';
import { TokenBuffer, type TokenRange } from './token-buffer';
import { NumberCollector, PointCollector } from './value-collectors';

export type { BuiltSegment } from './segment-writer';

/** Memory that a field takes before it has any value. */
const FIELD_BYTES = 1024;

/** A value on its way to its field. `extra` is a string's boost or a point's longitude. */
interface Contribution {
  readonly field: IndexedField;
  readonly value: string | number | bigint | null;
  readonly extra: number;
}

/** A document that is being described; `path` null: the root. */
interface OpenDocument {
  readonly path: string | null;
  readonly contributions: Contribution[];
}

interface AnalyzedText {
  readonly analyzer: Analyzer | null;
  readonly range: TokenRange;
}

interface FieldState {
  /** As last seen. */
  field: IndexedField;
  readonly presence: GrowableU32;
  strings: StringInverter | null;
  numbers: NumberCollector | null;
  points: PointCollector | null;
}

export class SegmentBuilder implements FieldSink {
  private readonly use: MemoryUse = { bytes: 0 };
  private readonly fields = new Map<FieldId, FieldState>();
  private readonly tokens = new TokenBuffer();
  private readonly sequences = new GrowableF64(this.use);
  private readonly rootDocs = new GrowableU32(this.use);
  private readonly nested = new Map<string, GrowableU32>();
  private docs = 0;

  private sequence = 0;
  private readonly open: OpenDocument[] = [];
  /** Finished nested documents of the current root, inner ones first. */
  private readonly complete: OpenDocument[] = [];
  private finished = false;

  /** Documents added so far, nested ones included. */
  get docCount(): number {
    return this.docs;
  }

  /** Root documents added so far. */
  get rootCount(): number {
    return this.rootDocs.length;
  }

  /** Memory held, in bytes; building the segment at the end needs about as much again. */
  get estimatedBytes(): number {
    return this.use.bytes;
  }

  /** @param sequence number of its record in the document log; grows from document to document */
  beginDocument(sequence: number): void {
    if (this.finished || this.open.length > 0) throw new Error('a document cannot begin here');
    const { sequences } = this;
    if (sequences.length > 0 && sequence <= sequences.items[sequences.length - 1]!) {
      throw new RangeError(`sequence ${sequence} does not follow the one before`);
    }
    this.sequence = sequence;
    this.open.push({ path: null, contributions: [] });
  }

  /** Adds the document. Nested objects still open (after a parse error) end with it. */
  endDocument(): void {
    if (this.open.length === 0) throw new Error('no document has begun');
    while (this.open.length > 1) this.endNested();
    const root = this.open.pop()!;
    if (this.docs + this.complete.length + 1 > MAX_DOCS) throw new RangeError('a segment is full');
    for (const document of this.complete) this.addNested(document);
    this.complete.length = 0;
    this.rootDocs.push(this.docs);
    this.sequences.push(this.sequence);
    this.addDocument(root);
  }

  /** Forgets the current document. */
  abandonDocument(): void {
    this.open.length = 0;
    this.complete.length = 0;
  }

  text(field: IndexedField, value: string, boost: number): void {
    this.current().push({ field, value, extra: boost });
  }

  number(field: IndexedField, value: number): void {
    this.current().push({ field, value, extra: 0 });
  }

  long(field: IndexedField, value: bigint): void {
    this.current().push({ field, value, extra: 0 });
  }

  geo(field: IndexedField, latitude: number, longitude: number): void {
    this.current().push({ field, value: latitude, extra: longitude });
  }

  present(field: IndexedField): void {
    this.current().push({ field, value: null, extra: 0 });
  }

  beginNested(path: string): void {
    this.current();
    this.open.push({ path, contributions: [] });
  }

  endNested(): void {
    if (this.open.length < 2) throw new Error('no nested object is open');
    this.complete.push(this.open.pop()!);
  }

  /** Writes the segment. The builder is of no use afterwards. */
  finish(): BuiltSegment {
    if (this.finished || this.open.length > 0) throw new Error('a segment cannot be finished here');
    this.finished = true;
    const { docs, sequences } = this;
    const writer = new SegmentWriter();
    const roots = this.nested.size === 0 ? null : bitsetOf(this.rootDocs.view(), docs);
    if (docs > 0) writer.addPart(0, PART.sequences, writeSequences(sequences.view()));
    if (roots !== null) {
      writer.addPart(0, PART.roots, writeDocSet(this.rootDocs.view(), docs, null));
    }
    const paths = [...this.nested.keys()];
    paths.forEach((path, sub) => {
      const members = writeDocSet(this.nested.get(path)!.view(), docs, null);
      writer.addPart(0, PART.nested, members, sub);
    });
    for (const [id, state] of this.fields) {
      writer.addField(this.writeField(state, writer, roots));
      this.fields.delete(id);
    }
    const first = sequences.length === 0 ? 0 : sequences.items[0]!;
    const last = sequences.length === 0 ? 0 : sequences.items[sequences.length - 1]!;
    return writer.finish(
      { docCount: docs, rootCount: this.rootDocs.length, minSequence: first, maxSequence: last },
      paths,
    );
  }

  private current(): Contribution[] {
    const document = this.open.at(-1);
    if (document === undefined) throw new Error('no document has begun');
    return document.contributions;
  }

  private addNested(document: OpenDocument): void {
    const path = document.path!;
    let members = this.nested.get(path);
    if (members === undefined) this.nested.set(path, (members = new GrowableU32(this.use)));
    members.push(this.docs);
    this.addDocument(document);
  }

  private addDocument({ contributions }: OpenDocument): void {
    const doc = this.docs++;
    this.tokens.clear();
    // Texts of this document and their tokens, to analyze none twice.
    const analyzed = new Map<string, AnalyzedText>();
    for (const { field, value, extra } of contributions) {
      const kept = field.indexed || field.docValues;
      if (!kept && value !== null) continue;
      const state = this.stateOf(field);
      const { presence } = state;
      if (presence.length === 0 || presence.items[presence.length - 1] !== doc) presence.push(doc);
      if (value === null) continue;
      if (typeof value === 'string') {
        let text = analyzed.get(value);
        if (text === undefined || text.analyzer !== field.analyzer) {
          text = { analyzer: field.analyzer, range: this.tokens.analyze(field.analyzer, value) };
          analyzed.set(value, text);
        }
        state.strings!.add(doc, this.tokens, text.range, extra, field.positionGap);
      } else if (typeof value === 'bigint') {
        state.numbers!.addLong(doc, value);
      } else if (state.points !== null) {
        state.points.add(doc, value, extra);
      } else {
        state.numbers!.add(doc, value);
      }
    }
  }

  private stateOf(field: IndexedField): FieldState {
    let state = this.fields.get(field.id);
    if (state === undefined) {
      const { kind } = field;
      state = {
        field,
        presence: new GrowableU32(this.use),
        strings: kind === 'string' ? new StringInverter(this.use) : null,
        numbers: kind === 'string' || kind === 'geo' ? null : new NumberCollector(kind, this.use),
        points: kind === 'geo' ? new PointCollector(this.use) : null,
      };
      state.strings?.configure(field);
      this.use.bytes += FIELD_BYTES;
      this.fields.set(field.id, state);
    } else if (state.field !== field) {
      state.field = field;
      state.strings?.configure(field);
    }
    return state;
  }

  private writeField(state: FieldState, writer: SegmentWriter, roots: Bitset | null): FieldEntry {
    const { field } = state;
    const out = new FieldPartWriter(writer, field.id, this.docs, state.presence.view(), roots);
    if (state.strings !== null) return state.strings.finish(field, out);
    if (state.numbers !== null) out.addNumbers(state.numbers.finish(), field.indexed);
    if (state.points !== null) out.addPoints(state.points.finish());
    return {
      id: field.id,
      name: field.name,
      kind: field.kind,
      flags: (field.indexed ? FLAG.indexed : 0) | (field.docValues ? FLAG.docValues : 0),
      docCount: 0,
      termCount: 0,
      sumDocFreq: 0,
      sumTotalTermFreq: -1,
    };
  }
}

function bitsetOf(docs: Uint32Array, size: number): Bitset {
  const set = new Bitset(size);
  for (let i = 0; i < docs.length; i++) set.add(docs[i]!);
  return set;
}
