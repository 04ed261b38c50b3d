// The aggregations of one search on one shard: each goes through the segments, and what the segments
// contribute is added up.
//
// What an aggregation contributes is kept, by segment and for all of them together, from its second time on:
// a request that comes again after a refresh counts the new segment only.

import { arrayBytes, CountingMemory, type DocScores, SetWindows, SLOW_MS } from '../counting/index';
import {
  bindPart,
  bindQuery,
  canonicalKey,
  canonicalText,
  isSegmentLocal,
  type Query,
  type SearchStatistics,
  type Weight,
} from '../query/index';
import { Bitset, keepLiveRoots, liveRoots, type SegmentReader } from '../segment/index';
import type { Similarities } from '../similarity/index';
import type {
  AggregationPartial,
  AggregationPlan,
  HoldMemory,
  OpenAggregator,
  ShardBinding,
  Steps,
} from './contract/aggregation';
import type { HitsFinder } from './contract/hits';
import { finishPartial, needsWholeShard } from './finish';
import { metered } from './metered';
import { mergePartials } from './merge-partials';
import { kindOf } from './registry';

/** What aggregations need to know of the search of one index that they belong to. Plain data. */
export interface AggregatedSearch {
  /** The query with type restriction and alias filter already wrapped around it. */
  readonly query: Query;
  /** The restriction without the query: what `global` sees. Null: all live root documents. */
  readonly scope: Query | null;
  /** Multiplies scores (`indices_boost`). */
  readonly indexBoost: number;
  /** How fields are scored. */
  readonly similarities: Similarities;
  readonly aggregations: readonly AggregationPlan[];
  /** What they may hold in memory on a shard, in bytes. */
  readonly facetMemory: number;
  /** Documents with a lower score are not counted; null: none. */
  readonly minScore: number | null;
}

/** Windows of documents collected between two steps. */
const WINDOWS_PER_STEP = 4;

/** The kind under which caches count aggregations. */
const CACHE_KIND = 'aggregation';

/** The time that a search may take. */
interface TimeLeft {
  /** It was over when it was last looked at. */
  readonly timedOut: boolean;
  /** Works while there is time; notes it when time is up. */
  inTime(work: () => void): void;
  /** Notes it when time is up. */
  isPastDeadline(): boolean;
}

interface RunOptions {
  readonly segments: readonly SegmentReader[];
  /** Positions of the segments that are collected; null: all of them. */
  readonly collected: readonly number[] | null;
  /** What the search's query scores by; null: the shard's own terms. */
  readonly statistics: SearchStatistics | null;
  /** Position of the shard among all shards of the search. */
  readonly position: number;
  /** Nothing else is counted for the search: what will not be shown may be dropped. */
  readonly soleShard: boolean;
  readonly hits: HitsFinder;
}

/** Feed it segment by segment. */
export class AggregationRun implements ShardBinding {
  readonly segments: readonly SegmentReader[];
  readonly position: number;
  readonly hits: HitsFinder;
  /** By aggregation; bound when the first segment is counted. */
  private readonly open: (OpenAggregator | undefined)[] = [];
  private readonly memory: CountingMemory;
  /** By aggregation: what the segments contributed. */
  private readonly partials: AggregationPartial[][];
  /** What identifies an aggregation's counts within a segment; null: they are not kept. */
  private readonly keys: readonly (string | null)[];
  /** What identifies the segments as they are. */
  private readonly place: string;
  /** By aggregation: what was kept of all segments together. */
  private readonly known: readonly (AggregationPartial | undefined)[];
  private isWhole = true;
  private weight: Weight | null = null;
  private scope: Weight | null = null;

  constructor(
    private readonly plan: AggregatedSearch,
    private readonly options: RunOptions,
  ) {
    this.segments = options.segments;
    this.position = options.position;
    this.hits = options.hits;
    this.memory = new CountingMemory(plan.facetMemory);
    this.partials = plan.aggregations.map(() => []);
    this.keys = plan.aggregations.map((each) => keptUnder(each, plan));
    const { segments, collected } = options;
    const readers = segments.map((each) => `${each.segmentId}:${each.deletionGeneration}`);
    this.place = `${readers.join()}/${collected?.join() ?? ''}/${options.soleShard ? 'sole' : ''}`;
    this.known = this.keys.map((key) =>
      key === null
        ? undefined
        : segments[0]?.cache.get<AggregationPartial>(this.wholeKey(key), CACHE_KIND),
    );
  }

  get size(): number {
    return this.plan.aggregations.length;
  }

  bind(plan: AggregationPlan): OpenAggregator {
    const open = kindOf(plan.type).bind(plan, this);
    const hold = this.holding(plan.name);
    return (segment) => metered(open(segment), hold);
  }

  holding(name: string): HoldMemory {
    return (bytes) => this.memory.hold(`aggregation ${name}`, bytes);
  }

  merge(
    plan: AggregationPlan,
    partials: readonly AggregationPartial[],
    owners: number,
  ): AggregationPartial {
    return this.added(plan, partials, owners, false);
  }

  private added(
    plan: AggregationPlan,
    partials: readonly AggregationPartial[],
    owners: number,
    isFinal: boolean,
  ): AggregationPartial {
    const parts = partials.map((partial) => ({ plan, partial, shard: this.position }));
    return mergePartials(parts, plan, owners, { isFinal, shards: 1, hits: this.hits });
  }

  /**
   * Collects aggregation `a` in a segment. A step per few windows of documents.
   *
   * @param main its live root documents that match the search; null: none
   * @param time when it has run out, `main` and what is counted may lack some
   * @throws EngineError CircuitBreakingException when all together hold too much
   */
  *collect(a: number, segment: SegmentReader, main: Bitset | null, time: TimeLeft): Steps<void> {
    if (this.known[a] !== undefined) return;
    const partial = yield* this.countOrRecall(a, segment, main, time);
    if (time.timedOut) this.isWhole = false;
    this.holding(this.plan.aggregations[a]!.name)(arrayBytes(partial));
    this.partials[a]!.push(partial);
  }

  private *countOrRecall(
    a: number,
    segment: SegmentReader,
    main: Bitset | null,
    time: TimeLeft,
  ): Steps<AggregationPartial> {
    const key = this.keys[a] ?? null;
    if (key === null || time.timedOut) {
      segment.cache.countMiss(CACHE_KIND);
      return yield* this.count(a, segment, main, time);
    }
    const ownKey = `${segment.deletionGeneration}/${key}`;
    const kept = segment.cache.get<AggregationPartial>(ownKey, CACHE_KIND);
    if (kept !== undefined) return kept;
    const partial = yield* this.count(a, segment, main, time);
    if (!time.timedOut) keep(segment, ownKey, partial);
    return partial;
  }

  private *count(
    a: number,
    segment: SegmentReader,
    main: Bitset | null,
    time: TimeLeft,
  ): Steps<AggregationPartial> {
    const aggregator = (this.open[a] ??= this.bind(this.plan.aggregations[a]!))(segment);
    if (main === null) return aggregator.partial(1);
    let isSet = false;
    time.inTime(() => (isSet = aggregator.collectSet?.(main) === true));
    if (!isSet) {
      const windows = new SetWindows(main);
      for (let n = 1; !time.timedOut && windows.next(); n++) {
        const ms = windows.handOn((docs) => time.inTime(() => aggregator.collect(docs)));
        if (n % WINDOWS_PER_STEP === 0 || ms > SLOW_MS) {
          yield;
          time.isPastDeadline();
        }
      }
    }
    return aggregator.partial(1);
  }

  private wholeKey(key: string): string {
    return `${this.place}/${key}`;
  }

  /** What aggregation `a` contributes. @throws EngineError as {@link collect}, and of scripts */
  *partial(a: number): Steps<AggregationPartial> {
    const plan = this.plan.aggregations[a]!;
    const known = this.known[a];
    // Scripts that run over what was gathered see all buckets.
    const isFinal = this.options.soleShard && !needsWholeShard(plan);
    const added = () => this.added(plan, this.partials[a]!, 1, isFinal);
    const partial = known ?? (yield* finishPartial(plan, added(), 1, this));
    this.holding(plan.name)(arrayBytes(partial));
    const key = this.keys[a] ?? null;
    const [first] = this.segments;
    if (known === undefined && key !== null && this.isWhole && first !== undefined)
      keep(first, this.wholeKey(key), partial);
    return partial;
  }

  /** What aggregation `a` contributes when it counted nothing. */
  emptyPartial(a: number): Steps<AggregationPartial> {
    const plan = this.plan.aggregations[a]!;
    return finishPartial(plan, this.merge(plan, [], 1), 1, this);
  }

  readonly scoresOf = (segment: SegmentReader): DocScores => {
    this.weight ??= bindPart(
      this.plan.query,
      this.segments,
      this.plan.similarities,
      this.options.statistics,
    );
    const scorer = this.weight.scorer(segment);
    if (scorer === null) return () => 1;
    const { roots } = segment;
    const { indexBoost } = this.plan;
    return (doc) => {
      // Nested objects have the score of their root.
      const root = roots === null ? doc : roots.next(doc);
      if (scorer.doc < root) scorer.advance(root);
      return scorer.doc === root ? Math.fround(scorer.score() * indexBoost) : 1;
    };
  };

  globalDocs(segment: SegmentReader): Bitset | null {
    const { scope, similarities } = this.plan;
    if (scope === null) return liveRoots(segment) ?? Bitset.full(segment.docCount);
    this.scope ??= bindQuery(scope, this.segments, similarities);
    return keepLiveRoots(segment, this.scope.matches(segment));
  }
}

/** Keeps what was counted, from the second time that it is asked for. */
function keep({ cache }: SegmentReader, key: string, partial: AggregationPartial): void {
  if (cache.askedBefore(key)) cache.put(key, CACHE_KIND, partial, key.length + arrayBytes(partial));
}

/** Null: what the aggregation counts in a segment depends on more than the segment. */
function keptUnder(aggregation: AggregationPlan, plan: AggregatedSearch): string | null {
  const { query, scope, minScore } = plan;
  const isLocal = isSegmentLocal(query) && (scope === null || isSegmentLocal(scope));
  if (minScore !== null || !isLocal || !readsOnlySegments(aggregation)) return null;
  const scopeKey = scope === null ? '' : canonicalKey(scope);
  return `${canonicalKey(query)}/${scopeKey}/${canonicalText(aggregation)}`;
}

/** Whether counting again in the same segments gives the same: no script has a say, and no other document. */
export function isRepeatableCount({
  aggregations,
}: Pick<AggregatedSearch, 'aggregations'>): boolean {
  return aggregations.every(readsOnlySegments);
}

function readsOnlySegments({ type, spec, subs }: AggregationPlan): boolean {
  const reads = kindOf(type).reads?.(spec) ?? null;
  return reads !== null && reads.queries.every(isSegmentLocal) && subs.every(readsOnlySegments);
}
