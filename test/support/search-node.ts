// A node of test indices without storage on disk: described documents become real segments, searched by
// the real Searcher through the real jobs. Mappings are a small double.

import { NO_SCRIPTS } from './no-scripts';
import { ShardReadCounters } from '../../engine/shard/read-stats';
import { DEFAULT_REQUEST_LIMITS } from '../../engine/common/request-meter';
import { ByteCache } from '../../engine/common/byte-cache';
import { InlineExecutor } from '../../engine/search/run/inline-executor';
import { SearchQueue } from '../../engine/search/run/search-queue';
import type { Executor } from '../../engine/search/plan/executor';
import { parseJsonObject } from '../../engine/json/parse';
import type { JsonObject } from '../../engine/json/json';
import { type IndexedField } from '../../engine/mapping/fields/field-sink';
import type { AliasMetadata, ClusterState, IndexMetadata } from '../../engine/metadata/state';
import { shardOf } from '../../engine/metadata/routing';
import { DEFAULT_SCROLL_LIMITS, ScrollContexts } from '../../engine/search/scroll/scroll-contexts';
import { Searcher, type SearchHost } from '../../engine/search/searcher';
import { SegmentBuilder } from '../../engine/segment/write/segment-builder';
import { NO_SLOW_LOGGER } from '../../engine/shard/slow-log';
import type { CommittedSegment, LogReader, LogRecord } from '../../storage/types';
import { MemorySegments } from './memory-segments';
import type {
  SearchRequest,
  SearchResponse,
  SearchType,
  CountRequest,
  CountResponse,
} from '../../engine/api/search';
import type { MappedField } from '../../engine/mapping/fields/mapped-field';
import {
  MappingDouble,
  TYPE,
  UID,
  type TestDocument,
  type TestMapping,
  type TestValue,
} from './mapping-double';

interface TestShard {
  readonly id: number;
  segments: CommittedSegment[];
  pending: [number, TestDocument, string, string][];
}

interface TestIndex {
  metadata: IndexMetadata;
  readonly mapping: MappingDouble;
  readonly shards: TestShard[];
}

const OPEN = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  forbidClosed: true,
} as const;

export class SearchNode {
  readonly segments = new MemorySegments();
  /** What searches remember. */
  readonly cache = new ByteCache(1 << 26);
  readonly executor: Executor;
  readonly searcher: Searcher;
  /** What hosts the searcher; tests may replace parts. */
  readonly host: { -readonly [K in keyof SearchHost]: SearchHost[K] };
  held = 0;
  private readonly indices = new Map<string, TestIndex>();
  private readonly records = new Map<string, LogRecord>();
  private nextId = 1;
  private nextSequence = 1;
  private generation = 1;

  constructor() {
    const log: LogReader = {
      readRecord: (shard, sequence) => this.records.get(`${shard}/${sequence}`),
      readUid: () => undefined,
    };
    this.executor = new InlineExecutor(this.segments, log, this.cache);
    this.host = {
      state: () => this.state(),
      mapping: (index) => this.indices.get(index.name)!.mapping,
      acquire: (index, shard) => this.acquire(index, shard),
      executor: this.executor,
      queue: new SearchQueue(1, () => -1),
      defaultSearchType: 'query_then_fetch',
      limits: DEFAULT_REQUEST_LIMITS,
      slowLogger: NO_SLOW_LOGGER,
      facetMemory: 1 << 26,
      nodeId: 'node',
      now: () => Date.now(),
      readSource: () => Promise.resolve(undefined),
      lookUpMemory: 1 << 26,
      scripts: () => NO_SCRIPTS,
    };
    this.searcher = new Searcher(
      this.host,
      new ScrollContexts({ ...DEFAULT_SCROLL_LIMITS, maxBytes: 1 << 26 }),
    );
  }

  createIndex(
    name: string,
    mapping: TestMapping,
    options: { shards?: number; aliases?: Readonly<Record<string, Partial<AliasMetadata>>> } = {},
  ): void {
    const double = new MappingDouble(mapping);
    const shards = Array.from({ length: options.shards ?? 1 }, () => ({
      id: this.nextId++,
      segments: [],
      pending: [],
    }));
    const aliases = new Map<string, AliasMetadata>();
    for (const [alias, given] of Object.entries(options.aliases ?? {})) {
      const defaults = {
        name: alias,
        filter: null,
        indexRouting: null,
        searchRouting: null,
        isWriteIndex: null,
      };
      aliases.set(alias, { ...defaults, ...given });
    }
    const fields = [...double.fields.values()].flatMap(({ field }) =>
      field === null ? [] : [field],
    );
    const metadata: IndexMetadata = {
      id: this.nextId++,
      name,
      uuid: name,
      state: 'open',
      settings: new Map(),
      mappings: new Map(),
      aliases,
      warmers: new Map(),
      shardIds: shards.map((shard) => shard.id),
      fields: new Map(
        fields.map(({ id, name: field, kind }) => [
          `${field}\u0000${kind}`,
          { id, name: field, kind },
        ]),
      ),
      version: 1,
    };
    this.indices.set(name, { metadata, mapping: double, shards });
  }

  /** Adds a document; it is searchable after {@link refresh}. Returns its shard number and sequence. */
  add(index: string, id: string, document: TestDocument, type = 'doc'): readonly [number, number] {
    const target = this.indices.get(index)!;
    const number = shardOf(id, target.shards.length);
    const shard = target.shards[number]!;
    const sequence = this.nextSequence++;
    this.records.set(`${shard.id}/${sequence}`, {
      op: 'index',
      type,
      id,
      version: 1,
      routing: null,
      parent: null,
      timestamp: null,
      expiry: null,
      supersedes: 0,
      source: Buffer.from(stringify(document)),
    });
    shard.pending.push([sequence, document, type, id]);
    return [number, sequence];
  }

  /** Makes one segment per shard of what was added. */
  refresh(index: string): void {
    const { shards, mapping } = this.indices.get(index)!;
    for (const shard of shards) {
      if (shard.pending.length === 0) continue;
      const builder = new SegmentBuilder();
      for (const [sequence, document, type, id] of shard.pending.splice(0)) {
        builder.beginDocument(sequence);
        builder.text(UID, `${type}#${id}`, 1);
        builder.text(TYPE, type, 1);
        walk(builder, mapping, '', document);
        builder.endDocument();
      }
      shard.segments.push(this.segments.add(builder.finish()));
    }
  }

  /** Deletes a document by what {@link add} returned. */
  remove(index: string, [number, sequence]: readonly [number, number]): void {
    const shard = this.indices.get(index)!.shards[number]!;
    shard.segments = shard.segments.map((segment) => {
      const doc = this.segments.open(segment).docOfSequence(sequence);
      return doc < 0 ? segment : this.segments.delete(segment, [doc], ++this.generation);
    });
  }

  segmentsOf(index: string, shard = 0): readonly CommittedSegment[] {
    return this.indices.get(index)!.shards[shard]!.segments;
  }

  search(
    indices: string | readonly string[],
    body: string | object,
    request: Partial<SearchRequest> = {},
  ): Promise<SearchResponse> {
    return this.searcher.search({ ...requestOf(indices, body), searchType: undefined, ...request });
  }

  count(
    indices: string | readonly string[],
    body: string | object | null,
    request: Partial<CountRequest> = {},
  ): Promise<CountResponse> {
    return this.searcher.count({ ...requestOf(indices, body), ...request });
  }

  private state(): ClusterState {
    return {
      version: 1,
      indices: new Map([...this.indices].map(([name, index]) => [name, index.metadata])),
      templates: new Map(),
      persistentSettings: new Map(),
      repositories: new Map(),
      keys: new Map(),
      keyUses: new Map(),
      nextIndexId: this.nextId,
      nextShardId: this.nextId,
    };
  }

  private acquire(index: IndexMetadata, number: number): ReturnType<SearchHost['acquire']> {
    const shard = this.indices.get(index.name)!.shards[number]!;
    this.held++;
    let isHeld = true;
    return {
      snapshot: {
        index: index.name,
        indexId: index.id,
        shardId: shard.id,
        shardNumber: number,
        segments: shard.segments,
      },
      reads: new ShardReadCounters(),
      damaged: () => undefined,
      release: () => {
        if (isHeld) this.held--;
        isHeld = false;
      },
    };
  }
}

function requestOf(indices: string | readonly string[], body: string | object | null) {
  const text = body === null ? null : typeof body === 'string' ? body : stringify(body);
  return {
    indices: typeof indices === 'string' ? indices.split(',') : indices,
    types: [],
    options: OPEN,
    body: text === null || text === '' ? new Map() : parseJsonObject(text),
    bodyText: text,
    params: new Map<string, string>(),
    routing: undefined,
    preference: undefined,
  };
}

function walk(
  builder: SegmentBuilder,
  mapping: MappingDouble,
  prefix: string,
  document: TestDocument,
): void {
  for (const [name, value] of Object.entries(document)) {
    walkValue(builder, mapping, prefix === '' ? name : `${prefix}.${name}`, value);
  }
}

function walkValue(
  builder: SegmentBuilder,
  mapping: MappingDouble,
  path: string,
  value: TestValue,
): void {
  if (value === null) return;
  const field = mapping.fields.get(path);
  if (Array.isArray(value) && field?.type !== 'geo_point') {
    for (const element of value as readonly TestValue[]) walkValue(builder, mapping, path, element);
  } else if (field?.type === 'geo_point') {
    const [latitude, longitude] = value as unknown as [number, number];
    builder.geo(field.field!, latitude, longitude);
  } else if (typeof value === 'object') {
    const isNested = mapping.nested.has(path);
    if (isNested) builder.beginNested(path);
    walk(builder, mapping, path, value as TestDocument);
    if (isNested) builder.endNested();
  } else if (field?.field) {
    addValue(builder, field, field.field, value);
  }
}

function addValue(
  builder: SegmentBuilder,
  mappedAs: MappedField,
  field: IndexedField,
  value: string | number | bigint | boolean,
): void {
  if (field.kind === 'string') {
    const text = mappedAs.type === 'boolean' ? (value === true ? 'T' : 'F') : String(value);
    builder.text(field, text, 1);
  } else if (typeof value === 'bigint') builder.long(field, value);
  else builder.number(field, field.kind === 'float' ? Math.fround(Number(value)) : Number(value));
}

/** JSON text; bigints as integers. */
function stringify(value: TestValue | object): string {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${value.map((element) => stringify(element as TestValue)).join(',')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${stringify(member as TestValue)}`,
  );
  return `{${members.join(',')}}`;
}

/** The hits of a response as plain objects (numbers rounded to doubles). */
export function hitsOf(response: SearchResponse): Record<string, unknown>[] {
  return response.hits.map((hit) => JSON.parse(hit.toString()) as Record<string, unknown>);
}

/** The ids of hits. */
export function idsOf(response: SearchResponse): string[] {
  return hitsOf(response).map((hit) => hit['_id'] as string);
}

export type { JsonObject, SearchType };
