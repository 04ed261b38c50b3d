// The phases of one search that several workers share: every job goes to the workers of the segments it
// concerns, one message per worker and phase, and their answers are put together.

import { joinParts } from '../run/reduce';
import type { IndexPlan, ShardHit, ShardResult } from '../plan/search-plan';
import type {
  CollectJob,
  FetchedHits,
  FetchJob,
  Outcome,
  Phases,
  PrepareJob,
  RescoreJob,
  SuggestJob,
} from '../plan/executor';
import type { SuggestPartial } from '../../suggest/index';
import type { SegmentAssignment } from './segment-assignment';
import { unpackTexts, type PackedFetch, type SearchRequests } from './search-messages';
import { needsWholeShard as countsWholeShard } from '../../aggregations/index';
import { crossesSegments, type PreparedQuery } from '../../query/index';

/** Sends a request to a worker. */
type Ask = <T>(worker: number, kind: keyof SearchRequests, payload: unknown) => Promise<T>;

/** A part of a job, for one worker. */
interface Part<J> {
  /** Position of the job that it is a part of. */
  readonly of: number;
  readonly job: J;
}

/** Runs the phases of a search on several workers. */
export class PoolPhases implements Phases {
  constructor(
    private readonly assignment: SegmentAssignment,
    private readonly ask: Ask,
  ) {}

  async prepare(jobs: readonly PrepareJob[]): Promise<readonly Outcome<PreparedQuery>[]> {
    const parts = new PartsByWorker<PrepareJob>();
    jobs.forEach((job, of) =>
      parts.add(this.assignment.ofShard(job.snapshot.shardId), { of, job }),
    );
    const answers = await this.send<PrepareJob, Outcome<PreparedQuery>>('prepare', parts);
    return jobs.map((_, of) => answers.get(of)![0]![1]);
  }

  async collect(jobs: readonly CollectJob[]): Promise<readonly Outcome<ShardResult>[]> {
    const parts = new PartsByWorker<CollectJob>();
    jobs.forEach((job, of) => this.splitCollect(job, of, parts));
    const answers = await this.send<CollectJob, Outcome<ShardResult>>('collect', parts);
    return jobs.map(({ plan }, of) => {
      const results: ShardResult[] = [];
      // Parts run side by side: the shard takes as long as the longest.
      let ms = 0;
      for (const [, outcome] of answers.get(of)!) {
        if (!outcome.ok) return outcome;
        results.push(outcome.value);
        ms = Math.max(ms, outcome.ms);
      }
      return { ok: true, value: joinParts(plan, results), ms };
    });
  }

  async rescore(jobs: readonly RescoreJob[]): Promise<readonly Outcome<Float64Array | null>[]> {
    const parts = new PartsByWorker<RescoreJob>();
    jobs.forEach((job, of) => this.splitHits(job, of, parts));
    const answers = await this.send<RescoreJob, Outcome<Float64Array | null>>('rescore', parts);
    return jobs.map((job, of) => {
      const scores = new Map<ShardHit, number>();
      let ms = 0;
      let isWhole = true;
      for (const [part, outcome] of answers.get(of) ?? []) {
        if (!outcome.ok) return outcome;
        ms = Math.max(ms, outcome.ms);
        const { value } = outcome;
        if (value === null) isWhole = false;
        else part.hits.forEach((hit, i) => scores.set(hit, value[i]!));
      }
      if (!isWhole) return { ok: true, value: null, ms };
      return { ok: true, value: Float64Array.from(job.hits, (hit) => scores.get(hit)!), ms };
    });
  }

  async suggest(jobs: readonly SuggestJob[]): Promise<readonly Outcome<SuggestPartial>[]> {
    const parts = new PartsByWorker<SuggestJob>();
    jobs.forEach((job, of) =>
      parts.add(this.assignment.ofShard(job.snapshot.shardId), { of, job }),
    );
    const answers = await this.send<SuggestJob, Outcome<SuggestPartial>>('suggest', parts);
    return jobs.map((_, of) => answers.get(of)![0]![1]);
  }

  async fetch(jobs: readonly FetchJob[]): Promise<readonly Outcome<FetchedHits>[]> {
    const parts = new PartsByWorker<FetchJob>();
    jobs.forEach((job, of) => this.splitHits(job, of, parts));
    const answers = await this.send<FetchJob, PackedFetch[number]>('fetch', parts);
    return jobs.map((job, of) => {
      const rendered = new Map<ShardHit, Uint8Array>();
      let ms = 0;
      let timedOut = false;
      for (const [part, outcome] of answers.get(of)!) {
        if (!outcome.ok) return outcome;
        ms = Math.max(ms, outcome.ms);
        timedOut ||= outcome.value.timedOut;
        unpackTexts(outcome.value.texts).forEach((text, i) => rendered.set(part.hits[i]!, text));
      }
      const texts = job.hits.map((hit) => rendered.get(hit)!);
      return { ok: true, value: { texts, timedOut }, ms };
    });
  }

  private splitCollect(job: CollectJob, of: number, parts: PartsByWorker<CollectJob>): void {
    const { shardId, segments } = job.snapshot;
    const byWorker = new Map<number, number[]>();
    segments.forEach((segment, i) => {
      const worker = this.assignment.ofSegment(segment, shardId);
      const own = byWorker.get(worker);
      if (own === undefined) byWorker.set(worker, [i]);
      else own.push(i);
    });
    // Where it stops depends on what was found in the segments before.
    const isInOrder = job.plan.terminateAfter > 0 || job.plan.scan === true;
    if (byWorker.size <= 1 || isInOrder || needsWholeShard(job.plan)) {
      const worker = byWorker.keys().next().value ?? this.assignment.ofShard(shardId);
      parts.add(worker, { of, job });
      return;
    }
    for (const [worker, own] of byWorker) {
      parts.add(worker, { of, job: { ...job, soleShard: false, skip: 0, segments: own } });
    }
  }

  private splitHits<J extends FetchJob | RescoreJob>(
    job: J,
    of: number,
    parts: PartsByWorker<J>,
  ): void {
    const { shardId, segments } = job.snapshot;
    const byWorker = new Map<number, ShardHit[]>();
    for (const hit of job.hits) {
      const worker = this.assignment.ofSegment(segments[hit.segment]!, shardId);
      const own = byWorker.get(worker);
      if (own === undefined) byWorker.set(worker, [hit]);
      else own.push(hit);
    }
    for (const [worker, hits] of byWorker) parts.add(worker, { of, job: { ...job, hits } });
  }

  /** The parts of each job with their answers. Waits for all workers, also when one of them fails. */
  private async send<J, R>(
    kind: keyof SearchRequests,
    parts: PartsByWorker<J>,
  ): Promise<ReadonlyMap<number, (readonly [J, R])[]>> {
    const workers = [...parts.byWorker];
    const settled = await Promise.allSettled(
      workers.map(([worker, own]) =>
        this.ask<readonly R[]>(
          worker,
          kind,
          own.map(({ job }) => job),
        ),
      ),
    );
    const answers = new Map<number, (readonly [J, R])[]>();
    settled.forEach((answer, w) => {
      if (answer.status === 'rejected') throw answer.reason;
      workers[w]![1].forEach(({ of, job }, i) => {
        const pair = [job, answer.value[i]!] as const;
        const known = answers.get(of);
        if (known === undefined) answers.set(of, [pair]);
        else known.push(pair);
      });
    });
    return answers;
  }
}

/** Whether each part would have to look at all segments: then one worker does it once. */
function needsWholeShard({ query, postFilter, aggregations }: IndexPlan): boolean {
  if (crossesSegments(query) || aggregations.some(countsWholeShard)) return true;
  return postFilter !== null && crossesSegments(postFilter);
}

class PartsByWorker<J> {
  readonly byWorker = new Map<number, Part<J>[]>();

  add(worker: number, part: Part<J>): void {
    const own = this.byWorker.get(worker);
    if (own === undefined) this.byWorker.set(worker, [part]);
    else own.push(part);
  }
}
