// Removing the data of shards that are deleted, and finding what earlier runs of the node left to be removed.

import { parsePurgeList, PURGE_PREFIX, purgePrefix, type Garbage } from './shard-garbage';
import { failedName } from './shard-builds';
import { rebuildName } from './shard-rebuild';
import type { ShardServices } from './shard-services';
import { segmentDamageOf } from './storage-errors';
import { CorruptionError, type SegmentId, type ShardId } from '../../storage/index';

/** By shard: what its commits made unnecessary before the node was started. */
type Leftovers = ReadonlyMap<ShardId, readonly Garbage[]>;

/** The leftovers that are listed in the metadata of the log. */
export function readLeftovers(metadata: ReadonlyMap<string, Buffer>): Leftovers {
  const leftovers = new Map<ShardId, Garbage[]>();
  for (const [name, value] of metadata) {
    if (!name.startsWith(PURGE_PREFIX)) continue;
    const { shard, garbage } = parsePurgeList(name, value);
    const list = leftovers.get(shard);
    if (list === undefined) leftovers.set(shard, [garbage]);
    else list.push(garbage);
  }
  return leftovers;
}

/** Removes blocks written for segments that no commit point names. What is damaged stays. */
export async function removeOrphans(
  services: ShardServices,
  orphans: readonly SegmentId[],
): Promise<void> {
  if (orphans.length === 0) return;
  const left = await removeSegments(services, orphans);
  await services.log().submit({
    estimatedBytes: orphans.length * 16,
    prepare: (batch) => {
      for (const id of orphans) if (!left.has(id)) batch.removeBuildIntent(id);
    },
  });
}

/** @returns those that cannot be removed, because the database is damaged where they are */
async function removeSegments(
  { forget, removals, logger }: ShardServices,
  segments: readonly SegmentId[],
): Promise<ReadonlySet<SegmentId>> {
  forget(segments);
  const left = new Set<SegmentId>();
  for (const id of segments) {
    try {
      await removals.removeSegments([id]);
    } catch (error) {
      if (segmentDamageOf(error) === null) throw error;
      logger.warn({ segment: id, err: error }, 'a damaged segment cannot be removed, and is left');
      left.add(id);
    }
  }
  return left;
}

/**
 * Removes everything of a shard, and the intent to do so.
 * @param known segments of the shard besides those that its commit point names.
 */
export async function removeShard(
  services: ShardServices,
  shardId: ShardId,
  known: readonly SegmentId[],
): Promise<void> {
  const log = services.log();
  const segments = [...new Set([...known, ...committedSegments(services, shardId)])];
  const left = await removeSegments(services, segments);
  await log.removeShard(shardId);
  const lists = await log.readMetadata(purgePrefix(shardId));
  await log.submit({
    estimatedBytes: 64 * (lists.size + 1) + 16 * segments.length,
    prepare: (batch) => {
      for (const name of lists.keys()) batch.removeMetadata(name);
      for (const id of segments) {
        if (left.has(id)) batch.putBuildIntent(id);
        else batch.removeBuildIntent(id);
      }
      batch.removeMetadata(rebuildName(shardId));
      batch.removeMetadata(failedName(shardId));
      batch.removeDeleteIntent(shardId);
    },
  });
}

/** What the commit point names: a commit may have come after the removal was staged. */
function committedSegments(services: ShardServices, shardId: ShardId): readonly SegmentId[] {
  try {
    return (
      services
        .log()
        .readCommit(shardId)
        ?.segments.map(({ id }) => id) ?? []
    );
  } catch (error) {
    if (!(error instanceof CorruptionError)) throw error;
    services.logger.warn(
      { shard: shardId, err: error },
      'blocks of a deleted index may be left over',
    );
    return [];
  }
}
