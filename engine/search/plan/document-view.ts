// What a key may see of the documents of an index: filters of which one must match, and fields. It goes with
// every snapshot of the index's shards.

import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import { EngineError } from '../../errors';
import type { JsonObject } from '../../json/index';
import { type IndexMapping, seenFieldIds, seenMetadata } from '../../mapping/index';
import type { FieldView, IndexMetadata } from '../../metadata/index';
import { boolQuery, type Query, type SearchContext } from '../../query/index';
import type { SeenFields, ShardSnapshot } from '../../segment/index';

/**
 * The query that a document must match to be seen; null: all are.
 *
 * @param context of the index as it is, with the rights of the node
 * @throws EngineError for a filter that cannot be read
 */
export function seenDocuments(
  filters: readonly JsonObject[] | null,
  context: SearchContext,
): Query | null {
  const should: Query[] = [];
  for (const filter of filters ?? []) {
    const query = context.parseFilter(filter, null);
    // It lets everything pass.
    if (query === null) return null;
    should.push(query);
  }
  if (filters === null) return null;
  if (should.length === 1) return should[0]!;
  return should.length === 0 ? { kind: 'matchNone' } : boolQuery({ should, disableCoord: true });
}

/** What is seen of the documents of an index. @param mapping of the index, or of what is seen of it */
export function seenFields(
  seen: IndexMetadata,
  { lists, whole, copiedTo }: FieldView,
  mapping: (index: IndexMetadata) => IndexMapping,
): SeenFields {
  const wholeMapping = mapping(whole);
  return {
    ids: seenFieldIds(wholeMapping, mapping(seen), lists, copiedTo),
    lists,
    metadata: seenMetadata(lists),
    mapped: new Map(wholeMapping.types.map((type) => [type, wholeMapping.sourceFilter(type)])),
  };
}

/** A snapshot of which only some documents, or only some of each, are seen. */
export function confinedSnapshot(
  snapshot: ShardSnapshot,
  filter: Query | null,
  fields: SeenFields | null,
): ShardSnapshot {
  const key = createHash('sha256')
    .update(serialize([filter, fields]))
    .digest('base64');
  return { ...snapshot, view: { key, filter, fields } };
}

/** 403 for what tells more of an index than the documents that a key sees of it. */
export function assertSeenWhole({ name, view }: IndexMetadata, what: string): void {
  if (view === undefined || view.filters === null) return;
  throw new EngineError(
    'AuthorizationException',
    `[${what}] tells of all documents of [${name}], and the key sees some of them only`,
  );
}

/** 403 for what tells more of documents than the fields that a key sees of them. */
export function assertFieldsSeen({ name, view }: IndexMetadata, what: string): void {
  if (view === undefined || view.fields === null) return;
  throw new EngineError(
    'AuthorizationException',
    `[${what}] may tell of all fields of [${name}], and the key sees some of them only`,
  );
}
