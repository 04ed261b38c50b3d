// Figures of terms: what is asked of OpenSearch, and what its answer says.

import { parseJsonObject } from '../../../../engine/json/parse';
import { figuresOf, termsRequest } from '../../../../engine/opensearch/documents/remote-terms';
import { indexedField } from '../../../support/indexed-field';

const TEXT = indexedField(33, 'text', { norms: true, indexOptions: 'positions' });
const TAG = indexedField(34, 'tag');
const DOCS = indexedField(35, 'docs', { norms: true });

const WANTED = [
  { field: TEXT, terms: ['a', 'b\u0001c', 'x'.repeat(40_000)] },
  { field: TAG, terms: ['k', '\u0005'] },
  { field: DOCS, terms: ['d'] },
];

test('terms are asked for as tokens or values, with what texts are made longer by', () => {
  expect(termsRequest(WANTED)).toMatchObject({
    doc: { f33: 'a\u0001b\u0004Ac\u0001\u0005', f34k: ['k', '\u0005'], f35: 'd\u0001\u0005' },
    fields: ['f33', 'f34k', 'f35'],
  });
  expect(termsRequest([{ field: TAG, terms: [] }])).toMatchObject({ doc: { f34k: [''] } });
});

function vectorsOf(fields: object): ReturnType<typeof figuresOf> {
  return figuresOf(WANTED, parseJsonObject(JSON.stringify({ term_vectors: fields })));
}

test('what texts were made longer by does not count', () => {
  const figures = vectorsOf({
    f33: {
      field_statistics: { sum_doc_freq: 10, doc_count: 4, sum_ttf: 25 },
      terms: {
        a: { doc_freq: 3, ttf: 7, term_freq: 1 },
        'b\u0004Ac': { doc_freq: 1, ttf: 1, term_freq: 1 },
        '\u0005': { doc_freq: 2, ttf: 9, term_freq: 1 },
      },
    },
  });
  expect(figures.get(33)).toEqual({
    docCount: 4,
    sumDocFreq: 8,
    sumTotalTermFreq: 16,
    terms: new Map([
      ['a', { docFreq: 3, totalTermFreq: 7 }],
      ['b\u0001c', { docFreq: 1, totalTermFreq: 1 }],
    ]),
  });
});

test('tokens are not told of where they are not counted, and nothing of fields without documents', () => {
  const field_statistics = { sum_doc_freq: 5, doc_count: 2, sum_ttf: 5 };
  const figures = vectorsOf({
    f33: { field_statistics: { sum_doc_freq: 0, doc_count: 0, sum_ttf: 0 }, terms: { a: {} } },
    f34k: { field_statistics, terms: { k: { term_freq: 1 }, '\u0005': { doc_freq: 2, ttf: 2 } } },
    f35: { field_statistics, terms: { d: { doc_freq: 2, ttf: 2 } } },
  });
  expect([...figures.keys()]).toEqual([34, 35]);
  expect(figures.get(34)).toEqual({
    docCount: 2,
    sumDocFreq: 5,
    sumTotalTermFreq: -1,
    terms: new Map([['\u0005', { docFreq: 2, totalTermFreq: -1 }]]),
  });
  expect(figures.get(35)).toMatchObject({ sumTotalTermFreq: -1 });
});
