// A real engine over a real LevelDB in a temporary folder.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine, type Engine, type EngineOptions, type NodeSettings } from '../../engine/index';
import type { JsonOutput } from '../../engine/json/index';
import { parseJsonObject } from '../../engine/json/parse';
import { DEFAULT_LIMITS } from '../../engine/metadata/limits';
import type { IndicesOptions } from '../../engine/metadata/state';
import type { OptimizeTarget } from '../../engine/api/admin';
import type { SearchEngine } from '../../engine/api/search-engine';
import { TEST_THREADS, TEST_WORKERS } from './workers';
import type { GetRequest, IndexRequest } from '../../engine/api/documents';

/** Settings as a fresh node has them; indices with one shard. */
export function nodeSettings(dataPath: string, changes: Partial<NodeSettings> = {}): NodeSettings {
  return {
    dataPath,
    configPath: join(dataPath, 'no-config'),
    repositoryPaths: [],
    clusterName: 'test',
    nodeName: 'node',
    indexDefaults: new Map([
      ['index.number_of_shards', '1'],
      ['index.number_of_replicas', '0'],
    ]),
    defaultSearchType: 'query_then_fetch',
    memoryBytes: 64 * 1024 * 1024,
    minFreeBytes: 0,
    workers: TEST_WORKERS,
    limits: DEFAULT_LIMITS,
    autoCreateIndex: true,
    destructiveRequiresName: false,
    acceptDataLoss: false,
    ...changes,
  };
}

/** A temporary folder with at most one open engine over it. */
export class EngineFolder {
  private engine: Engine | null = null;

  private constructor(readonly path: string) {}

  static async create(): Promise<EngineFolder> {
    return new EngineFolder(await mkdtemp(join(tmpdir(), 'facetd-engine-')));
  }

  async open(
    options: Partial<EngineOptions> & { changes?: Partial<NodeSettings> } = {},
  ): Promise<Engine> {
    const { changes, ...rest } = options;
    this.engine = await openEngine({
      settings: nodeSettings(join(this.path, 'data'), changes),
      reopenDelayMs: 1,
      threads: TEST_THREADS,
      ...rest,
    });
    return this.engine;
  }

  /** Closes the engine and opens it again over the same data. */
  async restart(options: Parameters<EngineFolder['open']>[0] = {}): Promise<Engine> {
    await this.engine?.close();
    return this.open(options);
  }

  async remove(): Promise<void> {
    await this.engine?.close().catch(() => undefined);
    await rm(this.path, { recursive: true, force: true });
  }
}

export const OPEN_INDICES: IndicesOptions = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  forbidClosed: true,
};

/** For `optimize`: that many segments at most. */
export function toSegments(maxSegments: number): OptimizeTarget {
  return { maxSegments, onlyExpungeDeletes: false };
}

/** A request to index a document, with nothing special about it. */
export function indexRequest(
  index: string,
  type: string,
  id: string | undefined,
  source: object | string,
  changes: Partial<IndexRequest> = {},
): IndexRequest {
  return {
    index,
    type,
    id,
    source: Buffer.from(typeof source === 'string' ? source : JSON.stringify(source)),
    routing: undefined,
    parent: undefined,
    version: undefined,
    versionType: 'internal',
    timestamp: undefined,
    ttl: undefined,
    refresh: false,
    create: false,
    ...changes,
  };
}

/** A request for a document, with nothing special about it. */
export function getRequest(
  index: string,
  type: string,
  id: string,
  changes: Partial<GetRequest> = {},
): GetRequest {
  return {
    index,
    type,
    id,
    routing: undefined,
    parent: undefined,
    realtime: true,
    refresh: false,
    version: undefined,
    versionType: 'internal',
    source: true,
    fields: undefined,
    ...changes,
  };
}

interface Hit {
  readonly _index: string;
  readonly _type: string;
  readonly _id: string;
  readonly _score: number | null;
  readonly _source: Record<string, unknown>;
}

/** Searches with a plain object body and returns what tests usually look at. */
export async function searchFor(
  engine: SearchEngine,
  index: string,
  body: object,
  params: Record<string, string> = {},
  types: readonly string[] = [],
): Promise<{
  total: number;
  hits: Hit[];
  facets: unknown;
  aggregations: JsonOutput | undefined;
  shards: number;
}> {
  const text = JSON.stringify(body);
  const response = await engine.search({
    indices: index === '' ? [] : index.split(','),
    types,
    options: OPEN_INDICES,
    searchType: undefined,
    body: parseJsonObject(text),
    bodyText: text,
    params: new Map(Object.entries(params)),
    routing: params['routing'],
    preference: undefined,
  });
  return {
    total: response.total,
    hits: response.hits.map((hit) => JSON.parse(hit.toString()) as Hit),
    facets: response.facets,
    aggregations: response.aggregations,
    shards: response.shards.total,
  };
}
