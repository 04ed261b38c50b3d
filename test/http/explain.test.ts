// Why documents have their scores: `explain` in searches and the `_explain` API. Expected answers are those
// of the reference server.

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  const string = { type: 'string', index: 'not_analyzed' };
  await http.ok('PUT', '/x', {
    settings: { number_of_shards: 1 },
    mappings: { d: { properties: { t: { type: 'string' }, k: string, n: { type: 'integer' } } } },
    aliases: { fil: { filter: { term: { k: 'x' } } } },
  });
  await http.ok('PUT', '/x/d/1', { t: 'red fox red', k: 'x', n: 1 });
  await http.ok('PUT', '/x/d/2?refresh=true', { t: 'blue fox', k: 'y', n: 20 });
});
afterAll(() => http.close());

interface Explanation {
  readonly value: number;
  readonly description: string;
  readonly details?: readonly Explanation[];
}

/** A tree as lines. */
function lines({ value, description, details = [] }: Explanation, depth = 0): string[] {
  const own = `${'  '.repeat(depth)}${value} ${description}`;
  return [own, ...details.flatMap((part) => lines(part, depth + 1))];
}

async function explained(id: string, query: object, index = 'x'): Promise<readonly string[]> {
  const answer = (await http.ok('POST', `/${index}/d/${id}/_explain`, { query })) as {
    readonly matched: boolean;
    readonly explanation: Explanation;
  };
  return [`matched ${answer.matched}`, ...lines(answer.explanation)];
}

describe('_explain', () => {
  test('tells the factors of a term', async () => {
    expect(await explained('1', { term: { t: 'red' } })).toEqual([
      'matched true',
      '0.70710677 weight(t:red in 0) [PerFieldSimilarity], result of:',
      '  0.70710677 fieldWeight in 0, product of:',
      '    1.4142135 tf(freq=2.0), with freq of:',
      '      2 termFreq=2.0',
      '    1 idf(docFreq=1, maxDocs=2)',
      '    0.5 fieldNorm(doc=0)',
    ]);
  });

  test('tells what is missing', async () => {
    const must_not = { term: { k: 'y' } };
    const [, first, second, third, fourth] = await explained('2', {
      bool: { must_not, must: { term: { t: 'red' } } },
    });
    expect([first, second, third, fourth]).toEqual([
      '0 Failure to meet condition(s) of required/prohibited clause(s)',
      '  0 match on prohibited clause (k:y)',
      '    1 weight(k:y in 1) [PerFieldSimilarity], result of:',
      '      1 fieldWeight in 1, product of:',
    ]);
  });

  test('tells the filter of an alias, which counts twice', async () => {
    const [matched, first, second] = await explained('2', { match_all: {} }, 'fil');
    expect([matched, first, second]).toEqual([
      'matched false',
      '0 failure to match filter: cache(k:x)',
      "  0 ConstantScore(+cache(_type:d) +cache(k:x)) doesn't match id 1",
    ]);
  });

  test('tells functions of scores', async () => {
    const functions = [
      { filter: { range: { n: { lt: 5 } } }, weight: 2 },
      { filter: { term: { k: 'y' } }, weight: 4 },
    ];
    const query = { function_score: { query: { match_all: {} }, functions, score_mode: 'avg' } };
    expect(await explained('1', query)).toEqual([
      'matched true',
      '0.33333334 function score, product of:',
      '  1 ConstantScore(*:*), product of:',
      '    1 boost',
      '    1 queryNorm',
      '  0.33333334 Math.min of',
      '    0.33333334 function score, score mode [avg]',
      '      2 function score, product of:',
      '        1 match filter: cache(n:[* TO 5})',
      '        2 product of:',
      '          1 constant score 1.0 - no function provided',
      '          2 weight',
      '    3.4028235e+38 maxBoost',
      '  1 queryBoost',
    ]);
  });

  test('shows what is asked for of the document', async () => {
    expect(await http.ok('GET', '/x/d/1/_explain?q=t:none&_source=k&fields=n')).toEqual({
      _index: 'x',
      _type: 'd',
      _id: '1',
      matched: false,
      explanation: { value: 0, description: 'no matching term' },
      get: { found: true, _source: { k: 'x' }, fields: { n: [1] } },
    });
  });

  test('refuses what cannot be explained', async () => {
    expect(await http.error('GET', '/x/d/1/_explain')).toBe(
      '400 ActionRequestValidationException[Validation Failed: 1: source is missing;]',
    );
    expect(await http.error('POST', '/x/d/1/_explain', { query: { bogus: {} } })).toBe(
      '400 QueryParsingException[[x] No query registered for [bogus]]',
    );
    expect(await http.error('GET', '/nope/d/1/_explain?q=a')).toBe(
      '404 IndexMissingException[[nope] missing]',
    );
  });
});

test('explains the hits of a search, rescored ones as well', async () => {
  const { hits } = (await http.ok('POST', '/x/_search', {
    explain: true,
    query: { term: { t: 'fox' } },
    rescore: { query: { rescore_query: { term: { k: 'y' } }, rescore_query_weight: 3 } },
  })) as {
    readonly hits: {
      readonly hits: readonly {
        readonly _shard: number;
        readonly _node: string;
        readonly _score: number;
        readonly _explanation: Explanation;
      }[];
    };
  };
  const [first] = hits.hits;
  expect(first).toMatchObject({ _shard: 0, _node: expect.any(String) as string });
  expect(first!._explanation.value).toBe(first!._score);
  expect(first!._explanation.description).toBe('sum of:');
  expect(hits.hits[1]!._explanation.description).toBe('product of:');
});
