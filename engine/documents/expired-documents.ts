// Deleting documents whose time to live is over, every `indices.ttl.interval` (reference server).
//
// They are found by their indexed `_ttl` and deleted like what a query matches, each bound to the version
// that was found: a document that is written again meanwhile stays.

import { parseJsonObject } from '../json/index';
import type { IndexMapping } from '../mapping/index';
import {
  isTrueSetting,
  type ClusterState,
  type IndexMetadata,
  type IndicesOptions,
} from '../metadata/index';
import { tryTimeValue, type EngineLogger } from '../common/index';
import type { CountRequest } from '../api/index';

/** How often is looked whether a purge is due. */
const TICK_MS = 500;
const STANDARD_INTERVAL_MS = 60_000;

/** Indices may vanish meanwhile. */
const LENIENT: IndicesOptions = {
  ignoreUnavailable: true,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  forbidClosed: false,
};

/** What purging needs of the node. */
interface PurgeHost {
  state(): ClusterState;
  /** A setting of the cluster, if it was made. */
  clusterSetting(name: string): string | undefined;
  mapping(index: IndexMetadata): IndexMapping;
  deleteByQuery(request: CountRequest): Promise<unknown>;
  /** Epoch ms. */
  now(): number;
  readonly logger: EngineLogger;
}

/** Looks for expired documents now and then and deletes them. */
export class ExpiredDocuments {
  private timer: NodeJS.Timeout | null = null;
  private last = performance.now();
  private running: Promise<void> | null = null;

  constructor(private readonly host: PurgeHost) {}

  start(): void {
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.timer.unref();
  }

  /** Begins no further purge; resolves when the current one is over. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.running;
  }

  private tick(): void {
    const interval = tryTimeValue(this.host.clusterSetting('indices.ttl.interval') ?? '');
    const due = this.last + (interval ?? STANDARD_INTERVAL_MS);
    if (this.running !== null || performance.now() < due) return;
    this.last = performance.now();
    this.running = this.purge().finally(() => {
      this.running = null;
    });
  }

  private async purge(): Promise<void> {
    for (const index of [...this.host.state().indices.values()]) {
      if (this.timer === null) return;
      if (index.state !== 'open' || isTrueSetting(index.settings.get('index.ttl.disable_purge'))) {
        continue;
      }
      try {
        await this.purgeIndex(index);
      } catch (err) {
        this.host.logger.warn({ index: index.name, err }, 'expired documents could not be deleted');
      }
    }
  }

  private async purgeIndex(index: IndexMetadata): Promise<void> {
    // Compiling the mappings of a thousand idle indices takes memory that nobody gives back.
    if (![...index.mappings.values()].some((mapping) => mapping.has('_ttl'))) return;
    const mapping = this.host.mapping(index);
    const types = mapping.types.filter((type) => mapping.envelopeRules(type).ttl.enabled);
    if (types.length === 0) return;
    const expired = `{"range":{"_ttl":{"gte":0,"lte":${this.host.now()}}}}`;
    await this.host.deleteByQuery({
      indices: [index.name],
      types,
      options: LENIENT,
      body: parseJsonObject(`{"query":{"constant_score":{"filter":${expired}}}}`),
      bodyText: null,
      params: new Map(),
      routing: undefined,
      preference: undefined,
    });
  }
}
