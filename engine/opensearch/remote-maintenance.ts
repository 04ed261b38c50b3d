// What is done with the shards of indices in OpenSearch as they are, and what they tell of themselves.

import { type Gate, indexStats } from '../admin/index';
import {
  EMPTY_SHARD,
  type IndexStats,
  type Maintenance,
  type OptimizeTarget,
  type ShardStats,
  type ShardStatsSum,
  type ShardsHeader,
} from '../api/index';
import { isJsonObject } from '../json/index';
import {
  type ClusterState,
  type IndexMetadata,
  type IndicesOptions,
  resolveUnblocked,
} from '../metadata/index';
import { doubleAt, partOf } from './transport/answers';
import type { Answer, OpenSearchClient } from './transport/client';
import type { RemoteIndex, RemoteIndices } from './documents/remote-indices';

/** What maintenance needs of the node. */
interface MaintenanceHost {
  readonly gate: Gate;
  readonly client: OpenSearchClient;
  readonly state: () => ClusterState;
  readonly indices: RemoteIndices;
}

/** Refreshes, flushes, merges and asks for figures, index by index. */
export class RemoteMaintenance implements Maintenance {
  constructor(private readonly host: MaintenanceHost) {}

  refresh(names: readonly string[], options: IndicesOptions): Promise<ShardsHeader> {
    return this.broadcast(names, options, (index) => index.refresh());
  }

  flush(names: readonly string[], options: IndicesOptions): Promise<ShardsHeader> {
    return this.broadcast(names, options, (index) => this.post(index, '_flush'));
  }

  optimize(
    names: readonly string[],
    options: IndicesOptions,
    { maxSegments, onlyExpungeDeletes }: OptimizeTarget,
  ): Promise<ShardsHeader> {
    const query = onlyExpungeDeletes
      ? { only_expunge_deletes: 'true' }
      : maxSegments === null
        ? {}
        : { max_num_segments: String(maxSegments) };
    return this.broadcast(names, options, (index) => this.post(index, '_forcemerge', query));
  }

  clearCaches(names: readonly string[], options: IndicesOptions): Promise<ShardsHeader> {
    return this.broadcast(names, options, (index) => this.post(index, '_cache/clear'));
  }

  async stats(names: readonly string[]): Promise<readonly IndexStats[]> {
    const { indices } = this.host.state();
    const known = names.flatMap((name) => indices.get(name) ?? []);
    return Promise.all(known.map((metadata) => this.statsOf(metadata)));
  }

  /** Sums over all indices. */
  async totals(): Promise<ShardStatsSum> {
    const { indices } = this.host.state();
    const all = await this.stats([...indices.keys()]);
    const open = all.filter((index) => index.open);
    const sum = (figure: 'docCount' | 'deletedCount' | 'storeBytes'): number =>
      open.reduce((total, index) => total + index[figure], 0);
    const shards = open.flatMap((index) => index.shards);
    return {
      openIndices: open.length,
      closedIndices: all.length - open.length,
      shards: shards.length,
      damagedShards: shards.filter((shard) => shard.isDamaged).length,
      rebuildingShards: 0,
      docCount: sum('docCount'),
      deletedCount: sum('deletedCount'),
      storeBytes: sum('storeBytes'),
    };
  }

  private async statsOf(metadata: IndexMetadata): Promise<IndexStats> {
    const index = this.host.indices.indexService(metadata);
    return indexStats(metadata, index === null ? [] : await this.shardsOf(index));
  }

  /** By number; a shard that no node serves is damaged as far as anybody can tell. */
  private async shardsOf(index: RemoteIndex): Promise<readonly ShardStats[]> {
    const { client } = this.host;
    const answer = await index.succeed(() =>
      client.request('GET', `/${index.remoteName}/_stats/docs,store`, {
        query: { level: 'shards' },
      }),
    );
    const found = partOf(partOf(answer.body, 'indices'), index.remoteName);
    const shards = partOf(found, 'shards');
    return index.shards.map((_, number) => {
      const listed = shards?.get(String(number));
      const copies = Array.isArray(listed) ? listed.filter(isJsonObject) : [];
      const primary = copies.find((copy) => partOf(copy, 'routing')?.get('primary') === true);
      if (primary === undefined) return { ...EMPTY_SHARD, isDamaged: true };
      const docs = partOf(primary, 'docs');
      return {
        ...EMPTY_SHARD,
        startedReplicas: copies.length - 1,
        docCount: doubleAt(docs, 'count', 0),
        deletedCount: doubleAt(docs, 'deleted', 0),
        storeBytes: doubleAt(partOf(primary, 'store'), 'size_in_bytes', 0),
      };
    });
  }

  private async post(
    index: RemoteIndex,
    api: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const { client } = this.host;
    return index.succeed(() => client.request('POST', `/${index.remoteName}/${api}`, { query }));
  }

  private async broadcast(
    names: readonly string[],
    options: IndicesOptions,
    work: (index: RemoteIndex) => Promise<Answer>,
  ): Promise<ShardsHeader> {
    const { gate, state, indices } = this.host;
    return gate.write(async () => {
      const { indices: known } = state();
      const concrete = resolveUnblocked(state(), names, options, 'metadata_write');
      const open = concrete.flatMap((name) => indices.indexService(known.get(name)!) ?? []);
      const answers = await Promise.all(open.map(work));
      const sum = (figure: string): number =>
        answers.reduce((all, { body }) => all + doubleAt(partOf(body, '_shards'), figure, 0), 0);
      const [total, successful] = [sum('total'), sum('successful')];
      return { total, successful, failed: sum('failed'), failures: [] };
    });
  }
}
