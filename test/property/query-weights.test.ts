// Weights on real segments against a naive evaluator: random documents (two levels of nested objects) in
// several segments, random trees of all query kinds. Both must agree on documents and scores.

import fc from 'fast-check';
import { createWeight } from '../../engine/query/weights/create-weight';
import { prepareQuery } from '../../engine/query/statistics';
import type { Weight } from '../../engine/query/scoring/weight';
import { NO_MORE_DOCS } from '../../engine/segment/contract/bitset';
import type { SegmentReader } from '../../engine/segment/contract/reader';
import { modelOf } from '../support/query-model-documents';
import { ModelSearch } from '../support/query-model';
import { segmentOf } from '../support/query-segments';
import { rounds } from '../support/random';
import { cleaned, document, ROOT, tree } from '../support/query-arbitraries';

const segments = fc
  .array(fc.array(document, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 })
  .map((lists) => lists.map((list, s) => list.map((each, i) => cleaned(each, `p#${s * 6 + i}`))));

/** Documents and scores of a weight by iterating. */
function scoresOf(weight: Weight, readers: readonly SegmentReader[]): Map<string, number> {
  const scores = new Map<string, number>();
  readers.forEach((reader, s) => {
    const scorer = weight.scorer(reader);
    if (scorer === null) return;
    for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
      expect(scorer.doc).toBe(doc);
      scores.set(`${s}/${doc}`, scorer.score());
    }
  });
  return scores;
}

function setOf(weight: Weight, reader: SegmentReader): number[] {
  const set = weight.matches(reader);
  const docs: number[] = [];
  if (set === null) return docs;
  for (let doc = set.next(0); doc !== NO_MORE_DOCS; doc = set.next(doc + 1)) docs.push(doc);
  return docs;
}

/** Documents of a scorer that is moved by a mix of steps and jumps. */
function jump(
  weight: Weight,
  reader: SegmentReader,
  steps: readonly number[],
): (number | string)[] {
  const scorer = weight.scorer(reader);
  const seen: (number | string)[] = [];
  if (scorer === null) return seen;
  let doc = -1;
  for (const step of steps) {
    doc = step === 0 ? scorer.nextDoc() : scorer.advance(doc + step);
    if (doc === NO_MORE_DOCS) break;
    seen.push(doc, scorer.score().toPrecision(4));
  }
  return seen;
}

test('weights agree with the naive evaluator', () => {
  fc.assert(
    fc.property(
      segments,
      fc.array(tree(ROOT, 3), { minLength: 4, maxLength: 8 }),
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 3, maxLength: 12 }),
      (lists, queries, steps) => {
        const readers = lists.map((list, i) => segmentOf(list, 1 + 10 * i));
        const model = new ModelSearch({ segments: lists.map(modelOf) });
        for (const query of queries) {
          const prepared = prepareQuery(query, readers);
          const weight = createWeight(prepared.query, prepared.statistics);
          const expected = model.run(query);
          const actual = scoresOf(weight, readers);
          expect([...actual.keys()]).toEqual([...expected.keys()]);
          for (const [key, score] of expected) {
            const got = actual.get(key)!;
            const scale = Math.max(Math.abs(score), 1e-30);
            if (Math.abs(got - score) / scale > 2e-6) {
              throw new Error(
                `${key}: ${got} instead of ${score} for ${JSON.stringify(query, bigints)}`,
              );
            }
          }
          readers.forEach((reader, s) => {
            const docs = [...expected.keys()]
              .filter((key) => key.startsWith(`${s}/`))
              .map((key) => Number(key.split('/')[1]));
            expect(setOf(weight, reader)).toEqual(docs);
            expect(weight.cost(reader)).toBeGreaterThanOrEqual(docs.length > 0 ? 1 : 0);
            const jumped: (number | string)[] = [];
            let at = -1;
            for (const step of steps) {
              const target = step === 0 ? at + 1 : at + step;
              const next = docs.find((doc) => doc >= target);
              if (next === undefined) break;
              at = next;
              jumped.push(at, actual.get(`${s}/${at}`)!.toPrecision(4));
            }
            expect(jump(weight, reader, steps)).toEqual(jumped);
          });
        }
      },
    ),
    { numRuns: rounds(100, 1000) },
  );
});

function bigints(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
