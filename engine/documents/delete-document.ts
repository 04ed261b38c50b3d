// Deleting a document by id.

import { afterAliasMoves } from './alias-moved';
import type { DocumentTargets } from './document-targets';
import type { DocumentWrite, PlannedWrite, WriteResult } from './document-write';
import type { DocumentWriter } from './document-writer';
import { checkRequests } from './request-validation';
import type { DeleteRequest, DeleteResult, VersionType } from '../api/index';
import {
  assertNotBlocked,
  documentRouting,
  shardOf,
  validateTypeName,
  type AliasMetadata,
} from '../metadata/index';

const NO_SOURCE = Buffer.alloc(0);

/** The delete operation. */
export class DeleteDocument {
  constructor(
    private readonly targets: DocumentTargets,
    private readonly writer: DocumentWriter,
  ) {}

  /**
   * Creates the index if need be, as the reference does, and deletes the document if it exists.
   * @throws EngineError
   */
  async run(request: DeleteRequest): Promise<DeleteResult> {
    checkRequests([{ kind: 'delete', request }]);
    return afterAliasMoves(() => this.delete(request));
  }

  private async delete(request: DeleteRequest): Promise<DeleteResult> {
    const planned = await this.plan(request);
    let last: DeleteResult | null = null;
    for (const { indexService, write } of planned) {
      const result = await this.writer.writeOne(indexService, write);
      if (request.refresh) await indexService.shards[write.shard]!.refresh();
      const answer = deleteResult(indexService.name, write, result);
      if (last === null || answer.found) last = answer;
    }
    return last!;
  }

  /**
   * A delete goes to one shard; where routing is required but not given, to all of them, as the reference
   * broadcasts it.
   */
  async plan(request: DeleteRequest): Promise<PlannedWrite[]> {
    await this.targets.ensureIndex(request.index);
    validateTypeName(request.type);
    const { indexService, metadata, mapping, alias } = this.targets.open(request.index, 'write');
    assertNotBlocked(metadata, 'write');
    const { type, id, version, versionType } = request;
    const routing = documentRouting(alias, request.routing, request.parent);
    const broadcast = routing === null && mapping.routingRequired(type);
    const shards = broadcast
      ? indexService.shards.map((_, number) => number)
      : [shardOf(routing ?? id, indexService.shards.length)];
    return shards.map((shard) => ({
      indexService,
      write: deletion(shard, alias, type, id, routing, version, versionType),
    }));
  }
}

/** The write that deletes a document on a shard. */
export function deletion(
  shard: number,
  alias: AliasMetadata | null,
  type: string,
  id: string,
  routing: string | null,
  version: number | undefined,
  versionType: VersionType,
): DocumentWrite {
  return {
    kind: 'delete',
    shard,
    alias,
    type,
    id,
    envelope: { id, routing, parent: null, timestamp: null, expiry: null },
    create: false,
    version,
    versionType,
    source: NO_SOURCE,
  };
}

/** What a client is told of a document that was deleted. */
export function deleteResult(
  index: string,
  write: DocumentWrite,
  result: WriteResult,
): DeleteResult {
  return { index, type: write.type, id: write.id, version: result.version, found: result.fresh };
}
