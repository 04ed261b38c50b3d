// The phases of a search over OpenSearch: each shard of a search is one item of a multi-search, asked of that
// shard alone, so that totals, ties and failures are those of the shard. What is counted and shown is reduced
// and rendered as ever.

import { inSlices, untilGivenUp } from '../../common/index';
import { EngineError } from '../../errors';
import { isJsonObject, type JsonObject, JsonNumber, type JsonOutput } from '../../json/index';
import type { LogRecord } from '../../../storage/index';
import type { IndexMapping } from '../../mapping/index';
import type { FieldId } from '../../metadata/index';
import {
  listedSegment,
  MATCH_ALL,
  type PreparedQuery,
  prepareQuery,
  type Query,
  type QueryOf,
  spanFigures,
  type SpanFigures,
  type SpanTree,
} from '../../query/index';
import {
  cancelled,
  type CollectJob,
  describeFailure,
  type FetchedHits,
  type FetchJob,
  type IndexPlan,
  type JobFailure,
  type Outcome,
  type Phases,
  type PrepareJob,
  type RescoreJob,
  type ShardHit,
  type ShardResult,
} from '../../search/index';
import type { SegmentReader, ShardSnapshot } from '../../segment/index';
import type { Similarities } from '../../similarity/index';
import type { ShardCounts } from '../aggregations/counts';
import { type CountingShard, countShards, firstRequest } from '../aggregations/rounds';
import { ENVELOPE, SOURCE } from '../layout/names';
import { recordOf } from '../layout/envelope';
import { type FoundSegment, foundSegment } from '../layout/found-segment';
import { clauseOf, contextOf } from '../queries/clause';
import { type Clause } from '../queries/clause-context';
import { unsupported } from '../layout/unsupported';
import {
  foundRelatives,
  innermostRelatives,
  relativesRequest,
  type RelativesQuery,
  takesScores,
  withReplaced,
} from '../queries/relatives';
import { decidingContext, scoredClause, scoredWhole, type ScoringContext } from '../queries/scored';
import { type CountedSpans, uncountedSpans } from '../queries/span-scores';
import { nestedFieldsOf } from '../queries/nested-fields';
import { TermFigures } from '../queries/term-figures';
import { type TextField, textFieldsOf } from '../queries/text-fields';
import { hitsOf, partOf, totalHits } from '../transport/answers';
import {
  confined,
  queriesOf,
  scores,
  shows,
  unscoredForm,
  withFilters,
  withQueries,
} from './plan-queries';
import { LostPointError } from './points-in-time';
import { type Ask, type SearchBackend, ShardAsker } from './ask-shards';
import { type FoundRecords, renderFound } from './remote-fetch';
import { searchAfter, sortRequest, sortValues } from './remote-sort';

/** Windows up to this many hits bring the sources along: then one request is enough. */
const BROUGHT_ALONG = 20;

/** Documents that are read at once to be counted here, and the size of all their sources at most. */
const READ_AT_ONCE = 250;
const MOST_READ_BYTES = 1 << 25;

/** What the parts of a search have in common that ask the same shard. */
interface ShardPart {
  readonly snapshot: ShardSnapshot;
  readonly context: ScoringContext;
  readonly mapping: IndexMapping;
  readonly similarities: Similarities;
}

/** Runs the phases of one search. */
export class RemotePhases implements Phases {
  /** What was found, by the position of the shard: for those that show it. */
  private readonly found = new Map<number, FoundRecords>();
  /** Where filters beside the query stand, by shard. */
  private readonly filtering = new Map<ShardSnapshot, ScoringContext>();
  private readonly parts = new Map<ShardSnapshot, ShardPart>();

  private readonly asker: ShardAsker;

  /** @param keepAliveMs how long its shards are held for more pages, in milliseconds; null: they are not */
  constructor(
    private readonly backend: SearchBackend,
    keepAliveMs: number | null,
    private readonly isCancelled: () => boolean,
  ) {
    this.asker = new ShardAsker(backend, keepAliveMs, isCancelled);
  }

  prepare(jobs: readonly PrepareJob[]): Promise<readonly Outcome<PreparedQuery>[]> {
    return this.timed(jobs, async (failures) => {
      const settled = await this.withRelatives(jobs, failures, (job, by) => ({
        ...job,
        query: by(job.query),
        rescores: job.rescores.map(by),
      }));
      const wanted = settled.map(({ query, rescores, snapshot }, i) => ({
        snapshot,
        queries: attempt(failures, i, () => [confined(query, snapshot), ...rescores]) ?? [],
      }));
      const segments = await this.termsOf(wanted, failures);
      return (_, i) => {
        const job = settled[i]!;
        const { query, rescores: others, similarities, snapshot } = job;
        const preparation = { similarities, others, forSum: true };
        return prepareQuery(confined(query, snapshot), [segments[i]!], preparation);
      };
    });
  }

  collect(jobs: readonly CollectJob[]): Promise<readonly Outcome<ShardResult>[]> {
    return this.timed(jobs, async (failures) => {
      const settled = await this.withRelatives(jobs, failures, (job, by) => ({
        ...job,
        plan: withQueries(job.plan, by),
      }));
      const segments = await this.termsOf(
        settled.map(({ snapshot, plan, prepared }, i) => ({
          snapshot,
          queries: attempt(failures, i, () => queriesOf(plan, snapshot, prepared)) ?? [],
        })),
        failures,
      );
      const ready = settled.map((job, i) => {
        const expanded = (filter: Query): Query => prepareQuery(filter, [segments[i]!]).query;
        const plan = attempt(failures, i, () => withFilters(job.plan, expanded));
        return plan === null ? job : { ...job, plan };
      });
      const prepared = ready.map((job, i) =>
        attempt(failures, i, () => this.preparedFor(job, segments[i]!)),
      );
      const spans = await this.countedSpans(ready, prepared, failures);
      const asks = ready.map((job, i) =>
        attempt(failures, i, () => this.collectRequest(job, segments[i]!, prepared[i]!, spans[i]!)),
      );
      const answers = await this.asker.ask(asks, failures);
      const counts = await this.counted(ready, asks, answers, failures);
      return (_, i) => this.collected(ready[i]!, answers[i]!, counts(i));
    });
  }

  rescore(jobs: readonly RescoreJob[]): Promise<readonly Outcome<Float64Array | null>[]> {
    return this.timed(jobs, async (failures) => {
      const settled = await this.withRelatives(jobs, failures, (job, by) => ({
        ...job,
        query: by(job.query),
      }));
      const segments = await this.termsOf(
        settled.map(({ snapshot, query }) => ({ snapshot, queries: [query] })),
        failures,
      );
      const asks = settled.map((job, i) =>
        attempt(failures, i, () => {
          const { query, hits, snapshot, similarities } = job;
          if (hits.length === 0) return null;
          const own = prepareQuery(query, [segments[i]!], { similarities });
          const statistics = job.statistics ?? own.statistics;
          const clause = scoredClause(own.query, statistics, this.part(snapshot).context);
          const sequences = hits.map(({ sequence }) => sequence);
          return {
            snapshot,
            body: {
              query: { bool: { must: [clause], filter: [{ terms: { _seq_no: sequences } }] } },
              size: hits.length,
              sort: [{ _score: { order: 'desc' } }, { _seq_no: { order: 'asc' } }],
              _source: false,
            },
          };
        }),
      );
      const answers = await this.asker.ask(asks, failures);
      return ({ hits }, i) => {
        const scores = new Map<number, number>();
        for (const hit of hitsOf(answers[i] ?? NO_ANSWER)) {
          const [score, sequence] = hit.get('sort') as readonly JsonNumber[];
          scores.set(sequence!.value, score!.value);
        }
        return Float64Array.from(hits, ({ sequence }) => scores.get(sequence) ?? NaN);
      };
    });
  }

  suggest(
    jobs: readonly { readonly snapshot: ShardSnapshot }[],
  ): Promise<readonly Outcome<never>[]> {
    const { status, ...error } = failureOf(
      unsupported('[suggest]', 'words are not looked up there'),
    );
    return Promise.resolve(jobs.map(() => ({ ok: false, failure: { status, ...error } })));
  }

  fetch(jobs: readonly FetchJob[]): Promise<readonly Outcome<FetchedHits>[]> {
    return this.timed(jobs, async (failures) => {
      const settled = await this.withRelatives(jobs, failures, (job, by) => ({
        ...job,
        named: job.named.map(by),
      }));
      const explained = await this.explained(settled, failures);
      await this.lookUp(jobs, failures);
      return (job, i) => {
        return renderFound(explained[i]!, this.found, this.part(job.snapshot).mapping);
      };
    });
  }

  /** The jobs with what scores are explained by. */
  private async explained(
    jobs: readonly FetchJob[],
    failures: (EngineError | null)[],
  ): Promise<readonly FetchJob[]> {
    if (jobs.every(({ explained }) => explained === null)) return jobs;
    const segments = await this.termsOf(
      jobs.map(({ snapshot, explained }) => ({
        snapshot,
        queries: explained === null ? [] : [explained.query],
      })),
      failures,
    );
    return jobs.map((job, i) => {
      const { explained } = job;
      if (explained === null || explained.prepared !== null) return job;
      const { similarities, query } = explained;
      const prepared = prepareQuery(query, [segments[i]!], { similarities, explains: true });
      return { ...job, explained: { ...explained, prepared } };
    });
  }

  /** Reads the records of hits that were not brought along. */
  private async lookUp(jobs: readonly FetchJob[], failures: (EngineError | null)[]): Promise<void> {
    const missing = (job: FetchJob): readonly ShardHit[] =>
      job.hits.filter(({ shard, sequence }) => !this.foundIn(shard).records.has(sequence));
    const read = async (clause: (hits: readonly ShardHit[]) => Clause): Promise<void> => {
      const asks = jobs.map((job) => {
        const hits = missing(job);
        if (hits.length === 0) return null;
        const { snapshot } = job;
        return { snapshot, body: { query: clause(hits), size: hits.length, ...WITH_RECORDS } };
      });
      if (asks.every((ask) => ask === null)) return;
      const answers = await this.asker.ask(asks, failures);
      jobs.forEach((job, i) => {
        const answer = answers[i];
        if (answer === null || answer === undefined) return;
        const { shard } = job.hits[0]!;
        for (const hit of hitsOf(answer)) this.keep(shard, hit);
      });
    };
    await read((hits) => ({ terms: { _seq_no: hits.map(({ sequence }) => sequence) } }));
    // What was written anew since it was found is shown as it is now.
    await read((hits) => ({
      ids: {
        values: hits.map(({ shard, sequence }) => this.foundIn(shard).ids.get(sequence) ?? ''),
      },
    }));
  }

  private foundIn(shard: number): FoundRecords {
    let found = this.found.get(shard);
    if (found === undefined) {
      this.found.set(shard, (found = { records: new Map(), ids: new Map() }));
    }
    return found;
  }

  /** Keeps what an answer has of a hit. @returns its sequence number */
  private keep(shard: number, hit: JsonObject): number {
    const id = hit.get('_id') as string;
    const sequence = (hit.get('_seq_no') as JsonNumber).value;
    const { ids, records } = this.foundIn(shard);
    ids.set(sequence, id);
    if (!isJsonObject(hit.get('_source') ?? null)) return sequence;
    const record = recordIn(hit);
    for (const [own, other] of ids) if (other === id) records.set(own, record);
    return sequence;
  }

  /** The main query of a shard. @throws EngineError for what cannot be had */
  private preparedFor(
    { snapshot, plan, prepared }: CollectJob,
    segment: SegmentReader,
  ): PreparedQuery {
    if (prepared !== null) return prepared;
    const { similarities } = plan;
    return prepareQuery(confined(plan.query, snapshot), [segment], { similarities });
  }

  /** By job, spans that OpenSearch would score otherwise; those of many documents are left out. */
  private async countedSpans(
    jobs: readonly CollectJob[],
    prepared: readonly (PreparedQuery | null)[],
    failures: (EngineError | null)[],
  ): Promise<readonly CountedSpans[]> {
    const asks = jobs.map(({ snapshot }): Ask => ({ snapshot, body: {} }));
    const counted = jobs.map(() => new Map<SpanTree, ReadonlyMap<number, SpanFigures>>());
    // One after the other: the documents of one shard are held at a time.
    for (const [i, { plan, snapshot }] of jobs.entries()) {
      const query = prepared[i] ?? null;
      if (query === null || !scores(plan)) continue;
      const { context, mapping } = this.part(snapshot);
      for (const spans of uncountedSpans(query.query)) {
        const clause = attempt(failures, i, () => clauseOf(spans, context));
        if (clause === null) break;
        const records = await this.documents(i, asks, clause, MOST_COUNTED_SPANS, failures);
        if (records === null) continue;
        const found = await inSlices(foundSegment(records, mapping));
        const figures = attempt(failures, i, () => figuresOfSpans(spans, found));
        if (figures !== null) counted[i]!.set(spans.tree, figures);
      }
    }
    return counted;
  }

  /** What collecting asks a shard. @throws EngineError for what cannot be had */
  private collectRequest(
    job: CollectJob,
    segment: SegmentReader,
    prepared: PreparedQuery,
    spans: CountedSpans,
  ): Ask {
    const { snapshot, skip, after, position, deadline } = job;
    const context = { ...this.part(snapshot).context, spans };
    const plan = { ...job.plan, query: confined(job.plan.query, snapshot) };
    const { similarities } = plan;
    const isScored = scores(plan);
    const others: Query[] = [];
    withFilters(plan, (filter) => {
      others.push(filter);
      return filter;
    });
    const beside = prepareQuery(MATCH_ALL, [segment], { similarities, others });
    const filtering = decidingContext(beside.statistics, context);
    this.filtering.set(snapshot, filtering);
    const deciding = decidingContext(prepared.statistics, context);
    const query = isScored
      ? scoredClause(prepared.query, prepared.statistics, context)
      : { bool: { filter: [clauseOf(prepared.query, deciding)] } };
    const size = Math.max(0, plan.window - skip);
    const counted = firstRequest(this.counting(job));
    const brings = job.soleShard || plan.window <= BROUGHT_ALONG;
    const body: Record<string, JsonOutput> = {
      query,
      size,
      track_total_hits: true,
      ...(plan.postFilter === null ? {} : { post_filter: clauseOf(plan.postFilter, filtering) }),
      ...(plan.minScore === null ? {} : { min_score: plan.minScore / plan.indexBoost }),
      ...(deadline === null ? {} : { timeout: `${Math.max(1, deadline - Date.now())}ms` }),
      ...(Object.keys(counted).length === 0 ? {} : { aggs: counted }),
      ...(plan.terminateAfter > 0 ? { terminate_after: plan.terminateAfter } : {}),
      ...WITH_RECORDS,
      _source: brings,
    };
    if (size > 0) {
      body['sort'] = sortRequest(plan, filtering);
      if (isScored) body['track_scores'] = true;
      if (after !== null) body['search_after'] = searchAfter(plan, after, position);
      else if (skip > 0) body['from'] = skip;
    }
    return { snapshot, body };
  }

  /** What a shard counts. */
  private counting({ plan, snapshot, soleShard }: CollectJob): CountingShard {
    const seen = (snapshot.view?.filter ?? null) as Query | null;
    const { context: own, mapping } = this.part(snapshot);
    const context = this.filtering.get(snapshot) ?? own;
    return { plan, context: { ...context, soleShard, seen }, documents: mapping };
  }

  /** What shards counted, by their position among the jobs; some are asked for more. */
  private async counted(
    jobs: readonly CollectJob[],
    asks: readonly (Ask | null)[],
    answers: readonly (JsonObject | null)[],
    failures: (EngineError | null)[],
  ): Promise<(job: number) => ShardCounts> {
    const live = jobs.flatMap((_, i) => (failures[i] === null && answers[i] !== null ? [i] : []));
    const counts = await countShards(
      live.map((i) => this.counting(jobs[i]!)),
      // compat: nothing is counted of what ended early.
      live.map((i) => {
        const answer = answers[i]!;
        return endedEarly(jobs[i]!.plan, answer) ? null : partOf(answer, 'aggregations');
      }),
      async (more) => {
        const again = jobs.map((_, i): Ask | null => {
          const aggs = more[live.indexOf(i)] ?? null;
          const ask = asks[i];
          if (aggs === null || ask === null || ask === undefined) return null;
          const { query, min_score: least } = ask.body as Record<string, JsonOutput>;
          const body = { query, size: 0, track_total_hits: false, aggs };
          return { ...ask, body: least === undefined ? body : { ...body, min_score: least } };
        });
        const found = await this.asker.ask(again, failures);
        return live.map((i) => partOf(found[i] ?? null, 'aggregations'));
      },
      (shard, which, most) => this.documents(live[shard]!, asks, which, most, failures),
    );
    return (job) => counts(live.indexOf(job));
  }

  /**
   * Reads documents of the shard of job `i`, as counting wants them: those of a clause, or null: of the
   * search. Null: they are more than `most`, or too large, or the shard failed.
   */
  private async documents(
    i: number,
    asks: readonly (Ask | null)[],
    which: Clause | null,
    most: number,
    failures: (EngineError | null)[],
  ): Promise<ReadonlyMap<number, LogRecord> | null> {
    const ask = asks[i]!;
    const { query, min_score: least } = ask.body as Record<string, JsonOutput>;
    const isOwn = which === null && least !== undefined;
    const records = new Map<number, LogRecord>();
    let size = 0;
    for (let after: readonly number[] = []; ;) {
      const body = {
        query: which ?? query,
        ...(isOwn ? { min_score: least } : {}),
        ...(after.length === 0 ? {} : { search_after: after }),
        size: READ_AT_ONCE,
        track_total_hits: false,
        sort: [{ _seq_no: { order: 'asc' } }],
        ...WITH_RECORDS,
      };
      const page = asks.map((_, at): Ask | null => (at === i ? { ...ask, body } : null));
      const hits = hitsOf((await this.asker.ask(page, failures))[i] ?? NO_ANSWER);
      if (failures[i] !== null) return null;
      for (const hit of hits) {
        const sequence = (hit.get('_seq_no') as JsonNumber).value;
        const record = recordIn(hit);
        size += record.source.length;
        records.set(sequence, record);
        after = [sequence];
      }
      if (records.size > most || size > MOST_READ_BYTES) return null;
      if (hits.length < READ_AT_ONCE) return records;
    }
  }

  /** What a shard answered. */
  private collected(job: CollectJob, answer: JsonObject, counts: ShardCounts): ShardResult {
    const { plan, position } = job;
    const max = partOf(answer, 'hits')?.get('max_score');
    const isScored = scores(plan);
    const showsScores = isScored && shows(plan);
    const boosted = (score: unknown): number =>
      score instanceof JsonNumber ? Math.fround(Math.fround(score.value) * plan.indexBoost) : NaN;
    const terminatedEarly = endedEarly(plan, answer);
    const found = hitsOf(answer);
    // compat: behind the last page there is no best score.
    const hasBest = showsScores && (job.after === null || found.length > 0);
    const unscored = plan.scan === true ? 0 : NaN;
    return {
      total: totalHits(answer),
      maxScore: hasBest ? boosted(max) : NaN,
      hits: found.map((hit): ShardHit => {
        const sequence = this.keep(position, hit);
        const score = showsScores ? boosted(hit.get('_score')) : unscored;
        const sent = (hit.get('sort') as readonly (JsonNumber | string | null)[]) ?? [];
        const sort = sortValues(plan, sent).map((value, k) =>
          plan.sort![k]!.kind === 'score' ? score : value,
        );
        return { shard: position, segment: 0, doc: sequence, sequence, score, sort };
      }),
      skipped: job.skip,
      ...counts,
      terminatedEarly,
      timedOut: answer.get('timed_out') === true,
    };
  }

  /**
   * Jobs with lists of documents in place of queries of parents and children.
   *
   * @param change maps all queries of a job
   */
  private async withRelatives<J extends { readonly snapshot: ShardSnapshot }>(
    jobs: readonly J[],
    failures: (EngineError | null)[],
    change: (job: J, by: (query: Query) => Query) => J,
  ): Promise<readonly J[]> {
    let settled = jobs;
    for (;;) {
      const wanted = settled.flatMap((job, j) => {
        const open = new Set<RelativesQuery>();
        if (failures[j] === null) {
          change(job, (query) => {
            for (const each of innermostRelatives(query)) open.add(each);
            return query;
          });
        }
        const { snapshot } = job;
        return [...open].map((query) => ({ j, query, snapshot }));
      });
      if (wanted.length === 0) return settled;
      const replaced = await this.askRelatives(wanted, failures);
      settled = settled.map((job, j) =>
        replaced[j] === undefined ? job : change(job, (query) => withReplaced(query, replaced[j]!)),
      );
    }
  }

  /** @returns by job what stands for each of its queries */
  private async askRelatives(
    wanted: readonly {
      readonly j: number;
      readonly query: RelativesQuery;
      readonly snapshot: ShardSnapshot;
    }[],
    failures: (EngineError | null)[],
  ): Promise<readonly Map<Query, Query>[]> {
    const own = wanted.map((): EngineError | null => null);
    const segments = await this.termsOf(
      wanted.map(({ query, snapshot }) => ({
        snapshot,
        queries: [takesScores(query) ? query.query : unscoredForm(query.query)],
      })),
      own,
    );
    const weights = wanted.map(() => 0);
    const asks = wanted.map(({ query, snapshot }, i) =>
      attempt(own, i, () => {
        const { context, similarities } = this.part(snapshot);
        const inner = prepareQuery(query.query, [segments[i]!], { similarities });
        const deciding = decidingContext(inner.statistics, context);
        let clause: Clause = { bool: { filter: [clauseOf(inner.query, deciding)] } };
        if (takesScores(query)) {
          const whole = scoredWhole(inner.query, inner.statistics, context);
          ({ clause } = whole);
          weights[i] = whole.squared;
        }
        return { snapshot, body: relativesRequest(query, clause) };
      }),
    );
    const answers = await this.asker.ask(asks, own);
    const replaced: Map<Query, Query>[] = [];
    wanted.forEach(({ j, query }, i) => {
      const answer = answers[i] ?? null;
      const found = answer && attempt(own, i, () => foundRelatives(query, answer, weights[i]!));
      if (found === null) failures[j] ??= own[i]!;
      else (replaced[j] ??= new Map<Query, Query>()).set(query, found);
    });
    return replaced;
  }

  /** Segments of the terms that queries of shards ask about. */
  private async termsOf(
    wanted: readonly {
      readonly snapshot: ShardSnapshot;
      readonly queries: readonly Query[];
    }[],
    failures: (EngineError | null)[],
  ): Promise<readonly SegmentReader[]> {
    const figures = wanted.map(({ snapshot, queries }, i) =>
      attempt(failures, i, () => {
        const { context, mapping } = this.part(snapshot);
        return new TermFigures(queries, context, nestedFieldsOf(mapping), textFieldsOf(mapping));
      }),
    );
    const asks = figures.map((each, i) => {
      if (each === null || each.isEmpty) return null;
      return { snapshot: wanted[i]!.snapshot, body: each.request() };
    });
    const answers = await this.asker.ask(asks, failures);
    return figures.map((each, i) => {
      const answer = answers[i] ?? null;
      return each === null || answer === null ? NO_TERMS : each.segment(answer);
    });
  }

  private part(snapshot: ShardSnapshot): ShardPart {
    let part = this.parts.get(snapshot);
    if (part === undefined) {
      const { metadata, mapping } = this.backend.indexOf(snapshot);
      const text = textFieldsOf(mapping);
      const textOf = (field: FieldId): TextField | null => text.get(field) ?? null;
      const context = { ...contextOf(metadata, mapping), textOf };
      part = { snapshot, mapping, context, similarities: mapping.similarities };
      this.parts.set(snapshot, part);
    }
    return part;
  }

  /** Runs a phase: what fails for one job is the failure of that job. */
  private async timed<J, R>(
    jobs: readonly J[],
    begin: (failures: (EngineError | null)[]) => Promise<(job: J, i: number) => R>,
  ): Promise<readonly Outcome<R>[]> {
    const started = performance.now();
    if (this.isCancelled()) throw cancelled();
    const failures = jobs.map((): EngineError | null => null);
    const finish = await begin(failures);
    return jobs.map((job, i): Outcome<R> => {
      const failed = failures[i];
      if (failed !== null && failed !== undefined) return { ok: false, failure: failureOf(failed) };
      try {
        const value = untilGivenUp(this.isCancelled, () => finish(job, i));
        return { ok: true, value, ms: performance.now() - started };
      } catch (error) {
        const failure = describeFailure(error);
        if (failure === null) throw error;
        return { ok: false, failure };
      }
    });
  }
}

/** Documents of a shard whose spans are counted here. */
const MOST_COUNTED_SPANS = 1000;

const NO_ANSWER: JsonObject = new Map();
const NO_TERMS = listedSegment(0, () => null);
const WITH_RECORDS = { _source: true, version: true, seq_no_primary_term: true } as const;

/** Whether a shard looked at no more documents than it was allowed to. */
function endedEarly({ terminateAfter }: IndexPlan, answer: JsonObject): boolean {
  return terminateAfter > 0 && answer.get('terminated_early') === true;
}

/** What documents are scored by for their spans, by sequence number. @param found is closed */
function figuresOfSpans(
  spans: QueryOf<'spans'>,
  { segment, places }: FoundSegment,
): ReadonlyMap<number, SpanFigures> {
  try {
    const figures = spanFigures(spans, segment.reader);
    const ofRoots = new Map<number, SpanFigures>();
    for (const [sequence, doc] of places) {
      const own = figures.get(doc);
      if (own !== undefined) ofRoots.set(sequence, own);
    }
    return ofRoots;
  } finally {
    segment.close();
  }
}

/** The record of a hit that comes with its source. */
function recordIn(hit: JsonObject): LogRecord {
  const source = hit.get('_source') as JsonObject;
  const version = (hit.get('_version') as JsonNumber).value;
  const text = source.get(SOURCE) as string;
  return recordOf(hit.get('_id') as string, version, text, source.get(ENVELOPE) as string);
}

function failureOf(error: EngineError): JobFailure {
  const lost = error instanceof LostPointError ? ({ isLost: true } as const) : {};
  return { status: error.status, reason: error.toWireString(), ...lost };
}

/** What a step gives; null: it failed, and so does its job. */
function attempt<T>(failures: (EngineError | null)[], i: number, step: () => T): T | null {
  if (failures[i] !== null) return null;
  try {
    return step();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    failures[i] = error;
    return null;
  }
}
