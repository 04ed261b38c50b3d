// One index of the node, open or closed: its shards and the compiled form of its newest metadata.

import type { AnalysisRegistry } from '../analysis/index';
import type { IndexMapping } from '../mapping/index';
import type { IndexMetadata, MappingLimits } from '../metadata/index';
import { IndexCompiler } from './index-compiler';
import type { ReadableIndex } from './readable';
import { Shard } from './shard';
import type { ShardServices } from './shard-services';

/** An index in its running form. */
export class IndexService implements ReadableIndex {
  readonly id: number;
  readonly name: string;
  readonly shards: readonly Shard[];
  /** What its mappings must not exceed. */
  readonly mappingLimits: MappingLimits;
  private closed = false;
  private readonly compiler: IndexCompiler;

  constructor(metadata: IndexMetadata, services: ShardServices) {
    this.id = metadata.id;
    this.name = metadata.name;
    this.mappingLimits = services.mappingLimits;
    this.compiler = new IndexCompiler(services.mappingLimits);
    this.shards = metadata.shardIds.map(
      (shardId, number) =>
        new Shard({ index: metadata.name, indexId: metadata.id, shardId, number }, services),
    );
  }

  /** Whether another runtime, or none, has taken the place of this one. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** Refuses new work and finishes what is under way. Searches that hold snapshots may still read. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.shards.map((shard) => shard.close()));
  }

  /** See {@link IndexCompiler.analysis}. */
  analysis(metadata: IndexMetadata): AnalysisRegistry {
    return this.compiler.analysis(metadata);
  }

  /** See {@link IndexCompiler.mapping}. */
  mapping(metadata: IndexMetadata): IndexMapping {
    return this.compiler.mapping(metadata);
  }
}
