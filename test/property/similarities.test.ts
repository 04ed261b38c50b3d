// Scores of all similarities against their formulas in double: random documents, random trees of queries, and
// for each field its own similarity.

import fc from 'fast-check';
import { createWeight } from '../../engine/query/weights/create-weight';
import { prepareQuery } from '../../engine/query/statistics';
import { NO_MORE_DOCS } from '../../engine/segment/contract/bitset';
import type { Similarities, Similarity } from '../../engine/similarity/registry';
import { cleaned, document, ROOT, tree } from '../support/query-arbitraries';
import { modelOf } from '../support/query-model-documents';
import { ModelSearch } from '../support/query-model';
import { FIELDS, segmentOf } from '../support/query-segments';

const normalization = fc.constantFrom(
  { name: 'no', parameter: 0 } as const,
  { name: 'h1', parameter: 2 } as const,
  { name: 'h2', parameter: 2.5 } as const,
  { name: 'h3', parameter: 3 } as const,
  { name: 'z', parameter: 0.25 } as const,
);

const similarity: fc.Arbitrary<Similarity> = fc.oneof(
  fc.constant({ kind: 'default', countsOverlaps: false } as const),
  fc.record({
    kind: fc.constant('BM25' as const),
    k1: fc.constantFrom(0, 0.5, 1.5),
    b: fc.constantFrom(0, 0.75, 1),
    countsOverlaps: fc.constant(false),
  }),
  fc.record({
    kind: fc.constant('DFR' as const),
    basicModel: fc.constantFrom('be', 'd', 'g', 'if', 'in', 'ine', 'p'),
    afterEffect: fc.constantFrom('no', 'b', 'l'),
    normalization,
  }),
  fc.record({
    kind: fc.constant('IB' as const),
    distribution: fc.constantFrom('ll', 'spl'),
    lambda: fc.constantFrom('df', 'ttf'),
    normalization,
  }),
  fc.record({ kind: fc.constant('LMDirichlet' as const), mu: fc.constantFrom(0.5, 2, 100) }),
  fc.record({ kind: fc.constant('LMJelinekMercer' as const), lambda: fc.constantFrom(0.25, 0.75) }),
);

const similarities: fc.Arbitrary<Similarities> = fc.record({
  standard: similarity,
  normsQueries: fc.boolean(),
  fields: fc.record({ t: similarity, a: similarity }).map(
    ({ t, a }) =>
      new Map([
        [FIELDS.t.id, t],
        [FIELDS.a.id, a],
      ]),
  ),
});

const segments = fc
  .array(fc.array(document, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 })
  .map((lists) => lists.map((list, s) => list.map((each, i) => cleaned(each, `p#${s * 6 + i}`))));

test('scores are those of the formulas', () => {
  fc.assert(
    fc.property(
      segments,
      similarities,
      fc.array(tree(ROOT, 2), { minLength: 6, maxLength: 10 }),
      (lists, scoredBy, queries) => {
        const readers = lists.map((list, i) => segmentOf(list, 1 + 10 * i));
        const model = new ModelSearch({ segments: lists.map(modelOf) }, scoredBy);
        for (const query of queries) {
          const prepared = prepareQuery(query, readers, { similarities: scoredBy });
          const weight = createWeight(prepared.query, prepared.statistics, readers);
          const expected = model.run(query);
          const actual = new Map<string, number>();
          readers.forEach((reader, s) => {
            const scorer = weight.scorer(reader);
            if (scorer === null) return;
            for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
              actual.set(`${s}/${doc}`, scorer.score());
            }
          });
          expect([...actual.keys()]).toEqual([...expected.keys()]);
          for (const [key, score] of expected) {
            // Sums and logarithms that nearly cancel out leave little of 24 bits.
            const error = Math.abs(actual.get(key)! - score) / Math.max(Math.abs(score), 1);
            const isSame = error < 1e-4 || Object.is(actual.get(key), Math.fround(score));
            if (!isSame) {
              const shown = JSON.stringify([query, scoredBy.standard, ...scoredBy.fields]);
              throw new Error(`${key}: ${actual.get(key)} instead of ${score} for ${shown}`);
            }
          }
        }
      },
    ),
    { numRuns: 80 },
  );
});
