// Scores of terms, as the reference server gives them for the same counts.

import {
  type Heuristic,
  type TermFrequency,
  termScorer,
} from '../../../../../engine/aggregations/buckets/significance';

const HOME: TermFrequency = { subsetFreq: 5, subsetSize: 5, supersetFreq: 5, supersetSize: 21 };
const SEAT: TermFrequency = { subsetFreq: 1, subsetSize: 5, supersetFreq: 2, supersetSize: 21 };
const table = (
  kind: 'mutual_information' | 'chi_square' | 'gnd',
  isSuperset = true,
  includesNegatives = false,
): Heuristic => ({ kind, isSuperset, includesNegatives });

it.each<[Heuristic, number, number]>([
  [{ kind: 'jlh' }, 3.2, 0.22000000000000006],
  [{ kind: 'percentage' }, 1, 0.5],
  [table('chi_square'), 21, 0.8358552631578947],
  [table('chi_square', false), 9.904761904761905, 0.4342305037957212],
  [table('mutual_information'), 0.7918583525674836, 0.024845789648419346],
  [table('mutual_information', false), 0.3216587045722162, 0.010651407031960691],
  [table('gnd', false), 0.6567636992525255, 0.47459754885210265],
])('%j', (heuristic, home, seat) => {
  const score = termScorer(heuristic);
  expect(score(HOME)).toBeCloseTo(home, 12);
  expect(score(SEAT)).toBeCloseTo(seat, 12);
});

it('leaves out terms that are rarer in the subset, unless they are asked for', () => {
  const rare: TermFrequency = { subsetFreq: 1, subsetSize: 9, supersetFreq: 10, supersetSize: 20 };
  expect(termScorer({ kind: 'jlh' })(rare)).toBe(0);
  for (const kind of ['chi_square', 'mutual_information'] as const) {
    expect(termScorer(table(kind))(rare)).toBe(-Infinity);
    expect(termScorer(table(kind, true, true))(rare)).toBeGreaterThan(0);
  }
});

it('takes what the background lacks to be there once', () => {
  const lacking = { ...HOME, supersetFreq: 0 };
  expect(termScorer({ kind: 'jlh' })(lacking)).toBeCloseTo(20, 12);
  expect(termScorer({ kind: 'percentage' })(lacking)).toBe(0);
});

it('refuses counts that cannot be', () => {
  const odd = { ...HOME, supersetFreq: 3 };
  expect(() => termScorer(table('gnd'))(odd)).toThrow('subsetFreq > supersetFreq, does your');
  expect(termScorer(table('gnd', false))(odd)).toBeGreaterThan(0);
  expect(() => termScorer({ kind: 'jlh' })({ ...HOME, supersetFreq: 22 })).toThrow(
    'supersetFreq > supersetSize, in JLHScore',
  );
});
