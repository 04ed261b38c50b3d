// Shards and indices as writing and administration need them, wherever their data is.

import type { AnalysisRegistry } from '../analysis/index';
import type { IndexMetadata, MappingLimits } from '../metadata/index';
import type { EngineError } from '../errors';
import type { ReadableIndex, ReadableIndices, ReadableShard } from './readable';
import type { LogBatch } from '../../storage/index';

/** A shard that is written to. */
export interface WritableShard extends ReadableShard {
  /** Why it refuses writes, or null. */
  readonly failure: EngineError | null;
  /** Why it cannot be searched for the time being, or null. */
  readonly rebuilding: EngineError | null;
  /** Makes the next start quick. */
  flush(): Promise<void>;
}

/** An open index that is written to. */
export interface WritableIndex extends ReadableIndex {
  readonly id: number;
  readonly shards: readonly WritableShard[];
  /** What its mappings must not exceed. */
  readonly mappingLimits: MappingLimits;
  analysis(metadata: IndexMetadata): AnalysisRegistry;
}

/** The indices of a node as administration needs them. */
export interface WritableIndices extends ReadableIndices {
  indexService(metadata: IndexMetadata): WritableIndex | null;
  requireIndex(metadata: IndexMetadata): WritableIndex;
  /** To be called before the state says that a closed index is open. */
  open(metadata: IndexMetadata): Promise<void>;
  /** Frees the memory that searching an index took. */
  releaseMemory(metadata: IndexMetadata): void;
  /** Adds to the batch that removes an index what it takes to remove its data. */
  stageRemoval(batch: LogBatch, metadata: IndexMetadata): void;
}
