import { stepsOf } from '../../../../server/explorer/model/analysis-steps';
import { aliasGraph, moveAlias, readDryRun } from '../../../../server/explorer/model/alias-graph';
import {
  distanceKm,
  middleOfCell,
  placeIn,
  readPlace,
  ringsFor,
} from '../../../../server/explorer/model/geo';
import {
  ratesBetween,
  readLook,
  requestRows,
} from '../../../../server/explorer/model/node-figures';
import {
  barSpan,
  dateAxis,
  edgesOf,
  nearestEdge,
  numberAxis,
} from '../../../../server/explorer/model/scale';

const figures = (
  min: number,
  max: number,
  mean = (min + max) / 2,
  deviation = (max - min) / 4,
) => ({
  count: 100,
  min,
  max,
  mean,
  deviation,
});

test('axes of numbers have steps that can be read, and end before what lies far out', () => {
  expect(numberAxis(figures(1928, 2015), true)).toMatchObject({ from: 1925, to: 2020, step: 5 });
  expect(numberAxis(figures(0.3, 0.9), false).step).toBe(0.02);
  expect(numberAxis(figures(0, 3_000_000, 5000, 30_000), true).to).toBeLessThan(200_000);
  expect(numberAxis(figures(7, 7, 7, 0), true)).toMatchObject({ from: 7, to: 8, step: 1 });
});

test('bars of negative numbers end at their key, and that at zero covers both sides', () => {
  const axis = { from: -20, to: 20, step: 10, interval: 10 };
  expect([-10, 0, 10].map((key) => barSpan(key, axis))).toEqual([
    [-20, -10],
    [-10, 10],
    [10, 20],
  ]);
});

test('axes of dates go by calendar', () => {
  const axis = dateAxis(figures(Date.UTC(2001, 4, 3), Date.UTC(2003, 0, 9)));
  expect(axis).toMatchObject({ interval: 'month', from: Date.UTC(2001, 4, 1) });
  const edges = edgesOf(axis);
  expect(edges.slice(0, 3)).toEqual([4, 5, 6].map((month) => Date.UTC(2001, month)));
  expect(nearestEdge(edges, Date.UTC(2001, 5, 4))).toBe(Date.UTC(2001, 5));
});

test('places are read in the spellings of documents', () => {
  expect(placeIn({ lat: 1, lon: '2.5' })).toEqual({ lat: 1, lon: 2.5 });
  expect(placeIn([2.5, 1])).toEqual({ lat: 1, lon: 2.5 });
  expect(placeIn('1, 2.5')).toEqual({ lat: 1, lon: 2.5 });
  expect(readPlace('91,0')).toBeNull();
  expect(placeIn('u33dc')).toBeNull();
  expect(distanceKm({ lat: 52.52, lon: 13.405 }, { lat: 48.8566, lon: 2.3522 })).toBeCloseTo(
    878,
    -1,
  );
});

test('cells have a middle', () => {
  expect(middleOfCell('u33d')).toBe('52.4707,13.5352');
});

test('rings cover all distances', () => {
  const rings = ringsFor(60);
  expect(rings.map(({ to }) => to)).toEqual([0.5, 1, 5, 10, 50, null]);
  expect(rings.map(({ from }) => from)).toEqual([null, 0.5, 1, 5, 10, 50]);
});

const ALIASES = {
  old: {
    aliases: { shop: { filter: { term: { a: 1 } }, index_routing: 'r', search_routing: 'r' } },
  },
  new: { aliases: {} },
};

test('a move takes filter and routing along, in one array', () => {
  const { links, indices } = aliasGraph(ALIASES);
  expect(indices).toEqual(['new', 'old']);
  expect(moveAlias(links, 'shop', ['new'])).toEqual({
    actions: [
      { remove: { index: 'old', alias: 'shop' } },
      {
        add: {
          index: 'new',
          alias: 'shop',
          filter: { term: { a: 1 } },
          index_routing: 'r',
          search_routing: 'r',
        },
      },
    ],
  });
  expect(moveAlias(links, 'shop', ['old']).actions).toEqual([]);
});

test('a dry run is read line by line', () => {
  const answer = { indices: { a: { added: { x: {} }, changed: {}, removed: ['y'] } } };
  expect(readDryRun(answer)).toEqual([
    { index: 'a', alias: 'x', kind: 'added' },
    { index: 'a', alias: 'y', kind: 'removed' },
  ]);
});

test('an analyzer of the index is taken apart, one with a type of its own is not', () => {
  const analyzer = {
    mine: {
      type: 'custom',
      tokenizer: 'standard',
      char_filter: ['html_strip'],
      filter: ['lowercase', 'stop'],
    },
    other: { type: 'snowball' },
  };
  const settings = { index: { analysis: { analyzer } } };
  expect(stepsOf('mine', settings).map(({ params }) => params)).toEqual([
    { tokenizer: 'keyword', char_filters: 'html_strip' },
    { tokenizer: 'standard', char_filters: 'html_strip' },
    { tokenizer: 'standard', char_filters: 'html_strip', filters: 'lowercase' },
    { tokenizer: 'standard', char_filters: 'html_strip', filters: 'lowercase,stop' },
    { analyzer: 'mine' },
  ]);
  expect(stepsOf('other', settings)).toHaveLength(1);
});

function look(atMs: number, cpuMs: number, counts: readonly number[]) {
  const stats = {
    nodes: {
      n: {
        timestamp: atMs,
        jvm: { uptime_in_millis: atMs },
        process: { cpu: { total_in_millis: cpuMs } },
      },
    },
  };
  const [fast = 0, all = 0] = counts;
  const sample = (le: string, count: number) =>
    `facetd_http_request_seconds_bucket{family="search",outcome="2xx",le="${le}"} ${count}`;
  const metrics = [
    sample('0.01', fast),
    sample('1', all),
    sample('+Inf', all),
    `facetd_http_request_seconds_sum{family="search",outcome="2xx"} ${all}`,
    `facetd_http_request_seconds_count{family="search",outcome="2xx"} ${all}`,
  ];
  return readLook(stats, metrics.join('\n'));
}

test('rates and times are those between two looks', () => {
  const [before, now] = [look(1000, 100, [90, 100]), look(3000, 1100, [90, 110])];
  expect(ratesBetween(before, now)?.processors).toBe(0.5);
  expect(ratesBetween(now, before)).toBeNull();
  expect(requestRows(null, now)[0]).toMatchObject({
    count: 110,
    medianMs: 10,
    percentile99Ms: 1000,
  });
  expect(requestRows(before, now)[0]).toMatchObject({ count: 10, medianMs: 1000, meanMs: 1000 });
});
