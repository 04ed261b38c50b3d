// Writes of single documents, as they are planned by the operations and given to the document writer.

import type { VersionType } from '../api/index';
import type { DocumentEnvelope } from '../mapping/index';
import type { AliasMetadata } from '../metadata/index';
import type { WritableIndex } from '../shard/index';
import type { SequenceNumber } from '../../storage/index';

/** One document write, resolved to its index and shard. */
export interface DocumentWrite {
  readonly kind: 'index' | 'delete';
  readonly shard: number;
  /** The alias that the index was named by, which must not change before the write; or null. */
  readonly alias: AliasMetadata | null;
  readonly type: string;
  readonly id: string;
  /** The id was made for this write. */
  readonly hasNewId?: true;
  readonly envelope: DocumentEnvelope;
  /** Fail when the document exists. */
  readonly create: boolean;
  readonly version: number | undefined;
  readonly versionType: VersionType;
  readonly source: Buffer;
  /** Of a deletion: versions do not go on from it. */
  readonly forgetsVersion?: true;
}

/** A write and the index that it goes to. */
export interface PlannedWrite {
  readonly indexService: WritableIndex;
  readonly write: DocumentWrite;
}

/** What became of a write that was not refused. */
export interface WriteResult {
  readonly version: number;
  /** For index: no live document existed before. For delete: one did. */
  readonly fresh: boolean;
  /** Of its record in the document log of the shard. */
  readonly sequence: SequenceNumber;
}
