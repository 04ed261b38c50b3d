// The indices of a node as another thread than main reads them: what main has published last.

import { indexMissing, indexUnavailable } from '../errors';
import type { IndexMapping } from '../mapping/index';
import {
  applyStateUpdate,
  type ClusterState,
  type IndexMetadata,
  NO_MAPPING_LIMITS,
  type StateUpdate,
} from '../metadata/index';
import type { ShardSnapshot } from '../segment/index';
import {
  IndexCompiler,
  type PinnedShard,
  type ReadableIndex,
  type ReadableIndices,
  type ReadableShard,
  SharedReadCounters,
} from '../shard/index';
import { errorFromData } from '../threads/index';
import type { PublicationId, PublishedShard, ReaderMessage } from './messages';

/** One publication of a shard, as long as it is the newest or somebody reads it. */
interface Held {
  readonly published: PublishedShard;
  readonly snapshot: ShardSnapshot | null;
  pins: number;
}

/** A shard as it was published last. */
class Shard implements ReadableShard {
  readonly identity: PublishedShard['identity'];
  readonly reads: SharedReadCounters;
  private newest: Held;

  constructor(
    private readonly published: ReadonlyPublications,
    first: PublishedShard,
    thread: number,
  ) {
    this.identity = first.identity;
    this.reads = new SharedReadCounters(first.reads, thread);
    this.newest = published.hold(first);
  }

  get visibleSequence(): number {
    return this.newest.published.visibleSequence;
  }

  replace(by: PublishedShard): void {
    const before = this.newest;
    this.newest = this.published.hold(by);
    this.published.release(before);
  }

  /** Gives up the newest publication; what is read of it goes on. */
  drop(): void {
    this.published.release(this.newest);
  }

  acquire(): PinnedShard {
    const held = this.newest;
    const { published, snapshot } = held;
    if (snapshot === null) throw refusalOf(published);
    held.pins++;
    let isHeld = true;
    return {
      snapshot,
      reads: this.reads,
      damaged: (damage) => this.published.damaged(published.publication, damage),
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.published.release(held);
      },
    };
  }

  refresh(): Promise<void> {
    return Promise.reject(new Error('shards are refreshed on main'));
  }
}

/** What shards use of {@link PublishedIndices}. */
interface ReadonlyPublications {
  hold(published: PublishedShard): Held;
  release(held: Held): void;
  damaged(publication: PublicationId, damage: Parameters<PinnedShard['damaged']>[0]): void;
}

/** Indices as they were published last. */
export class PublishedIndices implements ReadableIndices {
  private current: ClusterState = applyStateUpdate(null, NOTHING);
  private readonly shards = new Map<number, Shard>();
  private readonly running = new Map<number, Index>();
  /** The publications of snapshots that are read. */
  private readonly publications = new WeakMap<ShardSnapshot, PublicationId>();
  private readonly held: ReadonlyPublications;

  /**
   * @param thread the place of this thread among those that read
   * @param tell tells main what is not read any more
   */
  constructor(
    private readonly thread: number,
    tell: (message: ReaderMessage) => void,
  ) {
    this.held = {
      hold: (published) => {
        const { view, identity, publication } = published;
        if (!isSegments(view)) return { published, snapshot: null, pins: 1 };
        const { index, indexId, shardId, number: shardNumber } = identity;
        const snapshot = { index, indexId, shardId, shardNumber, segments: view };
        this.publications.set(snapshot, publication);
        return { published, snapshot, pins: 1 };
      },
      release: (held) => {
        held.pins--;
        if (held.pins > 0 || held.snapshot === null) return;
        tell({ kind: 'released', publication: held.published.publication });
      },
      damaged: (publication, damage) => tell({ kind: 'damaged', publication, damage }),
    };
  }

  /** The state that was published last. */
  state(): ClusterState {
    return this.current;
  }

  /** The publication that a snapshot is of. */
  publicationOf(snapshot: ShardSnapshot): PublicationId {
    return this.publications.get(snapshot)!;
  }

  /** Takes a state over; shards of indices that are gone are given up. */
  update(update: StateUpdate): void {
    const before = this.current;
    this.current = applyStateUpdate(before, update);
    for (const { name, id, shardIds } of before.indices.values()) {
      if (this.current.indices.get(name)?.id === id) continue;
      this.running.delete(id);
      for (const shardId of shardIds) {
        this.shards.get(shardId)?.drop();
        this.shards.delete(shardId);
      }
    }
  }

  /** Takes over what new reads see of a shard. */
  publish(published: PublishedShard): void {
    const { shardId } = published.identity;
    const shard = this.shards.get(shardId);
    if (shard === undefined) {
      this.shards.set(shardId, new Shard(this.held, published, this.thread));
    } else shard.replace(published);
  }

  /** Forgets everything: main holds nothing of it any more. */
  clear(): void {
    this.current = applyStateUpdate(null, NOTHING);
    this.shards.clear();
    this.running.clear();
  }

  indexService(metadata: IndexMetadata): ReadableIndex | null {
    if (metadata.state !== 'open') return null;
    const known = this.running.get(metadata.id);
    if (known !== undefined) return known;
    const shards: Shard[] = [];
    for (const shardId of metadata.shardIds) {
      const shard = this.shards.get(shardId);
      if (shard === undefined) return null;
      shards.push(shard);
    }
    const index = new Index(metadata.name, shards);
    this.running.set(metadata.id, index);
    return index;
  }

  requireIndex(metadata: IndexMetadata): ReadableIndex {
    const index = this.indexService(metadata);
    if (index !== null) return index;
    const known = this.current.indices.get(metadata.name);
    if (known?.id === metadata.id && known.state === 'open' && metadata.state === 'open') {
      throw indexUnavailable(metadata.name);
    }
    throw indexMissing(metadata.name);
  }
}

/** An index as it was published. */
class Index implements ReadableIndex {
  // What is there has been accepted within the limits.
  private readonly compiler = new IndexCompiler(NO_MAPPING_LIMITS);

  constructor(
    readonly name: string,
    readonly shards: readonly Shard[],
  ) {}

  mapping(metadata: IndexMetadata): IndexMapping {
    return this.compiler.mapping(metadata);
  }
}

const NOTHING: StateUpdate = {
  version: 0,
  persistentSettings: new Map(),
  indices: [],
  names: [],
};

function refusalOf({ view }: PublishedShard): Error {
  return isSegments(view) ? new Error('it can be read') : errorFromData(view);
}

function isSegments(view: PublishedShard['view']): view is ShardSnapshot['segments'] {
  return Array.isArray(view);
}
