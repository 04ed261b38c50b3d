// From hits to the JSON text of `hits.hits`: the record behind each hit is read from the document log, and
// what is shown below it is found and rendered the same way.
//
// When the time of the search is up, the hits that are left are still shown, so that a scroll loses none and
// what was found is not thrown away: with source and stored fields, without what has to be worked out.

import type { LogReader, LogRecord } from '../../../storage/index';
import { EngineError } from '../../errors';
import { Float, writeJson } from '../../json/index';
import { DocumentHighlighter } from '../../highlight/index';
import { matchedNames } from '../../query/index';
import type { SegmentReader } from '../../segment/index';
import type { FetchedHits, FetchJob } from '../plan/executor';
import type { InnerHitsPlan, ShardHit } from '../plan/search-plan';
import { explainHits } from './explain';
import { FetchTime } from './fetch-time';
import { type HitDetails, HitRenderer } from './hit-renderer';
import { type InnerHitsFinder, innerHitsFinder } from './inner-hits';

/** Hits rendered between two steps. */
const HITS_PER_STEP = 16;

/** What rendering reads, counts in and goes by. */
interface FetchContext {
  /** All segments of the shard; called only when they are needed. */
  readonly open: () => readonly SegmentReader[];
  readonly log: LogReader;
  /** Takes the bytes of each hit. */
  readonly hold: (bytes: number) => void;
  /** Takes the bytes of each source before it is looked through for what to mark. */
  readonly mark: (bytes: number) => void;
  readonly time: FetchTime;
}

/** Renders the hits of a fetch job, in their order. @param clock epoch milliseconds */
export function* renderHits(
  job: FetchJob,
  reads: Omit<FetchContext, 'time'>,
  clock: () => number,
): Generator<void, FetchedHits, void> {
  const time = new FetchTime(job.deadline, clock);
  const { open, log, hold, mark } = reads;
  const shown = new ShownHits(job, { open, log, hold, mark, time });
  const texts: Uint8Array[] = [];
  for (const hit of job.hits) {
    texts.push(shown.hasDetails ? yield* shown.render(hit) : shown.renderPlain(hit));
    if (shown.isSlow || texts.length % HITS_PER_STEP === 0) yield;
  }
  return { texts, timedOut: time.wasShort };
}

/** Renders hits of one shard that are shown alike. */
class ShownHits {
  /** Each hit is a step of its own. */
  readonly isSlow: boolean;
  /** Hits show what has to be worked out. */
  readonly hasDetails: boolean;
  private readonly needsSegments: boolean;
  private readonly renderer: HitRenderer;
  /** Opened for the first hit that there is time for. */
  private opened: { readonly details: HitDetails; readonly below: readonly HitsBelow[] } | null =
    null;

  constructor(
    private readonly job: FetchJob,
    private readonly context: FetchContext,
  ) {
    const { fetch, named, explained } = job;
    const { fielddataFields, scriptFields, innerHits } = fetch;
    this.needsSegments =
      fielddataFields.length + scriptFields.length + (innerHits?.length ?? 0) > 0 ||
      named.length > 0 ||
      explained !== null;
    this.isSlow = fetch.highlight !== null || explained !== null;
    this.hasDetails = this.needsSegments || this.isSlow;
    this.renderer = new HitRenderer(job);
  }

  /** A step per segment and hit below it. @throws EngineError CorruptIndexException */
  *render(hit: ShardHit): Generator<void, Uint8Array, void> {
    if (!this.hasDetails) return this.renderPlain(hit);
    const bytes = yield* this.renderInTime(hit, this.recordOf(hit));
    this.context.hold(bytes.length);
    return bytes;
  }

  /** A hit without details. @throws EngineError CorruptIndexException */
  renderPlain(hit: ShardHit): Uint8Array {
    const bytes = this.renderer.render(hit, this.recordOf(hit), '', null);
    this.context.hold(bytes.length);
    return bytes;
  }

  /** @throws EngineError CorruptIndexException */
  private recordOf(hit: ShardHit): LogRecord {
    const { snapshot } = this.job;
    const record = this.context.log.readRecord(snapshot.shardId, hit.sequence);
    if (record !== undefined) return record;
    throw new EngineError(
      'CorruptIndexException',
      `[${snapshot.index}][${snapshot.shardNumber}] record ${hit.sequence} of the document log is missing`,
    );
  }

  /** With as much as there is time for. */
  private *renderInTime(hit: ShardHit, record: LogRecord): Generator<void, Uint8Array, void> {
    const { time, mark } = this.context;
    if (this.job.fetch.highlight !== null) mark(record.source.length);
    const opened = time.within(() => (this.opened ??= this.open()));
    if (opened === undefined) return this.renderer.render(hit, record, '', null);
    const members: string[] = [];
    for (const each of opened.below) {
      if (time.isOver()) break;
      members.push(yield* each.render(hit, record));
    }
    const below = members.length === 0 ? '' : `,"inner_hits":{${members.join()}}`;
    const bytes = time.within(() => this.renderer.render(hit, record, below, opened.details));
    return bytes ?? this.renderer.render(hit, record, below, null);
  }

  private open(): { readonly details: HitDetails; readonly below: readonly HitsBelow[] } {
    const { job, context } = this;
    const { fetch, named } = job;
    const segments = this.needsSegments ? context.open() : [];
    const details = {
      segments,
      named: named.map((query) => matchedNames(query, segments)).filter((names) => !names.isEmpty),
      highlighter:
        fetch.highlight === null ? null : new DocumentHighlighter(fetch.highlight, context.open),
      explainer: explainHits(job, segments),
    };
    const innerHits = fetch.innerHits ?? [];
    return { details, below: innerHits.map((it) => new HitsBelow(it, job, segments, context)) };
  }
}

/** What one of the inner hits of a search shows below hits. */
class HitsBelow {
  private readonly finder: InnerHitsFinder;
  private readonly shown: ShownHits;
  private readonly name: string;

  /** @param job renders the hits above */
  constructor(
    inner: InnerHitsPlan,
    job: FetchJob,
    segments: readonly SegmentReader[],
    context: FetchContext,
  ) {
    const { plan, fetch, query } = inner;
    const explained = {
      query,
      prepared: null,
      similarities: plan.similarities,
      indexBoost: 1,
      isScoped: false,
      rescores: [],
      rescoreStatistics: null,
    };
    this.name = writeJson(inner.name);
    this.finder = innerHitsFinder(inner, job.snapshot, segments, context.time);
    const { sort } = plan;
    const ownJob: FetchJob = {
      ...job,
      hits: [],
      fetch,
      sort,
      named: [],
      explained: fetch.explain === null ? null : explained,
    };
    this.shown = new ShownHits(ownJob, { ...context, open: () => segments });
  }

  /** A member of `inner_hits`, with what was found in time. A step per segment and hit. */
  *render(hit: ShardHit, record: LogRecord): Generator<void, string, void> {
    const { total, maxScore, hits } = yield* this.finder(hit, record);
    const texts: string[] = [];
    for (const each of hits) {
      const bytes = yield* this.shown.render(each);
      texts.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
      yield;
    }
    const max = Number.isNaN(maxScore) ? 'null' : writeJson(new Float(maxScore));
    const head = `${this.name}:{"hits":{"total":${total},"max_score":${max}`;
    return `${head},"hits":[${texts.join()}]}}`;
  }
}
