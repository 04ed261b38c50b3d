// Updating a document by id. The stored document is read, changed by a partial document or a script, and
// written back bound to the version that was read: a write in between is a conflict, and the update begins
// again as often as the request allows. A document that is missing may be created instead.
//
// What a body asks for and how partial documents are merged is in update-body.ts, what a script sees and
// decides in script-update.ts.

import { Slices } from '../common/index';
import { EngineError } from '../errors';
import { afterAliasMoves } from './alias-moved';
import { updatedFields, visibleSource } from './document-fields';
import type { DocumentHost } from './document-host';
import { subjectOf, type DocumentTargets, type DocumentTarget } from './document-targets';
import type { DocumentWrite, WriteResult } from './document-write';
import { indexResult, type IndexDocument } from './index-document';
import { checkRequests } from './request-validation';
import { changeByScript, upsertByScript } from './script-update';
import type { DocumentReads, DocumentWrites, StoredDocument } from './document-parts';
import { mergeDocument, parseUpdate, type UpdatePlan } from './update-body';
import { checkReadVersion, isVersionConflict } from './versions';
import type {
  GetResult,
  IndexRequest,
  UpdateRequest,
  UpdateResult,
  WriteOptions,
} from '../api/index';
import {
  decodeUtf8,
  isJsonObject,
  parseJsonObject,
  writeJson,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
} from '../json/index';
import { assertNotBlocked } from '../metadata/index';
import type { ScriptLibrary, ScriptRequest } from '../script/index';
import type { LogRecord } from '../../storage/index';

/** What an update comes to: a write, or the answer that nothing is to be done. */
type PlannedUpdate =
  | { readonly target: DocumentTarget; readonly write: DocumentWrite; readonly noop: null }
  | { readonly target: DocumentTarget; readonly write: null; readonly noop: UpdateResult };

/** An update on its way. */
interface Update {
  readonly request: UpdateRequest;
  readonly plan: UpdatePlan;
  readonly target: DocumentTarget;
  readonly scripts: ScriptLibrary;
  /** It is an item of a bulk request. */
  readonly inBulk: boolean;
}

/** The update operation. */
export class UpdateDocument {
  constructor(
    private readonly host: Pick<DocumentHost, 'scripts' | 'now'>,
    private readonly targets: DocumentTargets,
    private readonly stored: DocumentReads,
    private readonly indexing: IndexDocument,
    private readonly writer: DocumentWrites,
  ) {}

  /** Creates the index if need be; tries again after conflicts. @throws EngineError */
  async run(request: UpdateRequest, inBulk = false): Promise<UpdateResult> {
    checkRequests([{ kind: 'update', request }]);
    const scripts = this.host.scripts();
    for (let attempt = 0; ; attempt++) {
      try {
        return await afterAliasMoves(() => this.update(request, scripts, inBulk));
      } catch (error) {
        if (!isVersionConflict(error) || attempt >= request.retryOnConflict) throw error;
      }
    }
  }

  private async update(
    request: UpdateRequest,
    scripts: ScriptLibrary,
    inBulk: boolean,
  ): Promise<UpdateResult> {
    const { target, write, noop } = await this.plan(request, scripts, inBulk);
    if (write === null) return noop;
    const result = await this.writer.writeOne(target.indexService, write);
    // The routing that was stored with it may lead to another shard than the one it was found in.
    if (request.refresh) await target.indexService.shards[write.shard]!.refresh();
    return updateResult(request, target, write, result);
  }

  /**
   * Reads the document and works out what is to be written.
   *
   * @param inBulk whether the update is an item of a bulk request
   * @throws EngineError DocumentMissingException where nothing is to be created, and others
   */
  async plan(
    request: UpdateRequest,
    scripts: ScriptLibrary,
    inBulk = false,
  ): Promise<PlannedUpdate> {
    const plan = parseUpdate(request.body);
    const { index, type, id, routing, parent } = request;
    await this.targets.ensureIndex(index);
    const target = this.targets.target(index, type, id, routing, parent, 'write');
    assertNotBlocked(target.metadata, 'write');
    const stored = await this.stored.load(target, type, id, true);
    if (plan.script !== null) await scripts.prepare(plan.script);
    const update = { request, plan, target, scripts, inBulk };
    if (stored !== undefined) return await this.planChange(update, stored);
    if (plan.upsert === undefined) {
      // compat: in bulk a missing document is reported without its shard.
      throw documentMissing(target, request, inBulk ? -1 : target.shard);
    }
    return this.planCreation(update, plan.upsert);
  }

  /** There is no document: `upsert`, or what a script makes of it, is created. */
  private planCreation(
    { request, plan, target, scripts }: Update,
    upsert: JsonValue,
  ): PlannedUpdate {
    let created: JsonOutput | null = upsert;
    if (plan.scriptedUpsert && plan.script !== null) {
      created = upsertByScript(plan.script, scripts, upsert, this.host.now());
      if (created === null) return { target, write: null, noop: nothingCreated(target, request) };
    }
    const { version, versionType } = request;
    // Creating guards against a document that appears in between: that is a conflict to retry.
    const changes = { create: true, version, versionType };
    return this.indexed(target, asIndexRequest(request, created, changes));
  }

  private async planChange(update: Update, stored: StoredDocument): Promise<PlannedUpdate> {
    // Reading a document, changing it and writing it take long each where it is long.
    const slices = new Slices(1);
    const { request, plan, target } = update;
    const { record, entry } = stored;
    checkReadVersion(
      entry.version,
      request.version,
      request.versionType,
      subjectOf(target, request),
    );
    if (target.mapping.sourceFilter(request.type) === false) {
      throw new EngineError(
        'DocumentSourceMissingException',
        `[${target.indexService.name}][${target.shard}] [${request.type}][${request.id}]: document source missing`,
      );
    }
    const current = parseJsonObject(decodeUtf8(visibleSource(target.mapping, record)));
    if (slices.isOver()) await slices.next();
    if (plan.script !== null) {
      const planned = this.planScripted(update, stored, plan.script, current);
      if (slices.isOver()) await slices.next();
      return planned;
    }
    if (!isJsonObject(plan.doc)) {
      throw new EngineError('ElasticsearchParseException', 'doc must be an object');
    }
    const { merged, changed } = mergeDocument(current, plan.doc);
    if (plan.detectNoop && !changed) return unchanged(update, stored, record.source);
    const planned = this.indexed(
      target,
      asIndexRequest(request, merged, {
        ...(update.inBulk ? placeOf(record) : namedPlace(request, record)),
        ttl: request.ttl ?? remainingTtl(record, this.host.now()),
        ...versionAfter(request, stored),
      }),
    );
    if (slices.isOver()) await slices.next();
    return planned;
  }

  /** What a script makes of a stored document: it may change, delete or leave it. */
  private planScripted(
    update: Update,
    stored: StoredDocument,
    script: ScriptRequest,
    current: JsonObject,
  ): PlannedUpdate {
    const { request, target, scripts } = update;
    const { record } = stored;
    const change = changeByScript(
      script,
      scripts,
      target.indexService.name,
      record,
      current,
      this.host.now(),
    );
    switch (change.op) {
      case 'none':
        return unchanged(update, stored, Buffer.from(writeJson(change.source)));
      case 'delete': {
        const source = visibleSource(target.mapping, record);
        const same = writeOf(target, stored, source);
        const write = { ...same, ...versionAfter(request, stored), kind: 'delete' } as const;
        return { target, write, noop: null };
      }
      case 'index':
        return this.indexed(
          target,
          asIndexRequest(request, change.source, {
            // compat: what the script made of `_routing` and `_parent` has no effect.
            ...placeOf(record),
            timestamp: change.timestamp ?? request.timestamp,
            ttl: change.ttl ?? request.ttl,
            ...versionAfter(request, stored),
          }),
        );
    }
  }

  private indexed(target: DocumentTarget, request: IndexRequest): PlannedUpdate {
    return { target, write: this.indexing.plan(request).write, noop: null };
  }
}

/** What a client is told of an update: with `fields`, also what the document holds now. */
export function updateResult(
  request: UpdateRequest,
  target: DocumentTarget,
  write: DocumentWrite,
  result: WriteResult,
  noop = false,
): UpdateResult {
  const { fields } = request;
  let get: GetResult | undefined;
  if (fields !== undefined && fields.length > 0) {
    get = {
      index: target.indexService.name,
      type: write.type,
      id: write.id,
      found: true,
      version: result.version,
      source: fields.includes('_source') ? write.source : undefined,
      fields: updatedFields(write.source, fields),
    };
  }
  const created = write.kind === 'index' && result.fresh;
  return { ...indexResult(target.indexService.name, write, result), created, noop, get };
}

/** Nothing is written: the answer is about the document as it is, with `source` as what it would be. */
function unchanged(
  { request, target }: Update,
  stored: StoredDocument,
  source: Buffer,
): PlannedUpdate {
  const { version, sequence } = stored.entry;
  const result = { version, fresh: false, sequence };
  const same = writeOf(target, stored, source);
  return { target, write: null, noop: updateResult(request, target, same, result, true) };
}

/** The version that a change is bound to: the one that was read, unless the request forces one. */
function versionAfter(
  { version, versionType }: UpdateRequest,
  { entry }: StoredDocument,
): Pick<WriteOptions, 'version' | 'versionType'> {
  return versionType === 'force'
    ? { version, versionType }
    : { version: entry.version, versionType: 'internal' };
}

/** The routing and parent that a document was stored with. */
function placeOf({ routing, parent }: LogRecord): Pick<IndexRequest, 'routing' | 'parent'> {
  return { routing: routing ?? undefined, parent: parent ?? undefined };
}

/** compat: a partial document takes over those that it was found by, but not in bulk requests. */
function namedPlace(
  { routing, parent }: UpdateRequest,
  record: LogRecord,
): Pick<IndexRequest, 'routing' | 'parent'> {
  const stored = placeOf(record);
  return { routing: routing ?? parent ?? stored.routing, parent: parent ?? stored.parent };
}

/** A stored document as if it were written again. */
function writeOf(
  target: DocumentTarget,
  { record, entry }: StoredDocument,
  source: Buffer,
): DocumentWrite {
  return {
    kind: 'index',
    shard: target.shard,
    alias: target.alias,
    type: record.type,
    id: record.id,
    envelope: record,
    create: false,
    version: entry.version,
    versionType: 'internal',
    source,
  };
}

/** compat: a script that decides against the document to create is answered as if one had been read. */
function nothingCreated(target: DocumentTarget, { type, id }: UpdateRequest): UpdateResult {
  const index = target.indexService.name;
  const get = { index, type, id, found: false, version: -1, source: undefined, fields: undefined };
  return { index, type, id, version: -1, created: false, noop: true, get };
}

function documentMissing(
  target: DocumentTarget,
  { type, id }: UpdateRequest,
  shard: number,
): EngineError {
  return new EngineError(
    'DocumentMissingException',
    `[${target.indexService.name}][${shard}] [${type}][${id}]: document missing`,
  );
}

/** What is left of a stored document's life, in milliseconds; undefined when it does not end. */
function remainingTtl({ expiry }: LogRecord, now: number): number | undefined {
  return expiry === null ? undefined : Math.max(1, expiry - now);
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
