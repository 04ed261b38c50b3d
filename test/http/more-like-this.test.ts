import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/i', {
    mappings: {
      d: {
        properties: {
          t: { type: 'string' },
          k: { type: 'string', index: 'not_analyzed' },
          n: { type: 'integer' },
        },
      },
    },
    aliases: { odd: { filter: { term: { k: 'K1' } } } },
  });
  for (let i = 1; i <= 6; i++) {
    const t = `quick brown fox word${i} jumps jumps`;
    await http.ok('PUT', `/i/d/${i}?refresh=true`, { t, n: i, k: `K${i % 2}` });
  }
});
afterAll(() => http.close());

const FEW = { min_term_freq: 1, min_doc_freq: 1 };

async function found(query: object, index = 'i'): Promise<(readonly [string, number])[]> {
  const answer = (await http.ok('POST', `/${index}/_search`, { query, fields: [] })) as {
    hits: { hits: { _id: string; _score: number }[] };
  };
  return answer.hits.hits.map(({ _id, _score }) => [_id, _score] as const);
}

const close = (expected: number): unknown => expect.closeTo(expected, 6);

// Scores are those of the reference server.
describe('more_like_this', () => {
  test('weighs the words of a text by their rarity', async () => {
    expect(
      await found({ more_like_this_field: { t: { ...FEW, like_text: 'word3 fox' } } }),
    ).toEqual([
      ['3', close(0.84849775)],
      ...['1', '2', '4', '5', '6'].map((id) => [id, close(0.05928813)]),
    ]);
  });

  test('leaves the documents out that others shall be like', async () => {
    const hits = await found({ mlt: { ...FEW, fields: ['t'], ids: ['1'] } });
    expect(hits).toEqual(['2', '3', '4', '5', '6'].map((id) => [id, close(0.3514895)]));
  });

  test('boosts words relative to the least characteristic one', async () => {
    const hits = await found({
      mlt: { ...FEW, fields: ['t', 'k'], ids: ['1', '2'], include: true, boost_terms: 2, boost: 3 },
    });
    expect(hits[0]).toEqual(['1', close(0.8832457)]);
    expect(hits[2]).toEqual(['3', close(0.46616745)]);
  });

  test('takes a document of the request, and a text beside documents', async () => {
    const artificial = { _type: 'd', doc: { t: 'brown jumps' } };
    expect((await found({ mlt: { ...FEW, fields: ['t'], docs: [artificial] } }))[0]).toEqual([
      '1',
      close(0.54148316),
    ]);
    expect(
      (await found({ mlt: { ...FEW, fields: ['t'], ids: ['1'], like_text: 'word3' } }))[0],
    ).toEqual(['3', close(0.76080155)]);
  });

  test.each([
    [{ fields: ['t'] }, "requires at least 'like_text' or 'ids/docs' to be specified"],
    [{ fields: [], like_text: 'x' }, "requires 'fields' to be non-empty"],
    [{ fields: ['n'], like_text: 'x' }, "doesn't support binary/numeric fields: [n]"],
    [{ fields: ['t'], like_text: 'x', zz: 1 }, '[mlt] query does not support [zz]'],
    [{ fields: 't', like_text: 'x' }, '[mlt] query does not support [fields]'],
  ])('%j is refused', async (body, reason) => {
    expect(await http.error('POST', '/i/_search', { query: { mlt: body } })).toContain(reason);
  });
});

describe('fuzzy_like_this', () => {
  test('finds terms up to two edits away, nearer ones first', async () => {
    const hits = await found({ flt: { fields: ['t'], like_text: 'wurd1' } });
    expect(hits).toHaveLength(6);
    expect(hits.slice(0, 2)).toEqual([
      ['1', close(0.4897594)],
      ['2', close(0.27548963)],
    ]);
    const inField = (fuzziness: number): Promise<unknown> =>
      found({ flt_field: { t: { like_text: 'wurd1', fuzziness } } });
    expect(await inField(2)).toEqual([['1', close(0.7869796)]]);
    expect(await inField(1)).toEqual([]);
  });

  test('counts no frequencies when told so', async () => {
    const hits = await found({ flt: { fields: ['t'], like_text: 'wurd1', ignore_tf: true } });
    expect(hits[0]).toEqual(['1', close(0.6223279)]);
  });
});

describe('_mlt', () => {
  const url = (rest: string) => `/i/d/1/_mlt?min_term_freq=1&min_doc_freq=1&${rest}`;

  test('searches for documents like one', async () => {
    expect(await http.ok('GET', url('mlt_fields=t&search_size=1'))).toMatchObject({
      hits: { total: 5, hits: [{ _id: '2' }] },
    });
    expect(await http.ok('GET', url('mlt_fields=t&include=true&search_size=1'))).toMatchObject({
      hits: { total: 6, hits: [{ _id: '1' }] },
    });
    expect(await http.ok('GET', url('mlt_fields=t&minimum_should_match=100%25'))).toMatchObject({
      hits: { total: 0 },
    });
    expect(
      await http.ok('POST', url('mlt_fields=t'), {
        size: 0,
        facets: { k: { terms: { field: 'k' } } },
      }),
    ).toMatchObject({ facets: { k: { total: 5 } } });
  });

  test('keeps to the filter of an alias, but finds its document without it', async () => {
    const answer = await http.ok(
      'GET',
      '/odd/d/2/_mlt?min_term_freq=1&min_doc_freq=1&mlt_fields=t',
    );
    expect(answer).toMatchObject({ hits: { total: 3 } });
  });

  test('answers as the reference when there is nothing to like', async () => {
    expect(await http.error('GET', '/i/d/99/_mlt')).toBe(
      '404 DocumentMissingException[[_na][_na] [d][99]: document missing]',
    );
    expect(await http.error('GET', url('mlt_fields=zz'))).toBe(
      "500 ElasticsearchException[No fields found to fetch the 'likeText' from]",
    );
    expect(await http.error('GET', url('mlt_fields=n'))).toMatch(/^400 .*binary\/numeric/);
  });
});
