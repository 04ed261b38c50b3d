// What is asked about the documents of the matching queries: filters, scores, order, facets. It is a search
// for those documents, so it sees what was refreshed.

import { parseJsonObject, JsonNumber, type JsonObject, type JsonOutput } from '../json/index';
import { NO_AGGREGATIONS } from '../aggregations/index';
import { PERCOLATOR_TYPE } from '../mapping/index';
import { MATCH_ALL, type Query, type SearchContext } from '../query/index';
import {
  asOutput,
  countPlan,
  indexPlan,
  indexScope,
  ShardRun,
  withinScope,
  type SearchHost,
  type Target,
} from '../search/index';
import { type CancelSignal, Slices } from '../common/index';
import type { ShardFailure } from '../api/index';
import type { PercolateBody } from './percolate-body';
import type { StoredEntry } from './shard-queries';

/** The matching queries of a shard. */
export interface ShardMatches {
  readonly target: Target;
  readonly entries: readonly StoredEntry[];
}

/** What is asked about the matches of the shards of one index. */
export interface MatchQuestion {
  readonly body: PercolateBody;
  /** Where names of the metadata of queries are looked up. */
  readonly context: SearchContext;
  /** The filters of the aliases that the queries are looked for through, or null. */
  readonly aliasFilters: readonly JsonObject[] | null;
}

/** Whether the matches alone are no answer. */
export function asksDocuments({ body, aliasFilters, context }: MatchQuestion): boolean {
  // Which of them are seen.
  if (context.index.view !== undefined) return true;
  const { query, isSorted, trackScores, facets, aggregations } = body;
  const counts = facets.length > 0 || aggregations.plans.length > 0;
  return query !== null || isSorted || trackScores || counts || aliasFilters !== null;
}

/** A match, and the query that it is of. */
export interface FoundMatch {
  readonly index: string;
  readonly entry: StoredEntry;
  /** Null: scores were not asked for. */
  readonly score: number | null;
}

/** The matches that are left. */
export interface FoundMatches {
  readonly total: number;
  readonly matches: readonly FoundMatch[];
  readonly facets: ReadonlyMap<string, JsonOutput> | undefined;
  readonly aggregations: ReadonlyMap<string, JsonOutput> | undefined;
  readonly failures: readonly ShardFailure[];
}

const NO_MATCHES: FoundMatches = {
  total: 0,
  matches: [],
  facets: undefined,
  aggregations: undefined,
  failures: [],
};

/**
 * Searches the documents of matching queries.
 *
 * @param all what matched on each shard, in the order of shards
 * @param questions by index
 * @throws EngineError when the search as a whole is refused or was cancelled
 */
export async function searchMatches(
  host: SearchHost,
  all: readonly ShardMatches[],
  questions: ReadonlyMap<string, MatchQuestion>,
  countOnly: boolean,
  signal: CancelSignal | undefined,
): Promise<FoundMatches> {
  if (all.length === 0) return NO_MATCHES;
  const [{ body }] = questions.values() as unknown as [MatchQuestion];
  const wanted = windowOf(all, body, countOnly);
  const plans = new Map(
    [...questions].map(([index, question]) => {
      const { query, scope } = queryOf(question);
      const count = countPlan(index, query, scope);
      const { facets, aggregations } = question.body;
      const elements = { ...NO_ELEMENTS, query, facets, aggregations };
      const plan = indexPlan(question.context, elements, scope, wanted, host.facetMemory);
      return [index, { ...count, plan, page: { from: 0, size: wanted } }] as const;
    }),
  );
  const uids = new Map(all.map((shard) => [shard.target, uidsOf(shard)]));
  const targets = all.map(({ target }) => target);
  const run = new ShardRun(host, targets, plans, {
    phase: 'query',
    globalStatistics: false,
    withoutHits: countOnly,
    pagePerShard: false,
    signal,
    timesShards: false,
    refusal: null,
    rescoresGlobally: false,
    narrow: (target, query) => withinScope(query, uids.get(target)!),
  });
  try {
    const { total, hits, facets, aggregations } = await run.run();
    // Of very many matches others get their turns.
    const slices = new Slices(MATCHES_PER_LOOK);
    const found = await foundBy(hits, all, body.isSorted || body.trackScores, slices);
    const matches = body.isSorted ? found : await inShardOrder(found, all, slices);
    return {
      total,
      matches: matches.slice(0, body.size ?? matches.length),
      facets: asOutput(facets),
      aggregations: asOutput(aggregations),
      failures: run.header().failures,
    };
  } finally {
    run.release();
  }
}

const NO_ELEMENTS = {
  query: null,
  postFilter: null,
  minScore: null,
  sort: null,
  trackScores: false,
  terminateAfter: 0,
  indexBoost: 1,
  facets: [],
  aggregations: NO_AGGREGATIONS,
  highlight: null,
  rescores: [],
  suggest: null,
} as const;

/** How many hits are needed. */
function windowOf(all: readonly ShardMatches[], body: PercolateBody, countOnly: boolean): number {
  if (countOnly) return 0;
  const { size, isSorted, trackScores } = body;
  const total = all.reduce((sum, { entries }) => sum + entries.length, 0);
  // With scores, those of all shards have to be put back into the order of shards.
  if (size === null || (trackScores && !isSorted && size > 0)) return total;
  return Math.min(size, total);
}

/** Matches that all score alike come in the order of shards and documents. */
function queryOf({ body, context, aliasFilters }: MatchQuestion): {
  readonly query: Query;
  readonly scope: Query | null;
} {
  const query = body.query ?? MATCH_ALL;
  const isScored = body.isSorted || body.trackScores;
  return {
    query: isScored ? query : { kind: 'constantScore', query, boost: 1 },
    scope: indexScope(context, aliasFilters),
  };
}

function uidsOf({ entries }: ShardMatches): Query {
  if (entries.length === 0) return { kind: 'matchNone' };
  const uids = entries.map(({ id }) => `${PERCOLATOR_TYPE}#${id}`);
  return { kind: 'uids', uids: [...new Set(uids)].sort(), boost: 1 };
}

/** Matches between two looks at the clock. */
const MATCHES_PER_LOOK = 64;

/** The matches that hits stand for, in the order of the hits. */
async function foundBy(
  hits: readonly Uint8Array[],
  all: readonly ShardMatches[],
  isScored: boolean,
  slices: Slices,
): Promise<FoundMatch[]> {
  // An id may stand on several shards, if its queries were routed.
  const entries = new Map<string, StoredEntry[]>();
  for (const shard of all) {
    const { name } = shard.target.index;
    for (const entry of shard.entries) {
      const key = keyOf(name, entry.id);
      const known = entries.get(key);
      if (known === undefined) entries.set(key, [entry]);
      else known.push(entry);
      if (slices.isOver()) await slices.next();
    }
  }
  const found: FoundMatch[] = [];
  for (const hit of hits) {
    const members = parseJsonObject(Buffer.from(hit).toString());
    const index = members.get('_index') as string;
    const score = members.get('_score');
    found.push({
      index,
      entry: entries.get(keyOf(index, members.get('_id') as string))!.shift()!,
      score: isScored && score instanceof JsonNumber ? score.value : null,
    });
    if (slices.isOver()) await slices.next();
  }
  return found;
}

/** Matches by the shard that they are of, and there in the order in which they were stored. */
async function inShardOrder(
  found: readonly FoundMatch[],
  all: readonly ShardMatches[],
  slices: Slices,
): Promise<readonly FoundMatch[]> {
  const byEntry = new Map<StoredEntry, FoundMatch>();
  for (const match of found) {
    byEntry.set(match.entry, match);
    if (slices.isOver()) await slices.next();
  }
  const ordered: FoundMatch[] = [];
  for (const { entries } of all) {
    for (const entry of entries) {
      const match = byEntry.get(entry);
      if (match !== undefined) ordered.push(match);
      if (slices.isOver()) await slices.next();
    }
  }
  return ordered;
}

function keyOf(index: string, id: string): string {
  return `${index}\0${id}`;
}
