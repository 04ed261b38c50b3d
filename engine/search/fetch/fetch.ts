// From hits to the JSON text of `hits.hits`: the record behind each hit is read from the document log, and
// what is shown below it is found and rendered the same way.

import type { LogReader, LogRecord } from '../../../storage/index';
import { EngineError } from '../../errors';
import { Float, writeJson } from '../../json/index';
import { DocumentHighlighter } from '../../highlight/index';
import { matchedNames } from '../../query/index';
import type { SegmentReader } from '../../segment/index';
import type { FetchJob } from '../plan/executor';
import type { InnerHitsPlan, ShardHit } from '../plan/search-plan';
import { explainHits } from './explain';
import { HitRenderer } from './hit-renderer';
import { type InnerHitsFinder, innerHitsFinder } from './inner-hits';

/** Hits rendered between two steps. */
const HITS_PER_STEP = 16;

/** What rendering reads and counts in. */
interface FetchContext {
  /** All segments of the shard; called only when they are needed. */
  readonly open: () => readonly SegmentReader[];
  readonly log: LogReader;
  /** Takes the bytes of each hit. */
  readonly hold: (bytes: number) => void;
}

/**
 * Renders the hits of a fetch job, in their order. `open` is called only when segments are needed, `hold`
 * with the bytes of each hit.
 */
export function* renderHits(
  job: FetchJob,
  open: () => readonly SegmentReader[],
  log: LogReader,
  hold: (bytes: number) => void,
): Generator<void, readonly Uint8Array[], void> {
  const shown = new ShownHits(job, { open, log, hold });
  const rendered: Uint8Array[] = [];
  for (const hit of job.hits) {
    rendered.push(yield* shown.render(hit));
    if (shown.isSlow || rendered.length % HITS_PER_STEP === 0) yield;
  }
  return rendered;
}

/** Renders hits of one shard that are shown alike. */
class ShownHits {
  /** Each hit is a step of its own. */
  readonly isSlow: boolean;
  private readonly renderer: HitRenderer;
  private readonly below: readonly HitsBelow[];

  constructor(
    private readonly job: FetchJob,
    private readonly context: FetchContext,
  ) {
    const { fetch, named, explained } = job;
    const innerHits = fetch.innerHits ?? [];
    const needsSegments =
      fetch.fielddataFields.length + fetch.scriptFields.length + innerHits.length > 0 ||
      named.length > 0 ||
      explained !== null;
    const segments = needsSegments ? context.open() : [];
    this.renderer = new HitRenderer(
      job,
      segments,
      named.map((query) => matchedNames(query, segments)).filter((names) => !names.isEmpty),
      fetch.highlight === null ? null : new DocumentHighlighter(fetch.highlight, context.open),
      explainHits(job, segments),
    );
    this.below = innerHits.map((inner) => new HitsBelow(inner, job, segments, context));
    this.isSlow = fetch.highlight !== null || explained !== null;
  }

  /** A step per segment and hit below it. @throws EngineError CorruptIndexException */
  *render(hit: ShardHit): Generator<void, Uint8Array, void> {
    const { snapshot } = this.job;
    const record = this.context.log.readRecord(snapshot.shardId, hit.sequence);
    if (record === undefined) {
      throw new EngineError(
        'CorruptIndexException',
        `[${snapshot.index}][${snapshot.shardNumber}] record ${hit.sequence} of the document log is missing`,
      );
    }
    const members: string[] = [];
    for (const each of this.below) members.push(yield* each.render(hit, record));
    const below = members.length === 0 ? '' : `,"inner_hits":{${members.join()}}`;
    const bytes = this.renderer.render(hit, record, below);
    this.context.hold(bytes.length);
    return bytes;
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
    this.finder = innerHitsFinder(inner, job.snapshot, segments);
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

  /** A member of `inner_hits`. A step per segment and hit. */
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
