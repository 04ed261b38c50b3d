// Span queries on real segments against a naive evaluator: documents, scores, and jumps to documents.

import fc from 'fast-check';
import { NO_MORE_DOCS } from '../../engine/segment/contract/bitset';
import { prepareQuery } from '../../engine/query/statistics';
import { createWeight } from '../../engine/query/weights/create-weight';
import { cleaned } from '../support/query-arbitraries';
import { modelOf } from '../support/query-model-documents';
import { ModelSearch } from '../support/query-model';
import { FIELDS, segmentOf } from '../support/query-segments';
import { spansOfField } from '../support/span-arbitraries';

const text = fc
  .array(fc.constantFrom('a', 'b', 'a', 'b', 'ab', 'ba', 'abc', '_'), {
    minLength: 1,
    maxLength: 12,
  })
  .map((words) => words.join(' ').replace(/( _)+$/, ''));
const documents = fc.array(
  fc.array(text, { maxLength: 2 }).map((t) => ({ values: { t } })),
  { minLength: 1, maxLength: 8 },
);

test('spans agree with the naive evaluator', () => {
  fc.assert(
    fc.property(
      fc.array(documents, { minLength: 1, maxLength: 2 }),
      fc.array(spansOfField(FIELDS.t.id), { minLength: 6, maxLength: 12 }),
      (lists, trees) => {
        const objects = lists.map((list, s) => list.map((each, i) => cleaned(each, `p#${s}.${i}`)));
        const readers = objects.map((list, i) => segmentOf(list, 1 + 10 * i));
        const model = new ModelSearch({ segments: objects.map(modelOf) });
        for (const tree of trees) {
          const query = { kind: 'spans', tree, boost: 2 } as const;
          const { query: expanded, statistics } = prepareQuery(query, readers);
          const weight = createWeight(expanded, statistics);
          const expected = model.run(query);
          const actual = new Map<string, number>();
          readers.forEach((reader, s) => {
            const scorer = weight.scorer(reader);
            for (let doc = scorer?.nextDoc() ?? NO_MORE_DOCS; doc !== NO_MORE_DOCS;) {
              actual.set(`${s}/${doc}`, scorer!.score());
              expect(scorer!.score()).toBe(actual.get(`${s}/${doc}`));
              doc = scorer!.nextDoc();
            }
            for (let target = 0; target < reader.docCount; target++) {
              const found = weight.scorer(reader)?.advance(target) ?? NO_MORE_DOCS;
              const docs = [...expected.keys()].filter((key) => key.startsWith(`${s}/`));
              const next = docs
                .map((key) => Number(key.split('/')[1]))
                .find((doc) => doc >= target);
              expect(found).toBe(next ?? NO_MORE_DOCS);
            }
          });
          expect([...actual.keys()]).toEqual([...expected.keys()]);
          for (const [key, score] of expected) expect(actual.get(key)).toBeCloseTo(score, 5);
        }
      },
    ),
    { numRuns: 150 },
  );
});
