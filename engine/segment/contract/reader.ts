// How queries, facets, sorting and merging see one immutable segment. Everything is synchronous: blocks
// are read through a cache above storage (docs/format-segments.md).
//
// Document numbers are local to the segment, 0 .. docCount-1, in log order; the nested documents of a
// root stand directly before it. Deleted documents keep their numbers until a merge drops them.

import type { LogRecord } from '../../../storage/index';
import type { Bitset } from './bitset';
import type { FieldId, FieldKind } from '../../metadata/index';

export interface SegmentReader {
  readonly segmentId: number;
  /** Highest document number + 1: roots, nested and deleted documents (maxDoc). */
  readonly docCount: number;
  /** Live documents, or null when nothing is deleted. Nested documents die with their root. */
  readonly liveDocs: Bitset | null;
  /** Number of deleted documents, nested ones included. */
  readonly deletedCount: number;
  /** Changes whenever deletions change; part of cache keys. */
  readonly deletionGeneration: number;
  /** Root documents, or null when the segment has no nested documents. */
  readonly roots: Bitset | null;
  /** Documents that are nested objects at exactly `path`, or null when there are none. */
  nestedDocs(path: string): Bitset | null;
  /** Sequence number of the log record of a root document; of a nested one, its root's. */
  sequenceOf(doc: number): number;
  /** The root document with this sequence number, or -1. */
  docOfSequence(sequence: number): number;
  /**
   * The log record of a document, of a nested one its root's: for what is not in columns. Null where
   * there is none (it was purged, or the segment was opened without a log).
   */
  record(doc: number): LogRecord | null;
  /** Fields present in this segment with their names and kinds. */
  fields(): readonly SegmentField[];
  /** The term dictionary of a string field, or null when no document has a term in it. */
  terms(field: FieldId): TermDictionary | null;
  /** One norm byte per document, or null when the field has no norms here. */
  norms(field: FieldId): Uint8Array | null;
  /** The column of an int, long, float or double field. */
  numeric(field: FieldId): NumericColumn | null;
  /** The column of a string field: made from postings on first use. */
  ordinals(field: FieldId): OrdinalColumn | null;
  geo(field: FieldId): GeoColumn | null;
  /** Documents that have a value in the field (the `exists` filter), or null when none has. */
  presence(field: FieldId): Bitset | null;
  /** The entries of a completion field, or null when no document has one. */
  completions(field: FieldId): CompletionIndex | null;
  /** What has been worked out about this segment and is kept for later requests. */
  readonly cache: SegmentCache;
}

/**
 * Results kept for a segment, within the thread's one budget of memory. Keys outlive a reader: what depends
 * on deletions has the deletion generation in its key. `kind` is the name an entry is counted under.
 */
export interface SegmentCache {
  /** The value kept under `key`, or undefined. Counts as a hit or a miss of `kind`. */
  get<T>(key: string, kind: string): T | undefined;
  /** Keeps an immutable value that holds `bytes` of memory; it may be dropped at any time. */
  put(key: string, kind: string, value: object, bytes: number): void;
  /**
   * Whether `key` was asked about before, as far as is remembered: what is asked for once is not worth
   * keeping.
   */
  askedBefore(key: string): boolean;
  /** Counts a miss of `kind` for what is never kept. */
  countMiss(kind: string): void;
}

export interface SegmentField {
  readonly id: FieldId;
  readonly name: string;
  readonly kind: FieldKind;
}

/** Terms of one field in one segment, sorted by UTF-8 bytes; an ordinal is a position in that order. */
export interface TermDictionary {
  readonly size: number;
  /** Sum of total term frequencies (-1 when frequencies are not recorded). */
  readonly sumTotalTermFreq: number;
  readonly sumDocFreq: number;
  /** Number of documents with at least one term. */
  readonly docCount: number;
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  /** The ordinal of `term`, or -1. */
  ordinalOf(term: string): number;
  /** The first ordinal whose term is >= `term` in byte order; `size` when there is none. */
  ceiling(term: string): number;
  termAt(ordinal: number): string;
  /** The same as UTF-8 bytes, without making a string; holds until the dictionary is next asked. */
  bytesAt(ordinal: number): TermBytes;
  /** Calls `visit` for every term of [from, to) in order; stops early when it returns false. */
  forEach(from: number, to: number, visit: (term: string, ordinal: number) => boolean | void): void;
  /**
   * Calls `visit` for every term of [from, to) in order, with its bytes and its documents docs[0 .. count),
   * deleted ones included. Neither holds after the call.
   */
  forEachDocs(
    from: number,
    to: number,
    visit: (term: TermBytes, docs: Uint32Array, count: number) => void,
  ): void;
  /** Number of documents containing the term, deleted ones included. */
  docFreq(ordinal: number): number;
  totalTermFreq(ordinal: number): number;
  /** An iterator positioned before the first document. */
  postings(ordinal: number, need: PostingsNeed): PostingsIterator;
  /**
   * What bounds the scores of a term's documents more closely than its postings do; null: of a rare term, or
   * at the first time that it is asked about. Cached; do not modify.
   */
  impacts(ordinal: number): TermImpacts | null;
  /** Adds the documents of all terms of [from, to) to `into`; much faster than one iterator per term. */
  fill(from: number, to: number, into: Bitset): void;
  /** The documents of a term. Those of frequent terms are cached; do not modify. */
  docs(ordinal: number, docCount: number): Bitset;
  /** The same where they are cached, or are from now on; null: of a rarer term, or at its first use. */
  keptDocs(ordinal: number, docCount: number): Bitset | null;
  /** Adds the documents of a term to `into`, which has the size of the segment. */
  addDocs(ordinal: number, into: Bitset): void;
  /** Sums of the document frequencies of the terms before each ordinal, and of all. Cached; do not modify. */
  docFreqSums(): Uint32Array;
  /** Document frequencies of all terms, by ordinal. Cached; do not modify. */
  docFreqs(): Uint32Array;
}

/** A term as the bytes term[0 .. termLength). */
export interface TermBytes {
  readonly term: Uint8Array;
  readonly termLength: number;
}

/** What a reader of postings is going to ask for; less is faster. */
export type PostingsNeed = 'docs' | 'freqs' | 'positions';

/** Documents with their frequencies: entries [from, to) of the arrays. */
export interface PostingsBlock {
  readonly docs: Uint32Array;
  /** Null where frequencies are not recorded: 1 each. */
  readonly freqs: Uint32Array | null;
  readonly from: number;
  readonly to: number;
}

/**
 * Pairs of a frequency and a norm byte that documents of a term have. Pair i is freqs[i] and norms[i], and
 * counts[i] documents have it. Frequencies are exact up to 127; of higher ones they are upper bounds that no
 * document counts for.
 */
export interface TermImpacts {
  readonly freqs: Float64Array;
  /** 0 where the field has no norms. */
  readonly norms: Uint8Array;
  readonly counts: Uint32Array;
  /**
   * The pairs of block b ({@link PostingsIterator.boundsBlock}) that no other pair of it is above in both:
   * pairs[starts[b]] .. pairs[starts[b+1]-1].
   */
  readonly starts: Uint32Array;
  readonly pairs: Uint16Array;
}

export interface PostingsIterator {
  /** The current document: -1 before the first, NO_MORE_DOCS at the end. */
  doc: number;
  /** Upper bound of the number of documents. */
  readonly cost: number;
  nextDoc(): number;
  /** The first document >= target (target > current). */
  advance(target: number): number;
  /** Frequency in the current document (1 where frequencies are not recorded). */
  freq(): number;
  /** The current document and those after it in its block; holds until the iterator moves. */
  restOfBlock(): PostingsBlock;
  /** The next position in the current document; call at most freq() times. */
  nextPosition(): number;
  /** Reads all positions of the current document, of which none was read before, into `into` from 0. */
  readPositions(into: Int32Array): void;
  /** Adds all remaining documents to `into`; leaves the iterator exhausted. */
  fill(into: Bitset): void;
  /**
   * The last document of the block that contains the first document >= `target`, and through
   * {@link maxFreqNorm} the bounds of that block: for block-max skipping. Does not move the iterator.
   */
  blockEnd(target: number): number;
  /**
   * An upper bound, exact up to 127, of the frequencies in the block last asked about by {@link blockEnd}.
   */
  blockMaxFreq(): number;
  /** The highest norm byte in that block; 0 when the field has no norms. */
  blockMaxNorm(): number;
  /** The number of that block, from 0. */
  readonly boundsBlock: number;
}

/**
 * Numbers by document, distinct and ascending within a document.
 *
 * Value i is `base + values[i]` unless `high` is set; then it is the 64-bit integer of `high[i]` (signed
 * high word) and `values[i]` (unsigned low word), and doubles cannot hold it exactly.
 */
export interface NumericColumn {
  readonly kind: FieldKind;
  readonly docCount: number;
  readonly valueCount: number;
  /** Values of document d are offsets[d] .. offsets[d+1]-1; null when every document has at most one. */
  readonly offsets: Uint32Array | null;
  /** With offsets null: documents that have a value; null when all have. values[d] belongs to document d. */
  readonly present: Bitset | null;
  readonly values:
    | Uint8Array
    | Uint16Array
    | Int32Array
    | Uint32Array
    | Float32Array
    | Float64Array;
  readonly base: number;
  readonly high: Int32Array | null;
  /** Smallest and largest value as doubles (rounded when `high` is set). */
  readonly min: number;
  readonly max: number;
  /** Value i as a double. */
  valueAt(index: number): number;
  /** Value i exactly; for kinds long and int only. */
  longAt(index: number): bigint;
  /**
   * Entries (value index, ascending by value) with value in [from, to] as an index range of {@link
   * sortedDocs}.
   */
  rangeOf(from: number | bigint, to: number | bigint): readonly [number, number];
  /** Documents ordered by value, one entry per value. */
  sortedDocs(): Uint32Array;
  /** The documents at the places first .. end - 1 of {@link sortedDocs}. The caller's own. */
  docsBetween(first: number, end: number): Bitset;
}

/** Term ordinals by document, distinct and ascending within a document. */
export interface OrdinalColumn {
  readonly docCount: number;
  readonly terms: TermDictionary;
  /** Ordinals of document d are ordinals[offsets[d]] .. ordinals[offsets[d+1]-1]; null: at most one each. */
  readonly offsets: Uint32Array | null;
  /**
   * With offsets null: ordinals[d] is the ordinal + 1 of document d's term, 0 when it has none. With offsets:
   * plain ordinals.
   */
  readonly ordinals: Uint8Array | Uint16Array | Uint32Array;
}

/**
 * Entries of a completion field: keys with what they are completed to, sorted by the bytes of their keys and,
 * of one key, by descending weight. An ordinal is a position in that order.
 */
export interface CompletionIndex {
  readonly size: number;
  /** The first ordinal whose bytes are >= bytes[0 .. length); `size` when there is none. */
  ceiling(bytes: Uint8Array, length: number): number;
  /** The bytes of an entry, which begin with its key and a 0; they hold until the index is next asked. */
  bytesAt(ordinal: number): TermBytes;
  /** Gives entries by descending weight, of ranges of ordinals that are added to it. */
  heaviest(): {
    /** Adds the ordinals [from, to), which no other range of it has. */
    add(from: number, to: number): void;
    /** The next ordinal, of equal weights the lowest; -1 at the end. */
    next(): number;
  };
  weightOf(ordinal: number): number;
  /** What an entry shows; `payload` is JSON text. */
  entryAt(ordinal: number): {
    readonly key: string;
    readonly surface: string;
    readonly payload: string | null;
  };
  /** Whether a document that is not deleted has the entry. */
  isLive(ordinal: number, liveDocs: Bitset): boolean;
  /** The ordinals kept under a name; undefined: none are. */
  kept(name: string): Uint32Array | undefined;
  /** Keeps ordinals that were worked out of the entries, from the second time on that they are. */
  keep(name: string, ordinals: Uint32Array): void;
}

/** Points by document, in the order given. */
export interface GeoColumn {
  readonly docCount: number;
  readonly offsets: Uint32Array;
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
}
