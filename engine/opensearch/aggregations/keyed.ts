// Aggregations with a bucket for each key: terms, and histograms of numbers and of dates.

import {
  type AggregationPartial,
  type AggregationPlan,
  choiceTest,
  type DateHistogramSpec,
  type HistogramEnds,
  type KeyedBuckets,
  keyTypeOf,
  type NumberHistogramSpec,
  type TermsData,
  type TermsSpec,
} from '../../aggregations/index';
import { KeyIds, type KeyList, type Term, textKeys } from '../../counting/index';
import type { JsonObject } from '../../json/index';
import { bucketsOf, docCount, doubleOf, MOST_BUCKETS } from '../transport/answers';
import { type NamedTerms, namedIn, termOf } from '../counting/top-terms';
import { requireWhole, termsOptions } from '../counting/count-context';
import { ROUND_DATE, roundingParameters } from '../counting/date-rounding';
import { scripted } from '../facets/origin';
import { EVERYTHING } from '../queries/clause-context';
import type { AggregationContext, AggregationTranslation, Answers, Below } from './contract';
import { fieldOfValues, named } from './values';

/** A bucket as OpenSearch has it. */
export interface RawBucket {
  readonly owner: number;
  readonly key: Term;
  readonly answer: JsonObject;
}

/** Buckets as facetd keeps them. @param type of the keys */
export function keyedBuckets(
  raw: readonly RawBucket[],
  type: KeyList['type'],
): KeyedBuckets<KeyList> {
  const ids = new KeyIds(type);
  const keyOf = ids.idsOf(listOf(raw, type));
  return {
    keys: ids.list(),
    keyOf,
    owners: Uint32Array.from(raw, ({ owner }) => owner),
    counts: Float64Array.from(raw, ({ answer }) => docCount(answer)),
  };
}

function listOf(raw: readonly RawBucket[], type: KeyList['type']): KeyList {
  switch (type) {
    case 'string':
      return textKeys(raw.map(({ key }) => key as string));
    case 'long':
      return { type, values: BigInt64Array.from(raw, ({ key }) => key as bigint) };
    case 'double':
      return { type, values: Float64Array.from(raw, ({ key }) => key as number) };
  }
}

const BREADTH_FIRST = { collect_mode: 'breadth_first' } as const;

export const TERMS_AGGREGATION: AggregationTranslation<TermsSpec> = {
  request: (plan, context, below) => {
    const { values, minDocCount } = plan.spec;
    // A text that every document has.
    if (values.constant !== null) {
      if (values.script !== null) throw scripted(named(plan.type));
      return { filter: EVERYTHING, ...below.request(plan, context) };
    }
    const field = fieldOfValues(values, context, named(plan.type));
    if (field === null) return null;
    const empty = minDocCount === 0 ? { min_doc_count: 0 } : {};
    const asked = termsOptions(context, { _key: 'asc' });
    // What is below is counted once it is known which buckets are left.
    const mode = plan.subs.length > 0 && context.choice?.kind === 'first' ? BREADTH_FIRST : {};
    const terms = { field, ...asked, ...empty, ...mode };
    return { terms, ...below.request(plan, context) };
  },
  read: (plan, answers, context, below): AggregationPartial<TermsData> => {
    const { spec } = plan;
    const type = keyTypeOf(spec.values);
    const { constant } = spec.values;
    const test = choiceTest(spec, spec.values);
    const raw: RawBucket[] = [];
    answers.forEach((answer, owner) => {
      if (constant !== null) {
        if (answer !== null && docCount(answer) > 0) raw.push({ owner, key: constant, answer });
        return;
      }
      requireWhole(answer, named(plan.type), context);
      for (const bucket of bucketsOf(answer))
        raw.push({ owner, key: termOf(bucket, type), answer: bucket });
    });
    const kept = test === null ? raw : raw.filter(({ key }) => test(key));
    const owners = answers.length;
    const data: TermsData = {
      ...keyedBuckets(kept, type),
      others: new Float64Array(owners),
      isCut: new Uint8Array(owners),
      shardSize: Infinity,
      unused: null,
    };
    return { data, size: kept.length, subs: belowBuckets(plan, kept, context, below) };
  },
};

/**
 * How many terms decide what is shown, where the most frequent ones are enough; null: all terms are needed,
 * or there are none.
 */
export function wantedBuckets({ spec, type }: AggregationPlan): number | null {
  if (type !== 'terms') return null;
  const { values, orders, minDocCount, size, include, exclude } = spec as TermsSpec;
  const [order] = orders;
  const isByCount = order?.by === 'count' && !order.ascending;
  if (!isByCount || minDocCount !== 1 || !Number.isFinite(size) || size === 0) return null;
  // Documents of terms that are not shown are told from all that there are.
  if (include !== null || exclude !== null) return null;
  return values.field === null || values.script !== null ? null : size;
}

/** The terms that an answer names. */
export function bucketsNamed({ spec }: AggregationPlan, answer: JsonObject | null): NamedTerms {
  return namedIn(answer, keyTypeOf((spec as TermsSpec).values));
}

/** What is below the buckets. */
function belowBuckets(
  plan: AggregationPlan,
  raw: readonly RawBucket[],
  context: AggregationContext,
  below: Below,
): AggregationPartial[] {
  return below.read(
    plan,
    raw.map(({ answer }) => answer),
    context,
  );
}

function readHistogram(
  plan: AggregationPlan,
  answers: Answers,
  context: AggregationContext,
  below: Below,
  keyOf: (key: number) => number,
): AggregationPartial<KeyedBuckets & HistogramEnds> {
  const raw = answers.flatMap((answer, owner) => {
    requireWhole(answer, named(plan.type));
    return bucketsOf(answer).map((bucket): RawBucket => {
      const key = keyOf(doubleOf(bucket.get('key') ?? null));
      return { owner, key: key + 0, answer: bucket };
    });
  });
  const data = { ...keyedBuckets(raw, 'double'), ownerCount: answers.length };
  return { data, size: raw.length, subs: belowBuckets(plan, raw, context, below) };
}

/** Fractions are cut off first, which OpenSearch's own histogram does not do. */
const BY_WIDTH = 'return Math.floor(((double) (long) _value + params.offset) / params.interval);';
const BY_DATE = `${ROUND_DATE}
return roundDate(_value, (Map) params.rounding);
`;

/** Whether values are integers, so that OpenSearch's own histogram rounds as facetd does. */
function hasIntegers({ values: { fieldKind } }: NumberHistogramSpec): boolean {
  return fieldKind === 'int' || fieldKind === 'long';
}

export const HISTOGRAM_AGGREGATION: AggregationTranslation<NumberHistogramSpec> = {
  request: (plan, context, below) => {
    const { values, interval, preOffset } = plan.spec;
    const field = fieldOfValues(values, context, named(plan.type));
    if (field === null) return null;
    const subs = below.request(plan, context);
    if (hasIntegers(plan.spec)) {
      const offset = -preOffset;
      return { histogram: { field, interval, offset, min_doc_count: 1 }, ...subs };
    }
    const script = { source: BY_WIDTH, params: { interval, offset: preOffset } };
    return { terms: { field, script, size: MOST_BUCKETS }, ...subs };
  },
  read: (plan, answers, context, below) => {
    const { interval, preOffset, postOffset } = plan.spec;
    const keyOf = hasIntegers(plan.spec)
      ? (key: number) => key + preOffset + postOffset
      : (key: number) => key * interval + postOffset;
    return readHistogram(plan, answers, context, below, keyOf);
  },
};

export const DATE_HISTOGRAM_AGGREGATION: AggregationTranslation<DateHistogramSpec> = {
  request: (plan, context, below) => {
    const { values, rounding } = plan.spec;
    const field = fieldOfValues(values, context, named(plan.type));
    if (field === null) return null;
    const script = { source: BY_DATE, params: { rounding: roundingParameters(rounding) } };
    return { terms: { field, script, size: MOST_BUCKETS }, ...below.request(plan, context) };
  },
  read: (plan, answers, context, below) =>
    readHistogram(plan, answers, context, below, (key) => key),
};
