// Shards as statistics name them: where they are, and how many there should be.

import type { IndexStats, JsonOutput, SearchEngine, ShardsHeader } from '../../engine/index';
import { shardsHeader } from '../render/index';

/** Where the primary of any shard is: started, on this node. */
export function placeOf(engine: SearchEngine) {
  return { state: 'STARTED', primary: true, node: engine.nodeId, relocating_node: null };
}

/** The primary of a shard. */
export function routingOf(index: string, shard: number, engine: SearchEngine): JsonOutput {
  return { ...placeOf(engine), shard, index };
}

/** The `_shards` header of an operation that looked at all shards: replicas are asked for and never there. */
export function broadcastHeader(stats: readonly IndexStats[]): JsonOutput {
  const header: ShardsHeader = {
    total: stats.reduce((sum, { shards, replicas }) => sum + shards.length * (1 + replicas), 0),
    successful: stats.reduce((sum, { shards }) => sum + shards.length, 0),
    failed: 0,
    failures: [],
  };
  return shardsHeader(header);
}
