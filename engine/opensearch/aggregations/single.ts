// Aggregations with one bucket for each of the parent: OpenSearch has the same.

import type {
  AggregationPlan,
  AggregationPartial,
  AggregationSpec,
  DocCounts,
  FilterSpec,
  MissingSpec,
  NestedSpec,
} from '../../aggregations/index';
import { docCount, partOf } from '../transport/answers';
import { type Aggs, everything } from '../counting/count-context';
import { nestedPath, PRESENT, within } from '../layout/names';
import { clauseOf } from '../queries/clause';
import { EVERYTHING } from '../queries/clause-context';
import type { AggregationContext, AggregationTranslation, Answers, Below } from './contract';
import { fieldOfValues, named } from './values';

/** The documents of each bucket, and what is below. @param context of these documents */
function readSingle(
  plan: AggregationPlan,
  answers: Answers,
  context: AggregationContext,
  below: Below,
): AggregationPartial<DocCounts> {
  const counts = Float64Array.from(answers, docCount);
  return { data: { counts }, size: answers.length, subs: below.read(plan, answers, context) };
}

/** One that leaves the documents what they are. @param keep gives the aggregation; null: there is nothing */
function keeping<S extends AggregationSpec>(
  keep: (spec: S, context: AggregationContext) => Aggs | null,
): AggregationTranslation<S> {
  return {
    request: (plan, context, below) => {
      const agg = keep(plan.spec, context);
      return agg === null ? null : { ...agg, ...below.request(plan, context) };
    },
    read: readSingle,
  };
}

export const FILTER_AGGREGATION = keeping<FilterSpec>(({ query }, context) => ({
  filter: clauseOf(query, context),
}));

export const MISSING_AGGREGATION = keeping<MissingSpec>(({ values }, context) => {
  const { constant, field, fieldKind } = values;
  if (constant !== null) return null;
  if (field === null) return { filter: EVERYTHING };
  // compat: a text of which analysis leaves nothing is no value, though the field is there.
  if (fieldKind === 'string')
    return { missing: { field: fieldOfValues(values, context, named('missing'))! } };
  const present = { term: { [within(context.path, PRESENT)]: String(field) } };
  return { filter: { bool: { must_not: [present] } } };
});

const SEEN = 'seen';

export const GLOBAL_AGGREGATION: AggregationTranslation = {
  request: (plan, context, below) => {
    const filter = everything([context.scope], context);
    return { global: {}, aggs: { [SEEN]: { filter, ...below.request(plan, context) } } };
  },
  read: (plan, answers, context, below) => {
    const seen = answers.map((answer) => partOf(answer, SEEN));
    return readSingle(plan, seen, context, below);
  },
};

/** Where documents are after an aggregation that leads to others. */
function led({ spec }: AggregationPlan<NestedSpec>, context: AggregationContext) {
  const path = spec.path === null ? null : nestedPath(context.mapping, spec.path);
  return { ...context, path };
}

export const NESTED_AGGREGATION: AggregationTranslation<NestedSpec> = {
  request: (plan, context, below) => {
    if (plan.spec.path === null) return null;
    const inside = led(plan, context);
    return { nested: { path: inside.path }, ...below.request(plan, inside) };
  },
  read: (plan, answers, context, below) => readSingle(plan, answers, led(plan, context), below),
};

export const REVERSE_NESTED_AGGREGATION: AggregationTranslation<NestedSpec> = {
  request: (plan, context, below) => {
    if (plan.spec.isNowhere) return null;
    const around = led(plan, context);
    const path = around.path === null ? {} : { path: around.path };
    return { reverse_nested: path, ...below.request(plan, around) };
  },
  read: (plan, answers, context, below) => readSingle(plan, answers, led(plan, context), below),
};
