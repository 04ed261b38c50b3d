// The term dictionary of one field as searches use it. Cheap to create: what it holds is the term index;
// blocks come through the cache.

import { Bitset } from '../contract/bitset';
import {
  MAX_INLINE_DOCS,
  POSTINGS_BLOCK,
  TERMS_PER_BLOCK,
  TERMS_PER_BLOCK_SHIFT,
  type FieldEntry,
} from '../format/format';
import { fillSmall, Postings } from '../postings/postings';
import { impactBytes, readImpacts } from '../postings/term-impacts';
import type {
  PostingsIterator,
  PostingsNeed,
  TermBytes,
  TermDictionary,
  TermImpacts,
} from '../contract/reader';
import { TermCursor, type TermLayout } from './term-cursor';
import { maxUtf8Length, readUtf8, writeUtf8 } from './utf8-order';

/** The documents of terms in more than one of so many documents are kept as a set. */
const DENSE_SHARE = 32;

/** Impacts of rarer terms would save less than a block or two. */
const MIN_IMPACT_DOCS = 8 * POSTINGS_BLOCK;

/** Look-ups remembered of each kind: enough for the terms of the searches of a moment. */
const RECENT_LOOKUPS = 256;

const setBytes = ({ words }: Bitset): number => words.byteLength;

export class BlockTermDictionary implements TermDictionary {
  readonly size: number;
  readonly sumTotalTermFreq: number;
  readonly sumDocFreq: number;
  readonly docCount: number;
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;

  /** Memory that the dictionary holds, in bytes. */
  readonly indexBytes: number;

  /** For look-ups by term or ordinal; scans take a cursor of their own. */
  private readonly lookup: TermCursor;
  private wanted = new Uint8Array(64);
  /** Set by {@link seekCeiling}: whether the term it found is the one it was given. */
  private found = false;
  /** Results of {@link ceiling}: twice the ordinal, plus 1 when the term was found. */
  private readonly recent = new Map<string, number>();
  /** Results of {@link termAt}: facets show the same frequent terms again and again. */
  private readonly recentTerms = new Map<number, string>();
  /** Results of {@link docFreq} by ordinal: reading one means to decode those of the terms before it. */
  private readonly recentFreqs = new Map<number, number>();

  /** @param norms the norm bytes of the field, for bounds of small terms */
  constructor(
    private readonly field: FieldEntry,
    private readonly layout: TermLayout,
    private readonly norms: () => Uint8Array | null,
  ) {
    this.size = layout.index.termCount;
    this.sumTotalTermFreq = field.sumTotalTermFreq;
    this.sumDocFreq = field.sumDocFreq;
    this.docCount = field.docCount;
    this.hasFreqs = layout.hasFreqs;
    this.hasPositions = layout.hasPositions;
    this.lookup = new TermCursor(layout);
    this.indexBytes = layout.index.byteLength + 512;
  }

  ordinalOf(term: string): number {
    const ordinal = this.ceiling(term);
    return this.found ? ordinal : -1;
  }

  ceiling(term: string): number {
    const known = this.recent.get(term);
    if (known !== undefined) {
      this.found = (known & 1) === 1;
      return known >>> 1;
    }
    const ordinal = this.findCeiling(term);
    if (this.recent.size === RECENT_LOOKUPS) this.recent.clear();
    this.recent.set(term, ordinal * 2 + (this.found ? 1 : 0));
    return ordinal;
  }

  private findCeiling(term: string): number {
    const room = maxUtf8Length(term);
    if (this.wanted.length < room) this.wanted = new Uint8Array(room);
    return this.seekCeiling(this.wanted, writeUtf8(term, this.wanted, 0));
  }

  /** {@link ceiling} of the bytes [0 .. length). */
  ceilingOfBytes(bytes: Uint8Array, length: number): number {
    return this.seekCeiling(bytes, length);
  }

  termAt(ordinal: number): string {
    const known = this.recentTerms.get(ordinal);
    if (known !== undefined) return known;
    const { term, termLength } = this.bytesAt(ordinal);
    const text = readUtf8(term, 0, termLength);
    if (this.recentTerms.size === RECENT_LOOKUPS) this.recentTerms.clear();
    this.recentTerms.set(ordinal, text);
    return text;
  }

  bytesAt(ordinal: number): TermBytes {
    this.check(ordinal);
    this.lookup.seekText(ordinal);
    return this.lookup;
  }

  forEach(
    from: number,
    to: number,
    visit: (term: string, ordinal: number) => boolean | void,
  ): void {
    const end = Math.min(to, this.size);
    const cursor = new TermCursor(this.layout);
    for (let ordinal = Math.max(from, 0); ordinal < end; ordinal++) {
      cursor.seekText(ordinal);
      if (visit(readUtf8(cursor.term, 0, cursor.termLength), ordinal) === false) return;
    }
  }

  forEachDocs(
    from: number,
    to: number,
    visit: (term: TermBytes, docs: Uint32Array, count: number) => void,
  ): void {
    const end = Math.min(to, this.size);
    const cursor = this.cursor();
    const { data } = cursor;
    const postings = this.reusablePostings('docs');
    let docs = new Uint32Array(POSTINGS_BLOCK);
    for (let ordinal = Math.max(from, 0); ordinal < end; ordinal++) {
      cursor.seekText(ordinal);
      cursor.seekData(ordinal);
      const { docFreq } = data;
      if (docFreq > docs.length) docs = new Uint32Array(docFreq * 2);
      if (docFreq <= MAX_INLINE_DOCS) docs.set(data.inlineDocs.subarray(0, docFreq));
      else postings.open(data).copyDocs(docs, 0);
      visit(cursor, docs, docFreq);
    }
  }

  docFreq(ordinal: number): number {
    const known = this.recentFreqs.get(ordinal);
    if (known !== undefined) return known;
    this.check(ordinal);
    this.lookup.seekData(ordinal);
    const { docFreq } = this.lookup.data;
    if (this.recentFreqs.size === RECENT_LOOKUPS) this.recentFreqs.clear();
    this.recentFreqs.set(ordinal, docFreq);
    return docFreq;
  }

  totalTermFreq(ordinal: number): number {
    this.check(ordinal);
    this.lookup.seekData(ordinal);
    return this.lookup.data.totalTermFreq;
  }

  postings(ordinal: number, need: PostingsNeed): PostingsIterator {
    this.check(ordinal);
    this.lookup.seekData(ordinal);
    return new Postings(this.layout, need, this.norms).open(this.lookup.data);
  }

  impacts(ordinal: number): TermImpacts | null {
    if (!this.hasFreqs || this.docFreq(ordinal) < MIN_IMPACT_DOCS) return null;
    const read = (): TermImpacts => {
      this.lookup.seekData(ordinal);
      return readImpacts(this.reusablePostings('freqs').open(this.lookup.data), this.norms());
    };
    return this.fromSecondUse(`impacts/${this.field.id}/${ordinal}`, 'impacts', read, impactBytes);
  }

  fill(from: number, to: number, into: Bitset): void {
    const end = Math.min(to, this.size);
    const cursor = new TermCursor(this.layout);
    const { data } = cursor;
    let large: Postings | null = null;
    for (let ordinal = Math.max(from, 0); ordinal < end; ordinal++) {
      cursor.seekData(ordinal);
      if (data.docFreq < POSTINGS_BLOCK) {
        fillSmall(data, this.layout, into.words);
      } else {
        large ??= new Postings(this.layout, 'docs', this.norms);
        large.open(data).fill(into);
      }
    }
  }

  docs(ordinal: number, docCount: number): Bitset {
    const frequent = this.keptDocs(ordinal, docCount);
    if (frequent !== null) return frequent;
    return this.readDocs(ordinal, docCount);
  }

  keptDocs(ordinal: number, docCount: number): Bitset | null {
    if (this.docFreq(ordinal) * DENSE_SHARE < docCount) return null;
    const read = (): Bitset => this.readDocs(ordinal, docCount);
    return this.fromSecondUse(`docs/${this.field.id}/${ordinal}`, 'termDocs', read, setBytes);
  }

  /** What is made of a term when it is asked for again, and kept then; null: at its first use. */
  private fromSecondUse<T extends object>(
    key: string,
    kind: string,
    make: () => T,
    bytesOf: (made: T) => number,
  ): T | null {
    const { cache, segmentId } = this.layout.file;
    const known = cache.get<T>(segmentId, key, kind);
    if (known !== undefined) return known;
    if (!cache.askedBefore(segmentId, key)) return null;
    const made = make();
    cache.put(segmentId, key, kind, made, bytesOf(made));
    return made;
  }

  addDocs(ordinal: number, into: Bitset): void {
    const frequent = this.keptDocs(ordinal, into.size);
    if (frequent !== null) into.or(frequent);
    else this.postings(ordinal, 'docs').fill(into);
  }

  docFreqSums(): Uint32Array {
    return this.kept(`dfSums/${this.field.id}`, () => {
      const sums = new Uint32Array(this.size + 1);
      const cursor = this.cursor();
      for (let ordinal = 0; ordinal < this.size; ordinal++) {
        cursor.seekData(ordinal);
        sums[ordinal + 1] = sums[ordinal]! + cursor.data.docFreq;
      }
      return sums;
    });
  }

  docFreqs(): Uint32Array {
    return this.kept(`df/${this.field.id}`, () => {
      const docFreqs = new Uint32Array(this.size);
      const cursor = this.cursor();
      for (let ordinal = 0; ordinal < docFreqs.length; ordinal++) {
        cursor.seekData(ordinal);
        docFreqs[ordinal] = cursor.data.docFreq;
      }
      return docFreqs;
    });
  }

  private kept(key: string, make: () => Uint32Array): Uint32Array {
    const { cache, segmentId } = this.layout.file;
    const known = cache.get<Uint32Array>(segmentId, key, 'docFreqs');
    if (known !== undefined) return known;
    const values = make();
    cache.put(segmentId, key, 'docFreqs', values, values.byteLength);
    return values;
  }

  private readDocs(ordinal: number, docCount: number): Bitset {
    const docs = new Bitset(docCount);
    const postings = this.postings(ordinal, 'docs');
    const { cost } = postings;
    postings.fill(docs);
    return docs.counted(cost);
  }

  /** A cursor of its own over the dictionary, for uninverting and merging. */
  cursor(): TermCursor {
    return new TermCursor(this.layout);
  }

  /** An iterator that can be opened on one term after another. */
  reusablePostings(need: PostingsNeed): Postings {
    return new Postings(this.layout, need, this.norms);
  }

  private seekCeiling(term: Uint8Array, length: number): number {
    const { layout, lookup } = this;
    const block = layout.index.blockOf(term, length, lookup.openedBlock);
    const first = block << TERMS_PER_BLOCK_SHIFT;
    const end = Math.min(first + TERMS_PER_BLOCK, this.size);
    if (block !== lookup.openedBlock) lookup.openBlock(block);
    const place = lookup.findCeiling(term, length, end - first);
    this.found = lookup.isFound;
    return first + place;
  }

  private check(ordinal: number): void {
    if (!(ordinal >= 0 && ordinal < this.size)) {
      throw new RangeError(`no term ${ordinal} in field ${this.field.name} (${this.size} terms)`);
    }
  }
}
