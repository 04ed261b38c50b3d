// Runs the warmers of an index after a refresh, so that the first user does not wait for what they bring into
// memory (reference server).

import type { IndexService } from '../shard/index';
import { isJsonObject, writeJson } from '../json/index';
import {
  type ClusterState,
  isTrueSetting,
  type IndexMetadata,
  type IndicesOptions,
} from '../metadata/index';
import type { SearchRequest } from '../api/index';
import type { EngineLogger } from '../common/index';

const ONE_INDEX: IndicesOptions = {
  ignoreUnavailable: true,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  forbidClosed: true,
};

/** Runs warmers, one after the other; of an index only once at a time. */
export class Warmer {
  private readonly running = new Set<number>();

  constructor(
    private readonly state: () => ClusterState,
    private readonly search: (request: SearchRequest) => Promise<unknown>,
    private readonly logger: EngineLogger,
  ) {}

  /** Begins to warm an index, if it is there. A warmer that fails is reported and left. */
  warm(indexService: IndexService): void {
    const metadata = this.state().indices.get(indexService.name);
    if (metadata?.id === indexService.id) void this.run(metadata, indexService);
  }

  private async run(metadata: IndexMetadata, indexService: IndexService): Promise<void> {
    const enabled = metadata.settings.get('index.warmer.enabled') ?? 'true';
    if (metadata.warmers.size === 0 || !isTrueSetting(enabled)) return;
    if (this.running.has(metadata.id)) return;
    this.running.add(metadata.id);
    try {
      for (const [name, warmer] of metadata.warmers) {
        await this.runOne(metadata.name, name, warmer, indexService);
      }
    } finally {
      this.running.delete(metadata.id);
    }
  }

  private async runOne(
    index: string,
    name: string,
    warmer: ReadonlyMap<string, unknown>,
    indexService: IndexService,
  ): Promise<void> {
    const source = warmer.get('source');
    const types = warmer.get('types');
    const body: SearchRequest['body'] = isJsonObject(source) ? source : new Map<string, never>();
    const counter = indexService.shards[0]?.reads.warmers;
    const started = performance.now();
    if (counter !== undefined) counter.current++;
    try {
      await this.search({
        indices: [index],
        types: Array.isArray(types) ? types.map(String) : [],
        options: ONE_INDEX,
        searchType: undefined,
        body,
        bodyText: writeJson(body),
        params: new Map(),
        routing: undefined,
        preference: undefined,
      });
    } catch (error) {
      this.logger.warn({ index, warmer: name, err: error }, 'a warmer failed');
    } finally {
      if (counter !== undefined) {
        counter.current--;
        counter.total++;
        counter.ms += performance.now() - started;
      }
    }
  }
}
