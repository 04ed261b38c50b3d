// What parsing a query may look at, as the caller supplies it: one index at a time.

import type { JsonObject } from '../../../json/index';
import type { TextContext } from '../../ast/describe';
import type { IndexMapping } from '../../../mapping/index';
import type { RequestMeter } from '../../../common/index';
import type { Query } from '../../ast/query';
import type { ScriptLibrary } from '../../../script/index';

/** Which documents are shown below a hit: children or parent of a type, or its nested objects at a path. */
export type InnerHitsTarget =
  | { readonly kind: 'related'; readonly type: string }
  | {
      readonly kind: 'nested';
      readonly path: string;
      /** The objects around, which the hit is one of; null: the hit is a whole document. */
      readonly parentPath: string | null;
    };

/** What `nested`, `has_child` or `has_parent` say of what is to be shown below each hit (`inner_hits`). */
export interface InnerHitsRequest {
  readonly target: InnerHitsTarget;
  /** Matches what is shown, below other hits and documents of other types included. */
  readonly query: Query;
  /** Which of them are shown, in which order and how: elements of a search. */
  readonly options: JsonObject;
}

/** The surroundings in which a query or filter body is read. One per index and search. */
export interface QueryParseContext {
  /** Concrete index name, for error texts and the `indices` query. */
  readonly indexName: string;
  readonly mapping: IndexMapping;
  /** Types of the URL, or empty for all. */
  readonly types: readonly string[];
  /**
   * What texts of queries need, if somebody asks for them: then trees say how the reference prints what they
   * do not hold ({@link Query.shown}). Null: nobody does.
   */
  readonly texts: TextContext | null;
  /** Trees are not reduced to what is scored. */
  readonly asWritten: boolean;
  /** Epoch ms that `now` stands for. */
  readonly now: () => number;
  /** True when alias filters are validated: a name that is not mapped is an error. */
  readonly strictFields: boolean;
  /** Index setting `index.query.default_field`, else `_all`. */
  readonly defaultField: string;
  /** Path of the nested objects that the query runs on, or null for root documents. */
  readonly nestedPath: string | null;
  /** Counts what the request has. */
  readonly meter: RequestMeter;
  /** The scripts that queries may name. */
  readonly scripts: () => ScriptLibrary;
  /**
   * Current source of a document (terms lookup); undefined when there is none.
   * @throws EngineError IndexMissingException for an unknown index
   */
  getSource(
    index: string,
    type: string,
    id: string,
    routing: string | undefined,
  ): Buffer | undefined;
  /** Documents are read when the query runs, and not now: one that is not there may be any. */
  readonly readsLater?: boolean | undefined;
  /**
   * Whether index names, aliases and patterns stand for this index among others; unknown names are
   * ignored. Without it, names and patterns are compared with {@link indexName}.
   */
  matchesIndex?(names: readonly string[]): boolean;
  /** Takes what is asked to be shown below hits. Without it such requests are passed over. */
  addInnerHits?(request: InnerHitsRequest): void;
}
