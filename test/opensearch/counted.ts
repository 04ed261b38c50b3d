// Facets and aggregations by OpenSearch beside those of the embedded engine: documents are written to both,
// and each search of the embedded engine is counted once more by OpenSearch, with the same plans.

import type { Engine } from '../../engine/index';
import type { JsonObject } from '../../engine/json/json';
import { writeJson } from '../../engine/json/write';
import type { IndexMetadata } from '../../engine/metadata/state';
import { shardOf } from '../../engine/metadata/routing';
import type { IndexMapping } from '../../engine/mapping/schema/index-mapping';
import { SILENT_LOGGER } from '../../engine/common/logger';
import { indexBody } from '../../engine/opensearch/layout/definitions';
import {
  deriveDocument,
  type DerivedDocument,
} from '../../engine/opensearch/layout/derived-document';
import { PointsInTime } from '../../engine/opensearch/search/points-in-time';
import { RemoteExecutor } from '../../engine/opensearch/search/remote-executor';
import { createClient, type OpenSearchClient } from '../../engine/opensearch/transport/client';
import type { Executor, SearchJob, SearchOutcome } from '../../engine/search/plan/executor';

/** Parts of an engine that nobody else has to see. */
interface Insides {
  readonly parts: {
    readonly pools: { readonly executor: { search: Executor['search'] } };
    readonly indicesService: {
      requireIndex(metadata: IndexMetadata): { mapping(metadata: IndexMetadata): IndexMapping };
    };
  };
}

const NOT_HERE = (): never => {
  throw new Error('counts only');
};

/** An OpenSearch index for each index of an engine, with the same documents on its shards. */
export class Counted {
  private readonly insides: Insides['parts'];
  private readonly defined = new Map<string, Set<string>>();
  private last: SearchJob | null = null;
  private readonly routings = new Map<string, ReadonlyMap<number, string>>();
  /** How many requests the last search by OpenSearch took. */
  requests = 0;
  private outcome: Promise<SearchOutcome> | null = null;

  /** @param url of a node of OpenSearch */
  static async open(engine: Engine, url: string): Promise<Counted> {
    const settings = {
      hosts: [url],
      username: null,
      password: null,
      certificateAuthority: null,
      timeoutMs: 30_000,
      retries: 0,
    };
    return new Counted(engine, await createClient(settings, SILENT_LOGGER));
  }

  private constructor(
    private readonly engine: Engine,
    readonly client: OpenSearchClient,
  ) {
    this.insides = (engine as unknown as Insides).parts;
    const { executor } = this.insides.pools;
    const search = executor.search.bind(executor);
    executor.search = (job, signal) => {
      this.last = job;
      this.outcome = search(job, signal);
      return this.outcome;
    };
  }

  /** Makes an index, and finds a routing value for each of its shards. */
  async create(index: string): Promise<void> {
    const name = nameOf(index);
    const shards = this.metadata(index).shardIds.length;
    await this.client.request('DELETE', `/${name}`);
    await this.send('PUT', `/${name}`, indexBody(shards, 0, '-1'));
    this.defined.set(name, new Set());
    const routings = new Map<number, string>();
    for (let r = 0; routings.size < shards; r++) {
      const query = { routing: String(r) };
      const { body } = await this.client.request('GET', `/${name}/_search_shards`, { query });
      const { shards: found } = JSON.parse(writeJson(body)) as { shards: { shard: number }[][] };
      routings.set(found[0]![0]!.shard, String(r));
    }
    this.routings.set(name, routings);
  }

  async remove(index: string): Promise<void> {
    await this.client.request('DELETE', `/${nameOf(index)}`);
  }

  /** Writes documents, and makes them visible. A source null: the document is deleted. */
  async write(
    index: string,
    documents: readonly {
      readonly type: string;
      readonly id: string;
      readonly source: string | null;
      readonly parent?: string;
    }[],
  ): Promise<void> {
    const metadata = this.metadata(index);
    const mapping = this.insides.indicesService.requireIndex(metadata).mapping(metadata);
    const name = nameOf(index);
    const known = this.defined.get(name)!;
    let lines = '';
    for (const { type, id, source, parent = null } of documents) {
      const routing = this.routings
        .get(name)!
        .get(shardOf(parent ?? id, metadata.shardIds.length))!;
      const action = { _index: name, _id: `${type}#${id}`, routing };
      if (source === null) {
        lines += `${writeJson({ delete: action })}\n`;
        continue;
      }
      const envelope = { id, routing: parent, parent, timestamp: null, expiry: null };
      const mapper = mapping.documentMapper(type)!;
      const derived = deriveDocument(
        mapper,
        Buffer.from(source),
        envelope,
        mapping.similarities,
        known,
      );
      await this.define(name, derived);
      lines += `${writeJson({ index: action })}\n${derived.body}\n`;
    }
    if (lines === '') return;
    const { body } = await this.sendLines(`/_bulk`, lines);
    if (body.get('errors') === true) throw new Error(writeJson(body));
    await this.send('POST', `/${name}/_refresh`, undefined);
  }

  /** What came of the last search of the engine. */
  embedded(): Promise<SearchOutcome> {
    return this.outcome!;
  }

  /** The last search of the engine, by OpenSearch. */
  async searchAgain(): Promise<SearchOutcome> {
    let requests = 0;
    const request: OpenSearchClient['request'] = (...sent) => {
      requests++;
      return this.client.request(...sent);
    };
    const executor = new RemoteExecutor({
      client: { ...this.client, request },
      indexOf: ({ index }) => {
        const metadata = this.metadata(index);
        const mapping = this.insides.indicesService.requireIndex(metadata).mapping(metadata);
        return { remoteName: nameOf(index), metadata, mapping };
      },
      make: NOT_HERE,
      points: new PointsInTime(this.client, SILENT_LOGGER),
    });
    const outcome = await executor.search(this.last!);
    this.requests = requests;
    return outcome;
  }

  private metadata(index: string): IndexMetadata {
    return this.engine.state().indices.get(index)!;
  }

  private async define(name: string, { definitions }: DerivedDocument): Promise<void> {
    if (definitions.size === 0) return;
    const root: Record<string, object> = {};
    for (const [path, definition] of definitions) {
      const steps = path.split('.');
      let properties = root;
      for (const step of steps.slice(0, -1)) {
        const object = (properties[step] ??= { type: 'nested' }) as { properties?: typeof root };
        properties = object.properties ??= {};
      }
      const last = steps.at(-1)!;
      properties[last] = { ...definition, ...(properties[last] ?? {}) };
      this.defined.get(name)!.add(path);
    }
    await this.send('PUT', `/${name}/_mapping`, { properties: root });
  }

  private async send(method: string, path: string, body: object | undefined) {
    const parts = body === undefined ? {} : { body };
    return this.checked(await this.client.request(method, path, parts), body);
  }

  private async sendLines(path: string, lines: string) {
    return this.checked(await this.client.request('POST', path, { lines }), lines);
  }

  private checked<T extends { readonly status: number; readonly body: JsonObject }>(
    answer: T,
    asked: unknown,
  ): T {
    if (answer.status < 300) return answer;
    throw new Error(`${writeJson(answer.body)} ${JSON.stringify(asked)}`);
  }
}

function nameOf(index: string): string {
  // Suites that run at once are processes of their own.
  return `counts-${process.pid}-${index}`;
}
