// Builds a segment: takes documents as streams of field values, numbers them (nested ones before their
// root) and hands their values to one collector per field.
//
// A document's values are kept until it ends. Only then its nested documents are complete, and a document
// can be given up halfway without a trace.

import {
  META_FIELD,
  type CompletionEntry,
  type FieldSink,
  type IndexedField,
} from '../../mapping/index';
import { atOnce } from '../../common/index';
import { Bitset } from '../contract/bitset';
import { writeDocSet } from '../sets/doc-set';
import { FieldPartWriter } from './field-parts';
import { FLAG, MAX_DOCS, PART, type FieldEntry } from '../format/format';
import { GrowableF64, GrowableU32, type MemoryUse } from '../memory/growable';
import type { MemoryPool } from '../memory/memory-pool';
import { TokenCache } from './token-cache';
import { SegmentWriter, type BuiltSegment } from '../format/segment-writer';
import { writeSequences } from '../columns/sequence-column';
import { ENDLESS } from '../format/steps';
import { StringInverter } from './string-inverter';
import { TokenBuffer } from './token-buffer';
import { NumberCollector, PointCollector } from '../columns/value-collectors';
export type { BuiltSegment } from '../format/segment-writer';
import type { FieldId } from '../../metadata/index';
import { encodeEntry } from '../completion/completion-entry';

/** Memory that a field takes before it has any value. */
const FIELD_BYTES = 1024;

/** Values of a document beyond this number: their arrays are not kept for the next one. */
const KEPT_VALUES = 4096;

/** How far ahead the value is looked for that a text of `_all` comes from. */
const ALL_LOOKAHEAD = 16;

type Value = string | number | bigint | null;

/** A document that is being described: its values in the order given. Used again for later documents. */
class OpenDocument {
  /** Path of the nested object; null: the root. */
  path: string | null = null;
  count = 0;
  readonly fields: IndexedField[] = [];
  readonly values: Value[] = [];
  /** Boost of a string, longitude of a point. */
  readonly extras: number[] = [];
  /** Of strings that were added: their tokens in the token buffer; without an analyzer the term's id. */
  readonly froms: number[] = [];
  readonly tos: number[] = [];
  readonly skips: number[] = [];

  /** Terms of completion entries, few documents have any. */
  readonly completions: (readonly [IndexedField, string])[] = [];

  addCompletion(field: IndexedField, term: string): void {
    this.completions.push([field, term]);
  }

  add(field: IndexedField, value: Value, extra: number): void {
    const at = this.count++;
    this.fields[at] = field;
    this.values[at] = value;
    this.extras[at] = extra;
  }
}

interface FieldState {
  /** As last seen. */
  field: IndexedField;
  readonly presence: GrowableU32;
  strings: StringInverter | null;
  numbers: NumberCollector | null;
  points: PointCollector | null;
  /** Entries of a completion field, as terms. */
  completions: StringInverter | null;
  /** For a field that is not analyzed: words of its values by the field that they go into. */
  readonly words: Map<FieldId, TokenCache>;
}

export class SegmentBuilder implements FieldSink {
  private readonly use: MemoryUse;
  private readonly fields: (FieldState | undefined)[] = [];
  private readonly tokens = new TokenBuffer();
  private readonly sequences: GrowableF64;
  private readonly rootDocs: GrowableU32;
  private readonly nested = new Map<string, GrowableU32>();
  private docs = 0;

  private sequence = 0;
  private readonly open: OpenDocument[] = [];
  /** Finished nested documents of the current root, inner ones first. */
  private readonly complete: OpenDocument[] = [];
  /** Documents to be used again. */
  private readonly spare: OpenDocument[] = [];
  private finished = false;

  /** @param pool where memory comes from, and goes to when the segment is finished */
  constructor(pool?: MemoryPool) {
    this.use = pool === undefined ? { bytes: 0 } : { bytes: 0, pool };
    this.sequences = new GrowableF64(this.use);
    this.rootDocs = new GrowableU32(this.use);
  }

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
    this.open.push(this.document(null));
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
    this.current().add(field, value, boost);
  }

  completion(field: IndexedField, entry: CompletionEntry): void {
    this.current().addCompletion(field, encodeEntry(entry));
  }

  number(field: IndexedField, value: number): void {
    this.current().add(field, value, 0);
  }

  long(field: IndexedField, value: bigint): void {
    this.current().add(field, value, 0);
  }

  geo(field: IndexedField, latitude: number, longitude: number): void {
    this.current().add(field, latitude, longitude);
  }

  present(field: IndexedField): void {
    this.current().add(field, null, 0);
  }

  beginNested(path: string): void {
    this.current();
    this.open.push(this.document(path));
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
    this.fields.forEach((state, id) => {
      writer.addField(this.writeField(state!, writer, roots));
      release(state!);
      this.fields[id] = undefined;
    });
    const first = sequences.length === 0 ? 0 : sequences.items[0]!;
    const last = sequences.length === 0 ? 0 : sequences.items[sequences.length - 1]!;
    const rootCount = this.rootDocs.length;
    sequences.release();
    this.rootDocs.release();
    for (const members of this.nested.values()) members.release();
    return writer.finish(
      { docCount: docs, rootCount, minSequence: first, maxSequence: last },
      paths,
    );
  }

  private document(path: string | null): OpenDocument {
    const document = this.spare.pop() ?? new OpenDocument();
    document.path = path;
    document.count = 0;
    document.completions.length = 0;
    return document;
  }

  private current(): OpenDocument {
    const { open } = this;
    if (open.length === 0) throw new Error('no document has begun');
    return open[open.length - 1]!;
  }

  private addNested(document: OpenDocument): void {
    const path = document.path!;
    let members = this.nested.get(path);
    if (members === undefined) this.nested.set(path, (members = new GrowableU32(this.use)));
    members.push(this.docs);
    this.addDocument(document);
  }

  private addDocument(document: OpenDocument): void {
    const doc = this.docs++;
    this.tokens.clear();
    const { fields, values, extras, count } = document;
    /** Where the next text of `_all` is looked for among the values: both come in the same order. */
    let cursor = 0;
    for (let i = 0; i < count; i++) {
      const field = fields[i]!;
      const value = values[i]!;
      if (!field.indexed && !field.docValues && value !== null) continue;
      const state = this.stateOf(field);
      const { presence } = state;
      if (presence.length === 0 || presence.items[presence.length - 1] !== doc) presence.push(doc);
      if (value === null) continue;
      if (typeof value === 'string') {
        let same = i - 1;
        if (field.id === META_FIELD._all) {
          same = findText(document, value, cursor, i);
          if (same >= 0) cursor = same + 1;
        } else if (same >= 0 && values[same] !== value) same = -1;
        state.strings!.startValue(doc, extras[i]!, field.positionGap);
        if (same < 0 || !this.addAgain(document, same, i, state.strings!)) {
          this.addText(document, i, state.strings!);
        }
      } else if (typeof value === 'bigint') {
        state.numbers!.addLong(doc, value);
      } else if (state.points !== null) {
        state.points.add(doc, value, extras[i]!);
      } else {
        state.numbers!.add(doc, value);
      }
    }
    if (document.completions.length > 0) this.addCompletions(doc, document.completions);
    if (document.fields.length <= KEPT_VALUES) this.spare.push(document);
  }

  private addCompletions(doc: number, entries: OpenDocument['completions']): void {
    const { tokens } = this;
    for (const [field, term] of entries) {
      const state = this.stateOf(field);
      let inverter = state.completions;
      if (inverter === null) {
        state.completions = inverter = new StringInverter(this.use);
        inverter.configure({ ...field, indexOptions: 'docs', norms: false });
      }
      tokens.clear();
      tokens.analyze(null, term);
      inverter.startValue(doc, 1, 0);
      inverter.add(tokens, 0, tokens.count, 0);
    }
  }

  /** Analyzes the text at `i` and adds its tokens; returns whether each of them is one position. */
  private addText(document: OpenDocument, i: number, strings: StringInverter): boolean {
    const { tokens } = this;
    const { analyzer } = document.fields[i]!;
    const from = tokens.count;
    const isPlain = tokens.analyze(analyzer, document.values[i] as string);
    strings.add(tokens, from, tokens.count, tokens.skipped);
    if (analyzer === null) {
      // The value's term, if it was not too long for one.
      const { occurrences } = strings;
      document.froms[i] = tokens.count > from ? occurrences.items[occurrences.length - 1]! : -1;
    } else {
      document.froms[i] = from;
      document.tos[i] = tokens.count;
      document.skips[i] = tokens.skipped;
    }
    return isPlain;
  }

  /**
   * Adds the text at `i`, which is that at `same` once more, if possible without analyzing it again.
   *
   * @returns false when it was not added
   */
  private addAgain(
    document: OpenDocument,
    same: number,
    i: number,
    strings: StringInverter,
  ): boolean {
    const { fields, froms, tos, skips } = document;
    const source = fields[same]!;
    const field = fields[i]!;
    const from = froms[same]!;
    if (source.kind !== 'string' || !(source.indexed || source.docValues) || from < 0) return false;
    if (source.analyzer === null) {
      if (field.analyzer === null) return false;
      this.addWordsOf(from, this.fields[source.id]!, document, i, strings);
      return true;
    }
    if (source.analyzer !== field.analyzer) return false;
    strings.add(this.tokens, from, tos[same]!, skips[same]!);
    froms[i] = from;
    tos[i] = tos[same]!;
    skips[i] = skips[same]!;
    return true;
  }

  /** Adds the text at `i`, which has the term id `value` in a field that is not analyzed. */
  private addWordsOf(
    value: number,
    source: FieldState,
    document: OpenDocument,
    i: number,
    strings: StringInverter,
  ): void {
    const field = document.fields[i]!;
    let words = source.words.get(field.id);
    if (words?.analyzer !== field.analyzer) {
      words = new TokenCache(field.analyzer, this.use);
      source.words.set(field.id, words);
    }
    const at = words.find(value);
    if (at >= 0) {
      const { items } = words.pool;
      strings.addKnown(items, at + 1, at + 1 + items[at]!);
      // They are not in the token buffer.
      document.froms[i] = -1;
      return;
    }
    const before = strings.occurrences.length;
    const isPlain = this.addText(document, i, strings);
    if (isPlain) words.meet(value, strings.occurrences.items, before, strings.occurrences.length);
  }

  private stateOf(field: IndexedField): FieldState {
    let state = this.fields[field.id];
    if (state === undefined) {
      const { kind } = field;
      state = {
        field,
        presence: new GrowableU32(this.use),
        strings: kind === 'string' ? new StringInverter(this.use) : null,
        numbers: kind === 'string' || kind === 'geo' ? null : new NumberCollector(kind, this.use),
        points: kind === 'geo' ? new PointCollector(this.use) : null,
        completions: null,
        words: new Map(),
      };
      state.strings?.configure(field);
      this.use.bytes += FIELD_BYTES;
      this.fields[field.id] = state;
    } else if (state.field !== field) {
      state.field = field;
      state.strings?.configure(field);
    }
    return state;
  }

  private writeField(state: FieldState, writer: SegmentWriter, roots: Bitset | null): FieldEntry {
    const { field } = state;
    const out = new FieldPartWriter(writer, field.id, this.docs, state.presence.view(), roots);
    if (state.strings !== null) {
      const entry = state.strings.finish(field, out);
      state.completions?.finishCompletions(field, out);
      return entry;
    }
    if (state.numbers !== null) {
      atOnce(out.addNumbers(state.numbers.finish(), ENDLESS));
    }
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

/** Gives up what a field that was written held. */
function release(state: FieldState): void {
  const { presence, strings, numbers, points, completions, words } = state;
  presence.release();
  strings?.release();
  numbers?.release();
  points?.release();
  completions?.release();
  for (const remembered of words.values()) remembered.release();
}

/** The first of the values from `from` on, before `to` and not far away, that is `text`; -1 without one. */
function findText({ values }: OpenDocument, text: string, from: number, to: number): number {
  const end = Math.min(to, from + ALL_LOOKAHEAD);
  for (let i = from; i < end; i++) if (values[i] === text) return i;
  return -1;
}

function bitsetOf(docs: Uint32Array, size: number): Bitset {
  const set = new Bitset(size);
  for (let i = 0; i < docs.length; i++) set.add(docs[i]!);
  return set;
}
