// Everything about a segment that deletions do not change: fields, dictionaries, columns, sets. Decoded
// parts are kept in the cache, never here, so that an open segment costs next to nothing.

import { fieldKey, type ByteCache, type CacheKey } from '../../common/index';
import type { Bitset } from '../contract/bitset';
import type { ColumnDocs } from '../columns/columns';
import { Directory, readHeader } from '../format/directory';
import { membersOf, readDocSet, type DocSet } from '../sets/doc-set';
import { SegmentFormatError } from '../format/errors';
import { FLAG, HEADER_BYTES, PART, type FieldEntry, type PartKind } from '../format/format';
import { readPoints } from '../columns/geo-column';
import { readNorms } from '../postings/norms-part';
import { StoredNumbers } from '../columns/number-column';
import { ordinalBytes, ordinalColumn, readOrdinals, uninvert } from '../columns/ordinal-column';
import type { GeoColumn, OrdinalColumn, SegmentCache } from '../contract/reader';
import { SegmentFile, type BlockSource } from '../format/segment-file';
import { SequenceColumn } from '../columns/sequence-column';
import { BlockTermDictionary } from '../dictionary/term-dictionary';
import { TermIndex } from '../dictionary/term-index';
import { StoredCompletions } from '../completion/completion-index';
import { ENTRIES, readWeights } from '../completion/completion-writer';
import { WeightTree } from '../completion/heaviest';
import type { FieldId } from '../../metadata/index';
import type { TermLayout } from '../dictionary/term-cursor';

/** Estimated bytes of a small decoded object. */
const SMALL = 256;

/** What is decoded of a field. */
const DECODED = {
  terms: 0,
  norms: 1,
  numbers: 2,
  ordinals: 3,
  points: 4,
  completionTerms: 5,
  completions: 6,
} as const;

export class SegmentContents {
  readonly docCount: number;
  /** Results of requests, in the same cache as the contents. */
  readonly results: SegmentCache;

  private constructor(
    readonly file: SegmentFile,
    readonly directory: Directory,
  ) {
    this.docCount = directory.header.docCount;
    const { cache, segmentId } = file;
    this.results = {
      get: (key, kind) => cache.get(segmentId, key, kind),
      put: (key, kind, value, bytes) => cache.put(segmentId, key, kind, value, bytes),
      askedBefore: (key) => cache.askedBefore(segmentId, key),
      countMiss: (kind) => cache.countMiss(kind),
    };
  }

  /**
   * @throws SegmentFormatError when the segment's format is unknown or does not hold together;
   *   CorruptionError from the store
   */
  static open(segmentId: number, source: BlockSource, cache: ByteCache): SegmentContents {
    const known = cache.get<SegmentContents>(segmentId, 'contents', 'directory');
    if (known !== undefined) return known;
    const file = new SegmentFile(segmentId, source, cache);
    const first = file.page(0).bytes;
    const header = readHeader(segmentId, first.subarray(0, HEADER_BYTES));
    const { directoryOffset, directoryLength } = header;
    if (directoryOffset + directoryLength > header.length) {
      throw new SegmentFormatError(segmentId, 'has a damaged header');
    }
    const bytes = file.bytes(directoryOffset, directoryLength);
    const directory = Directory.decode(segmentId, header, bytes);
    const contents = new SegmentContents(file, directory);
    cache.put(segmentId, 'contents', 'directory', contents, directoryLength * 8 + SMALL);
    return contents;
  }

  roots(): Bitset | null {
    const { docCount, rootCount } = this.directory.header;
    return docCount === rootCount ? null : this.docSet(0, PART.roots)!.docs;
  }

  nestedDocs(path: string): Bitset | null {
    const sub = this.directory.nestedPaths.indexOf(path);
    return sub === -1 ? null : (this.docSet(0, PART.nested, sub)?.docs ?? null);
  }

  sequences(): SequenceColumn {
    return this.cached('sequences', 'column', sizeOfColumn, () => {
      const bytes = this.part(0, PART.sequences);
      return new SequenceColumn(bytes ?? new Uint8Array(16), this.roots());
    });
  }

  presence(field: FieldId): Bitset | null {
    return this.docSet(field, PART.presence)?.docs ?? null;
  }

  /** The dictionary of a string field, searchable or not. */
  terms(field: FieldId): BlockTermDictionary | null {
    const entry = this.directory.field(field);
    if (entry === undefined || entry.kind !== 'string' || entry.termCount === 0) return null;
    return this.cached(
      fieldKey(field, DECODED.terms),
      'termIndex',
      (terms) => terms.indexBytes,
      () => {
        return new BlockTermDictionary(entry, this.termLayout(entry), () => this.norms(field));
      },
    );
  }

  /** The dictionary of a completion field's entries. */
  completionTerms(field: FieldId): BlockTermDictionary | null {
    const entry = this.directory.field(field);
    if (entry === undefined || this.directory.part(field, PART.completion) === undefined)
      return null;
    return this.cached(
      fieldKey(field, DECODED.completionTerms),
      'completion',
      (terms) => terms.indexBytes,
      () => new BlockTermDictionary(entry, this.termLayout(entry, ENTRIES), () => null),
    );
  }

  completions(field: FieldId): StoredCompletions | null {
    const terms = this.completionTerms(field);
    if (terms === null) return null;
    const tree = this.cached(
      fieldKey(field, DECODED.completions),
      'completion',
      sizeOfColumn,
      () => {
        return new WeightTree(readWeights(this.part(field, PART.completion)!));
      },
    );
    return new StoredCompletions(field, this.file, terms, tree);
  }

  norms(field: FieldId): Uint8Array | null {
    if (this.directory.part(field, PART.norms) === undefined) return null;
    return this.cached(
      fieldKey(field, DECODED.norms),
      'norms',
      (norms) => norms.byteLength,
      () => {
        const presence = (): Uint32Array => membersOf(this.docSet(field, PART.presence)!);
        return readNorms(this.part(field, PART.norms)!, this.docCount, presence);
      },
    );
  }

  numbers(field: FieldId): StoredNumbers | null {
    if (this.directory.part(field, PART.numbers) === undefined) return null;
    return this.cached(fieldKey(field, DECODED.numbers), 'column', sizeOfColumn, () => {
      const { kind } = this.directory.field(field)!;
      const bytes = this.part(field, PART.numbers)!;
      return new StoredNumbers(kind, bytes, this.columnDocs(field), this.docCount, {
        stored: () => this.part(field, PART.numericOrder),
        keep: (name, compute) =>
          this.cached(`${name}/${field}`, 'order', (order) => order.byteLength, compute),
      });
    });
  }

  ordinals(field: FieldId): OrdinalColumn | null {
    const terms = this.terms(field);
    if (terms === null) return null;
    return this.cached(fieldKey(field, DECODED.ordinals), 'column', ordinalBytes, () => {
      const bytes = this.part(field, PART.ordinals);
      const arrays =
        bytes === null
          ? uninvert(terms, this.docCount)
          : readOrdinals(bytes, this.columnDocs(field), this.docCount, terms.size);
      return ordinalColumn(arrays, terms, this.docCount);
    });
  }

  points(field: FieldId): GeoColumn | null {
    if (this.directory.part(field, PART.points) === undefined) return null;
    return this.cached(fieldKey(field, DECODED.points), 'column', pointBytes, () =>
      readPoints(this.part(field, PART.points)!, this.columnDocs(field), this.docCount),
    );
  }

  /** A value of the cache, made when it is missing. */
  cached<T>(key: CacheKey, kind: string, bytesOf: (value: T) => number, make: () => T): T {
    const { cache, segmentId } = this.file;
    const known = cache.get<T>(segmentId, key, kind);
    if (known !== undefined) return known;
    const value = make();
    cache.put(segmentId, key, kind, value, bytesOf(value));
    return value;
  }

  private part(field: FieldId, kind: PartKind, sub = 0): Uint8Array | null {
    const part = this.directory.part(field, kind, sub);
    return part === undefined ? null : this.file.bytes(part.offset, part.length);
  }

  private docSet(field: FieldId, kind: PartKind, sub = 0): DocSet | null {
    if (this.directory.part(field, kind, sub) === undefined) return null;
    return this.cached(`set/${field}/${kind}/${sub}`, 'set', setBytes, () =>
      readDocSet(this.part(field, kind, sub)!, this.docCount, () => this.roots()),
    );
  }

  private columnDocs(field: FieldId): ColumnDocs {
    const set = this.docSet(field, PART.columnDocs) ?? this.docSet(field, PART.presence)!;
    return { docs: set.docs, count: set.count, members: () => membersOf(set) };
  }

  private termLayout(entry: FieldEntry, sub = 0): TermLayout {
    const { directory, file } = this;
    const offsetOf = (kind: PartKind): number => directory.part(entry.id, kind, sub)?.offset ?? 0;
    return {
      file,
      index: new TermIndex(this.part(entry.id, PART.termIndex, sub)!),
      termsOffset: offsetOf(PART.terms),
      postingsOffset: offsetOf(PART.postings),
      positionsOffset: offsetOf(PART.positions),
      hasFreqs: sub === 0 && (entry.flags & FLAG.freqs) !== 0,
      hasPositions: sub === 0 && (entry.flags & FLAG.positions) !== 0,
    };
  }
}

function sizeOfColumn(column: { readonly byteLength: number }): number {
  return column.byteLength + SMALL;
}

function setBytes(set: DocSet): number {
  return set.docs.words.byteLength;
}

function pointBytes(points: GeoColumn): number {
  return (
    points.offsets.byteLength + points.latitudes.byteLength + points.longitudes.byteLength + SMALL
  );
}
