// Statistics, tables and the plot.

import {
  combine,
  cpuRatio,
  rateRatio,
  type RowResult,
} from '../../../../../scripts/dev/bench/measure';
import { parseOptions } from '../../../../../scripts/dev/bench/options';
import { ratioPlot } from '../../../../../scripts/dev/bench/plot';
import {
  familyRatios,
  figure,
  markdownTable,
  plainTable,
  tablesOf,
  type BenchResult,
} from '../../../../../scripts/dev/bench/report';
import { geometricMean, median, percentile } from '../../../../../scripts/dev/bench/statistics';

const sample = (cpu: number, perSecond: number) => ({
  requests: 10,
  median: 1,
  p99: 2,
  perSecond,
  cpu,
});

const row = (name: string, family: string, ours: number[], theirs: number[]): RowResult => ({
  name,
  family,
  connections: 1,
  samples: [
    ours.map((cpu) => sample(cpu, 1000)),
    ...(theirs.length === 0 ? [] : [theirs.map((cpu) => sample(cpu, 500))]),
  ],
});

test('percentiles are those of the nearest rank', () => {
  const samples = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(percentile(samples, 0.99)).toBe(99);
  expect(percentile(samples, 1)).toBe(100);
  expect(percentile(samples, 0)).toBe(1);
  expect(median([3, 1, 2])).toBe(2);
  expect(median([])).toBeNaN();
});

test('the geometric mean leaves out what is no ratio', () => {
  expect(geometricMean([2, 8, NaN, 0, Infinity])).toBeCloseTo(4);
  expect(geometricMean([])).toBeNaN();
});

test('ratios are geometric means over the runs, and of the rows of a family', () => {
  const rows = [row('a', 'f', [1, 1], [2, 8]), row('b', 'f', [1], [1]), row('c', 'g', [1], [3])];
  expect(cpuRatio(rows[0]!)).toBeCloseTo(4);
  expect(rateRatio(rows[0]!)).toBeCloseTo(2);
  const ratios = familyRatios(rows);
  expect(ratios.map(({ family }) => family)).toEqual(['f', 'g']);
  expect(ratios[0]!.cpu).toBeCloseTo(2);
  expect(familyRatios([row('a', 'f', [1], [])])).toEqual([]);
});

test('runs are combined by the middle of each figure', () => {
  expect(combine([sample(1, 30), sample(9, 10), sample(2, 20)])).toMatchObject({
    requests: 30,
    cpu: 2,
    perSecond: 20,
  });
});

const result: BenchResult = {
  date: '2026-01-01',
  documents: 1000,
  machine: 'a machine',
  runs: 2,
  servers: ['facetd', 'other'].map((label) => ({
    label,
    load: null,
    memory: 5e6,
    disk: NaN,
    restartMs: null,
    loopDelayP99: null,
  })),
  rows: [row('match', 'one term', [1, 1], [2, 2])],
  skipped: [{ name: 'odd', reason: 'refused: a | b' }],
};

test('tables have as many cells in every row as in the head', () => {
  const tables = tablesOf(result);
  expect(tables.map(({ title }) => title)).toEqual([
    '1,000 documents',
    'Geometric means per family',
    'one term',
    'Not measured',
  ]);
  for (const { head, rows } of tables) {
    for (const cells of rows) expect(cells).toHaveLength(head.length);
  }
  const alone = tablesOf({ ...result, servers: result.servers.slice(0, 1), rows: [] });
  expect(alone.map(({ title }) => title)).toEqual(['1,000 documents', 'Not measured']);
});

test('the same table as text and as Markdown', () => {
  const table = { title: 'T', head: ['row', 'ms'], rows: [['a|b', '1.00']] };
  expect(plainTable(table)).toBe('T\n─\nrow    ms\na|b  1.00\n');
  expect(markdownTable(table)).toBe('### T\n\n| row | ms |\n| --- | ---: |\n| a\\|b | 1.00 |\n');
});

test('stats have three digits, unknown ones a dash', () => {
  expect([0.1234, 12.345, 1234.5, NaN].map(figure)).toEqual(['0.12', '12.3', '1,235', '–']);
});

test('the plot is well-formed and has a bar for each family', () => {
  const ratios = [0.5, 1, 300].map((cpu, at) => ({
    family: `a<b & "c" ${at}`,
    connections: 8,
    cpu,
    rate: 1,
  }));
  const svg = ratioPlot('Title', 'below', ratios);
  const open: string[] = [];
  for (const [, slash, name, attributes] of svg.matchAll(/<(\/?)([a-z]+)([^<>]*)>/g)) {
    if (slash === '/') expect(open.pop()).toBe(name);
    else if (!attributes!.endsWith('/')) open.push(name!);
  }
  expect(open).toEqual([]);
  expect(svg.replace(/&(amp|lt|gt);/g, '')).not.toContain('&');
  expect(svg.match(/rx="2"/g)).toHaveLength(3);
  expect(svg).not.toContain('NaN');
  for (const [, width] of svg.matchAll(/width="([\d.]+)" height="16"/g)) {
    expect(Number(width)).toBeGreaterThanOrEqual(1);
  }
});

test('the command line is checked', () => {
  expect(parseOptions(['--help'])).toBeNull();
  expect(parseOptions(['--connections', '1,4', '--rows', 'get,or'])).toMatchObject({
    connections: [1, 4],
    rows: ['get', 'or'],
    scenario: 'rows',
    segments: null,
  });
  expect(() => parseOptions(['--runs', '0'])).toThrow('--runs needs a whole number from 1, not 0');
  expect(() => parseOptions(['--scenario', 'odd'])).toThrow('rows or mixed');
});
