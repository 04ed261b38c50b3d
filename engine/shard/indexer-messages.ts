// Requests to the indexer thread on the wire.

import type { BuildJob, CarryJob, MergeJob, SegmentRemovals } from './segment-jobs';
import { decodeIndex, encodeIndex, type IndexMetadata } from '../metadata/index';
import type { StorageLocation } from '../../storage/index';

/** The payload of each kind of request. */
export interface IndexerRequests {
  readonly build: { readonly job: BuildJob; readonly index: IndexMetadata };
  readonly merge: MergeJob;
  readonly carry: CarryJob;
  readonly removeSegments: Parameters<SegmentRemovals['removeSegments']>;
  readonly removeDeletions: Parameters<SegmentRemovals['removeDeletions']>;
  readonly removeOtherDeletions: Parameters<SegmentRemovals['removeOtherDeletions']>;
}

/** A build with what its index looks like, where the thread does not know yet. */
export interface EncodedBuild {
  readonly job: BuildJob;
  readonly indexId: number;
  /** As the cluster state stores it: structured clone would leave nothing of the classes in it. */
  readonly index: Uint8Array | null;
  /** Indices that the thread is to forget. */
  readonly dropped: readonly number[];
}

/** A warning of the thread, for main's log. */
export interface Warning {
  readonly fields: object;
  readonly message: string;
}

/** Indices that a thread keeps at most. */
const KEPT = 64;

/** Main's knowledge of the index metadata that the thread has. */
export class SentIndices {
  private readonly sent = new Map<number, IndexMetadata>();

  encode({ job, index }: IndexerRequests['build']): EncodedBuild {
    const known = this.sent.get(index.id);
    const isKnown = known?.mappings === index.mappings && known.settings === index.settings;
    // The last one used stands last.
    this.sent.delete(index.id);
    this.sent.set(index.id, index);
    const dropped: number[] = [];
    for (const id of this.sent.keys()) {
      if (this.sent.size <= KEPT) break;
      this.sent.delete(id);
      dropped.push(id);
    }
    return { job, indexId: index.id, index: isKnown ? null : encodeIndex(index), dropped };
  }

  reset(): void {
    this.sent.clear();
  }
}

/** The thread's side. */
export class KnownIndices {
  private readonly known = new Map<number, IndexMetadata>();

  /** To be called in the order in which messages arrive. */
  decode({ job, indexId, index, dropped }: EncodedBuild): IndexerRequests['build'] {
    for (const id of dropped) this.known.delete(id);
    if (index !== null) {
      const bytes = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
      this.known.set(indexId, decodeIndex(bytes));
    }
    const metadata = this.known.get(indexId);
    if (metadata === undefined) throw new TypeError(`index ${indexId} was not sent`);
    return { job, index: metadata };
  }
}

/** What main passes to the indexer thread. */
export interface IndexerWorkerOptions {
  readonly location: StorageLocation;
  readonly cacheBytes: number;
}
