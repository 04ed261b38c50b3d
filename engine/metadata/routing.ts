// Which shard a document belongs to, and which routing value decides it.

import { illegalArgument } from '../errors';
import type { AliasMetadata } from './state';

/** The 32-bit signed DJB2 hash of the UTF-16 units of `value`. */
export function routingHash(value: string): number {
  let hash = 5381;
  for (let i = 0; i < value.length; i++) hash = (Math.imul(hash, 33) + value.charCodeAt(i)) | 0;
  return hash;
}

/**
 * The shard number for a routing value (the document id when there is none), as the reference computes
 * it: clients see it through `_shards`, scores and gets without routing.
 */
export function shardOf(value: string, shards: number): number {
  return Math.abs(routingHash(value) % shards);
}

/**
 * The routing value of a single-document operation, or null when the id decides. The parent stands in for
 * a missing routing parameter; the alias may set or restrict it. Empty parameters count as absent.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException when alias and parameter disagree, or when a
 *   value with a comma goes through an alias (on an index it is one value).
 */
export function documentRouting(
  alias: AliasMetadata | null,
  routing: string | undefined,
  parent: string | undefined,
): string | null {
  const given = routing || parent || null;
  if (alias === null) return given;
  const fixed = alias.indexRouting;
  if (fixed !== null && given !== null && given !== fixed) {
    throw illegalArgument(
      `Alias [${alias.name}] has index routing associated with it [${fixed}], and was provided with routing value [${given}], rejecting operation`,
    );
  }
  const value = fixed ?? given;
  if (value?.includes(',') === true) {
    throw illegalArgument(
      `index/alias [${alias.name}] provided with routing value [${value}] that resolved to several routing values, rejecting operation`,
    );
  }
  return value;
}
