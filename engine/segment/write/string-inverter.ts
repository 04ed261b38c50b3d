// Inverts one string field: collects one term id per token in document order, and at the end sorts the
// occurrences by term (a counting sort) and writes dictionary, postings, positions and norms.

import type { IndexedField, IndexOptions } from '../../mapping/index';
import { FLAG, PART, type FieldEntry } from '../format/format';
import { giveMemory, GrowableU32, takeWords, type MemoryUse } from '../memory/growable';
import { fieldNorm } from '../../similarity/index';
import { writeNorms } from '../postings/norms-part';
import { PostingsWriter } from '../postings/postings-writer';
import type { FieldPartWriter } from './field-parts';
import { TermHash } from '../dictionary/term-hash';
import { TermWriter } from '../dictionary/term-writer';
import type { TokenBuffer } from './token-buffer';
import { CompletionWriter } from '../completion/completion-writer';

/** What each index option records, in ascending order. */
const OPTION_LEVEL: Readonly<Record<IndexOptions, number>> = {
  docs: 0,
  freqs: 1,
  positions: 2,
  // Offsets have a place in the format but no reader; such fields are written with positions.
  offsets: 2,
};

export class StringInverter {
  private readonly terms: TermHash;
  /** One term id per token. */
  readonly occurrences: GrowableU32;
  /** Documents with a value, and where their occurrences begin. */
  private readonly docs: GrowableU32;
  private readonly starts: GrowableU32;
  private readonly normBytes: GrowableU32;
  /** Positions of the occurrences; null while every one is its place in the document. */
  private positions: GrowableU32 | null = null;

  private level = OPTION_LEVEL.positions;
  private norms = true;
  private docValues = false;
  private indexed = false;
  private countsOverlaps = false;

  /** The current document. */
  private doc = -1;
  private position = -1;
  /** Tokens that do not stand at the position of the one before. */
  private length = 0;
  private boost = 1;

  constructor(private readonly use: MemoryUse) {
    this.terms = new TermHash(use);
    this.occurrences = new GrowableU32(use);
    this.docs = new GrowableU32(use);
    this.starts = new GrowableU32(use);
    this.normBytes = new GrowableU32(use);
  }

  /**
   * Takes over how `field` is indexed. If that changes within a segment, the lesser holds for all of it:
   * norms and positions that some documents lack are of no use.
   */
  configure(field: IndexedField): void {
    this.level = Math.min(this.level, field.indexed ? OPTION_LEVEL[field.indexOptions] : 0);
    this.norms &&= field.norms && field.indexed;
    this.docValues ||= field.docValues;
    this.indexed ||= field.indexed;
    this.countsOverlaps = field.countsOverlaps === true;
  }

  /**
   * Begins one value; its tokens follow. Documents ascend.
   *
   * @param positionGap positions between two values of a document
   */
  startValue(doc: number, boost: number, positionGap: number): void {
    if (doc !== this.doc) this.startDocument(doc);
    else this.position += positionGap;
    if (boost !== 1) this.boost = Math.fround(this.boost * Math.fround(boost));
  }

  /** Number of distinct terms so far: a term id from here on is new. */
  get termCount(): number {
    return this.terms.size;
  }

  /** Adds tokens that were added before, given as `ids[from .. to)`; each is one position. */
  addKnown(ids: Uint32Array, from: number, to: number): void {
    const { occurrences } = this;
    occurrences.reserve(to - from);
    const { items } = occurrences;
    const first = this.starts.items[this.starts.length - 1]!;
    let { position } = this;
    for (let i = from, at = occurrences.length; i < to; i++, at++) {
      position++;
      items[at] = ids[i]!;
      if (this.positions !== null) this.positions.push(position);
      else if (position !== at - first) this.recordPositions(at, position);
    }
    occurrences.length += to - from;
    this.position = position;
    this.length += to - from;
  }

  /** Adds the tokens [from, to) of `tokens`; `skipped` positions follow the last of them. */
  add(tokens: TokenBuffer, from: number, to: number, skipped: number): void {
    const { occurrences, terms } = this;
    const { bytes, starts, hashes, increments } = tokens;
    occurrences.reserve(to - from);
    const { items } = occurrences;
    const first = this.starts.items[this.starts.length - 1]!;
    let { position, length } = this;
    for (let i = from, at = occurrences.length; i < to; i++, at++) {
      const increment = increments[i]!;
      position += increment;
      if (increment > 0) length++;
      else if (position < 0) position = 0;
      items[at] = terms.idOf(bytes, starts[i]!, starts[i + 1]!, hashes[i]!);
      if (this.positions !== null) this.positions.push(position);
      else if (position !== at - first) this.recordPositions(at, position);
    }
    occurrences.length += to - from;
    this.position = position + skipped;
    this.length = length;
  }

  /** Writes all parts of the field and returns what the directory says of it. */
  finish(field: IndexedField, out: FieldPartWriter): FieldEntry {
    this.finishDocument();
    const { terms } = this;
    const hasFreqs = this.level >= OPTION_LEVEL.freqs;
    const hasPositions = this.level >= OPTION_LEVEL.positions;
    const docs = this.docs.view();
    let norms: Uint8Array | null = null;
    if (this.norms && terms.size > 0) {
      norms = new Uint8Array(out.docCount);
      for (let i = 0; i < docs.length; i++) norms[docs[i]!] = this.normBytes.items[i]!;
      out.add(PART.norms, writeNorms(norms, out.presence));
    }
    const writer = new TermWriter(new PostingsWriter(hasFreqs, hasPositions, norms));
    const withTerms = this.writeTerms(writer);
    writer.finish(field.id, out.segment);
    return {
      id: field.id,
      name: field.name,
      kind: field.kind,
      flags:
        (this.indexed ? FLAG.indexed : 0) |
        (hasFreqs ? FLAG.freqs : 0) |
        (hasPositions ? FLAG.positions : 0) |
        (norms !== null ? FLAG.norms : 0) |
        (this.docValues ? FLAG.docValues : 0),
      docCount: withTerms,
      termCount: terms.size,
      sumDocFreq: writer.sumDocFreq,
      sumTotalTermFreq: hasFreqs ? writer.sumTotalTermFreq : -1,
    };
  }

  /** Writes the terms as entries of a completion field. */
  finishCompletions(field: IndexedField, out: FieldPartWriter): void {
    this.finishDocument();
    const writer = new CompletionWriter();
    this.writeTerms(writer);
    writer.finish(field.id, out.segment);
  }

  /** Gives the memory up; nothing may be added or written any more. */
  release(): void {
    this.terms.release();
    this.occurrences.release();
    this.docs.release();
    this.starts.release();
    this.normBytes.release();
    this.positions?.release();
  }

  private startDocument(doc: number): void {
    this.finishDocument();
    this.doc = doc;
    this.position = -1;
    this.length = 0;
    this.boost = 1;
    this.docs.push(doc);
    this.starts.push(this.occurrences.length);
  }

  private finishDocument(): void {
    if (this.doc === -1) return;
    const tokens = this.occurrences.length - this.starts.items[this.starts.length - 1]!;
    const length = this.countsOverlaps ? tokens : this.length;
    this.normBytes.push(this.norms && tokens > 0 ? fieldNorm(length, this.boost) : 0);
    this.doc = -1;
  }

  /** From now on positions are kept: those of the `n` occurrences so far, which were implied, and `next`. */
  private recordPositions(n: number, next: number): void {
    const positions = new GrowableU32(this.use);
    const { docs, starts } = this;
    positions.reserve(n + 1);
    for (let i = 0; i < docs.length; i++) {
      const start = starts.items[i]!;
      const end = i + 1 < docs.length ? starts.items[i + 1]! : n;
      for (let at = start; at < end; at++) positions.push(at - start);
    }
    positions.push(next);
    this.positions = positions;
  }

  /** Writes the terms with their postings; returns the number of documents with a term. */
  private writeTerms(writer: TermWriter): number {
    const { terms, occurrences } = this;
    const n = occurrences.length;
    const docs = this.docs.view();
    const ids = terms.sorted();
    const rank = takeWords(this.use, terms.size);
    for (let i = 0; i < ids.length; i++) rank[ids[i]!] = i;
    // Occurrences by term: next[r] is where the next one of rank r goes.
    const next = takeWords(this.use, terms.size + 1).fill(0, 0, terms.size + 1);
    for (let i = 0; i < n; i++) next[rank[occurrences.items[i]!]! + 1]!++;
    for (let r = 0; r < terms.size; r++) next[r + 1]! += next[r]!;
    const entryOf = takeWords(this.use, n);
    const placed = writer.postings.hasPositions ? takeWords(this.use, n) : null;
    let withTerms = 0;
    for (let entry = 0; entry < docs.length; entry++) {
      const start = this.starts.items[entry]!;
      const end = entry + 1 < docs.length ? this.starts.items[entry + 1]! : n;
      if (end > start) withTerms++;
      for (let at = start; at < end; at++) {
        const to = next[rank[occurrences.items[at]!]!]!++;
        entryOf[to] = entry;
        if (placed !== null)
          placed[to] = this.positions === null ? at - start : this.positions.items[at]!;
      }
    }
    giveMemory(this.use, rank);
    // Now next[r] is the end of rank r.
    const { postings } = writer;
    for (let r = 0, at = 0; r < terms.size; r++) {
      const end = next[r]!;
      writer.startTerm();
      while (at < end) {
        const entry = entryOf[at]!;
        const start = at;
        while (at < end && entryOf[at] === entry) at++;
        postings.add(docs[entry]!, postings.hasFreqs ? at - start : 1);
        if (placed !== null) for (let i = start; i < at; i++) postings.addPosition(placed[i]!);
      }
      const id = ids[r]!;
      writer.finishTerm(terms.arena, terms.starts[id]!, terms.starts[id + 1]!);
    }
    giveMemory(this.use, next);
    giveMemory(this.use, entryOf);
    if (placed !== null) giveMemory(this.use, placed);
    return withTerms;
  }
}
