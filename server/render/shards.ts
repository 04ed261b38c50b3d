// The `_shards` header of searches, counts and broadcast operations.

import { greatestOf } from '../../engine/index';
import type { JsonOutput, ShardsHeader } from '../../engine/index';

/**
 * `{"total","successful","failed"}`, with `failures` when there are any.
 *
 * @param withStatus whether failures tell their status
 */
export function shardsHeader(shards: ShardsHeader, withStatus = true): JsonOutput {
  const { total, successful, failed, failures } = shards;
  if (failures.length === 0) return { total, successful, failed };
  return {
    total,
    successful,
    failed,
    failures: failures.map(({ index, shard, status, reason }) => ({
      index: index === '' ? undefined : index,
      shard: index === '' ? undefined : shard,
      status: withStatus ? status : undefined,
      reason,
    })),
  };
}

/** 200, or the worst failure's status when no shard of several answered. */
export function shardsStatus(shards: ShardsHeader): number {
  if (shards.total === 0 || shards.successful > 0 || shards.failures.length === 0) return 200;
  return greatestOf(shards.failures.map((failure) => failure.status));
}
