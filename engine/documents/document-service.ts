// The document APIs: index, delete, update, get, multi-get and bulk, over the document log.
//
// Reads are realtime: they look at the newest durable version of an id, refreshed or not.

import { EngineError, indexMissing } from '../errors';
import {
  parseJsonObject,
  decodeUtf8,
  filterSource,
  isJsonObject,
  type JsonObject,
  type JsonOutput,
  writeJson,
} from '../json/index';
import { refusesBulk, resolveEnvelope, type IndexMapping } from '../mapping/index';
import type { LikedSource } from '../search/index';
import {
  isAlias,
  assertNotBlocked,
  documentRouting,
  shardOf,
  singleIndex,
  type SingleIndexPurpose,
  type IndexMetadata,
  validateTypeName,
  type ClusterService,
} from '../metadata/index';
import type { ScriptLibrary, ScriptRequest } from '../script/index';
import { describeDamage, type IndexRuntime } from '../shard/index';
import { generateId } from './auto-id';
import { documentFields, updatedFields, visibleSource } from './document-fields';
import type { DocumentWrite, DocumentWriter, WriteResult } from './document-writer';
import { checkRequests } from './request-validation';
import { changeByScript, upsertByScript } from './script-update';
import { mergeDocument, parseUpdate } from './update';
import { checkReadVersion, versionConflict } from './versions';
import type { LogReader, LogRecord, LogStore, UidEntry } from '../../storage/index';
import type {
  BulkAction,
  BulkItem,
  DeleteRequest,
  DeleteResult,
  GetRequest,
  GetResult,
  IndexRequest,
  IndexResult,
  UpdateRequest,
  UpdateResult,
  WriteOptions,
} from '../api/index';
import { breathe } from '../common/index';

/** What the document APIs need from the engine around them. */
export interface DocumentHost {
  readonly cluster: ClusterService;
  readonly log: () => LogStore;
  /** Records of the log, through a cache of those shown lately. */
  readonly recentRecords: Pick<LogReader, 'readRecord'>;
  readonly now: () => number;
  /** The scripts that the updates of a request may name. */
  readonly scripts: () => ScriptLibrary;
  /** The open index, or null when it is closed or gone. */
  runtime(metadata: IndexMetadata): IndexRuntime | null;
  /**
   * Creates a missing index with default settings.
   *
   * @param types of the documents it is created for; with one that cannot be, no index is created
   * @throws EngineError also when automatic creation is off
   */
  autoCreate(name: string, types: readonly string[]): Promise<void>;
}

/** A document's place: index, shard and what travels with it. */
interface Place {
  readonly runtime: IndexRuntime;
  readonly metadata: IndexMetadata;
  readonly mapping: IndexMapping;
  readonly routing: string | null;
  readonly shard: number;
}

/** Index actions of a bulk request planned before other requests get a turn. */
const PLANNED_AT_ONCE = 512;

interface Stored {
  readonly entry: UidEntry;
  readonly record: LogRecord;
}

/** A bulk action on its way: its slot in the answer and how to turn the write's result into an item. */
interface Planned {
  readonly slot: number;
  readonly runtime: IndexRuntime;
  readonly write: DocumentWrite;
  readonly finish: (result: WriteResult) => BulkItem;
  /** Runs instead when the write fails with a version conflict that may be retried. */
  readonly retry: (() => Promise<BulkItem>) | null;
}

/** What an update comes to: a write, or the answer that nothing is to be done. */
interface PlannedUpdate {
  readonly place: Place;
  readonly write: DocumentWrite | null;
  readonly noop: UpdateResult | null;
}

export class DocumentService {
  constructor(
    private readonly host: DocumentHost,
    private readonly writer: DocumentWriter,
  ) {}

  async index(request: IndexRequest): Promise<IndexResult> {
    checkRequests([{ kind: 'index', request }]);
    await this.ensureIndex(request.index, request.type);
    const { place, write } = this.planIndex(request);
    const result = await this.single(place.runtime, write);
    if (request.refresh) await place.runtime.shards[place.shard]!.refresh();
    return indexResult(place.runtime.name, write, result);
  }

  async delete(request: DeleteRequest): Promise<DeleteResult> {
    checkRequests([{ kind: 'delete', request }]);
    const planned = await this.planDelete(request);
    let last: DeleteResult | null = null;
    for (const { runtime, write } of planned) {
      const result = await this.single(runtime, write);
      if (request.refresh) await runtime.shards[write.shard]!.refresh();
      const answer = deleteResult(runtime.name, write, result);
      if (last === null || answer.found) last = answer;
    }
    return last!;
  }

  async update(request: UpdateRequest): Promise<UpdateResult> {
    checkRequests([{ kind: 'update', request }]);
    const scripts = this.host.scripts();
    for (let attempt = 0; ; attempt++) {
      try {
        const planned = await this.planUpdate(request, scripts);
        if (planned.write === null) return planned.noop!;
        const result = await this.single(planned.place.runtime, planned.write);
        if (request.refresh) await planned.place.runtime.shards[planned.place.shard]!.refresh();
        return this.updateResult(request, planned.place, planned.write, result);
      } catch (error) {
        if (!isConflict(error) || attempt >= request.retryOnConflict) throw error;
      }
    }
  }

  get(request: GetRequest): Promise<GetResult> {
    return this.getOne(request, 'read');
  }

  private async getOne(request: GetRequest, purpose: SingleIndexPurpose): Promise<GetResult> {
    const { index, type, id, routing, parent } = request;
    const place = this.place(index, type, id, routing, parent, purpose);
    assertNotBlocked(place.metadata, 'read');
    const shard = place.runtime.shards[place.shard]!;
    if (request.refresh) await shard.refresh();
    const started = performance.now();
    const result = this.read(place, request);
    shard.reads.addGet(result.found, performance.now() - started);
    return result;
  }

  /** Like many {@link get}s; a missing index or a conflict concerns its own item only. */
  async multiGet(requests: readonly GetRequest[]): Promise<readonly (GetResult | Error)[]> {
    const answers: (GetResult | Error)[] = [];
    for (const request of requests) {
      try {
        answers.push(await this.getOne(request, 'multiGet'));
      } catch (error) {
        const known = describeDamage(error) ?? error;
        if (!(known instanceof EngineError) || failsWholeMultiGet(known)) throw error;
        answers.push(known);
      }
    }
    return answers;
  }

  /**
   * Runs bulk actions in order; items of one document see each other.
   *
   * @throws EngineError before anything is executed, for what the reference refuses as a whole
   */
  async bulk(actions: readonly BulkAction[], refresh: boolean): Promise<readonly BulkItem[]> {
    checkRequests(actions);
    const items = new Array<BulkItem>(actions.length);
    // compat: also when the request is refused afterwards.
    await this.createMissing(actions, items);
    this.checkAliases(actions);
    const indexing = await this.planIndexing(actions, items);
    let group: Planned[] = [];
    const readsDocuments = actions.some(({ kind }) => kind === 'update');
    const touched = new Set<string>();
    const scripts = this.host.scripts();
    const flush = async () => {
      await this.runGroup(group, items);
      group = [];
      touched.clear();
    };
    for (const [slot, action] of actions.entries()) {
      if (items[slot] !== undefined) continue;
      try {
        if (readsDocuments) {
          const key = `${action.request.index}\u0000${action.request.type}\u0000${action.request.id}`;
          // An update reads the stored document: earlier writes to it must be in the log by then.
          if (action.kind === 'update' && touched.has(key)) await flush();
          touched.add(key);
        }
        if (action.kind === 'index') group.push(indexing[slot]!);
        else group.push(...(await this.planBulk(action, slot, items, scripts)));
      } catch (error) {
        items[slot] = errorItem(action, error);
      }
    }
    await flush();
    if (refresh) await this.refreshTouched(actions);
    return items;
  }

  /** `_source` of a document for terms lookups: realtime, undefined when it does not exist. */
  source(index: string, type: string, id: string, routing: string | undefined): Buffer | undefined {
    const place = this.place(index, type, id, routing, undefined, 'read');
    return this.load(place, type, id, true)?.record.source;
  }

  /**
   * A document that others shall be like, and the mapping of its index.
   * @throws EngineError DocumentMissingException
   */
  async liked(
    request: Pick<GetRequest, 'index' | 'type' | 'id' | 'routing'>,
  ): Promise<{ readonly document: LikedSource; readonly mapping: IndexMapping }> {
    const { index, type, id, routing } = request;
    const place = this.place(index, type, id, routing, undefined, 'read');
    assertNotBlocked(place.metadata, 'read');
    const record = this.load(place, type, id, true)?.record;
    if (record === undefined) {
      const message = `[_na][_na] [${type}][${id}]: document missing`;
      throw new EngineError('DocumentMissingException', message);
    }
    return { document: record, mapping: place.mapping };
  }

  // --- planning -------------------------------------------------------------------------------------

  private planIndex(request: IndexRequest): { place: Place; write: DocumentWrite } {
    validateTypeName(request.type);
    const { runtime, metadata, mapping, alias } = this.open(request.index, 'write');
    assertNotBlocked(metadata, 'write');
    const resolved = resolveEnvelope(mapping, {
      index: metadata.name,
      type: request.type,
      id: request.id,
      routing: documentRouting(alias, request.routing, request.parent) ?? undefined,
      parent: request.parent,
      timestamp: request.timestamp,
      ttl: request.ttl,
      source: request.source,
      now: this.host.now(),
    });
    const id = resolved.id ?? generateId(this.host.now());
    const shard = shardOf(resolved.routing ?? id, runtime.shards.length);
    return {
      place: { runtime, metadata, mapping, routing: resolved.routing, shard },
      write: {
        kind: 'index',
        shard,
        type: request.type,
        id,
        envelope: {
          id,
          routing: resolved.routing,
          parent: resolved.parent,
          timestamp: resolved.timestamp,
          expiry: resolved.expiry,
        },
        create: request.create,
        version: request.version,
        versionType: request.versionType,
        source: request.source,
      },
    };
  }

  /**
   * A delete goes to one shard; where routing is required but not given, to all of them, as the reference
   * broadcasts it.
   */
  private async planDelete(
    request: DeleteRequest,
  ): Promise<{ runtime: IndexRuntime; write: DocumentWrite }[]> {
    await this.ensureIndex(request.index);
    validateTypeName(request.type);
    const { runtime, metadata, mapping, alias } = this.open(request.index, 'write');
    assertNotBlocked(metadata, 'write');
    const routing = documentRouting(alias, request.routing, request.parent);
    const broadcast = routing === null && mapping.routingRequired(request.type);
    const shards = broadcast
      ? runtime.shards.map((_, number) => number)
      : [shardOf(routing ?? request.id, runtime.shards.length)];
    return shards.map((shard) => ({
      runtime,
      write: {
        kind: 'delete',
        shard,
        type: request.type,
        id: request.id,
        envelope: { id: request.id, routing, parent: null, timestamp: null, expiry: null },
        create: false,
        version: request.version,
        versionType: request.versionType,
        source: Buffer.alloc(0),
      },
    }));
  }

  private async planUpdate(
    request: UpdateRequest,
    scripts: ScriptLibrary,
    missingShard?: number,
  ): Promise<PlannedUpdate> {
    const plan = parseUpdate(request.body);
    await this.ensureIndex(request.index);
    const place = this.place(
      request.index,
      request.type,
      request.id,
      request.routing,
      request.parent,
      'write',
    );
    assertNotBlocked(place.metadata, 'write');
    const stored = this.load(place, request.type, request.id, true);
    if (stored === undefined) {
      if (plan.upsert === undefined) {
        throw documentMissing(place, request, missingShard ?? place.shard);
      }
      if (request.version !== undefined && request.version !== 0) {
        throw versionConflict(subjectOf(place, request), -1, request.version);
      }
      let created: JsonOutput | null = plan.upsert;
      if (plan.scriptedUpsert && plan.script !== null) {
        created = upsertByScript(plan.script, scripts, plan.upsert, this.host.now());
        if (created === null) return { place, write: null, noop: nothingCreated(place, request) };
      }
      // Creating guards against a document that appears in between: that is a conflict to retry.
      const { write } = this.planIndex(asIndexRequest(request, created, { create: true }));
      return { place, write, noop: null };
    }
    checkReadVersion(
      stored.entry.version,
      request.version,
      request.versionType,
      subjectOf(place, request),
    );
    if (place.mapping.sourceFilter(request.type) === false) {
      throw new EngineError(
        'DocumentSourceMissingException',
        `[${place.runtime.name}][${place.shard}] [${request.type}][${request.id}]: document source missing`,
      );
    }
    const current = parseJsonObject(decodeUtf8(visibleSource(place.mapping, stored.record)));
    if (plan.script !== null)
      return this.planScripted(request, place, stored, plan.script, scripts, current);
    if (!isJsonObject(plan.doc)) {
      throw new EngineError('ElasticsearchParseException', 'doc must be an object');
    }
    const { merged, changed } = mergeDocument(current, plan.doc);
    if (plan.detectNoop && !changed) {
      const result = { version: stored.entry.version, fresh: false };
      const same = this.writeOf(place, stored.record, stored.record.source, stored.entry.version);
      return { place, write: null, noop: this.updateResult(request, place, same, result, true) };
    }
    const { write } = this.planIndex(
      asIndexRequest(request, merged, {
        routing: request.routing ?? stored.record.routing ?? undefined,
        parent: request.parent ?? stored.record.parent ?? undefined,
        ttl: request.ttl ?? remainingTtl(stored.record, this.host.now()),
        version: stored.entry.version,
      }),
    );
    return { place, write, noop: null };
  }

  /**
   * Creates the indices that a bulk request names and that do not exist. What prevents one, be it a type that no
   * index can have, is the outcome of all items about it.
   */
  private async createMissing(actions: readonly BulkAction[], items: BulkItem[]): Promise<void> {
    const missing = new Map<string, Set<string>>();
    for (const { request } of actions) {
      if (this.isKnown(request.index)) continue;
      const types = missing.get(request.index);
      if (types === undefined) missing.set(request.index, new Set([request.type]));
      else types.add(request.type);
    }
    for (const [name, types] of missing) {
      try {
        await this.host.autoCreate(name, [...types]);
      } catch (error) {
        actions.forEach((action, slot) => {
          if (action.request.index === name) items[slot] = errorItem(action, error);
        });
      }
    }
  }

  /**
   * Plans all index actions of a bulk request, by slot: what is wrong with their envelopes refuses the whole
   * request. What concerns one of them alone becomes its item.
   */
  private async planIndexing(
    actions: readonly BulkAction[],
    items: BulkItem[],
  ): Promise<(Planned | undefined)[]> {
    const planned = new Array<Planned | undefined>(actions.length);
    for (const [slot, action] of actions.entries()) {
      if (action.kind !== 'index' || items[slot] !== undefined) continue;
      if (slot % PLANNED_AT_ONCE === PLANNED_AT_ONCE - 1) await breathe();
      try {
        const { place, write } = this.planIndex(action.request);
        const finish = (result: WriteResult): BulkItem => ({
          kind: 'index',
          result: indexResult(place.runtime.name, write, result),
        });
        planned[slot] = { slot, runtime: place.runtime, write, finish, retry: null };
      } catch (error) {
        if (refusesBulk(error)) throw error;
        items[slot] = errorItem(action, error);
      }
    }
    return planned;
  }

  private async planBulk(
    action: Exclude<BulkAction, { kind: 'index' }>,
    slot: number,
    items: BulkItem[],
    scripts: ScriptLibrary,
  ): Promise<Planned[]> {
    if (action.kind === 'delete') {
      const planned = await this.planDelete(action.request);
      return planned.map(({ runtime, write }) => ({
        slot,
        runtime,
        write,
        // Of a broadcast delete the shard that had the document answers.
        finish: (result) => {
          const before = items[slot];
          if (before?.kind === 'delete' && before.result.found) return before;
          return { kind: 'delete', result: deleteResult(runtime.name, write, result) };
        },
        retry: null,
      }));
    }
    const { request } = action;
    // compat: in bulk a missing document is reported without its shard.
    const planned = await this.planUpdate(request, scripts, -1);
    if (planned.write === null) {
      items[slot] = { kind: 'update', result: planned.noop! };
      return [];
    }
    const { place, write } = planned;
    const finish = (result: WriteResult): BulkItem => ({
      kind: 'update',
      result: this.updateResult(request, place, write, result),
    });
    const retry =
      request.retryOnConflict > 0
        ? async (): Promise<BulkItem> => ({
            kind: 'update',
            result: await this.update({
              ...request,
              retryOnConflict: request.retryOnConflict - 1,
              refresh: false,
            }),
          })
        : null;
    return [{ slot, runtime: place.runtime, write, finish, retry }];
  }

  private async runGroup(group: readonly Planned[], items: BulkItem[]): Promise<void> {
    const byIndex = new Map<IndexRuntime, Planned[]>();
    for (const planned of group) {
      const list = byIndex.get(planned.runtime);
      if (list === undefined) byIndex.set(planned.runtime, [planned]);
      else list.push(planned);
    }
    const run = async (runtime: IndexRuntime, list: readonly Planned[]) => {
      const results = await this.writer
        .write(
          runtime,
          list.map(({ write }) => write),
        )
        .catch((error: unknown) => {
          if (!(error instanceof EngineError)) throw error;
          return list.map(() => error);
        });
      for (const [i, planned] of list.entries()) {
        const result = results[i]!;
        items[planned.slot] = await finishItem(planned, runtime, result);
      }
    };
    await Promise.all([...byIndex].map(([runtime, list]) => run(runtime, list)));
  }

  // --- reading --------------------------------------------------------------------------------------

  private read(place: Place, request: GetRequest): GetResult {
    const stored = this.load(place, request.type, request.id, request.realtime);
    const index = place.runtime.name;
    const { id } = request;
    if (stored === undefined) {
      const { type } = request;
      return { index, type, id, found: false, version: -1, source: undefined, fields: undefined };
    }
    const { record } = stored;
    checkReadVersion(
      record.version,
      request.version,
      request.versionType,
      subjectOf(place, request),
    );
    const hidden = place.mapping.sourceFilter(record.type) === false;
    const wantsSource = request.source !== false && !hidden;
    const source = visibleSource(place.mapping, record);
    return {
      index,
      type: record.type,
      id,
      found: true,
      version: record.version,
      source: wantsSource ? filterSource(source, request.source) : undefined,
      fields:
        request.fields === undefined
          ? undefined
          : documentFields(place.mapping, record, request.fields, this.host.now()),
    };
  }

  /** The live document with this id as of now, or as of the last refresh. */
  private load(place: Place, type: string, id: string, realtime: boolean): Stored | undefined {
    const shard = place.runtime.shards[place.shard]!;
    const types = type === '_all' ? place.mapping.types : [type];
    for (const one of types) {
      // A purge may remove a superseded record between the two look-ups; the second try sees its successor.
      for (let attempt = 0; attempt < 2; attempt++) {
        const entry = this.host.log().readUid(shard.identity.shardId, one, id);
        if (entry === undefined) break;
        const record = realtime
          ? this.host.recentRecords.readRecord(shard.identity.shardId, entry.sequence)
          : this.recordAsOf(shard.identity.shardId, entry.sequence, shard.visibleSequence);
        if (record === undefined) continue;
        if (record.op === 'delete') break;
        return { entry, record };
      }
    }
    return undefined;
  }

  /** The version of a document that was current at `limit`, by following what each record replaced. */
  private recordAsOf(shardId: number, newest: number, limit: number): LogRecord | undefined {
    let sequence = newest;
    while (sequence > limit) {
      const record = this.host.log().readRecord(shardId, sequence);
      if (record === undefined || record.supersedes === 0) return undefined;
      sequence = record.supersedes;
    }
    return this.host.log().readRecord(shardId, sequence);
  }

  // --- shared ---------------------------------------------------------------------------------------

  private async ensureIndex(name: string, type?: string): Promise<void> {
    if (!this.isKnown(name)) await this.host.autoCreate(name, type === undefined ? [] : [type]);
  }

  private isKnown(name: string): boolean {
    const state = this.host.cluster.state();
    return state.indices.has(name) || isAlias(state, name);
  }

  private open(name: string, purpose: SingleIndexPurpose) {
    const { index: metadata, alias } = singleIndex(this.host.cluster.state(), name, purpose);
    const runtime = this.host.runtime(metadata);
    if (runtime === null) throw indexMissing(metadata.name);
    return { runtime, metadata, alias, mapping: runtime.mapping(metadata) };
  }

  private place(
    name: string,
    type: string,
    id: string,
    requestRouting: string | undefined,
    parent: string | undefined,
    purpose: SingleIndexPurpose,
  ): Place {
    const { runtime, metadata, alias, mapping } = this.open(name, purpose);
    const routing = documentRouting(alias, requestRouting, parent);
    if (routing === null && type !== '_all' && mapping.routingRequired(type)) {
      throw new EngineError(
        'RoutingMissingException',
        `routing is required for [${metadata.name}]/[${type}]/[${id}]`,
      );
    }
    const shard = shardOf(routing ?? id, runtime.shards.length);
    return { runtime, metadata, mapping, routing, shard };
  }

  private async single(runtime: IndexRuntime, write: DocumentWrite): Promise<WriteResult> {
    const [result] = await this.writer.write(runtime, [write]);
    if (result instanceof EngineError) throw result;
    return result!;
  }

  /** What a script makes of a stored document. */
  private planScripted(
    request: UpdateRequest,
    place: Place,
    stored: Stored,
    script: ScriptRequest,
    scripts: ScriptLibrary,
    current: JsonObject,
  ): PlannedUpdate {
    const { record, entry } = stored;
    const change = changeByScript(
      script,
      scripts,
      place.runtime.name,
      record,
      current,
      this.host.now(),
    );
    if (change.op === 'none') {
      const source = Buffer.from(writeJson(change.source));
      const same = this.writeOf(place, record, source, entry.version);
      const result = { version: entry.version, fresh: false };
      return { place, write: null, noop: this.updateResult(request, place, same, result, true) };
    }
    if (change.op === 'delete') {
      const source = visibleSource(place.mapping, record);
      const write: DocumentWrite = {
        ...this.writeOf(place, record, source, entry.version),
        kind: 'delete',
      };
      return { place, write, noop: null };
    }
    const { write } = this.planIndex(
      asIndexRequest(request, change.source, {
        routing: request.routing ?? change.routing,
        parent: request.parent ?? change.parent,
        timestamp: change.timestamp ?? request.timestamp,
        ttl: change.ttl ?? request.ttl,
        version: entry.version,
      }),
    );
    return { place, write, noop: null };
  }

  private writeOf(place: Place, record: LogRecord, source: Buffer, version: number): DocumentWrite {
    return {
      kind: 'index',
      shard: place.shard,
      type: record.type,
      id: record.id,
      envelope: record,
      create: false,
      version,
      versionType: 'internal',
      source,
    };
  }

  private updateResult(
    request: UpdateRequest,
    place: Place,
    write: DocumentWrite,
    result: WriteResult,
    noop = false,
  ): UpdateResult {
    const { fields } = request;
    let get: GetResult | undefined;
    if (fields !== undefined && fields.length > 0) {
      get = {
        index: place.runtime.name,
        type: write.type,
        id: write.id,
        found: true,
        version: result.version,
        source: fields.includes('_source') ? write.source : undefined,
        fields: updatedFields(write.source, fields),
      };
    }
    const created = write.kind === 'index' && result.fresh;
    return { ...indexResult(place.runtime.name, write, result), created, noop, get };
  }

  /** Problems with an alias fail a whole bulk request before anything is executed. */
  private checkAliases(actions: readonly BulkAction[]): void {
    const state = this.host.cluster.state();
    for (const { request } of actions) {
      if (state.indices.has(request.index) || !isAlias(state, request.index)) continue;
      try {
        const { alias } = singleIndex(state, request.index, 'write');
        documentRouting(alias, request.routing, request.parent);
      } catch (error) {
        // That the index is closed concerns the item alone.
        const isClosed = error instanceof EngineError && error.wireName === 'IndexClosedException';
        if (!isClosed) throw error;
      }
    }
  }

  private async refreshTouched(actions: readonly BulkAction[]): Promise<void> {
    const names = new Set(actions.map(({ request }) => request.index));
    const runtimes = new Set<IndexRuntime>();
    for (const name of names) {
      try {
        runtimes.add(this.open(name, 'write').runtime);
      } catch (error) {
        // The item has its own error already.
        if (!(error instanceof EngineError)) throw error;
      }
    }
    await Promise.all(
      [...runtimes].flatMap(({ shards }) =>
        // A damaged shard has refused its items already.
        shards.filter(({ failure }) => failure === null).map((shard) => shard.refresh()),
      ),
    );
  }
}

function indexResult(index: string, write: DocumentWrite, result: WriteResult): IndexResult {
  return { index, type: write.type, id: write.id, version: result.version, created: result.fresh };
}

function deleteResult(index: string, write: DocumentWrite, result: WriteResult): DeleteResult {
  return { index, type: write.type, id: write.id, version: result.version, found: result.fresh };
}

function subjectOf(place: Place, { type, id }: { type: string; id: string }) {
  return { index: place.runtime.name, shard: place.shard, type, id };
}

function documentMissing(place: Place, { type, id }: UpdateRequest, shard: number): EngineError {
  return new EngineError(
    'DocumentMissingException',
    `[${place.runtime.name}][${shard}] [${type}][${id}]: document missing`,
  );
}

function isConflict(error: unknown): boolean {
  return (
    error instanceof EngineError &&
    (error.wireName === 'VersionConflictEngineException' ||
      error.wireName === 'DocumentAlreadyExistsException')
  );
}

/** mget answers conflicts and missing indices per item; closed indices and bad aliases fail the request. */
function failsWholeMultiGet(error: EngineError): boolean {
  return error.wireName === 'IndexClosedException' || error.message.startsWith('Alias [');
}

/** What is left of a stored document's life, in milliseconds; undefined when it does not end. */
function remainingTtl({ expiry }: LogRecord, now: number): number | undefined {
  return expiry === null ? undefined : Math.max(1, expiry - now);
}

/** compat: a script that decides against the document to create is answered as if one had been read. */
function nothingCreated(place: Place, { type, id }: UpdateRequest): UpdateResult {
  const index = place.runtime.name;
  const get = { index, type, id, found: false, version: -1, source: undefined, fields: undefined };
  return { index, type, id, version: -1, created: false, noop: true, get };
}

function asIndexRequest(
  request: UpdateRequest,
  source: JsonOutput,
  changes: Partial<WriteOptions> & { create?: boolean },
): IndexRequest {
  return {
    ...request,
    version: undefined,
    versionType: 'internal',
    create: false,
    ...changes,
    source: Buffer.from(writeJson(source)),
  };
}

function errorItem(action: BulkAction, error: unknown): BulkItem {
  const known = describeDamage(error) ?? error;
  if (!(known instanceof EngineError)) throw error;
  const { index, type, id } = action.request;
  return { kind: 'error', error: known, index, type, id };
}

async function finishItem(
  planned: Planned,
  runtime: IndexRuntime,
  result: WriteResult | EngineError,
): Promise<BulkItem> {
  if (!(result instanceof EngineError)) return planned.finish(result);
  const { type, id } = planned.write;
  if (planned.retry !== null && isConflict(result)) {
    try {
      return await planned.retry();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return { kind: 'error', error, index: runtime.name, type, id };
    }
  }
  return { kind: 'error', error: result, index: runtime.name, type, id };
}
