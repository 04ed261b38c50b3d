// The facet contract. A facet kind is one file: it parses and validates, collects per segment, reduces
// and renders. The table of kinds is engine/facets/registry.ts.

import type { ScoresOf } from '../../counting/index';
import type { RequestMeter } from '../../common/index';
import type { JsonObject, JsonOutput } from '../../json/index';
import type { IndexMapping } from '../../mapping/index';
import type { Query } from '../../query/index';
import type { ScriptLibrary } from '../../script/index';
import type { Bitset, SegmentReader } from '../../segment/index';
import type { Similarities } from '../../similarity/index';
import type { FieldId } from '../../metadata/index';

/** What a facet may look at while it is parsed: one index at a time. */
export interface FacetParseContext {
  readonly indexName: string;
  readonly mapping: IndexMapping;
  /** Types of the URL, or empty: names are resolved in those first. */
  readonly types: readonly string[];
  /** Nested path of the facet, or null. */
  readonly nestedPath: string | null;
  readonly now: () => number;
  /** The scripts that facets may name. */
  readonly scripts: () => ScriptLibrary;
  /** Counts what the request has. */
  readonly meter: RequestMeter;
  parseFilter(body: JsonObject): Query;
  parseQuery(body: JsonObject): Query;
}

/**
 * Counts one facet over the segments of one shard. Called once per segment with the documents in scope
 * (live, inside query, scope, facet_filter and nested path); keeps typed arrays, no per-document objects.
 */
export interface FacetCollector {
  /** `docs` is never modified and not kept; null means no document of this segment is in scope. */
  collect(segment: SegmentReader, docs: Bitset | null): void;
  /** What this shard contributes: plain data that can cross a thread boundary. */
  partial(): FacetPartial;
}

/**
 * A collector whose work on a segment can be kept and used again: `collect` is `add` of `count`. Counts are
 * the same for the same spec, segment and documents, whatever came before.
 */
export interface ReusableCollector<C extends object = object> extends FacetCollector {
  /** What of the spec the counts depend on: facets that differ in the rest share them. */
  readonly countKey: object;
  /** What `docs` contain. Not modified afterwards; plain typed arrays and numbers. */
  count(segment: SegmentReader, docs: Bitset | null): C;
  /** Memory that counts hold, in bytes. */
  bytesOf(counts: C): number;
  add(segment: SegmentReader, counts: C): void;
}

/** Whether the work of a collector on a segment can be kept. */
export function isReusable(collector: FacetCollector): collector is ReusableCollector {
  return 'count' in collector && 'add' in collector;
}

/** A shard's contribution; its shape is the kind's own affair. */
export type FacetPartial = object;

/** What a parsed facet is: plain data, resolved against one index's mapping. */
export type FacetSpec = object;

/** What a collector may know of the search it serves. */
export interface FacetCollectOptions {
  /** No other shard contributes: the partial may hold just what will be shown. */
  readonly soleShard: boolean;
  /** All segments of the shard, to bind queries to. */
  readonly segments: readonly SegmentReader[];
  /** Scores of the documents in the facet's scope, for scripts. */
  readonly scoresOf: ScoresOf;
}

/** What counting reads besides the documents in scope. */
export interface FacetReads {
  /** Fields whose values are read. */
  readonly fields: readonly FieldId[];
  readonly queries: readonly Query[];
}

/** One facet type. */
export interface FacetKind<S extends FacetSpec = FacetSpec, P extends FacetPartial = FacetPartial> {
  /** The canonical name, printed as `_type`. */
  readonly type: string;
  /** All spellings accepted in requests, the canonical one included. */
  readonly names: readonly string[];
  /** When global, it counts all live documents, nested ones included, whatever the types and aliases. */
  readonly globalIsUnrestricted?: boolean;
  /** @throws EngineError with the reference server's exception names and messages. */
  parse(name: string, body: JsonObject, context: FacetParseContext): S;
  collector(spec: S, options: FacetCollectOptions): FacetCollector;
  /** Null, or absent: what counting takes cannot be told (scripts). */
  reads?(spec: S): FacetReads | null;
  /** Fields whose terms it counts, however long that takes. Null: not told; absent: those that it reads. */
  countedFields?(spec: S): readonly FieldId[] | null;
  /** Combines the shards' partials. `specs[i]` belongs to `partials[i]`; at least one of each. Exact. */
  reduce(specs: readonly S[], partials: readonly P[]): JsonOutput;
}

/** What facets need to know of the search of one index that they belong to. Plain data. */
export interface FacetedSearch {
  /** The query with type restriction and alias filter already wrapped around it. */
  readonly query: Query;
  /** The restriction without the query: what `global` facets see. Null: all live root documents. */
  readonly scope: Query | null;
  readonly minScore: number | null;
  /** How fields of the index are scored. */
  readonly similarities: Similarities;
  /** Multiplies scores (`indices_boost`). */
  readonly indexBoost: number;
  readonly facets: readonly FacetPlan[];
  /** What the facets may hold in memory on a shard, in bytes. */
  readonly facetMemory: number;
}

/** A facet of a request, ready to run on the shards of one index. Plain data. */
export interface FacetPlan {
  readonly name: string;
  /** Canonical type: the key into the table of kinds. */
  readonly type: string;
  readonly spec: FacetSpec;
  readonly global: boolean;
  readonly filter: Query | null;
  readonly nestedPath: string | null;
  /** Names of the parts of the search's query that this facet does not feel (`exclude_filter`). */
  readonly excludeFilter: readonly string[];
  /** Whether it feels the search's filter of hits (`mode: post`). */
  readonly afterPostFilter: boolean;
  /** What it counts instead of the documents of the search, within the same restrictions; null: those. */
  readonly mainQuery: Query | null;
}
