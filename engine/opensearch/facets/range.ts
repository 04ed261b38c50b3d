// range: a document counts in each range that one of its keys lies in, with the first such key or with all
// values of another field. By a script of ours, because of the first key.

import type { BucketStats } from '../../counting/index';
import type { RangeSpec } from '../../facets/index';
import { doubleOf, partOf } from '../transport/answers';
import { numbersAt, parameters } from '../counting/count-context';
import { statsOf } from './buckets';
import type { FacetTranslation } from './contract';
import { fieldOf } from './origin';

const MAP = `
if (!doc.containsKey(params.key)) return;
def keys = doc[params.key];
def values = null;
if (params.value != null && doc.containsKey(params.value)) values = doc[params.value];
for (int r = 0; r < params.from.size(); r++) {
  boolean isIn = false;
  double first = 0;
  for (int k = 0; k < keys.size() && !isIn; k++) {
    first = keys.get(k);
    isIn = (!params.isFrom[r] || first >= params.from[r]) && (!params.isTo[r] || first < params.to[r]);
  }
  if (!isIn) continue;
  int at = r * 5;
  state.sums[at] += 1;
  int n = params.own ? 1 : values == null ? 0 : values.size();
  for (int v = 0; v < n; v++) {
    double value = params.own ? first : (double) values.get(v);
    if (state.sums[at + 1] == 0 || value < state.sums[at + 3]) state.sums[at + 3] = value;
    if (state.sums[at + 1] == 0 || value > state.sums[at + 4]) state.sums[at + 4] = value;
    state.sums[at + 1] += 1;
    state.sums[at + 2] += value;
  }
}
`;

const SUMS = 'sums';

export const RANGE_FACET: FacetTranslation<RangeSpec, BucketStats> = {
  request: ({ key, values, ranges }, context) => {
    const what = 'a [range] facet';
    const field = fieldOf(key, what);
    const other =
      values.kind === 'field' || values.kind === 'script' ? fieldOf(values, what) : null;
    if (field === null) return {};
    const bound = (x: number) => (Number.isFinite(x) ? x : 0);
    const params = parameters({
      key: numbersAt(context, field),
      value: other === null ? null : numbersAt(context, other),
      own: values.kind === 'keys',
      from: ranges.map(({ from }) => bound(from)),
      to: ranges.map(({ to }) => bound(to)),
      isFrom: ranges.map(({ from }) => Number.isFinite(from)),
      isTo: ranges.map(({ to }) => Number.isFinite(to)),
    });
    return {
      [SUMS]: {
        scripted_metric: {
          init_script: 'state.sums = new double[params.from.size() * 5];',
          map_script: MAP,
          combine_script: 'def list = []; for (double x : state.sums) list.add(x); return list;',
          reduce_script: 'return states.isEmpty() ? null : states.get(0);',
          params,
        },
      },
    };
  },
  read: ({ ranges }, { counted }) => {
    const list = partOf(counted, SUMS)?.get('value');
    const at = (i: number) => doubleOf(Array.isArray(list) ? list[i]! : null, 0);
    return statsOf(
      ranges.map((_, r) => ({
        count: at(5 * r),
        totalCount: at(5 * r + 1),
        total: at(5 * r + 2),
        min: at(5 * r + 3),
        max: at(5 * r + 4),
      })),
    );
  },
};
