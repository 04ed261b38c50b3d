// The indices of a cluster state in OpenSearch, each behind one that has a name of ours: it is made when the
// state has it, or by whoever finds it missing, and deleted after the state has lost it.

import type { AnalysisRegistry } from '../../analysis/index';
import type { EngineLogger } from '../../common/index';
import { indexMissing } from '../../errors';
import type { IndexMapping } from '../../mapping/index';
import {
  type ClusterState,
  type IndexMetadata,
  type MappingLimits,
  replicasOf,
} from '../../metadata/index';
import type { ShardSnapshot } from '../../segment/index';
import {
  IndexCompiler,
  type PinnedShard,
  type ShardIdentity,
  ShardReadCounters,
  type WritableIndex,
  type WritableIndices,
  type WritableShard,
} from '../../shard/index';
import { indexBody } from '../layout/definitions';
import type { Answer, OpenSearchClient } from '../transport/client';
import { failureIn } from '../transport/failures';

/** How often searches see new documents unless the index says so. */
const REFRESH_INTERVAL = '1s';

/** What indices need of the node. */
export interface RemoteHost {
  readonly client: OpenSearchClient;
  /** What the names of all indices of this cluster state begin with. */
  readonly prefix: string;
  readonly limits: MappingLimits;
  readonly state: () => ClusterState;
  /** Sees the newest state. @throws EngineError 503 */
  readonly look: () => Promise<void>;
  /** Ends what is held of a shard in OpenSearch. */
  readonly release: (snapshot: ShardSnapshot) => void;
  readonly logger: EngineLogger;
}

/** An index of the cluster state, in OpenSearch. */
export class RemoteIndex implements WritableIndex {
  readonly id: number;
  readonly name: string;
  readonly shards: readonly WritableShard[];
  readonly mappingLimits: MappingLimits;
  /** Its name in OpenSearch. */
  readonly remoteName: string;
  /** The name by which it is written to: unlike an index, one that is gone is not made by a write. */
  readonly writeName: string;
  /** What OpenSearch has been told of fields, by path. */
  private readonly defined = new Set<string>();
  private readonly compiler: IndexCompiler;
  private refreshing: Promise<Answer> | null = null;
  /** What OpenSearch was told of the settings, as text. */
  private settled: string;

  constructor(
    metadata: IndexMetadata,
    private readonly host: RemoteHost,
  ) {
    this.id = metadata.id;
    this.name = metadata.name;
    this.mappingLimits = host.limits;
    this.remoteName = remoteName(host.prefix, metadata);
    this.writeName = `${this.remoteName}-w`;
    this.settled = JSON.stringify(remoteSettings(metadata));
    this.compiler = new IndexCompiler(host.limits);
    this.shards = metadata.shardIds.map(
      (shardId, number) =>
        new RemoteShard(
          { index: this.name, indexId: this.id, shardId, number },
          this,
          host.release,
        ),
    );
  }

  analysis(metadata: IndexMetadata): AnalysisRegistry {
    return this.compiler.analysis(metadata);
  }

  mapping(metadata: IndexMetadata): IndexMapping {
    return this.compiler.mapping(metadata);
  }

  /** The fields that OpenSearch knows of, by path. */
  get definitions(): ReadonlySet<string> {
    return this.defined;
  }

  /** Tells OpenSearch of fields. @throws EngineError */
  async define(definitions: ReadonlyMap<string, object>): Promise<void> {
    if (definitions.size === 0) return;
    const body = { properties: propertiesOf(definitions) };
    await this.succeed(() =>
      this.host.client.request('PUT', `/${this.remoteName}/_mapping`, { body }),
    );
    for (const path of definitions.keys()) this.defined.add(path);
  }

  /** Asks OpenSearch something about the index, which is made if it is missing. @throws EngineError */
  async succeed(ask: () => Promise<Answer>): Promise<Answer> {
    let answer = await ask();
    if (answer.error === 'index_not_found_exception') {
      await this.make();
      answer = await ask();
    }
    if (answer.status >= 400) throw failureIn(answer);
    return answer;
  }

  /** Makes it in OpenSearch unless it is there. @throws EngineError, 404 when the state has it no longer */
  async make(): Promise<void> {
    // It may be missing because somebody else has just deleted it.
    await this.host.look();
    const metadata = this.current();
    const { number_of_replicas: replicas, refresh_interval: interval } = remoteSettings(metadata);
    const body = {
      ...indexBody(metadata.shardIds.length, replicas, interval),
      aliases: { [this.writeName]: {} },
    };
    const query = { wait_for_active_shards: '1' };
    const answer = await this.host.client.request('PUT', `/${this.remoteName}`, { query, body });
    if (answer.status >= 400 && answer.error !== 'resource_already_exists_exception') {
      throw failureIn(answer);
    }
    await this.host.look();
    try {
      this.current();
    } catch (error) {
      await this.host.client.request('DELETE', `/${this.remoteName}`);
      throw error;
    }
  }

  /** As the state has it now. @throws EngineError 404 when it is gone */
  private current(): IndexMetadata {
    const metadata = this.host.state().indices.get(this.name);
    if (metadata?.id !== this.id) throw indexMissing(this.name);
    return metadata;
  }

  /** Tells OpenSearch of settings that have changed. @throws EngineError */
  async settle(metadata: IndexMetadata): Promise<void> {
    const settings = remoteSettings(metadata);
    const text = JSON.stringify(settings);
    if (text === this.settled) return;
    this.settled = text;
    const { client } = this.host;
    const path = `/${this.remoteName}/_settings`;
    await this.succeed(() => client.request('PUT', path, { body: { index: settings } }));
  }

  /** Makes everything acknowledged so far visible; requests that come meanwhile share the next turn. */
  async refresh(): Promise<Answer> {
    const before = this.refreshing;
    const turn = (async () => {
      await before?.catch(() => undefined);
      return this.succeed(() => this.host.client.request('POST', `/${this.remoteName}/_refresh`));
    })();
    this.refreshing = turn;
    try {
      return await turn;
    } finally {
      if (this.refreshing === turn) this.refreshing = null;
    }
  }
}

class RemoteShard implements WritableShard {
  readonly reads = new ShardReadCounters();
  readonly visibleSequence = 0;
  readonly failure = null;
  readonly rebuilding = null;

  constructor(
    readonly identity: ShardIdentity,
    private readonly index: RemoteIndex,
    private readonly end: (snapshot: ShardSnapshot) => void,
  ) {}

  /** A name for the shard; a search that has more pages holds it there. */
  acquire(): PinnedShard {
    const { index, indexId, shardId, number } = this.identity;
    const snapshot = { index, indexId, shardId, shardNumber: number, segments: [] };
    return {
      snapshot,
      reads: this.reads,
      damaged: () => undefined,
      release: () => this.end(snapshot),
    };
  }

  async refresh(): Promise<void> {
    await this.index.refresh();
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }
}

/** The indices of the cluster state. */
export class RemoteIndices implements WritableIndices {
  private readonly runtimes = new Map<number, RemoteIndex>();

  constructor(private readonly host: RemoteHost) {}

  indexService(metadata: IndexMetadata): RemoteIndex | null {
    return metadata.state === 'open' ? (this.runtimes.get(metadata.id) ?? null) : null;
  }

  requireIndex(metadata: IndexMetadata): RemoteIndex {
    const index = this.indexService(metadata);
    if (index === null) throw indexMissing(metadata.name);
    return index;
  }

  /** The index of a shard that is searched, as it is now. @throws EngineError 404 when it is gone */
  ofSnapshot({ index: name, indexId }: ShardSnapshot): {
    readonly index: RemoteIndex;
    readonly remoteName: string;
    readonly metadata: IndexMetadata;
    readonly mapping: IndexMapping;
  } {
    const metadata = this.host.state().indices.get(name);
    if (metadata?.id !== indexId) throw indexMissing(name);
    const index = this.requireIndex(metadata);
    return { index, remoteName: index.remoteName, metadata, mapping: index.mapping(metadata) };
  }

  open(): Promise<void> {
    return Promise.resolve();
  }

  releaseMemory(): void {
    // It is OpenSearch's.
  }

  stageRemoval(): void {
    // Data is removed when the state has been changed: see `follow`.
  }

  /** Keeps in step with a state that became visible. */
  follow(state: ClusterState): void {
    const ids = new Set<number>();
    for (const metadata of state.indices.values()) {
      ids.add(metadata.id);
      const known = this.runtimes.get(metadata.id);
      if (known === undefined) this.runtimes.set(metadata.id, new RemoteIndex(metadata, this.host));
      else void this.settle(known, metadata);
    }
    for (const [id, index] of this.runtimes) {
      if (ids.has(id)) continue;
      this.runtimes.delete(id);
      void this.remove(index.remoteName);
    }
  }

  /** Deletes what indices have left in OpenSearch that the state does not have. @throws EngineError */
  async removeOrphans(): Promise<void> {
    const { client, prefix, look } = this.host;
    const answer = await client.request(
      'GET',
      `/${encodeURIComponent(`${prefix}-i-*`)}/_settings`,
      {
        query: { flat_settings: 'true' },
      },
    );
    if (answer.status >= 400) throw failureIn(answer);
    // An index is in the state before it is in OpenSearch: what was there is in this one, or gone.
    await look();
    const wanted = new Set([...this.runtimes.values()].map(({ remoteName: name }) => name));
    for (const name of answer.body.keys()) if (!wanted.has(name)) await this.remove(name);
  }

  private async settle(index: RemoteIndex, metadata: IndexMetadata): Promise<void> {
    try {
      await index.settle(metadata);
    } catch (error) {
      this.host.logger.warn({ err: error, index: index.name }, 'OpenSearch has older settings');
    }
  }

  private async remove(name: string): Promise<void> {
    const { client, logger } = this.host;
    try {
      const answer = await client.request('DELETE', `/${name}`);
      if (answer.status >= 400 && answer.status !== 404) throw failureIn(answer);
    } catch (error) {
      // The next start looks for it again.
      logger.warn({ err: error, index: name }, 'what a deleted index held is still there');
    }
  }
}

/** What settings of an index are there. */
function remoteSettings(metadata: IndexMetadata) {
  const interval = metadata.settings.get('index.refresh_interval');
  return {
    number_of_replicas: replicasOf(metadata),
    refresh_interval: typeof interval === 'string' ? interval : REFRESH_INTERVAL,
  };
}

/** The name of an index in OpenSearch, where names are lower case. */
function remoteName(prefix: string, { uuid }: IndexMetadata): string {
  return `${prefix}-i-${Buffer.from(uuid).toString('hex')}`;
}

/** Definitions by path as nested `properties`. */
function propertiesOf(definitions: ReadonlyMap<string, object>): Record<string, object> {
  const root: Record<string, object> = {};
  for (const [path, definition] of definitions) {
    const names = path.split('.');
    const last = names.pop()!;
    let at = root;
    for (const name of names) {
      const known = at[name] as { properties: Record<string, object> } | undefined;
      const object = known ?? { type: 'nested', properties: {} };
      at[name] = object;
      at = object.properties;
    }
    const known: { properties?: object } | undefined = at[last];
    at[last] = structuredClone(definition);
    const object = at[last] as { properties?: object };
    if (known?.properties !== undefined)
      object.properties = { ...object.properties, ...known.properties };
  }
  return root;
}
