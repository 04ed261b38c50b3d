// Aggregations with the same list of buckets for each bucket of the parent: filters and ranges of numbers.

import type {
  AggregationPartial,
  AggregationPlan,
  DocCounts,
  FiltersSpec,
  NumberRangesSpec,
} from '../../aggregations/index';
import type { JsonObject } from '../../json/index';
import { bucketsOf, docCount, partOf } from '../transport/answers';
import { clauseOf } from '../queries/clause';
import type { AggregationContext, AggregationTranslation, Answers, Below } from './contract';
import { fieldOfValues, named } from './values';

/** Reads buckets. @param bucketAt gives bucket b of an answer */
function readFixed(
  plan: AggregationPlan,
  answers: Answers,
  width: number,
  bucketAt: (answer: JsonObject | null, b: number) => JsonObject | null,
  context: AggregationContext,
  below: Below,
): AggregationPartial<DocCounts> {
  const buckets = answers.flatMap((answer) =>
    Array.from({ length: width }, (_, b) => bucketAt(answer, b)),
  );
  const counts = Float64Array.from(buckets, docCount);
  return { data: { counts }, size: buckets.length, subs: below.read(plan, buckets, context) };
}

export const FILTERS_AGGREGATION: AggregationTranslation<FiltersSpec> = {
  request: (plan, context, below) => {
    const { queries } = plan.spec;
    if (queries.length === 0) return null;
    const filters = queries.map((query) => clauseOf(query, context));
    return { filters: { filters }, ...below.request(plan, context) };
  },
  read: (plan, answers, context, below) => {
    const width = plan.spec.queries.length;
    const bucketAt = (answer: JsonObject | null, b: number) => bucketsOf(answer)[b] ?? null;
    return readFixed(plan, answers, width, bucketAt, context, below);
  },
};

/** OpenSearch puts ranges into an order of its own: they are told apart by their names. */
export const RANGES_AGGREGATION: AggregationTranslation<NumberRangesSpec> = {
  request: (plan, context, below) => {
    const { values, ranges } = plan.spec;
    const field = fieldOfValues(values, context, named(plan.type));
    if (field === null) return null;
    const asked = ranges.map(({ from, to }, r) => ({
      key: String(r),
      ...(Number.isFinite(from) ? { from } : {}),
      ...(Number.isFinite(to) ? { to } : {}),
    }));
    return { range: { field, keyed: true, ranges: asked }, ...below.request(plan, context) };
  },
  read: (plan, answers, context, below) => {
    const bucketAt = (answer: JsonObject | null, b: number) =>
      partOf(partOf(answer, 'buckets'), String(b));
    return readFixed(plan, answers, plan.spec.ranges.length, bucketAt, context, below);
  },
};
