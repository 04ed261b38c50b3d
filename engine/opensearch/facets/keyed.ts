// histogram and date_histogram: every key of a document counts, several in one bucket several times, which no
// aggregation of OpenSearch does. So the keys are counted by a script of ours.

import { keyOrder, type KeyedPart, picked, selectStats } from '../../counting/index';
import type {
  DateHistogramSpec,
  FoldedValues,
  HistogramSpec,
  KeyedPartial,
} from '../../facets/index';
import type { JsonOutput, JsonValue } from '../../json/index';
import { doubleOf, MOST_BUCKETS, partOf } from '../transport/answers';
import { type Aggs, type CountContext, numbersAt, parameters } from '../counting/count-context';
import { ROUND_DATE, roundingParameters } from '../counting/date-rounding';
import type { NumberOrigin } from '../../counting/index';
import { statsOf } from './buckets';
import type { FacetTranslation } from './contract';
import { fieldOf } from './origin';

/** Towards zero, as facetd's own buckets are (engine/counting/bucketing.ts). */
const BY_WIDTH = `
long bucketOf(double key, Map params) { return (long) (key / (double) params.width); }
`;
const BY_DATE = `${ROUND_DATE}
long bucketOf(double key, Map params) { return roundDate(key, (Map) params.rounding); }
`;

const MAP = `
if (!doc.containsKey(params.key)) return;
def keys = doc[params.key];
def values = null;
if (params.value != null && doc.containsKey(params.value)) values = doc[params.value];
for (int k = 0; k < keys.size(); k++) {
  double key = keys.get(k);
  long bucket = bucketOf(key, params);
  double[] sums = (double[]) state.sums.get(bucket);
  if (sums == null) {
    if (state.sums.size() >= params.most) throw new IllegalArgumentException('too many buckets');
    sums = new double[5];
    sums[3] = Double.POSITIVE_INFINITY;
    sums[4] = Double.NEGATIVE_INFINITY;
    state.sums.put(bucket, sums);
  }
  sums[0] += 1;
  int n = params.own ? 1 : values == null ? 0 : values.size();
  for (int v = 0; v < n; v++) {
    double value = params.own ? key : (double) values.get(v);
    sums[1] += 1;
    sums[2] += value;
    if (value < sums[3]) sums[3] = value;
    if (value > sums[4]) sums[4] = value;
  }
}
`;

const COMBINE = `
def list = [];
for (def entry : state.sums.entrySet()) {
  list.add(entry.getKey());
  double[] sums = (double[]) entry.getValue();
  list.add(sums[0]);
  if (params.counts) continue;
  list.add(sums[1]);
  list.add(sums[2]);
  list.add(sums[1] == 0 ? 0 : sums[3]);
  list.add(sums[1] == 0 ? 0 : sums[4]);
}
return list;
`;

const SUMS = 'sums';

function request(
  what: string,
  key: NumberOrigin,
  values: FoldedValues,
  rounds: { readonly functions: string; readonly parameters: Readonly<Record<string, JsonOutput>> },
  context: CountContext,
): Aggs {
  const keyField = fieldOf(key, what);
  const valueField =
    values.kind === 'field' || values.kind === 'script' ? fieldOf(values, what) : null;
  if (keyField === null) return {};
  const params = parameters({
    key: numbersAt(context, keyField),
    value: valueField === null ? null : numbersAt(context, valueField),
    own: values.kind === 'keys',
    counts: values.kind === 'none',
    most: MOST_BUCKETS * 16,
    ...rounds.parameters,
  });
  return {
    [SUMS]: {
      scripted_metric: {
        init_script: 'state.sums = new HashMap();',
        map_script: rounds.functions + MAP,
        combine_script: COMBINE,
        reduce_script: 'return states.isEmpty() ? null : states.get(0);',
        params,
      },
    },
  };
}

function read(values: FoldedValues, list: JsonValue): KeyedPartial {
  const numbers = Array.isArray(list) ? list : [];
  const width = values.kind === 'none' ? 2 : 6;
  const size = numbers.length / width;
  const at = (entry: number, member: number) => doubleOf(numbers[entry * width + member]!);
  const keys = Float64Array.from({ length: size }, (_, i) => at(i, 0));
  const order = keyOrder(keys);
  const inOrder = picked(keys, order);
  if (values.kind === 'none') {
    const counts = Float64Array.from({ length: size }, (_, i) => at(i, 1));
    return { keys: inOrder, counts: picked(counts, order) } satisfies KeyedPart;
  }
  const stats = statsOf(
    Array.from({ length: size }, (_, i) => ({
      count: at(i, 1),
      totalCount: at(i, 2),
      total: at(i, 3),
      min: at(i, 4),
      max: at(i, 5),
    })),
  );
  return { keys: inOrder, stats: selectStats(stats, order) };
}

export const HISTOGRAM_FACET: FacetTranslation<HistogramSpec, KeyedPartial> = {
  request: ({ key, values, interval }, context) =>
    request(
      'a [histogram] facet',
      key,
      values,
      { functions: BY_WIDTH, parameters: { width: interval } },
      context,
    ),
  read: ({ values }, { counted }) => read(values, partOf(counted, SUMS)?.get('value') ?? null),
};

export const DATE_HISTOGRAM_FACET: FacetTranslation<DateHistogramSpec, KeyedPartial> = {
  request: ({ key, values, rounding }, context) =>
    request(
      'a [date_histogram] facet',
      key,
      values,
      { functions: BY_DATE, parameters: { rounding: roundingParameters(rounding) } },
      context,
    ),
  read: ({ values }, { counted }) => read(values, partOf(counted, SUMS)?.get('value') ?? null),
};
