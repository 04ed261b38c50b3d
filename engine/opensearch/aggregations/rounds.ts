// What a search counts on all its shards, in up to three rounds (engine/opensearch/counting/top-terms.ts).
// Where only the most frequent terms are wanted, shards name theirs in the first one; most fields have no
// more, and then that is all.

import { UnsupportedError } from '../layout/unsupported';
import type { AggregationPartial, TermsData } from '../../aggregations/index';
import type { Term } from '../../counting/index';
import type { FacetPartial, TermsPartial, TermsSpec } from '../../facets/index';
import { EngineError } from '../../errors';
import { type JsonObject, writeJson } from '../../json/index';
import { inSlices } from '../../common/index';
import { foundSegment } from '../layout/found-segment';
import type { IndexMapping } from '../../mapping/index';
import type { MemorySegment, SegmentReader } from '../../segment/index';
import type { LogRecord } from '../../../storage/index';
import { doubleAt, partOf } from '../transport/answers';
import type { Aggs, Choose, CountContext, TermsAsked } from '../counting/count-context';
import { candidates, isProven, type NamedTerms, namedTerms } from '../counting/top-terms';
import { answerOf, readFacet } from '../facets/facet-counts';
import {
  aggregationHere,
  type CountedDocuments,
  documentsOfAggregation,
  documentsOfFacet,
  facetHere,
  MOST_DOCS,
  tooManyHere,
} from './counted-here';
import { acceptedTerms, termsNamed, wantedTerms } from '../facets/terms';
import { readAggregation } from './aggregation-counts';
import { countRequest, type Counting, type ShardCounts } from './counts';
import { bucketsNamed, wantedBuckets } from './keyed';

/** A shard with what it counts. */
export interface CountingShard {
  readonly plan: Counting;
  readonly context: CountContext;
  readonly documents: IndexMapping;
}

/**
 * Reads documents of a shard for what cannot be counted there: those of a clause, or null: that the search
 * finds. By sequence number and in its order. Null: there are more than so many, or the shard failed.
 */
export type ReadDocuments = (
  shard: number,
  which: CountedDocuments,
  most: number,
) => Promise<ReadonlyMap<number, LogRecord> | null>;

/** Asks shards for more, within the same query and least score; null in both directions: nothing. */
export type AskAgain = (aggs: readonly (Aggs | null)[]) => Promise<readonly (JsonObject | null)[]>;

/**
 * What to ask a shard first.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException for what cannot be had
 */
export function firstRequest(shard: CountingShard): Aggs {
  return countRequest(shard.plan, shard.context, firstChoice(shard));
}

/**
 * What shards counted, exact when it is added up: by the position of a shard, what it counted; that throws
 * EngineError where OpenSearch has more than can be read.
 *
 * @param answers of all shards to their {@link firstRequest}
 */
export async function countShards(
  shards: readonly CountingShard[],
  answers: readonly (JsonObject | null)[],
  askAgain: AskAgain,
  readDocuments: ReadDocuments,
): Promise<(shard: number) => ShardCounts> {
  const [first] = shards;
  if (first === undefined) return () => NOTHING_COUNTED;
  const { facets, aggregations } = first.plan;
  const units: readonly Unit[] = [
    ...facets.map((_, f) => new FacetUnit(f)),
    ...aggregations.map((_, a) => new AggregationUnit(a)),
  ];
  const runs = units.map((unit) => new UnitRun(unit, shards, answers));
  for (let round = 0; round < MORE_ROUNDS; round++) {
    const aggs = shards.map(({ plan, context }, i) => {
      const choose: Choose = (name) => runs.find(({ unit }) => unit.name === name)!.next[i]!;
      const more = countRequest(plan, context, choose);
      return Object.keys(more).length === 0 ? null : more;
    });
    if (aggs.every((each) => each === null)) break;
    const more = await askAgain(aggs);
    for (const run of runs) run.take(more);
  }
  for (let i = 0; i < shards.length; i++) await countHere(i, shards[i]!, runs, readDocuments);
  return (i) => ({
    facets: runs.slice(0, facets.length).map((run) => [run.partial(i)]),
    aggregations: runs.slice(facets.length).map((run) => [run.partial(i) as AggregationPartial]),
  });
}

const NOTHING_COUNTED: ShardCounts = { facets: [], aggregations: [] };

/** Counts what OpenSearch could not count on a shard. */
async function countHere(
  i: number,
  shard: CountingShard,
  runs: readonly UnitRun[],
  readDocuments: ReadDocuments,
): Promise<void> {
  const opened = new Map<string, MemorySegment | null>();
  try {
    for (const run of runs) {
      const problem = run.problem(i);
      const which = problem === null ? undefined : run.unit.documents(shard);
      if (problem === null || which === undefined) continue;
      const key = writeJson(which);
      let segment = opened.get(key);
      if (segment === undefined) {
        const records = await readDocuments(i, which, MOST_DOCS);
        segment =
          records === null
            ? null
            : (await inSlices(foundSegment(records, shard.documents))).segment;
        opened.set(key, segment);
      }
      run.countHere(i, segment === null ? tooManyHere(problem) : segment.reader);
    }
  } finally {
    for (const segment of opened.values()) segment?.close();
  }
}

/** The candidates, and where these are not enough all terms. */
const MORE_ROUNDS = 2;

function firstChoice(shard: CountingShard): Choose {
  return (name) => {
    const number = Number(name.slice(1));
    const unit = name.startsWith('f') ? new FacetUnit(number) : new AggregationUnit(number);
    return firstOf(unit, shard);
  };
}

/** Null: OpenSearch cannot count it, but it can be counted here. @throws EngineError where it cannot */
function firstOf(unit: Unit, shard: CountingShard): TermsAsked | undefined | null {
  try {
    firstProblem(unit, shard);
  } catch (error) {
    if (!(error instanceof UnsupportedError) || unit.documents(shard) === undefined) throw error;
    return null;
  }
  const wanted = unit.wanted(shard);
  const count = wanted === null ? null : namedTerms(wanted);
  return count === null ? undefined : { kind: 'first', count };
}

/** A facet, or an aggregation at the top. */
interface Unit {
  readonly name: string;
  /** Where it can be counted here: the documents; else undefined. */
  documents(shard: CountingShard): CountedDocuments | undefined;
  /** Counts it here. */
  countHere(shard: CountingShard, segment: SegmentReader): FacetPartial | AggregationPartial;
  /** How many terms decide what is shown; null: all are asked for at once. */
  wanted(shard: CountingShard): number | null;
  accepts(shard: CountingShard): (term: Term) => boolean;
  named(shard: CountingShard, answer: JsonObject | null): NamedTerms;
  read(
    shard: CountingShard,
    answer: JsonObject | null,
    choice: TermsAsked | undefined,
  ): FacetPartial | AggregationPartial;
  /** What the first answer knows of all terms, with the buckets of a later one. */
  joined(
    shard: CountingShard,
    first: JsonObject | null,
    later: JsonObject | null,
    choice: TermsAsked | undefined,
  ): FacetPartial | AggregationPartial;
}

class FacetUnit implements Unit {
  readonly name: string;

  constructor(private readonly f: number) {
    this.name = `f${f}`;
  }

  documents({ plan, context }: CountingShard) {
    return documentsOfFacet(plan.facets[this.f]!, plan, context);
  }

  countHere({ plan }: CountingShard, segment: SegmentReader): FacetPartial {
    return facetHere(plan, this.f, segment);
  }

  wanted({ plan, context }: CountingShard): number | null {
    const { type, spec } = plan.facets[this.f]!;
    return type === 'terms' ? wantedTerms(spec as TermsSpec, context) : null;
  }

  accepts({ plan }: CountingShard) {
    return acceptedTerms(plan.facets[this.f]!.spec as TermsSpec);
  }

  named({ plan, context }: CountingShard, answer: JsonObject | null): NamedTerms {
    const counted = answerOf(plan, this.f, answer, context);
    return termsNamed(plan.facets[this.f]!.spec as TermsSpec, counted);
  }

  read({ plan, context }: CountingShard, answer: JsonObject | null, choice?: TermsAsked) {
    return readFacet(plan, this.f, answer, context, choice);
  }

  joined(
    shard: CountingShard,
    first: JsonObject | null,
    later: JsonObject | null,
    choice?: TermsAsked,
  ): TermsPartial {
    const { missing, total } = this.read(shard, first, NAMED) as TermsPartial;
    const { candidates: shown } = this.read(shard, later, choice) as TermsPartial;
    return { missing, total, candidates: shown };
  }
}

/** Some of the terms were asked for; how many does not matter to those who read. */
const NAMED: TermsAsked = { kind: 'first', count: 0 };

class AggregationUnit implements Unit {
  readonly name: string;

  constructor(private readonly a: number) {
    this.name = `a${a}`;
  }

  documents({ plan, context }: CountingShard) {
    return documentsOfAggregation(plan.aggregations[this.a]!, plan, context);
  }

  countHere({ plan }: CountingShard, segment: SegmentReader): AggregationPartial {
    return aggregationHere(plan, this.a, segment);
  }

  wanted({ plan }: CountingShard): number | null {
    return wantedBuckets(plan.aggregations[this.a]!);
  }

  accepts() {
    return () => true;
  }

  named({ plan }: CountingShard, answer: JsonObject | null): NamedTerms {
    return bucketsNamed(plan.aggregations[this.a]!, partOf(answer, this.name));
  }

  read({ plan, context }: CountingShard, answer: JsonObject | null, choice?: TermsAsked) {
    return readAggregation(plan, this.a, answer, context, choice);
  }

  joined(
    shard: CountingShard,
    first: JsonObject | null,
    later: JsonObject | null,
    choice?: TermsAsked,
  ): AggregationPartial {
    const partial = this.read(shard, later, choice);
    if (choice === undefined) return partial;
    const named = this.named(shard, first);
    const data = partial.data as TermsData;
    let others = doubleAt(partOf(first, this.name), 'sum_other_doc_count', 0);
    for (const [, count] of named.terms) others += count;
    for (const count of data.counts) others -= count;
    return { ...partial, data: { ...data, others: Float64Array.of(others) } };
  }
}

/** A unit on all shards, through the rounds. */
class UnitRun {
  /** By shard: what it is asked for next; null: nothing. */
  next: (TermsAsked | undefined | null)[];
  private readonly choices: readonly (TermsAsked | undefined | null)[];
  /** By shard: what it counted, or what was counted here instead, or why it could not be. */
  private readonly known = new Map<number, FacetPartial | AggregationPartial | EngineError>();
  private readonly named: readonly NamedTerms[];
  /** By shard: what came later, and what had been asked for; null: nothing. */
  private later: { answer: JsonObject | null; choice: TermsAsked | undefined }[] | null = null;
  private readonly wanted: number = 0;
  private readonly accepts: (term: Term) => boolean = () => true;

  constructor(
    readonly unit: Unit,
    private readonly shards: readonly CountingShard[],
    private readonly answers: readonly (JsonObject | null)[],
  ) {
    this.choices = shards.map((shard) => firstOf(unit, shard));
    const names = this.choices.some((choice) => choice != null);
    this.named = shards.map((shard, i) => {
      const choice = this.choices[i];
      if (!names || choice === null) return NOTHING_NAMED;
      const named = unit.named(shard, answers[i]!);
      // Where all terms were asked for, there are no more.
      return choice === undefined ? { ...named, hasMore: false } : named;
    });
    this.next = shards.map(() => null);
    if (!this.named.some(({ hasMore }) => hasMore)) return;
    const lead = shards[this.choices.findIndex((choice) => choice != null)]!;
    this.wanted = unit.wanted(lead)!;
    this.accepts = unit.accepts(lead);
    // What is counted here is not known yet.
    const isKnown = !this.choices.includes(null);
    const terms = isKnown ? candidates(this.named, this.wanted, this.accepts) : null;
    this.ask(terms === null ? undefined : { kind: 'these', terms });
  }

  /** Takes the answers to what was asked for. */
  take(answers: readonly (JsonObject | null)[]): void {
    const asked = this.next;
    if (asked.every((choice) => choice === null)) return;
    this.next = this.shards.map(() => null);
    this.later = answers.map((answer, i) => ({ answer, choice: asked[i] ?? undefined }));
    if (asked.every((choice) => choice?.kind !== 'these')) return;
    const counted = this.named.map((named, i) =>
      named.hasMore ? this.unit.named(this.shards[i]!, answers[i]!) : named,
    );
    if (!isProven(this.named, counted, this.wanted, this.accepts)) this.ask(undefined);
  }

  /** Why OpenSearch has not counted it on a shard; null: it has, or fails. */
  problem(i: number): EngineError | null {
    try {
      if (this.choices[i] === null) firstProblem(this.unit, this.shards[i]!);
      else this.partial(i);
    } catch (error) {
      if (error instanceof UnsupportedError) return error;
    }
    return null;
  }

  /** Counts it here. @param segment an error: there is none, because of it */
  countHere(i: number, segment: SegmentReader | EngineError): void {
    try {
      if (segment instanceof EngineError) throw segment;
      this.known.set(i, this.unit.countHere(this.shards[i]!, segment));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.known.set(i, error);
    }
  }

  partial(i: number): FacetPartial | AggregationPartial {
    const known = this.known.get(i);
    if (known instanceof EngineError) throw known;
    if (known !== undefined) return known;
    const partial = this.read(i);
    this.known.set(i, partial);
    return partial;
  }

  private read(i: number): FacetPartial | AggregationPartial {
    const shard = this.shards[i]!;
    const first = this.answers[i]!;
    const later = this.later?.[i];
    return later === undefined || !this.named[i]!.hasMore
      ? this.unit.read(shard, first, this.choices[i] ?? undefined)
      : this.unit.joined(shard, first, later.answer, later.choice);
  }

  private ask(choice: TermsAsked | undefined): void {
    this.next = this.named.map(({ hasMore }) => (hasMore ? choice : null));
  }
}

/** @throws EngineError that says why a unit cannot be asked for */
function firstProblem(unit: Unit, { plan, context }: CountingShard): void {
  countRequest(plan, context, (name) => (name === unit.name ? undefined : null));
}

const NOTHING_NAMED: NamedTerms = { terms: [], hasMore: false };
