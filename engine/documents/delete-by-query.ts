// Deleting whatever a query matches (reference server), page by page: what a shard finds is deleted through
// the document log, each document bound to the version that was found. A document that is written meanwhile
// stays, unless a later page finds it again.

import { EngineError } from '../errors';
import { afterAliasMoves, AliasMoved } from './alias-moved';
import { deletion } from './delete-document';
import type { DocumentWrite } from './document-write';
import type { DocumentWrites } from './document-parts';
import { MatchingDocuments, type MatchingHost } from './matching-documents';
import type { WritableIndex } from '../shard/index';
import type { JsonNumber, JsonObject } from '../json/index';
import {
  assertNoneBlocked,
  resolveIndices,
  type AliasMetadata,
  type ClusterState,
  type IndexMetadata,
} from '../metadata/index';
import { children, type Query } from '../query/index';
import { searchTargets, shardFailure, type Target } from '../search/index';
import type { ShardFailure, ShardsHeader, CountRequest } from '../api/index';

/** Documents deleted by one step. */
const PAGE = 5000;

/** What deleting needs of the node. */
interface DeleteByQueryHost extends MatchingHost {
  state(): ClusterState;
  indexService(index: IndexMetadata): WritableIndex;
  readonly writer: DocumentWrites;
}

/** Deletes the documents that a query matches. */
export class DeleteByQuery {
  private readonly matching: MatchingDocuments;

  constructor(private readonly host: DeleteByQueryHost) {
    this.matching = new MatchingDocuments(host);
  }

  /**
   * Deletes on all shards that aliases and routing name.
   *
   * @returns per index what happened on its shards; what is wrong with the query is the failure of all
   * @throws EngineError when an index is missing or may not be written to
   */
  run(request: CountRequest): Promise<ReadonlyMap<string, ShardsHeader>> {
    return afterAliasMoves(() => this.delete(request));
  }

  /**
   * Deletes what a query matches on one shard.
   *
   * @param alias by which alone the index was named, or null
   * @throws EngineError when the shard cannot be searched or written; AliasMoved
   */
  async deleteMatching(
    target: Target,
    query: Query,
    alias: AliasMetadata | null = null,
  ): Promise<void> {
    const indexService = this.host.indexService(target.index);
    const shard = indexService.shards[target.shard]!;
    let left = Infinity;
    while (left > 0) {
      await shard.refresh();
      const { total, hits } = await this.matching.page(target, query, PAGE);
      left = Math.min(left, total) - hits.length;
      if (hits.length === 0) break;
      const writes = hits.map((hit) => deletionOf(target.shard, alias, hit));
      for (const outcome of await this.host.writer.write(indexService, writes)) {
        if (outcome instanceof EngineError && outcome.status !== 409) throw outcome;
      }
    }
    await shard.refresh();
  }

  private async delete(request: CountRequest): Promise<ReadonlyMap<string, ShardsHeader>> {
    const state = this.host.state();
    const indices = resolveIndices(state, request.indices, request.options);
    assertNoneBlocked(state, indices, 'write');
    const targets = searchTargets(state, { ...request, names: request.indices, indices });
    const headers = new Map<string, ShardsHeader>();
    for (const name of indices) {
      const own = targets.filter(({ index }) => index.name === name);
      headers.set(name, await this.deleteOnIndex(request, state, name, own));
    }
    return headers;
  }

  private async deleteOnIndex(
    request: CountRequest,
    state: ClusterState,
    name: string,
    targets: readonly Target[],
  ): Promise<ShardsHeader> {
    const failures: ShardFailure[] = [];
    const alias = soleAlias(state.indices.get(name)!, request.indices);
    let query: Query | null = null;
    let problem: EngineError | null = null;
    try {
      query = await this.matching.query(request, state, name, (parsed) =>
        refuseRelatives(parsed, name),
      );
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      problem = error;
    }
    for (const target of targets) {
      try {
        if (problem !== null) throw problem;
        if (query !== null) await this.deleteMatching(target, query, alias);
      } catch (error) {
        if (!(error instanceof EngineError) || error instanceof AliasMoved) throw error;
        failures.push(shardFailure(name, target.shard, error));
      }
    }
    const failed = failures.length;
    return { total: targets.length, successful: targets.length - failed, failed, failures };
  }
}

/**
 * Refuses to delete parents by their children or children by their parents, as the reference does; in filters
 * of aliases it has nothing against it.
 *
 * @throws EngineError QueryParsingException
 */
function refuseRelatives(query: Query, index: string): void {
  const kind = relativesKind(query);
  if (kind !== null) {
    throw new EngineError(
      'QueryParsingException',
      `[${index}] [${kind}] query and filter unsupported in delete_by_query api`,
    );
  }
  for (const part of children(query)) refuseRelatives(part, index);
}

function relativesKind(query: Query): string | null {
  if (query.kind === 'hasChild') return query.alwaysWeighs ? 'top_children' : 'has_child';
  return query.kind === 'hasParent' ? 'has_parent' : null;
}

/** The alias by which alone a request names an index; null where it names it otherwise as well. */
function soleAlias(index: IndexMetadata, names: readonly string[]): AliasMetadata | null {
  const [name] = names;
  return names.length === 1 && name !== undefined ? (index.aliases.get(name) ?? null) : null;
}

/** Bound to the version that was found. compat: versions do not go on from what a query deleted. */
function deletionOf(shard: number, alias: AliasMetadata | null, hit: JsonObject): DocumentWrite {
  const version = (hit.get('_version') as JsonNumber).value;
  const type = hit.get('_type') as string;
  const id = hit.get('_id') as string;
  return { ...deletion(shard, alias, type, id, null, version, 'internal'), forgetsVersion: true };
}
