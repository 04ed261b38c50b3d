// Main's side of threads that read: publishes cluster state and shards to them, and holds what they may still
// read.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { indexUnavailable } from '../errors';
import {
  type ClusterState,
  encodeStateUpdate,
  type ScriptFiles,
  type StateUpdate,
} from '../metadata/index';
import { buffersToMove, type Executor, packTexts, type PackedSearch } from '../search/index';
import type { IndexService, PinnedShard, ReadableShard } from '../shard/index';
import { errorToData } from '../threads/index';
import type { SegmentId } from '../../storage/index';
import type {
  NamedSearch,
  Publication,
  PublicationId,
  ReaderMessage,
  ReaderPort,
  SearchAnswer,
} from './messages';

/** How often it is looked whether threads have let go of storage. Milliseconds. */
const SUSPEND_LOOK_MS = 5;
/** How much longer than their reads threads may take to let go of it. Milliseconds. */
const SUSPEND_MORE_MS = 2000;

/** What publishing needs of the node. */
export interface PublishingHost {
  state(): ClusterState;
  /** All indices, closed ones included. */
  indices(): Iterable<IndexService>;
  readonly executor: () => Executor;
  scripts(): ScriptFiles;
}

/** The thread at the other end of a port. */
interface Link {
  readonly port: MessagePort;
  readonly epoch: Int32Array<SharedArrayBuffer>;
  /** Publications that the thread may still read, and what holds them. */
  readonly held: Map<PublicationId, PinnedShard>;
  /** Searches under way for it. */
  readonly searches: Map<number, AbortController>;
  nextPublication: PublicationId;
  /** The state that it was told of last; null: it has to be told everything. */
  state: ClusterState | null;
  /** Storage is closed to it. */
  isSuspended: boolean;
  /** Nothing of it runs any more. */
  isGone: boolean;
  /** Ends a thread that does not let go of storage. */
  readonly terminate: () => Promise<unknown>;
  readonly resumed: () => void;
}

/** Publishes what a node knows to all threads that read. */
export class Publisher {
  private readonly links = new Set<Link>();
  private isSuspended = false;

  /** @param threads how many there are at most at a time */
  constructor(
    private readonly host: PublishingHost,
    private readonly threads: number,
  ) {}

  /**
   * Makes the port for a thread that starts, and publishes everything on it.
   * @param terminate ends the thread
   * @param resumed is called whenever the thread can be read from
   * @returns the other end, and what is to be called when the thread has ended
   */
  attach(
    terminate: () => Promise<unknown>,
    resumed: () => void,
  ): { readonly reader: ReaderPort; readonly end: () => void } {
    const { port1: port, port2 } = new MessageChannel();
    const epoch = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const link: Link = {
      ...{ port, epoch, terminate, resumed },
      held: new Map(),
      searches: new Map(),
      nextPublication: 1,
      state: null,
      isSuspended: true,
      isGone: false,
    };
    port.on('message', (message: ReaderMessage) => this.receive(link, message));
    this.links.add(link);
    if (!this.isSuspended) this.resumeLink(link);
    const end = (): void => {
      link.isGone = true;
      this.links.delete(link);
      releaseAll(link);
      for (const search of link.searches.values()) search.abort();
      port.close();
    };
    return { reader: { port: port2, epoch }, end };
  }

  /** To be called with each state that becomes visible, before anybody is told of it. */
  stateChanged(): void {
    const state = this.host.state();
    // Threads that know the same get the same.
    const updates = new Map<ClusterState, StateUpdate>();
    for (const link of this.active()) {
      const before = link.state!;
      // Shards of new indices first: an index that a thread knows has its shards.
      this.publishNew(link, before, state);
      const update = updates.get(before) ?? encodeStateUpdate(before, state);
      updates.set(before, update);
      link.state = state;
      post(link, { kind: 'state', update });
    }
  }

  /** To be called when what new searches see of a shard has changed, before anybody is told of it. */
  shardChanged(shard: ReadableShard): void {
    const { index, indexId } = shard.identity;
    // Of an index that is not there yet, or any more, nobody reads.
    if (this.host.state().indices.get(index)?.id !== indexId) return;
    for (const link of this.active()) this.publishShard(link, shard);
  }

  /** Publishes the scripts of the configuration folder. */
  scriptsChanged(): void {
    const files = this.host.scripts();
    for (const link of this.active()) post(link, { kind: 'scripts', files });
  }

  /** Has threads forget segments that are gone. */
  forget(segments: readonly SegmentId[]): void {
    for (const link of this.active()) post(link, { kind: 'forget', segments });
  }

  /**
   * Has all threads let go of storage; reads wait. Threads that do not within `graceMs` and a while are
   * ended.
   */
  async suspend(graceMs: number): Promise<void> {
    this.isSuspended = true;
    const links = [...this.active()];
    for (const link of links) {
      link.isSuspended = true;
      post(link, { kind: 'suspend', graceMs });
    }
    const isHeld = (): boolean => links.some(({ isGone, state }) => !isGone && state !== null);
    const deadline = performance.now() + graceMs + SUSPEND_MORE_MS;
    while (isHeld() && performance.now() < deadline) await sleep(SUSPEND_LOOK_MS);
    const late = links.filter(({ isGone, state }) => !isGone && state !== null);
    await Promise.all(late.map(({ terminate }) => terminate()));
    // The end of a thread is told in a later turn.
    while (isHeld()) await sleep(SUSPEND_LOOK_MS);
  }

  /** Tells threads of {@link suspend} that storage could not be opened again. */
  refuse(error: unknown): void {
    for (const link of this.links) post(link, { kind: 'refuse', error: errorToData(error) });
  }

  /** Lets threads read again. */
  resume(): void {
    this.isSuspended = false;
    for (const link of this.links) if (link.isSuspended) this.resumeLink(link);
  }

  private *active(): Iterable<Link> {
    for (const link of this.links) if (!link.isSuspended) yield link;
  }

  /** Publishes everything that there is. */
  private resumeLink(link: Link): void {
    const state = this.host.state();
    link.isSuspended = false;
    link.state = state;
    post(link, { kind: 'scripts', files: this.host.scripts() });
    this.publishNew(link, null, state);
    post(link, { kind: 'state', update: encodeStateUpdate(null, state) });
    post(link, { kind: 'resume' });
  }

  private publishNew(link: Link, before: ClusterState | null, after: ClusterState): void {
    const known = new Set<number>();
    for (const { id } of before?.indices.values() ?? []) known.add(id);
    const added = new Set<number>();
    for (const { id } of after.indices.values()) if (!known.has(id)) added.add(id);
    if (added.size === 0) return;
    for (const { id, shards } of this.host.indices()) {
      if (!added.has(id)) continue;
      for (const shard of shards) this.publishShard(link, shard);
    }
  }

  private publishShard(link: Link, shard: ReadableShard): void {
    const publication = link.nextPublication++;
    const { identity, visibleSequence } = shard;
    const common = { publication, identity, visibleSequence };
    const reads = shard.reads.share(this.threads);
    let pinned: PinnedShard;
    try {
      pinned = shard.acquire();
    } catch (error) {
      post(link, { kind: 'shard', shard: { ...common, reads, view: errorToData(error) } });
      return;
    }
    link.held.set(publication, pinned);
    const view = pinned.snapshot.segments;
    post(link, { kind: 'shard', shard: { ...common, reads, view } });
  }

  private receive(link: Link, message: ReaderMessage): void {
    switch (message.kind) {
      case 'released':
        link.held.get(message.publication)?.release();
        link.held.delete(message.publication);
        return;
      case 'damaged':
        link.held.get(message.publication)?.damaged(message.damage);
        return;
      case 'suspended':
        releaseAll(link);
        link.state = null;
        return;
      case 'resumed':
        link.resumed();
        return;
      case 'search':
        void this.search(link, message.id, message.job);
        return;
      case 'cancel':
        link.searches.get(message.id)?.abort();
        return;
    }
  }

  private async search(link: Link, id: number, named: NamedSearch): Promise<void> {
    const controller = new AbortController();
    link.searches.set(id, controller);
    try {
      const shards = named.shards.map((shard) => ({
        ...shard,
        snapshot: heldBy(link, shard.snapshot),
      }));
      const outcome = await this.host.executor().search({ ...named, shards }, controller.signal);
      const hits = packTexts(outcome.hits);
      const packed: PackedSearch = { ...outcome, hits };
      answer(link, { kind: 'searched', id, outcome: packed }, buffersToMove([hits]));
    } catch (error) {
      answer(link, { kind: 'failed', id, error: errorToData(error) });
    } finally {
      link.searches.delete(id);
    }
  }
}

/** First the message, then the count: whoever sees the count finds the message. */
function post({ port, epoch }: Link, publication: Publication): void {
  port.postMessage(publication);
  Atomics.add(epoch, 0, 1);
}

function answer(
  { port, isGone }: Link,
  message: SearchAnswer,
  moved: readonly ArrayBuffer[] = [],
): void {
  if (!isGone) port.postMessage(message, moved);
}

/** @throws EngineError 503 when storage was closed since the thread took it */
function heldBy({ held }: Link, publication: PublicationId): PinnedShard['snapshot'] {
  const pinned = held.get(publication);
  if (pinned === undefined) throw indexUnavailable('a shard');
  return pinned.snapshot;
}

function releaseAll({ held }: Link): void {
  for (const pinned of held.values()) pinned.release();
  held.clear();
}
