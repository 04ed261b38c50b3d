// Bounds of scores against the scores of all that they are said to be above: random settings and figures,
// to their ends, and frequencies and norms up to those of the bound.

import { NO_NORM, scoringOf, type Similarity } from '../../engine/similarity/index';
import { propertyRuns, Random, testSeed } from '../support/random';

const random = new Random(testSeed(20261124));
const { fround } = Math;

function normalization() {
  const name = random.pick(['no', 'h1', 'h2', 'h3', 'z'] as const);
  return { name, parameter: fround(random.pick([0, 1e-3, 0.3, 1, 800, 1e6])) };
}

function similarity(): Similarity {
  return random.pick<() => Similarity>([
    () => ({
      kind: 'BM25',
      k1: fround(random.pick([0, 0.5, 1.2, 100])),
      b: fround(random.pick([0, 0.75, 1])),
      countsOverlaps: false,
    }),
    () => ({ kind: 'LMDirichlet', mu: fround(random.pick([1e-3, 1, 2000, 1e7])) }),
    () => ({ kind: 'LMJelinekMercer', lambda: fround(random.pick([1e-6, 0.1, 0.5, 0.999, 1])) }),
    () => ({
      kind: 'IB',
      distribution: random.pick(['ll', 'spl'] as const),
      lambda: random.pick(['df', 'ttf'] as const),
      normalization: normalization(),
    }),
    () => ({
      kind: 'DFR',
      basicModel: random.pick(['be', 'd', 'g', 'if', 'in', 'ine', 'p'] as const),
      afterEffect: random.pick(['no', 'b', 'l'] as const),
      normalization: normalization(),
    }),
  ])();
}

/** Up to some ten million, small ones as often as large ones. */
function count(least: number): number {
  return Math.max(least, Math.floor(2 ** (random.next() * 26)) - 1);
}

test('no score is above the bound of its frequency and norm', () => {
  let bounded = 0;
  const runs = propertyRuns(3000);
  for (let run = 0; run < runs; run++) {
    const settings = similarity();
    const maxDoc = count(1);
    const docFreq = Math.min(maxDoc, count(1));
    const totalTermFreq = docFreq + random.pick([0, count(0)]);
    const field = { maxDoc, sumTotalTermFreq: totalTermFreq + random.pick([0, count(0)]) };
    const scoring = scoringOf(settings, {
      field,
      terms: [{ docFreq, totalTermFreq }],
      boost: random.pick([1, 1e-3, 7]),
    });
    scoring.normalize(1, random.pick([1, 1, 0.25, 3]));
    if (!scoring.isBounded()) continue;
    bounded++;
    // At the ends of its settings the BM25 of a text without end is no number.
    const lowest = settings.kind === 'BM25' ? 1 : 0;
    for (let tried = 0; tried < 40; tried++) {
      const freq = random.pick([1 + random.below(10), count(1)]);
      const norm = random.between(lowest, 255);
      const hasNorm = random.chance(0.9);
      const most = scoring.most(scoring.ofFreq(freq), hasNorm ? norm : NO_NORM);
      const other = random.pick([freq, Math.max(1, freq - 1), 1 + random.below(freq)]);
      const otherNorm = hasNorm ? random.pick([norm, random.between(lowest, norm)]) : NO_NORM;
      const score = scoring.score(other, otherNorm);
      if (Number.isFinite(score) && score <= most) continue;
      throw new Error(
        `seed ${random.seed}: ${score} of (${other}, ${otherNorm}) is above ${most} of ` +
          `(${freq}, ${norm}): ${JSON.stringify([settings, field, docFreq, totalTermFreq])}`,
      );
    }
  }
  expect(bounded).toBeGreaterThan(runs / 3);
});
