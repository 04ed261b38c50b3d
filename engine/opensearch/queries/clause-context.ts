// What clauses of OpenSearch are made with.

import type { JsonOutput } from '../../json/index';
import type { IndexMapping } from '../../mapping/index';
import type { FieldId, FieldKind, IndexMetadata } from '../../metadata/index';
import type { Query } from '../../query/index';
import { within } from '../layout/names';

/** A query of OpenSearch. */
export type Clause = Readonly<Record<string, JsonOutput>>;

/** Where a clause stands. */
export interface ClauseContext {
  readonly mapping: Pick<IndexMapping, 'nestedObject'>;
  /** Null: the index has no such field. */
  readonly kindOf: (field: FieldId) => FieldKind | null;
  /** The nested objects that are asked about, as OpenSearch names them; null: whole documents. */
  readonly path: string | null;
  /** Makes clauses whose scores decide which documents match; missing: nothing is scored. */
  readonly decided?: (query: Query, context: ClauseContext) => Clause;
}

/** A kind of query. @param of makes the clause of a part */
export type Translator<Node> = (
  query: Node,
  context: ClauseContext,
  of: (part: Query, context: ClauseContext) => Clause,
) => Clause;

export const EVERYTHING: Clause = { match_all: {} };
export const NOTHING: Clause = { match_none: {} };

/** The context of whole documents of an index. */
export function contextOf(metadata: IndexMetadata, mapping: IndexMapping): ClauseContext {
  const kinds = new Map<FieldId, FieldKind>();
  for (const { id, kind } of metadata.fields.values()) kinds.set(id, kind);
  return { mapping, kindOf: (field) => kinds.get(field) ?? null, path: null };
}

/** The name of a field where the clause stands. */
export function at({ path }: ClauseContext, name: string): string {
  return within(path, name);
}
