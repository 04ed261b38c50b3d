// The jobs of the search protocol, as generators over plain data: each step is a slice of work, and
// whoever drives them decides what to do between two steps (go on at once, or give the event loop a turn).

import type { RenderedHits } from '../../common/index';
import type { LogReader } from '../../../storage/index';
import { prepareQuery, type PreparedQuery } from '../../query/index';
import { collectSegments } from '../collect/collect';
import { renderHits } from '../fetch/fetch';
import type { ShardResult } from '../plan/search-plan';
import type { SegmentReader, ShardSnapshot } from '../../segment/index';
import { seenLog } from './confined-readers';
import type {
  CollectJob,
  FetchedHits,
  FetchJob,
  PrepareJob,
  RescoreJob,
  SuggestJob,
} from '../plan/executor';
import { scoreHits } from './rescore';
import { runSuggest, type SuggestPartial } from '../../suggest/index';
import { countFromCommit } from '../plan/commit-count';

/** What jobs need of the thread they run in. */
export interface JobContext {
  /** @throws CorruptionError */
  readers(snapshot: ShardSnapshot): readonly SegmentReader[];
  readonly log: LogReader;
  /** The same through the cache. */
  readonly recordCache: LogReader;
  /** What the hits take that are not sent yet. */
  readonly renderedHits: RenderedHits;
  /** Bytes of sources that hits of a shard may be marked in here. */
  readonly mostMarked: number;
  /** Epoch milliseconds, for deadlines. */
  clock(): number;
}

/** A search has more to mark than the thread takes. */
export class TooMuchToMark extends Error {}

export type JobSteps<R> = Generator<void, R, void>;

/** Records of longer pages are read past the cache. */
const MAX_CACHED_HITS = 100;

/** Collects the statistics of one shard that scores depend on. */
// oxlint-disable-next-line require-yield -- one step
export function* prepareShard(job: PrepareJob, context: JobContext): JobSteps<PreparedQuery> {
  const { similarities, rescores } = job;
  const preparation = { similarities, others: rescores, forSum: true };
  return prepareQuery(job.query, context.readers(job.snapshot), preparation);
}

/** Total, best hits and facets of one shard. A step per segment and facet. */
export function* collectShard(job: CollectJob, context: JobContext): JobSteps<ShardResult> {
  const counted = countFromCommit(job);
  if (counted !== null) return counted;
  return yield* collectSegments(job, context.readers(job.snapshot), () => context.clock());
}

/** The scores of hits of one shard by another query; null: time was short. A step per few hits. */
export function* rescoreHits(job: RescoreJob, context: JobContext): JobSteps<Float64Array | null> {
  return yield* scoreHits(job, context.readers(job.snapshot), () => context.clock());
}

/** The suggestions of one shard. A step per few words or entries. */
export function* suggestOnShard(
  { specs, snapshot }: SuggestJob,
  context: JobContext,
): JobSteps<SuggestPartial> {
  return yield* runSuggest(specs, context.readers(snapshot));
}

/** The rendered hits of one shard. A step per few hits. @throws TooMuchToMark */
export function* fetchHits(job: FetchJob, context: JobContext): JobSteps<FetchedHits> {
  // Whoever reads so many at once will not come back for them.
  const all = job.hits.length <= MAX_CACHED_HITS ? context.recordCache : context.log;
  const log = seenLog(all, job.snapshot.view);
  let held = 0;
  const hold = (bytes: number): void => {
    held += bytes;
    context.renderedHits.hold(bytes);
  };
  let marked = 0;
  const mark = (bytes: number): void => {
    marked += bytes;
    if (marked > context.mostMarked) throw new TooMuchToMark();
  };
  try {
    const open = (): readonly SegmentReader[] => context.readers(job.snapshot);
    return yield* renderHits(job, { open, log, hold, mark }, () => context.clock());
  } finally {
    context.renderedHits.release(held);
  }
}
