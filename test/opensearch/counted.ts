// Facets and aggregations by OpenSearch beside those of the embedded engine: documents are written to both,
// and each search of the embedded engine is counted once more by OpenSearch, with the same plans.

import type { Engine } from '../../engine/index';
import { isJsonObject, type JsonObject } from '../../engine/json/json';
import { writeJson } from '../../engine/json/write';
import type { IndexMetadata } from '../../engine/metadata/state';
import { shardOf } from '../../engine/metadata/routing';
import type { IndexMapping } from '../../engine/mapping/schema/index-mapping';
import { SILENT_LOGGER } from '../../engine/common/logger';
import {
  type CountingShard,
  countShards,
  firstRequest,
} from '../../engine/opensearch/aggregations/rounds';
import { recordOf } from '../../engine/opensearch/layout/envelope';
import type { LogRecord } from '../../storage/types';
import { indexBody } from '../../engine/opensearch/layout/definitions';
import {
  deriveDocument,
  type DerivedDocument,
} from '../../engine/opensearch/layout/derived-document';
import { clauseOf, contextOf } from '../../engine/opensearch/queries/clause';
import { RemoteExecutor } from '../../engine/opensearch/search/remote-executor';
import { createClient, type OpenSearchClient } from '../../engine/opensearch/transport/client';
import type {
  CollectJob,
  Executor,
  Outcome,
  Phases,
  SearchJob,
  SearchOutcome,
} from '../../engine/search/plan/executor';
import type { ShardResult } from '../../engine/search/plan/search-plan';
import { runSearch } from '../../engine/search/run/run-search';

/** Parts of an engine that nobody else has to see. */
interface Insides {
  readonly parts: {
    readonly pools: { readonly executor: { search: Executor['search'] } };
    readonly indicesService: {
      requireIndex(metadata: IndexMetadata): { mapping(metadata: IndexMetadata): IndexMapping };
    };
  };
}

interface FoundHit {
  readonly _id: string;
  readonly _version: number;
  readonly _seq_no: number;
  readonly _source: { readonly src: string; readonly m: string };
}

const NOT_HERE = (): never => {
  throw new Error('counts only');
};

/** An OpenSearch index for each shard of the indices of an engine. */
export class Counted {
  readonly client: OpenSearchClient;
  private readonly insides: Insides['parts'];
  private readonly defined = new Map<string, Set<string>>();
  private last: SearchJob | null = null;
  /** How often shards were asked again. */
  rounds = 0;
  private outcome: Promise<SearchOutcome> | null = null;

  constructor(
    private readonly engine: Engine,
    url: string,
  ) {
    this.client = createClient(
      {
        hosts: [url],
        username: null,
        password: null,
        certificateAuthority: null,
        timeoutMs: 30_000,
        retries: 0,
      },
      SILENT_LOGGER,
    );
    this.insides = (engine as unknown as Insides).parts;
    const { executor } = this.insides.pools;
    const search = executor.search.bind(executor);
    executor.search = (job, signal) => {
      this.last = job;
      this.outcome = search(job, signal);
      return this.outcome;
    };
  }

  /** Makes the shards of an index. */
  async create(index: string): Promise<void> {
    const { shardIds } = this.metadata(index);
    for (let shard = 0; shard < shardIds.length; shard++) {
      await this.client.request('DELETE', `/${nameOf(index, shard)}`);
      await this.send('PUT', `/${nameOf(index, shard)}`, indexBody(1, 0, '-1'));
      this.defined.set(nameOf(index, shard), new Set());
    }
  }

  async remove(index: string): Promise<void> {
    for (let shard = 0; shard < this.metadata(index).shardIds.length; shard++)
      await this.client.request('DELETE', `/${nameOf(index, shard)}`);
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
    const lines = new Map<string, string>();
    for (const { type, id, source, parent = null } of documents) {
      const name = nameOf(index, shardOf(id, metadata.shardIds.length));
      const known = this.defined.get(name)!;
      const action = { _index: name, _id: `${type}#${id}` };
      let line = `${writeJson({ delete: action })}\n`;
      if (source !== null) {
        const envelope = { id, routing: parent, parent, timestamp: null, expiry: null };
        const mapper = mapping.documentMapper(type)!;
        const derived = deriveDocument(mapper, Buffer.from(source), envelope, known);
        await this.define(name, derived);
        line = `${writeJson({ index: action })}\n${derived.body}\n`;
      }
      lines.set(name, (lines.get(name) ?? '') + line);
    }
    for (const [name, text] of lines) {
      const { body } = await this.sendLines(`/_bulk`, text);
      if (body.get('errors') === true) throw new Error(writeJson(body));
      await this.send('POST', `/${name}/_refresh`, undefined);
    }
  }

  /** What the last search of the engine counted, counted by OpenSearch. */
  again(): Promise<SearchOutcome> {
    const job = this.last!;
    const phases: Phases = {
      prepare: NOT_HERE,
      rescore: NOT_HERE,
      suggest: NOT_HERE,
      fetch: NOT_HERE,
      collect: (jobs) => this.collect(jobs),
    };
    return runSearch({ ...job, withoutHits: true }, phases);
  }

  /** What came of the last search of the engine. */
  embedded(): Promise<SearchOutcome> {
    return this.outcome!;
  }

  /** The last search of the engine, by OpenSearch. Of indices with one shard. */
  searchAgain(): Promise<SearchOutcome> {
    const executor = new RemoteExecutor({
      client: this.client,
      indexOf: ({ index, shardNumber }) => {
        const metadata = this.metadata(index);
        const mapping = this.insides.indicesService.requireIndex(metadata).mapping(metadata);
        return { remoteName: nameOf(index, shardNumber), metadata, mapping };
      },
      make: NOT_HERE,
    });
    return executor.search(this.last!);
  }

  private async collect(jobs: readonly CollectJob[]): Promise<Outcome<ShardResult>[]> {
    const shards = jobs.map(({ plan, soleShard }): CountingShard => {
      const metadata = this.metadata(plan.index);
      const mapping = this.insides.indicesService.requireIndex(metadata).mapping(metadata);
      const context = { ...contextOf(metadata, mapping), soleShard };
      return { plan, context, documents: mapping };
    });
    const ask = (aggs: readonly (object | null)[]) =>
      Promise.all(aggs.map((own, i) => this.askShard(jobs[i]!, shards[i]!, own)));
    const first = await ask(shards.map((shard) => firstRequest(shard)));
    const counts = await countShards(
      shards,
      first,
      (more) => {
        this.rounds++;
        return ask(more);
      },
      (i, which, most) => this.read(jobs[i]!, shards[i]!, which, most),
    );
    return jobs.map((_, i) => {
      const value = {
        total: 0,
        maxScore: NaN,
        hits: [],
        skipped: 0,
        ...counts(i),
        terminatedEarly: false,
        timedOut: false,
      };
      return { ok: true, value, ms: 0 };
    });
  }

  private async askShard(
    { plan, snapshot }: CollectJob,
    { context }: CountingShard,
    aggs: object | null,
  ): Promise<JsonObject | null> {
    if (aggs === null) return null;
    const body = { size: 0, query: clauseOf(plan.query, context), aggs };
    const name = nameOf(plan.index, snapshot.shardNumber);
    const given = (await this.send('POST', `/${name}/_search`, body)).body.get('aggregations');
    return isJsonObject(given ?? null) ? (given as JsonObject) : null;
  }

  private async read(
    { plan, snapshot }: CollectJob,
    { context }: CountingShard,
    which: object | null,
    most: number,
  ): Promise<ReadonlyMap<number, LogRecord> | null> {
    const body = {
      query: which ?? clauseOf(plan.query, context),
      size: most + 1,
      sort: [{ _seq_no: 'asc' }],
      version: true,
      seq_no_primary_term: true,
    };
    const name = nameOf(plan.index, snapshot.shardNumber);
    const answer = await this.send('POST', `/${name}/_search`, body);
    const { hits } = JSON.parse(writeJson(answer.body)) as { hits: { hits: readonly FoundHit[] } };
    if (hits.hits.length > most) return null;
    return new Map(
      hits.hits.map(({ _id, _version, _seq_no, _source }) => [
        _seq_no,
        recordOf(_id, _version, _source.src, _source.m),
      ]),
    );
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

function nameOf(index: string, shard: number): string {
  // Suites that run at once are processes of their own.
  return `counts-${process.pid}-${index}-${shard}`;
}
