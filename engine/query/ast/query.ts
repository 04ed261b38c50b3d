// The query tree: what a parsed and mapping-resolved query is. Plain immutable data, so that it can be
// sent to a worker; no segment, no mapping and no request text is needed to run it.
//
// Parsing (engine/query/parse/parse.ts and one file per family) resolves names to field ids, analyzes text
// and converts values; weights (engine/query/scoring/weight.ts) run a tree against segments. Queries and
// filters share the tree: a filter is a query whose score nobody asks for.

import type { ScriptPlan } from '../../script/index';
import type { BoostMode, FunctionMode, WeightedFunction } from './score-function';
import type { SpanNode } from './spans';
import type { GeoRegion, Shape, ShapePrecision } from '../../geo/index';
import type { FieldId } from '../../metadata/index';

export type ScoreMode = 'avg' | 'max' | 'sum' | 'none';

/** What scores of children give the score of their parent; 'none': all parents score alike. */
export type ChildScoreMode = ScoreMode | 'min';

/** A bound of a numeric range; `null` is open. Kinds long use bigint, the others number. */
export type NumericBound = number | bigint | null;

export type Query = QueryNode & {
  /**
   * What the reference prints for it where the tree says less, if that was asked for
   * ({@link QueryParseContext}); without the boost.
   */
  readonly shown?: string;
  /** The name that was asked for, where no field is behind it. */
  readonly fieldName?: string;
};

type QueryNode =
  | { readonly kind: 'matchAll'; readonly boost: number }
  | { readonly kind: 'matchNone' }
  /** A scored term of a string field. `scored: false` gives the constant score of e.g. booleans. */
  | {
      readonly kind: 'term';
      readonly field: FieldId;
      readonly term: string;
      readonly boost: number;
      readonly scored: boolean;
      /** Document frequency to use instead of the shard's own (blended terms); not in dfs searches. */
      readonly docFreq?: number;
      /** The same of how often it occurs; -1 or missing: as often as there are documents that have it. */
      readonly totalTermFreq?: number;
    }
  /** Any of many terms, constant score. Terms sorted and distinct. */
  | {
      readonly kind: 'termSet';
      readonly field: FieldId;
      readonly terms: readonly string[];
      readonly boost: number;
    }
  /** Exact numbers: any of them, constant score. */
  | {
      readonly kind: 'numberSet';
      readonly field: FieldId;
      readonly values: readonly (number | bigint)[];
      readonly boost: number;
    }
  | {
      readonly kind: 'numericRange';
      readonly field: FieldId;
      /** Inclusive bounds; exclusive ones were moved to the neighbouring value by the parser. */
      readonly from: NumericBound;
      readonly to: NumericBound;
      readonly boost: number;
    }
  | {
      readonly kind: 'stringRange';
      readonly field: FieldId;
      readonly from: string | null;
      readonly to: string | null;
      readonly includeFrom: boolean;
      readonly includeTo: boolean;
      readonly boost: number;
    }
  | {
      readonly kind: 'prefix';
      readonly field: FieldId;
      readonly prefix: string;
      readonly boost: number;
      readonly rewrite: Rewrite;
    }
  | {
      readonly kind: 'wildcard';
      readonly field: FieldId;
      readonly pattern: string;
      readonly boost: number;
      readonly rewrite: Rewrite;
    }
  | {
      readonly kind: 'regexp';
      readonly field: FieldId;
      readonly pattern: string;
      readonly flags: number;
      readonly boost: number;
      readonly rewrite: Rewrite;
    }
  | {
      readonly kind: 'fuzzy';
      readonly field: FieldId;
      readonly term: string;
      readonly maxEdits: number;
      readonly prefixLength: number;
      readonly maxExpansions: number;
      readonly transpositions: boolean;
      readonly boost: number;
      readonly rewrite: Rewrite | null;
    }
  /** Terms at positions; several terms at one slot are alternatives. */
  | {
      readonly kind: 'phrase';
      readonly field: FieldId;
      readonly slots: readonly PhraseSlot[];
      readonly slop: number;
      readonly boost: number;
    }
  /** A phrase whose last slot is a prefix, expanded to at most `maxExpansions` terms in term order. */
  | {
      readonly kind: 'phrasePrefix';
      readonly field: FieldId;
      readonly slots: readonly PhraseSlot[];
      readonly prefixes: readonly string[];
      readonly prefixPosition: number;
      readonly slop: number;
      readonly maxExpansions: number;
      /** What a query handed down that had it for its only part; requests give it none of its own. */
      readonly boost: number;
    }
  /** Stretches of positions (span queries); the boost of a masked tree counts for nothing. */
  | { readonly kind: 'spans'; readonly tree: SpanTree; readonly boost: number }
  /** Without `must` and `should` it matches nothing: "all but" needs a matchAll in `must`. */
  | {
      readonly kind: 'bool';
      readonly must: readonly Query[];
      readonly should: readonly Query[];
      readonly mustNot: readonly Query[];
      /** In which order the clauses were written, where it is told: the lists that they stand in. */
      readonly order?: readonly Occur[];
      /** 0: not set. */
      readonly minimumShouldMatch: number;
      readonly disableCoord: boolean;
      readonly boost: number;
    }
  /**
   * One word in several fields (multi_match cross_fields). The fields' terms share a document frequency
   * blended from theirs, which prepareQuery works out per shard. `asBool`: their scores are added
   * (tie_breaker 1), else the best counts and `tieBreaker` of the others.
   */
  | {
      readonly kind: 'blended';
      readonly terms: readonly BlendedTerm[];
      readonly asBool: boolean;
      readonly tieBreaker: number;
      readonly boost: number;
    }
  /**
   * Terms of one field of which the frequent ones only raise scores (`common`, match with
   * cutoff_frequency). Which are frequent is decided per shard by prepareQuery.
   */
  | {
      readonly kind: 'commonTerms';
      readonly field: FieldId;
      /** In text order, repeated ones repeated. */
      readonly terms: readonly string[];
      /** From 1 on a number of documents, below a share of them; more is frequent. */
      readonly cutoff: number;
      readonly lowOperator: 'and' | 'or';
      readonly highOperator: 'and' | 'or';
      /** minimum_should_match of the rare and of the frequent terms, or null. */
      readonly lowMinimum: string | null;
      readonly highMinimum: string | null;
      readonly disableCoord: boolean;
      readonly boost: number;
    }
  /**
   * The most characteristic words of some texts (more_like_this), chosen per shard by frequency there. At
   * most `maxQueryTerms` words of each entry of `terms`.
   */
  | {
      readonly kind: 'similar';
      readonly terms: readonly SimilarTerms[];
      readonly minTermFreq: number;
      readonly maxQueryTerms: number;
      readonly minDocFreq: number;
      readonly maxDocFreq: number;
      /** 0: all words weigh as they do; else their boost, relative to the least characteristic one. */
      readonly boostTerms: number;
      readonly minimumShouldMatch: string;
      readonly boost: number;
    }
  /** Words and terms of the shard like them (fuzzy_like_this), the best `maxQueryTerms` of all. */
  | {
      readonly kind: 'fuzzyWords';
      readonly words: readonly FuzzyWord[];
      readonly maxQueryTerms: number;
      readonly prefixLength: number;
      readonly ignoresFrequency: boolean;
      readonly boost: number;
    }
  | {
      readonly kind: 'disMax';
      readonly queries: readonly Query[];
      readonly tieBreaker: number;
      readonly boost: number;
    }
  | {
      readonly kind: 'constantScore';
      readonly query: Query;
      readonly boost: number;
      /** Around a query, whose terms are highlighted; missing: around a filter, whose are not. */
      readonly ofQuery?: true;
    }
  | {
      readonly kind: 'filtered';
      readonly query: Query;
      readonly filter: Query;
      readonly boost: number;
    }
  | {
      readonly kind: 'boosting';
      readonly positive: Query;
      readonly negative: Query;
      readonly negativeBoost: number;
    }
  /** Documents with a value in any of the fields. */
  | { readonly kind: 'exists'; readonly fields: readonly FieldId[]; readonly boost: number }
  /** Root documents of the nested objects at `path` that match. */
  | {
      readonly kind: 'nested';
      readonly path: string;
      readonly query: Query;
      readonly scoreMode: ScoreMode;
      readonly boost: number;
      /** Path of the enclosing nested object to join to; null joins to the root. */
      readonly parentPath: string | null;
    }
  /** Parents of at least `minChildren` and at most `maxChildren` documents that match a query. */
  | {
      readonly kind: 'hasChild';
      readonly parentType: string;
      /** Matches no documents but children of the type asked for. */
      readonly query: Query;
      readonly scoreMode: ChildScoreMode;
      readonly minChildren: number;
      readonly maxChildren: number;
      /** It takes part in the norm of the whole query also where no child matches (top_children). */
      readonly alwaysWeighs: boolean;
      readonly boost: number;
    }
  /** Children, of any type, of documents that match a query; `scored`: by the scores of those. */
  | {
      readonly kind: 'hasParent';
      readonly parentType: string;
      /** Matches no documents but those of the parent type. */
      readonly query: Query;
      readonly scored: boolean;
      readonly boost: number;
    }
  /** Any of `_uid` values (`type#id`), constant score. */
  | { readonly kind: 'uids'; readonly uids: readonly string[]; readonly boost: number }
  /** Documents of any of these types. */
  | { readonly kind: 'types'; readonly types: readonly string[]; readonly boost: number }
  /** Documents with a point in a region. */
  | {
      readonly kind: 'geo';
      readonly field: FieldId;
      readonly region: GeoRegion;
      readonly boost: number;
    }
  /**
   * Documents with a shape that meets another, or lies within it, as far as the precision of the field goes.
   */
  | {
      readonly kind: 'geoShape';
      readonly field: FieldId;
      readonly shape: Shape;
      readonly precision: ShapePrecision;
      readonly relation: 'intersects' | 'within';
      readonly boost: number;
    }
  /** Documents whose records in the log of the shard have `after` < sequence number <= `upTo`. */
  | { readonly kind: 'sequences'; readonly after: number; readonly upTo: number }
  /**
   * The first `count` documents of the shard (the `limit` filter); as the filter of a `filtered` query the
   * first `count` that the query matches. `ends` is set by prepareQuery, which sees the whole shard: the
   * documents below `end` in each segment.
   */
  | {
      readonly kind: 'limit';
      readonly count: number;
      readonly ends?: readonly (readonly [segmentId: number, end: number])[];
    }
  /** The documents of a query with scores changed by functions; those below `minScore` are left out. */
  | {
      readonly kind: 'functionScore';
      readonly query: Query;
      readonly functions: readonly WeightedFunction<Query>[];
      readonly scoreMode: FunctionMode;
      readonly boostMode: BoostMode;
      readonly maxBoost: number;
      readonly minScore: number | null;
      readonly boost: number;
    }
  /** Documents for which a script gives something true. `now`: epoch milliseconds, for its dates. */
  | {
      readonly kind: 'script';
      readonly script: ScriptPlan;
      readonly now: number;
      readonly boost: number;
    }
  /** Reports `name` in `matched_queries` of hits that match `query`. */
  | { readonly kind: 'named'; readonly name: string; readonly query: Query };

/** The list of a bool query that a clause stands in. */
export type Occur = 'must' | 'should' | 'mustNot';

export type QueryKind = Query['kind'];

/** Queries that stand for a set of terms or numbers of one field. */
export type TermsQuery = Extract<
  Query,
  {
    kind: 'prefix' | 'wildcard' | 'regexp' | 'fuzzy' | 'stringRange' | 'numericRange' | 'numberSet';
  }
>;

/** A span query. */
export type SpanTree = SpanNode<TermsQuery>;

/** One place in a phrase: alternatives and their position relative to the first slot. */
export interface PhraseSlot {
  readonly terms: readonly string[];
  readonly position: number;
}

/** Words to look for, each in the one of the fields where it is most frequent. */
export interface SimilarTerms {
  readonly fields: readonly FieldId[];
  readonly words: readonly WordCount[];
}

/** A word and how often a text has it. */
export interface WordCount {
  readonly word: string;
  readonly count: number;
}

/** A word of a field, and how many edits terms like it may be away. */
export interface FuzzyWord {
  readonly field: FieldId;
  readonly word: string;
  readonly maxEdits: number;
  /** Terms are more alike than this. */
  readonly minSimilarity: number;
}

/** A field and term of a blended query, with the boost of the field. */
interface BlendedTerm {
  readonly field: FieldId;
  readonly term: string;
  readonly boost: number;
}

/** How a multi-term query scores (reference: rewrite). */
export type Rewrite =
  | { readonly method: 'constant' }
  | { readonly method: 'scoringBoolean'; /** Most terms. */ readonly limit: number }
  | { readonly method: 'topTerms'; readonly size: number; readonly boost: boolean };

export const MATCH_ALL = { kind: 'matchAll', boost: 1 } as const satisfies Query;
/** The same as the reference has it where nothing restricts: it is printed differently. */
export const MATCH_ALL_DOCS = { ...MATCH_ALL, shown: '*:*' } as const satisfies Query;
export const MATCH_NONE: Query = { kind: 'matchNone' };

/**
 * The field id of names that are not mapped: no segment has it. Queries on it match nothing but weigh as
 * much as the reference's do (document frequency 0), so that scores beside them come out the same.
 */
export const UNMAPPED_FIELD: FieldId = 0;
