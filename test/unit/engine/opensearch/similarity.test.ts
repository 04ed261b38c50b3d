// Similarities other than the default one: what is kept of texts, and what is asked.

import { similarityClause } from '../../../../engine/opensearch/queries/similarity-clause';
import { TermFigures } from '../../../../engine/opensearch/queries/term-figures';
import { measuresOf } from '../../../../engine/opensearch/layout/definitions';
import { TokenText } from '../../../../engine/opensearch/layout/token-text';
import { parseJsonObject } from '../../../../engine/json/parse';
import { NO_NORM, scoringOf, type Similarity } from '../../../../engine/similarity/index';
import { indexedField } from '../../../support/indexed-field';

const BM25: Similarity = { kind: 'BM25', k1: 2, b: 0.5, countsOverlaps: false };
const figures = { maxDoc: 10, sumTotalTermFreq: 45 };

interface ScriptScore {
  readonly script_score: {
    readonly script: { readonly params: Readonly<Record<string, unknown>> };
  };
}

test('BM25 is scored by a script that has what is known before', () => {
  const terms = [{ docFreq: 3, totalTermFreq: 9 }];
  const scoring = scoringOf(BM25, { field: figures, terms, boost: 1 });
  scoring.normalize(1, 1);
  const clause = similarityClause(BM25, { figures, norm: 'f33n', share: 0.5 });
  const query = { term: { f33: { value: 'x', boost: 1 } } };
  const made = clause(query, scoring.score(1, NO_NORM)) as unknown as ScriptScore;
  expect(made).toMatchObject({ script_score: { query } });
  const { params } = made.script_score.script;
  expect(params).toMatchObject({ norm: 'f33n', share: 0.5, k1: 2, b: 0.5, average: 4.5 });
  const idf = Math.log(1 + (10 - 3 + 0.5) / (3 + 0.5));
  expect(params['value']).toBeCloseTo(idf * 3, 5);
});

test('texts are one script, whatever is asked', () => {
  const sources = [BM25, { ...BM25, k1: 1.2 }].map((similarity) => {
    const clause = similarityClause(similarity, { figures, norm: null, share: 1 })({}, 1);
    const { script_score: scored } = clause as unknown as {
      script_score: { script: { source: string } };
    };
    return scored.script.source;
  });
  expect(new Set(sources).size).toBe(1);
});

test('similarities that count words in all documents are refused by name', () => {
  const asked = () =>
    similarityClause({ kind: 'LMDirichlet', mu: 1 }, { figures, norm: null, share: 1 });
  expect(asked).toThrow('scoring by similarity [LMDirichlet] is not supported');
});

test('lengths and tokens are kept without what makes texts longer', () => {
  const text = new TokenText();
  for (let i = 0; i < 45; i++) text.add(`w${i}`, 1);
  text.add('same', 0);
  text.skip(3);
  const norms = [text.norm(false), text.norm(true)];
  text.fill(false);
  expect([text.norm(false), text.tokens]).toEqual([norms[0], 46]);
  expect(norms[1]).toBeLessThanOrEqual(norms[0]!);
  expect(Object.keys(measuresOf(indexedField(33, 'text')))).toEqual(['f33n', 'f33c']);
});

test('tokens of all documents are asked for where they count', () => {
  const context = { mapping: { nestedObject: () => null }, kindOf: () => null, path: null };
  const query = { kind: 'term', field: 33, term: 'x', boost: 1, scored: true } as const;
  const nested = { paths: [], placesOf: new Map() };
  const asked = (counted: boolean): TermFigures =>
    new TermFigures([query], context, nested, new Map([[33, { norms: true, counted }]]));
  expect(asked(true).request()).toMatchObject({
    aggs: { s0: { aggs: { c33: { sum: { field: 'f33c' } } } } },
  });
  expect(JSON.stringify(asked(false).request())).not.toContain('c33');
  const answer = parseJsonObject(
    JSON.stringify({
      hits: { total: { value: 7 } },
      aggregations: { s0: { t33: { buckets: [{ doc_count: 0 }] }, c33: { value: 42.0 } } },
    }),
  );
  // The word is on other shards only: these have tokens all the same.
  expect(asked(true).segment(answer).terms(33)).toMatchObject({ sumTotalTermFreq: 42, size: 0 });
  expect(asked(false).segment(answer).terms(33)).toBeNull();
});
