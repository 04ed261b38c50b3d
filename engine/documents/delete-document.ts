// Deleting a document by id.

import { afterAliasMoves } from './alias-moved';
import type { DocumentTargets } from './document-targets';
import type { DocumentWrite, PlannedWrite, WriteResult } from './document-write';
import type { DocumentWrites } from './document-parts';
import { checkRequests } from './request-validation';
import { isVersionConflict } from './versions';
import { type EngineError, illegalArgument } from '../errors';
import type { DeleteRequest, DeleteResult, VersionType } from '../api/index';
import {
  assertNotBlocked,
  documentRouting,
  shardOf,
  validateTypeName,
  type AliasMetadata,
} from '../metadata/index';

const NO_SOURCE = Buffer.alloc(0);
/** What the reference gives as the version of a document that no shard has. */
const NO_VERSION = -3;

/** The delete operation. */
export class DeleteDocument {
  constructor(
    private readonly targets: DocumentTargets,
    private readonly writer: DocumentWrites,
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
    const { planned, isBroadcast } = await this.planned(request);
    if (isBroadcast && request.versionType !== 'internal') throw routingRequired(request);
    let last: DeleteResult | null = null;
    for (const { indexService, write } of planned) {
      const result = await this.writer.writeOne(indexService, write).catch((error: unknown) => {
        // compat: a shard that the document is not on has no say.
        if (!isBroadcast || !isVersionConflict(error)) throw error;
        return { version: NO_VERSION, fresh: false };
      });
      if (request.refresh) await indexService.shards[write.shard]!.refresh();
      const answer = deleteResult(indexService.name, write, result);
      if (last === null || answer.found) last = answer;
    }
    // compat: of one that no shard has, no version is told.
    return isBroadcast && !last!.found ? { ...last!, version: NO_VERSION } : last!;
  }

  /**
   * A delete goes to one shard; where routing is required but not given, to all of them, as the reference
   * broadcasts it.
   */
  async plan(request: DeleteRequest): Promise<PlannedWrite[]> {
    return (await this.planned(request)).planned;
  }

  private async planned(
    request: DeleteRequest,
  ): Promise<{ readonly planned: PlannedWrite[]; readonly isBroadcast: boolean }> {
    await this.targets.ensureIndex(request.index);
    validateTypeName(request.type);
    const { indexService, metadata, mapping, alias } = this.targets.open(request.index, 'write');
    assertNotBlocked(metadata, 'write');
    const { type, id, version, versionType } = request;
    const routing = documentRouting(alias, request.routing, request.parent);
    const isBroadcast = routing === null && mapping.routingRequired(type);
    const shards = isBroadcast
      ? indexService.shards.map((_, number) => number)
      : [shardOf(routing ?? id, indexService.shards.length)];
    const planned = shards.map((shard) => ({
      indexService,
      write: deletion(shard, alias, type, id, routing, version, versionType),
    }));
    return { planned, isBroadcast };
  }
}

function routingRequired({ type, versionType }: DeleteRequest): EngineError {
  return illegalArgument(
    `routing value is required for deleting documents of type [${type}] while using version_type [${versionType.toUpperCase()}]`,
  );
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
  result: Pick<WriteResult, 'version' | 'fresh'>,
): DeleteResult {
  return { index, type: write.type, id: write.id, version: result.version, found: result.fresh };
}
