// Opens a committed segment for reading: its contents together with one generation of deletions.

import type { CommittedSegment, LogRecord } from '../../../storage/index';
import type { ByteCache } from '../../common/index';
import type { Bitset } from '../contract/bitset';
import { deletionGeneration, readLiveDocs } from './deletions';
import { SegmentFormatError } from '../format/errors';
import { FLAG } from '../format/format';
import type {
  CompletionIndex,
  GeoColumn,
  NumericColumn,
  OrdinalColumn,
  SegmentCache,
  SegmentField,
  SegmentReader,
  TermDictionary,
} from '../contract/reader';
import { SegmentContents } from './segment-contents';
import type { BlockSource } from '../format/segment-file';
import type { FieldId } from '../../metadata/index';

/** The records of the shard that a segment belongs to. */
export type RecordSource = (sequence: number) => LogRecord | undefined;

/**
 * Opens a segment. Reads its directory only; everything else is read when it is asked for, and kept in
 * `cache` under the segment's id.
 *
 * @throws SegmentFormatError when this build cannot read the segment; CorruptionError from the store
 */
export function openSegment(
  meta: CommittedSegment,
  source: BlockSource,
  cache: ByteCache,
  records: RecordSource | null = null,
): OpenSegment {
  const contents = SegmentContents.open(meta.id, source, cache);
  if (contents.docCount !== meta.docCount) {
    throw new SegmentFormatError(
      meta.id,
      `holds ${contents.docCount} documents where its commit point names ${meta.docCount}`,
    );
  }
  return new OpenSegment(meta, contents, records);
}

export class OpenSegment implements SegmentReader {
  readonly segmentId: number;
  readonly docCount: number;
  readonly deletedCount: number;
  readonly deletionGeneration: number;
  readonly cache: SegmentCache;

  constructor(
    readonly meta: CommittedSegment,
    readonly contents: SegmentContents,
    private readonly records: RecordSource | null,
  ) {
    this.segmentId = meta.id;
    this.docCount = meta.docCount;
    this.deletedCount = meta.deletedCount;
    this.deletionGeneration = deletionGeneration(meta);
    this.cache = contents.results;
  }

  get liveDocs(): Bitset | null {
    return readLiveDocs(this.meta, this.contents);
  }

  get roots(): Bitset | null {
    return this.contents.roots();
  }

  nestedDocs(path: string): Bitset | null {
    return this.contents.nestedDocs(path);
  }

  sequenceOf(doc: number): number {
    return this.contents.sequences().sequenceOf(doc);
  }

  docOfSequence(sequence: number): number {
    return this.contents.sequences().docOfSequence(sequence);
  }

  record(doc: number): LogRecord | null {
    return this.records?.(this.sequenceOf(doc)) ?? null;
  }

  fields(): readonly SegmentField[] {
    return this.contents.directory.fields;
  }

  terms(field: FieldId): TermDictionary | null {
    const entry = this.contents.directory.field(field);
    if (entry === undefined || (entry.flags & FLAG.indexed) === 0) return null;
    return this.contents.terms(field);
  }

  norms(field: FieldId): Uint8Array | null {
    return this.contents.norms(field);
  }

  numeric(field: FieldId): NumericColumn | null {
    return this.contents.numbers(field);
  }

  ordinals(field: FieldId): OrdinalColumn | null {
    return this.contents.ordinals(field);
  }

  geo(field: FieldId): GeoColumn | null {
    return this.contents.points(field);
  }

  completions(field: FieldId): CompletionIndex | null {
    return this.contents.completions(field);
  }

  presence(field: FieldId): Bitset | null {
    return this.contents.presence(field);
  }
}
