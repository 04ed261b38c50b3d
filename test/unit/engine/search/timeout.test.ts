// Time is looked at within one filter, facet, aggregation and scoring, in one segment; and what nobody waits
// for any more is given up there.

import { SearchNode } from '../../../support/search-node';
import {
  untilDeadline,
  untilGivenUp,
  checkTurn,
  tick,
  WorkGivenUp,
} from '../../../../engine/common/index';
import { parseJson } from '../../../../engine/json/index';
import { writeJson } from '../../../../engine/json/write';

const DOCS = 9_000;
/** More often than it is looked at between steps of work on one segment, less often than within one. */
const LOOKS = 8;

/** Goes on by one each time that somebody looks. */
let now = 1e12;
const clock = jest.spyOn(Date, 'now').mockImplementation(() => ++now);
afterAll(() => clock.mockRestore());

const node = new SearchNode();
node.host.now = () => now;
beforeAll(() => {
  node.createIndex('i', { n: 'integer', k: 'string', p: 'geo_point' });
  for (let n = 0; n < DOCS; n++) {
    const key = String.fromCharCode(97 + (n % 26));
    node.add('i', String(n), { n, k: key, p: [n % 80, n % 170] });
  }
  node.refresh('i');
});

/** A search in a time in which the clock is looked at so often. */
async function searchFor(looks: number, body: object) {
  const { timedOut, total, facets, aggregations } = await node.search('i', {
    ...body,
    timeout: looks,
  });
  const shown = (value: unknown): unknown =>
    value === undefined ? undefined : parseJson(writeJson(value as never));
  return { timedOut, total, facets: shown(facets), aggregations: shown(aggregations) };
}

const slow = { script: "doc['n'].value * f > -1", params: { f: 2 } };
const number = { script: "doc['n'].value * f", params: { f: 2 } };
const point = { geo_distance: { distance: '100000km', p: { lat: 1, lon: 1 } } };

test.each([
  ['a script filter', { query: { filtered: { filter: { script: slow } } } }],
  [
    'a script with loops',
    { query: { filtered: { filter: { script: { script: '(1..9).each { it * 2 }; true' } } } } },
  ],
  [
    'a formula',
    {
      query: {
        filtered: { filter: { script: { script: "doc['n'].value + 1", lang: 'expression' } } },
      },
    },
  ],
  ['a distance', { query: { filtered: { filter: point } } }],
  ['scores of scripts', { query: { function_score: { script_score: number } } }],
  ['sorting by a script', { sort: { _script: { ...number, type: 'number' } } }],
  ['a post filter', { post_filter: { script: slow } }],
  ['a facet of a script', { facets: { a: { statistical: number } } }],
  [
    'a facet of documents in windows',
    {
      facets: {
        a: {
          histogram: {
            field: 'n',
            interval: 7,
            value_script: number.script,
            params: number.params,
          },
        },
      },
    },
  ],
  ['a facet filter', { facets: { a: { terms: { field: 'k' }, facet_filter: { script: slow } } } }],
  ['an aggregation of a script', { aggs: { a: { stats: number } } }],
  [
    'an aggregation in another',
    { aggs: { a: { terms: { field: 'k' }, aggs: { b: { stats: number } } } } },
  ],
])('%s', async (_, body) => {
  const long = await searchFor(100_000, body);
  expect([long.timedOut, long.total]).toEqual([false, DOCS]);
  expect((await searchFor(LOOKS, body)).timedOut).toBe(true);
  // What was counted in part is not remembered.
  for (let again = 0; again < 3; again++) expect(await searchFor(100_000, body)).toEqual(long);
});

test('a search that scores keeps what it had found', async () => {
  const { total } = await searchFor(LOOKS, { query: { function_score: { script_score: number } } });
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThan(DOCS);
});

test('what nobody waits for is given up within a loop', () => {
  let looks = 0;
  const isCancelled = (): boolean => ++looks === 3;
  const loop = (): void => {
    for (;;) tick();
  };
  expect(() => untilGivenUp(isCancelled, loop)).toThrow(WorkGivenUp);
  expect(looks).toBe(3);
  // Nothing of it is left to the next piece of work.
  expect(() => checkTurn()).not.toThrow();
});

test('a piece of work ends with its time, and the next one has its own', () => {
  let looks = 0;
  const clock = (): number => ++looks;
  expect(
    untilDeadline(5, clock, () => {
      for (;;) checkTurn();
    }),
  ).toBe(false);
  expect(looks).toBe(6);
  expect(untilDeadline(null, clock, () => checkTurn())).toBe(true);
  expect(untilDeadline(100, clock, () => checkTurn())).toBe(true);
  expect(() =>
    untilDeadline(100, clock, () => {
      throw new TypeError('x');
    }),
  ).toThrow(TypeError);
  expect(() => checkTurn()).not.toThrow();
});
