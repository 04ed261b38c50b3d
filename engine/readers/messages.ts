// What main and a thread that reads say to each other on the port between them.
//
// Main counts in a shared word what it has published, after it has sent it. A thread looks at the word before
// it reads anything, and takes what it has not taken yet from the port at once. So whatever main has
// published before it acknowledges a request is seen by all requests that arrive later, on any thread, and
// main waits for none of them.

import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { ScriptFiles, StateUpdate } from '../metadata/index';
import type { ShardSnapshot } from '../segment/index';
import type { PackedSearch, SearchJob } from '../search/index';
import type { SegmentDamage, ShardIdentity } from '../shard/index';
import type { ErrorData } from '../threads/index';
import type { SegmentId, SequenceNumber } from '../../storage/index';

/** Names one publication of a shard on one port. */
export type PublicationId = number;

/** What new reads of a shard see. */
export interface PublishedShard {
  readonly publication: PublicationId;
  readonly identity: ShardIdentity;
  /** Where reads of the shard are counted. */
  readonly reads: SharedArrayBuffer;
  readonly visibleSequence: SequenceNumber;
  /** Its segments, held until the publication is released; or why it cannot be searched. */
  readonly view: ShardSnapshot['segments'] | ErrorData;
}

/** main -> thread: published, and counted. */
export type Publication =
  | { readonly kind: 'state'; readonly update: StateUpdate }
  | { readonly kind: 'shard'; readonly shard: PublishedShard }
  | { readonly kind: 'scripts'; readonly files: ScriptFiles }
  /** Segments that are gone. */
  | { readonly kind: 'forget'; readonly segments: readonly SegmentId[] }
  /** Storage is going to be closed: read no more, give up what takes longer, forget everything. */
  | { readonly kind: 'suspend'; readonly graceMs: number }
  /** Storage is open, and everything has been published anew. */
  | { readonly kind: 'resume' }
  /** Storage could not be opened. */
  | { readonly kind: 'refuse'; readonly error: ErrorData };

/** main -> thread: the answer to a search, not counted. */
export type SearchAnswer =
  | { readonly kind: 'searched'; readonly id: number; readonly outcome: PackedSearch }
  | { readonly kind: 'failed'; readonly id: number; readonly error: ErrorData };

/** A search with its snapshots by name. */
export type NamedSearch = Omit<SearchJob, 'shards'> & {
  readonly shards: readonly (Omit<SearchJob['shards'][number], 'snapshot'> & {
    readonly snapshot: PublicationId;
  })[];
};

/** thread -> main. */
export type ReaderMessage =
  /** Nothing of a publication is read any more. */
  | { readonly kind: 'released'; readonly publication: PublicationId }
  /** A segment of a publication turned out to be damaged. */
  | {
      readonly kind: 'damaged';
      readonly publication: PublicationId;
      readonly damage: SegmentDamage;
    }
  /** Nothing is read any more, and nothing of storage is open. */
  | { readonly kind: 'suspended' }
  /** Can be read from. */
  | { readonly kind: 'resumed' }
  /** A search that is too large for the thread that serves requests. */
  | { readonly kind: 'search'; readonly id: number; readonly job: NamedSearch }
  | { readonly kind: 'cancel'; readonly id: number };

/** What a thread gets when it starts. */
export interface ReaderPort {
  readonly port: MessagePort;
  /** How much has been published. */
  readonly epoch: Int32Array<SharedArrayBuffer>;
}

/** The thread's end of a port. */
export class PublicationReader {
  private taken = 0;

  /** @param take is called with everything that was published, in order */
  constructor(
    private readonly ends: ReaderPort,
    private readonly take: (publication: Publication) => void,
    private readonly answer: (answer: SearchAnswer) => void,
  ) {
    // What nobody reads by is taken, too: memory is given back.
    ends.port.on('message', (message: Publication | SearchAnswer) => this.receive(message));
  }

  /** Takes everything that has been published. */
  catchUp(): void {
    const { port, epoch } = this.ends;
    // What has been sent may have been taken before it is counted; the counts wrap.
    while (((Atomics.load(epoch, 0) - this.taken) | 0) > 0) {
      const received = receiveMessageOnPort(port);
      if (received === undefined) throw new Error('a publication is missing');
      this.receive(received.message as Publication | SearchAnswer);
    }
  }

  /** Tells main something. */
  tell(message: ReaderMessage): void {
    this.ends.port.postMessage(message);
  }

  /** Takes nothing more. */
  close(): void {
    this.ends.port.close();
  }

  private receive(message: Publication | SearchAnswer): void {
    if (message.kind === 'searched' || message.kind === 'failed') {
      this.answer(message);
      return;
    }
    this.taken = (this.taken + 1) | 0;
    this.take(message);
  }
}
