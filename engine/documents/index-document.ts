// Indexing a document under its id, or creating it under a new one.

import { afterAliasMoves } from './alias-moved';
import { generateId } from './auto-id';
import type { DocumentTargets } from './document-targets';
import type { DocumentWrite, PlannedWrite, WriteResult } from './document-write';
import type { DocumentWrites } from './document-parts';
import { checkRequests } from './request-validation';
import type { IndexRequest, IndexResult } from '../api/index';
import { resolveEnvelope } from '../mapping/index';
import { assertNotBlocked, documentRouting, shardOf, validateTypeName } from '../metadata/index';

const NEW_ID = { hasNewId: true } as const;

/** The index operation. */
export class IndexDocument {
  constructor(
    private readonly targets: DocumentTargets,
    private readonly writer: DocumentWrites,
    private readonly now: () => number,
  ) {}

  /** Creates the index if need be and writes the document. @throws EngineError */
  async run(request: IndexRequest): Promise<IndexResult> {
    checkRequests([{ kind: 'index', request }]);
    return afterAliasMoves(async () => {
      await this.targets.ensureIndex(request.index, request.type);
      const { indexService, write } = this.plan(request);
      const result = await this.writer.writeOne(indexService, write);
      if (request.refresh) await indexService.shards[write.shard]!.refresh();
      return indexResult(indexService.name, write, result);
    });
  }

  /** What is to be written and where; the index exists by now. @throws EngineError */
  plan(request: IndexRequest): PlannedWrite {
    validateTypeName(request.type);
    const { indexService, metadata, mapping, alias } = this.targets.open(request.index, 'write');
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
      now: this.now(),
    });
    const id = resolved.id ?? generateId(this.now());
    return {
      indexService,
      write: {
        kind: 'index',
        shard: shardOf(resolved.routing ?? id, indexService.shards.length),
        alias,
        type: request.type,
        id,
        ...(resolved.id === null ? NEW_ID : {}),
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
}

/** What a client is told of a document that was indexed. */
export function indexResult(index: string, write: DocumentWrite, result: WriteResult): IndexResult {
  return { index, type: write.type, id: write.id, version: result.version, created: result.fresh };
}
