// The text format, and what is counted for it.

import { Histogram } from '../../../../engine/index';
import { ROUTES } from '../../../../server/routes/route-table';
import { LoopDelay } from '../../../../server/stats/loop-delay';
import { renderMetrics, type Metric } from '../../../../server/stats/prometheus';
import { RequestRecorder } from '../../../../server/request/request-recorder';
import { familyOf } from '../../../../server/request/route-family';
import { parsePrometheus } from '../../../support/prometheus';
import { until } from '../../../support/until';

describe('the text format', () => {
  test('escapes labels and help, writes any number, and cumulates buckets', () => {
    const seconds = new Histogram([0.1, 1]);
    for (const value of [0.05, 0.1, 0.5, 7]) seconds.add(value);
    const metrics: Metric<null>[] = [
      {
        name: 'a_total',
        type: 'counter',
        help: 'back\\slash and\nline',
        read: () => [{ labels: { index: 'a"b\\c\nd', other: '' }, value: 1e21 }],
      },
      { name: 'b', type: 'gauge', help: 'gauge', read: () => -Infinity },
      { name: 'c', type: 'histogram', help: 'h', read: () => seconds.stats() },
      { name: 'd', type: 'gauge', help: 'nothing yet', read: () => [] },
    ];
    const text = renderMetrics(metrics, null);
    expect(text.split('\n')).toEqual([
      '# HELP a_total back\\\\slash and\\nline',
      '# TYPE a_total counter',
      'a_total{index="a\\"b\\\\c\\nd",other=""} 1e+21',
      '# HELP b gauge',
      '# TYPE b gauge',
      'b -Inf',
      '# HELP c h',
      '# TYPE c histogram',
      'c_bucket{le="0.1"} 2',
      'c_bucket{le="1"} 3',
      'c_bucket{le="+Inf"} 4',
      `c_sum ${0.05 + 0.1 + 0.5 + 7}`,
      'c_count 4',
      '# HELP d nothing yet',
      '# TYPE d gauge',
      '',
    ]);
    const parsed = parsePrometheus(text);
    expect(parsed.get('a_total')!.samples[0]!.labels.get('index')).toBe('a"b\\c\nd');
  });

  test.each([
    ['no end', '# HELP a a\n# TYPE a gauge\na 1'],
    ['no type', '# HELP a a\na 1\n'],
    ['another name', '# HELP a a\n# TYPE a gauge\nb 1\n'],
    ['the same twice', '# HELP a a\n# TYPE a gauge\na 1\na 2\n'],
    ['no number', '# HELP a a\n# TYPE a gauge\na one\n'],
    ['an open label', '# HELP a a\n# TYPE a gauge\na{b="c} 1\n'],
    ['a counter of another name', '# HELP a a\n# TYPE a counter\na 1\n'],
    ['no +Inf', '# HELP a a\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n'],
  ])('the reader of these tests refuses %s', (_, text) => {
    expect(() => parsePrometheus(text)).toThrow();
  });
});

test('requests are counted by family and outcome', () => {
  const recorder = new RequestRecorder();
  for (const [family, status, ms] of [
    ['search', 200, 3],
    ['search', 201, 80],
    ['search', 404, 1],
    ['bulk', 503, 1],
    ['bulk', 0, 60_000],
  ] as const) {
    recorder.begin();
    recorder.end(family, status, ms);
  }
  recorder.begin();
  expect(recorder.current).toBe(1);
  const seen = recorder
    .stats()
    .map(({ family, outcome, seconds: { count, sum } }) => [family, outcome, count, sum]);
  expect(seen).toEqual([
    ['search', '2xx', 2, 0.083],
    ['search', '4xx', 1, 0.001],
    ['bulk', '5xx', 1, 0.001],
    ['bulk', 'aborted', 1, 60],
  ]);
});

test('every route has the family that it should', () => {
  const families = new Map(
    ROUTES.map((route) => [`${route.methods.join(' ')} ${route.path}`, familyOf(route)]),
  );
  expect(Object.fromEntries(families)).toMatchObject({
    'GET POST /{index}/{type}/_search': 'search',
    'GET POST /_msearch': 'msearch',
    'POST PUT /_bulk': 'bulk',
    'PUT POST /{index}/{type}/{id}': 'index',
    'POST /{index}/{type}': 'index',
    'PUT POST /{index}/{type}/{id}/_create': 'index',
    'POST /{index}/{type}/{id}/_update': 'update',
    'GET /{index}/{type}/{id}': 'get',
    'HEAD /{index}/{type}/{id}': 'get',
    'DELETE /{index}/{type}/{id}': 'delete',
    'DELETE /{index}': 'admin',
    'DELETE /{index}/{type}': 'admin',
    'HEAD /{index}/{type}': 'admin',
    'DELETE /{index}/_query': 'delete_by_query',
    'POST /_aliases': 'aliases',
    'GET /_cluster/health': 'stats',
    'GET /': 'admin',
  });
});

test('a blocked event loop is late at every look that it missed', async () => {
  const delay = new LoopDelay();
  delay.start();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const end = performance.now() + 250;
  while (performance.now() < end);
  await until(() => delay.stats().count > 11);
  delay.stop();
  const { counts, bounds, count } = delay.stats();
  // 250 ms without a look: late by about 235, 215, ... ms.
  const slow = counts.slice(bounds.indexOf(0.1) + 1).reduce((sum, n) => sum + n, 0);
  expect(slow).toBeGreaterThanOrEqual(6);
  expect(count).toBeGreaterThan(11);
});
