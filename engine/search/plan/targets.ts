// Which shards a search goes to (reference server).

import { illegalArgument } from '../../errors';
import {
  searchRouting,
  shardOf,
  type ClusterState,
  type IndexMetadata,
} from '../../metadata/index';

/** One shard to be searched. */
export interface Target {
  readonly index: IndexMetadata;
  readonly shard: number;
}

/** Which shards a request asks for. */
interface TargetRequest {
  /** Index expression parts. */
  readonly names: readonly string[];
  /** The concrete indices they stand for. */
  readonly indices: readonly string[];
  readonly routing: string | undefined;
  readonly preference: string | undefined;
}

/**
 * The shards of a search in the order in which equal hits stand: by shard number, then index name.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException for an unknown preference
 */
export function searchTargets(state: ClusterState, request: TargetRequest): readonly Target[] {
  const allowed = shardPreference(request.preference);
  const routing = searchRouting(state, request.names, request.routing);
  const shards = new RoutedShards();
  const targets: Target[] = [];
  for (const name of request.indices) {
    const index = state.indices.get(name);
    if (index === undefined) continue;
    const count = index.shardIds.length;
    const values = routing.get(name);
    const routed = values === undefined ? null : shards.of(values, count);
    for (let shard = 0; shard < count; shard++) {
      if (routed !== null && !routed.has(shard)) continue;
      if (allowed !== null && !allowed.has(shard)) continue;
      targets.push({ index, shard });
    }
  }
  return targets.sort((a, b) => a.shard - b.shard || compareNames(a.index.name, b.index.name));
}

/** Shards of routing values, worked out once where many indices share long lists of them. */
class RoutedShards {
  private readonly known = new Map<ReadonlySet<string>, Map<number, ReadonlySet<number>>>();

  /** @param count shards of the index */
  of(values: ReadonlySet<string>, count: number): ReadonlySet<number> {
    let byCount = this.known.get(values);
    if (byCount === undefined) {
      byCount = new Map<number, ReadonlySet<number>>();
      this.known.set(values, byCount);
    }
    let shards = byCount.get(count);
    if (shards === undefined) {
      shards = new Set([...values].map((value) => shardOf(value, count)));
      byCount.set(count, shards);
    }
    return shards;
  }
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** @throws EngineError 400 for a preference that there is not */
export function assertPreference(preference: string | undefined): void {
  shardPreference(preference);
}

/** Shard numbers a preference restricts to; null: all. There is one copy of each shard, on this node. */
function shardPreference(preference: string | undefined): ReadonlySet<number> | null {
  if (preference === undefined || !preference.startsWith('_')) return null;
  const [kind = '', ...rest] = preference.split(':');
  if (kind === '_shards') {
    const list = rest.join(':').split(';')[0] ?? '';
    const numbers = list.split(',').filter((part) => part !== '');
    for (const number of numbers) {
      if (!/^\d+$/.test(number)) throw illegalArgument(`no Preference for [${preference}]`);
    }
    return new Set(numbers.map(Number));
  }
  switch (preference) {
    case '_local':
    case '_primary':
    case '_primary_first':
    case '_only_local':
      return null;
  }
  if (kind === '_prefer_node') return null;
  throw illegalArgument(`no Preference for [${preference}]`);
}
