// Runs the phases of one search on the calling thread. What takes long gives the event loop a turn between
// its steps, so that small searches pass large ones.

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
import type { ShardResult } from '../plan/search-plan';
import { untilGivenUp, WorkGivenUp } from '../../common/index';
import { cancelled } from '../plan/errors';
import { describeFailure } from '../plan/failure';
import {
  collectShard,
  fetchHits,
  prepareShard,
  rescoreHits,
  suggestOnShard,
  type JobContext,
  type JobSteps,
} from './jobs';
import type { SuggestPartial } from '../../suggest/index';
import { type SearchScheduler, SearchTurn } from './search-scheduler';
import type { PreparedQuery } from '../../query/index';

/** A search as seen by the thread that works on it. */
export interface SearchControl {
  /** Asked before every step, and by loops that take long. True: nobody wants the answer any more. */
  isCancelled(): boolean;
}

/** Runs the phases of a search on the thread that asks. */
export class InlinePhases implements Phases {
  private readonly turn: SearchTurn;

  constructor(
    private readonly context: JobContext,
    scheduler: SearchScheduler,
    private readonly control: SearchControl,
  ) {
    this.turn = new SearchTurn(scheduler);
  }

  prepare(jobs: readonly PrepareJob[]): Promise<readonly Outcome<PreparedQuery>[]> {
    return this.runAll(jobs, prepareShard);
  }

  collect(jobs: readonly CollectJob[]): Promise<readonly Outcome<ShardResult>[]> {
    return this.runAll(jobs, collectShard);
  }

  rescore(jobs: readonly RescoreJob[]): Promise<readonly Outcome<Float64Array | null>[]> {
    return this.runAll(jobs, rescoreHits);
  }

  suggest(jobs: readonly SuggestJob[]): Promise<readonly Outcome<SuggestPartial>[]> {
    return this.runAll(jobs, suggestOnShard);
  }

  fetch(jobs: readonly FetchJob[]): Promise<readonly Outcome<FetchedHits>[]> {
    return this.runAll(jobs, fetchHits);
  }

  private async runAll<J, R>(
    jobs: readonly J[],
    start: (job: J, context: JobContext) => JobSteps<R>,
  ): Promise<readonly Outcome<R>[]> {
    const outcomes: Outcome<R>[] = [];
    const isCancelled = (): boolean => this.control.isCancelled();
    this.turn.begin();
    for (const job of jobs) {
      const started = performance.now();
      let steps: JobSteps<R> | null = null;
      for (;;) {
        if (isCancelled()) {
          // What it holds is given back.
          steps?.return(undefined as R);
          throw cancelled();
        }
        try {
          steps ??= start(job, this.context);
          const step = untilGivenUp(isCancelled, () => steps!.next());
          if (step.done === true) {
            outcomes.push({ ok: true, value: step.value, ms: performance.now() - started });
            break;
          }
        } catch (error) {
          if (error instanceof WorkGivenUp) throw cancelled();
          const failure = describeFailure(error);
          if (failure === null) throw error;
          outcomes.push({ ok: false, failure });
          break;
        }
        if (this.turn.isOver()) await this.turn.next();
      }
    }
    this.turn.end();
    return outcomes;
  }
}
