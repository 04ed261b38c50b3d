// What a key may see of the documents of an index: filters of which one must match, as a query that goes with
// every snapshot of the index's shards.

import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import { EngineError } from '../../errors';
import type { IndexMetadata } from '../../metadata/index';
import { boolQuery, type Query, type SearchContext } from '../../query/index';
import type { ShardSnapshot } from '../../segment/index';

/**
 * The query that a document must match to be seen; null: all are.
 *
 * @param context of the index as it is, with the rights of the node
 * @throws EngineError for a filter that cannot be read
 */
export function seenDocuments(index: IndexMetadata, context: SearchContext): Query | null {
  const should: Query[] = [];
  for (const filter of index.view?.filters ?? []) {
    const query = context.parseFilter(filter, null);
    // It lets everything pass.
    if (query === null) return null;
    should.push(query);
  }
  if (should.length === 1) return should[0]!;
  return should.length === 0 ? { kind: 'matchNone' } : boolQuery({ should, disableCoord: true });
}

/** A snapshot of which only some documents are seen. */
export function confinedSnapshot(snapshot: ShardSnapshot, filter: Query): ShardSnapshot {
  const key = createHash('sha256').update(serialize(filter)).digest('base64');
  return { ...snapshot, view: { key, filter } };
}

/** 403 for what tells more of an index than the documents that a key sees of it. */
export function assertSeenWhole({ name, view }: IndexMetadata, what: string): void {
  if (view === undefined) return;
  throw new EngineError(
    'AuthorizationException',
    `[${what}] tells of all documents of [${name}], and the key sees some of them only`,
  );
}
