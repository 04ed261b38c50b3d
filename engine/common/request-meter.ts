// How much one request may ask for. What takes time or memory by its number is counted while the request is
// parsed, so that a request that is too large is refused before it is carried out.

import { EngineError } from '../errors';
import { PatternWork } from './pattern';

/** What is counted, each with its setting. */
const SETTING_OF = {
  queries: 'search.max_queries',
  terms: 'search.max_terms',
  facets: 'search.max_facets',
  ranges: 'search.max_ranges',
  sortKeys: 'search.max_sort_keys',
  fields: 'search.max_fields',
  text: 'search.max_text',
  analyzed: 'search.max_analyzed_size',
  scripts: 'search.max_scripts',
  corners: 'search.max_corners',
  suggestions: 'search.max_suggestions',
  suggestOptions: 'search.max_suggest_options',
} as const;

type Counted = keyof typeof SETTING_OF;

/** What an error text calls them. */
const NOUN_OF: Readonly<Record<Counted, string>> = {
  queries: 'queries and filters',
  terms: 'values in lists of terms and ids',
  facets: 'facets and aggregations',
  ranges: 'ranges of facets and aggregations',
  sortKeys: 'sort keys',
  fields: 'names and patterns of fields or indices',
  text: 'characters of text to be analyzed',
  analyzed: 'bytes of tokens made of its text',
  scripts: 'scripts',
  corners: 'corners of polygons',
  suggestions: 'words and texts to make suggestions for',
  suggestOptions: 'options of suggestions',
};

/** Most of each that one request may have. */
export interface RequestLimits extends Readonly<Record<Counted, number>> {
  /** Clauses of one bool query, also of one that a query becomes. */
  readonly maxClauseCount: number;
  /** UTF-16 units of a wildcard, prefix or regular expression. */
  readonly patternLength: number;
  /** Hits of a shard that a rescore may look at. */
  readonly rescoreWindow: number;
}

/** The limits where nothing else is set. */
export const DEFAULT_REQUEST_LIMITS: RequestLimits = {
  maxClauseCount: 1024,
  patternLength: 1000,
  rescoreWindow: 100_000,
  queries: 16_384,
  terms: 65_536,
  facets: 1000,
  ranges: 4096,
  sortKeys: 128,
  fields: 2048,
  text: 256 * 1024,
  analyzed: 32 * 1024 * 1024,
  scripts: 256,
  corners: 4096,
  suggestions: 4096,
  suggestOptions: 1_000_000,
};

/** A request that has so large a part of what it may have is a large one. */
const LARGE_PART = 16;

/** Counts what one request has, for one index. */
export class RequestMeter {
  /** Patterns of field names. */
  readonly patterns = new PatternWork();
  private readonly counts = new Map<Counted, number>();

  constructor(readonly limits: RequestLimits) {}

  /** Counts in `count` more. @throws EngineError ElasticsearchIllegalArgumentException (400) */
  add(kind: Counted, count: number): void {
    const sum = (this.counts.get(kind) ?? 0) + count;
    this.counts.set(kind, sum);
    const limit = this.limits[kind];
    if (sum <= limit) return;
    throw new EngineError(
      'ElasticsearchIllegalArgumentException',
      `request has more than [${limit}] ${NOUN_OF[kind]} (${SETTING_OF[kind]})`,
    );
  }

  /** Whether what is counted takes so long that main should not be held by it, where another thread can. */
  get isLarge(): boolean {
    for (const [kind, count] of this.counts)
      if (count > this.limits[kind] / LARGE_PART) return true;
    return false;
  }

  /** @throws EngineError TooManyClauses (400) when a bool query would get more clauses than allowed */
  checkClauses(count: number): void {
    const limit = this.limits.maxClauseCount;
    if (count > limit) throw new EngineError('TooManyClauses', `maxClauseCount is set to ${limit}`);
  }

  /** @throws EngineError ElasticsearchIllegalArgumentException (400) */
  checkRescoreWindow(window: number): void {
    const limit = this.limits.rescoreWindow;
    if (window <= limit) return;
    throw new EngineError(
      'ElasticsearchIllegalArgumentException',
      `rescore window_size of [${window}] is larger than [${limit}] (search.max_rescore_window)`,
    );
  }

  /** @throws EngineError ElasticsearchIllegalArgumentException (400) */
  checkPattern(kind: string, { length }: string): void {
    const limit = this.limits.patternLength;
    if (length <= limit) return;
    throw new EngineError(
      'ElasticsearchIllegalArgumentException',
      `${kind} of [${length}] characters is longer than [${limit}] (search.max_pattern_length)`,
    );
  }
}
