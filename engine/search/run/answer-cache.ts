// Answers that only count, kept whole: what a dashboard asks again and again while nothing changes.
//
// What facets and aggregations count is kept by segment in the threads that count (facet-run.ts,
// aggregation-run.ts). This is for requests that would only find everything there, on another thread or on
// main, and render it again: the rendered answer, kept by main from its second time on.

import { hash } from 'node:crypto';
import { isRepeatableCount } from '../../aggregations/index';
import { type ByteCache, exactText } from '../../common/index';
import { isRepeatableFacet } from '../../facets/index';
import { isSegmentLocal } from '../../query/index';
import type { ShardSnapshot } from '../../segment/index';
import type { SearchJob, SearchOutcome, SearchShard } from '../plan/executor';
import { planName } from '../plan/plan-name';
import { countsDocuments, type IndexPlan } from '../plan/search-plan';

/** The kind under which caches count answers. */
const CACHE_KIND = 'answer';
/** What an answer takes besides its texts, about. */
const ANSWER_BYTES = 512;

/** Longer names are hashed. */
const MAX_NAME = 4096;

/** What names an answer. */
export interface AnswerKey {
  /** A segment that it is about. */
  readonly owner: number;
  readonly text: string;
}

/** The name of a search of one shard by a plan that is kept, and all that went into it besides the plan. */
interface NamedSearch {
  readonly shardId: number;
  readonly segments: ShardSnapshot['segments'];
  readonly page: SearchShard['planned']['page'];
  readonly position: number;
  readonly shardCount: number;
  /** The flags of the search. */
  readonly flags: number;
  readonly key: AnswerKey | null;
}

/** Keeps answers in a cache that other things are in, too. */
export class AnswerCache {
  /** By plan, what a search by it was named last. */
  private readonly named = new WeakMap<IndexPlan, NamedSearch>();

  constructor(private readonly cache: ByteCache) {}

  /** Null: a search whose answer is not kept. */
  keyOf(job: SearchJob): AnswerKey | null {
    const { shards, shardCount } = job;
    const [shard] = shards;
    // Plans that are not kept come once.
    if (shard === undefined || shards.length > 1 || shard.planned.name === undefined) {
      return this.nameOf(job);
    }
    const { planned, position } = shard;
    const { plan, page } = planned;
    const { segments, shardId, view } = shard.snapshot;
    if (view !== undefined) return this.nameOf(job);
    const flags = flagsOf(job);
    const known = this.named.get(plan);
    if (
      known?.segments === segments &&
      known.shardId === shardId &&
      known.page === page &&
      known.position === position &&
      known.shardCount === shardCount &&
      known.flags === flags
    ) {
      return known.key;
    }
    const key = this.nameOf(job);
    this.named.set(plan, { shardId, segments, page, position, shardCount, flags, key });
    return key;
  }

  private nameOf(job: SearchJob): AnswerKey | null {
    const owner = job.shards[0]?.snapshot.segments[0]?.id;
    if (owner === undefined || !isRepeatable(job)) return null;
    const { shards, shardCount, globalStatistics, rescoresGlobally, pagePerShard } = job;
    let text = `${shardCount}${flag(globalStatistics)}${flag(rescoresGlobally)}${flag(pagePerShard)}`;
    for (const { snapshot, position, planned } of shards) {
      // Every member counts, those included that say how something is shown: this is the answer as written.
      const plan = planned.name ?? planName(planned.plan);
      const shard = snapshotText(snapshot);
      if (plan === null || shard === null) return null;
      text += `/${position},${planned.page.from},${planned.page.size},${plan},${shard}`;
    }
    return { owner, text: text.length > MAX_NAME ? hash('sha256', text, 'base64') : text };
  }

  /** The answer of an equal search over the same documents; undefined: it is not there. */
  get({ owner, text }: AnswerKey): SearchOutcome | undefined {
    return this.cache.get<SearchOutcome>(owner, text, CACHE_KIND);
  }

  /** Keeps an answer that is whole, from the second time on. */
  keep({ owner, text }: AnswerKey, outcome: SearchOutcome): void {
    if (outcome.timedOut || outcome.terminatedEarly !== undefined) return;
    if (outcome.failures.length > 0 || outcome.damaged.length > 0) return;
    if (!this.cache.askedBefore(owner, text)) return;
    let bytes = ANSWER_BYTES + text.length;
    for (const shown of [outcome.facets, outcome.aggregations]) {
      // Two bytes a unit at most.
      for (const [name, json] of shown ?? []) bytes += 2 * (name.length + json.length);
    }
    this.cache.put(owner, text, CACHE_KIND, outcome, bytes);
  }
}

/** Everything that {@link AnswerCache.keyOf} asks of a search besides its shards. */
function flagsOf(job: SearchJob): number {
  const { globalStatistics, rescoresGlobally, pagePerShard } = job;
  const { withoutHits, isScroll, timesShards, onlySuggests } = job;
  return (
    (globalStatistics ? 1 : 0) |
    (rescoresGlobally ? 2 : 0) |
    (pagePerShard ? 4 : 0) |
    (withoutHits ? 8 : 0) |
    (isScroll ? 16 : 0) |
    (timesShards ? 32 : 0) |
    (onlySuggests === true ? 64 : 0)
  );
}

function flag(value: boolean): string {
  return value ? '+' : '-';
}

/** What names the segments of a commit point with their deletions. */
const segmentTexts = new WeakMap<ShardSnapshot['segments'], string>();

/** Null: what is seen of the shard cannot be told from other views of it. */
function snapshotText({ segments, view, ...names }: ShardSnapshot): string | null {
  let committed = segmentTexts.get(segments);
  if (committed === undefined) {
    committed = exactText(segments.map(({ id, deletionChunks }) => [id, deletionChunks]));
    segmentTexts.set(segments, committed);
  }
  try {
    return `${exactText(names)}${committed}${exactText(view)}`;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function isRepeatable(job: SearchJob): boolean {
  if (job.isScroll || job.timesShards || job.onlySuggests === true) return false;
  return job.shards.every((shard) => showsNoHits(job, shard) && isRepeatablePlan(shard));
}

function showsNoHits({ withoutHits }: SearchJob, { planned }: SearchShard): boolean {
  return withoutHits || planned.page.size === 0;
}

/** Nothing in it depends on more than the documents: no scripts, which may ask for the time or by chance. */
function isRepeatablePlan({ planned: { plan } }: SearchShard): boolean {
  const { query, scope, postFilter, minScore, facets, suggest, isLarge } = plan;
  if (!countsDocuments(plan) || minScore !== null || suggest !== undefined) return false;
  // Naming it would take long.
  if (isLarge === true) return false;
  const queries = [query, scope, postFilter];
  return (
    queries.every((each) => each === null || isSegmentLocal(each)) &&
    facets.every(isRepeatableFacet) &&
    isRepeatableCount(plan)
  );
}
