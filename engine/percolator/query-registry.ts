// All stored queries of the node, by shard: checked when they are written, kept in memory once somebody tries
// documents against them.

import { EngineError } from '../errors';
import type { IndexMapping } from '../mapping/index';
import type { IndexMetadata } from '../metadata/index';
import type { ParseServices } from '../query/index';
import type { IndexService, Shard } from '../shard/index';
import type { LogStore } from '../../storage/index';
import { queryBodyOf, readQuery, unreadableQuery } from './query-document';
import { QueryMemory } from './query-memory';
import { ShardQueries, type QueryChange } from './shard-queries';

/** What reading stored queries needs of the node. */
export interface QueryRegistryHost {
  log(): LogStore;
  /** What parsing may ask of the node; documents that queries look into are not read for it. */
  services(): ParseServices;
  /** Bytes that all stored queries in memory may take. */
  readonly memory: number;
}

/** The stored queries of a node. */
export class QueryRegistry {
  private readonly memory: QueryMemory;
  private readonly shards = new Map<Shard, ShardQueries>();

  constructor(private readonly host: QueryRegistryHost) {
    this.memory = new QueryMemory(host.memory);
  }

  /**
   * Why a document cannot be stored as a query; null: it can.
   *
   * @returns EngineError PercolatorException (500), CircuitBreakingException (503) where there is no room
   */
  check(
    index: IndexMetadata,
    mapping: IndexMapping,
    id: string,
    source: Buffer,
  ): EngineError | null {
    try {
      readQuery(queryBodyOf(source), index, mapping, this.host.services());
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return unreadableQuery(index.name, id, error);
    }
    try {
      this.assertRoom();
    } catch (error) {
      return error as EngineError;
    }
    return null;
  }

  /** Notes queries that were written to a shard or deleted there, in order, when that is durable. */
  changed(shard: Shard, changes: readonly QueryChange[], index: IndexMetadata): void {
    const queries = this.shards.get(shard);
    if (queries === undefined) return;
    const mapping = queries.indexService.mapping(index);
    queries.note(changes, { index, mapping, services: this.host.services() });
  }

  /** The queries of a shard, which may have to be loaded. */
  queriesOf(indexService: IndexService, shard: Shard): ShardQueries {
    let queries = this.shards.get(shard);
    if (queries === undefined) {
      queries = new ShardQueries(indexService, shard, () => this.host.log(), this.memory);
      this.shards.set(shard, queries);
    }
    return queries;
  }

  /** Forgets the queries of indices that are gone. */
  forgetClosed(): void {
    for (const [shard, queries] of this.shards) {
      if (!queries.indexService.isClosed) continue;
      queries.clear();
      this.shards.delete(shard);
    }
  }

  private assertRoom(): void {
    if (this.memory.isFull) this.forgetClosed();
    this.memory.assertRoom();
  }
}
