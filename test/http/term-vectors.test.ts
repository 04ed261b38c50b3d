// Term vectors over HTTP: stored and generated, of documents that are there, fresh, or not in the index.

import { HttpClient } from '../support/http-client';

interface Vectors {
  found: boolean;
  _version: number;
  term_vectors?: Record<string, { field_statistics?: object; terms: Record<string, unknown> }>;
}

describe.each([0, 1, 3])('%i workers', (workers) => {
  let http: HttpClient;
  beforeAll(async () => {
    http = await HttpClient.start({ 'node.workers': String(workers) });
    const whole = { type: 'string', index: 'not_analyzed' };
    await http.ok('PUT', '/i', {
      settings: { number_of_shards: 1, refresh_interval: '-1' },
      mappings: {
        d: {
          properties: {
            kept: { type: 'string', term_vector: 'with_positions_offsets' },
            bare: { type: 'string', term_vector: 'yes' },
            plain: { type: 'string', fields: { en: { type: 'string', analyzer: 'english' } } },
            whole,
            gap: { type: 'string', position_offset_gap: 5 },
            nested: { type: 'nested', properties: { x: { type: 'string' } } },
            n: { type: 'integer' },
          },
        },
        kid: { _parent: { type: 'd' } },
      },
      aliases: { routed: { routing: 'r' } },
    });
    await http.ok('PUT', '/i/d/1', {
      kept: 'The Fox the end',
      bare: 'one two one',
      plain: 'running runs',
      whole: ['B', 'A', 'B'],
      gap: ['a b', 'c'],
      nested: [{ x: 'inner' }],
      n: 5,
    });
    await http.ok('POST', '/i/_refresh');
    // Another segment.
    await http.ok('PUT', '/i/d/2?refresh=true', { kept: ['fox', 'fox'], plain: 'runs' });
    await http.ok('PUT', '/i/d/fresh', { kept: 'unseen fox', plain: 'not shown unasked' });
  });
  afterAll(() => http.close());

  const vectors = (path: string, body?: object): Promise<Vectors> =>
    http.ok(body === undefined ? 'GET' : 'POST', path, body) as Promise<Vectors>;

  test('fields that keep them are shown unasked, with what they keep', async () => {
    const { term_vectors } = await vectors('/i/d/1/_termvector');
    expect(term_vectors).toEqual({
      kept: {
        field_statistics: { sum_doc_freq: 4, doc_count: 2, sum_ttf: 6 },
        terms: {
          end: { term_freq: 1, tokens: [{ position: 3, start_offset: 12, end_offset: 15 }] },
          fox: { term_freq: 1, tokens: [{ position: 1, start_offset: 4, end_offset: 7 }] },
          the: {
            term_freq: 2,
            tokens: [
              { position: 0, start_offset: 0, end_offset: 3 },
              { position: 2, start_offset: 8, end_offset: 11 },
            ],
          },
        },
      },
      bare: {
        field_statistics: { sum_doc_freq: 2, doc_count: 1, sum_ttf: 3 },
        terms: { one: { term_freq: 2 }, two: { term_freq: 1 } },
      },
    });
    expect(Object.keys(term_vectors!['kept']!.terms)).toEqual(['end', 'fox', 'the']);
  });

  test('others are made of the source, with multi-fields and nested objects', async () => {
    const path =
      '/i/d/1/_termvector?fields=plain.en,whole,gap,nested.x,n,zz&field_statistics=false';
    const { term_vectors } = await vectors(`${path}&offsets=false`);
    expect(term_vectors).toEqual({
      'plain.en': { terms: { run: { term_freq: 2, tokens: [{ position: 0 }, { position: 1 }] } } },
      whole: {
        terms: {
          A: { term_freq: 1, tokens: [{ position: 1 }] },
          B: { term_freq: 2, tokens: [{ position: 0 }, { position: 2 }] },
        },
      },
      gap: {
        terms: {
          a: { term_freq: 1, tokens: [{ position: 0 }] },
          b: { term_freq: 1, tokens: [{ position: 1 }] },
          c: { term_freq: 1, tokens: [{ position: 7 }] },
        },
      },
      'nested.x': { terms: { inner: { term_freq: 1, tokens: [{ position: 0 }] } } },
    });
  });

  test('statistics of terms are those of all segments of the shard', async () => {
    const { term_vectors } = await vectors(
      '/i/d/1/_termvector?fields=kept,whole&term_statistics=true&positions=false&offsets=false',
    );
    expect(term_vectors).toMatchObject({
      kept: { terms: { fox: { doc_freq: 2, ttf: 3, term_freq: 1 } } },
      whole: { field_statistics: { sum_ttf: -1 }, terms: { B: { doc_freq: 1, ttf: -1 } } },
    });
  });

  test('patterns, other analyzers, and values with a place of their own', async () => {
    const { term_vectors } = await vectors('/i/d/1/_termvector?fields=pl*&field_statistics=0');
    expect(Object.keys(term_vectors!).sort()).toEqual(['plain', 'plain.en']);
    const other = { fields: ['kept', 'plain'], per_field_analyzer: { kept: 'keyword' } };
    const shown = (await vectors('/i/d/1/_termvector', other)).term_vectors!;
    expect(Object.keys(shown['kept']!.terms)).toEqual(['The Fox the end']);
    const two = (await vectors('/i/d/2/_termvector?fields=kept')).term_vectors!;
    expect(two['kept']!.terms['fox']).toMatchObject({
      tokens: [{ start_offset: 0 }, { start_offset: 4, position: 1 }],
    });
  });

  test('a document that searches do not see yet', async () => {
    const fresh = await vectors('/i/d/fresh/_termvector');
    expect(fresh).toMatchObject({ found: true, _version: 1 });
    expect(Object.keys(fresh.term_vectors!)).toEqual(['kept']);
    expect(await vectors('/i/d/fresh/_termvector?realtime=false')).toEqual({
      _index: 'i',
      _type: 'd',
      _id: 'fresh',
      _version: 0,
      found: false,
      took: expect.any(Number) as number,
    });
  });

  test('a document that is not in the index adds nothing to the mapping', async () => {
    const doc = { kept: 'fox', plain: 'so', added: 'new words', n: 1, nested: [{ x: 'y' }] };
    const { term_vectors, ...rest } = await vectors('/i/d/_termvector?term_statistics=true', {
      doc,
    });
    expect(rest).toMatchObject({ _index: 'i', _type: 'd', _version: 0, found: true });
    expect(Object.keys(term_vectors!).sort()).toEqual(['added', 'kept', 'plain', 'plain.en']);
    expect(term_vectors).toMatchObject({
      added: {
        field_statistics: { sum_doc_freq: 2, doc_count: 1, sum_ttf: 2 },
        terms: { new: { doc_freq: 1, ttf: 1 } },
      },
      plain: { terms: { so: { term_freq: 1 } } },
    });
    expect(await http.ok('GET', '/i/_mapping/d/field/added')).toEqual({});
    expect((await vectors('/i/unknown/_termvector', { doc })).found).toBe(true);
  });

  test('several at once, each with what is wrong with it', async () => {
    const { docs } = (await http.ok('POST', '/_mtermvectors', {
      docs: [
        { _index: 'i', _type: 'd', _id: '1', fields: ['bare'] },
        { _index: 'i', _type: 'd', _id: 'zz' },
        { _index: 'nope', _type: 'd', _id: '1' },
        { _index: 'i', _type: 'd', doc: { bare: 'x' } },
      ],
    })) as { docs: Vectors[] };
    expect(docs.map(({ found }) => found)).toEqual([true, false, undefined, true]);
    expect(docs[2]).toEqual({ _index: 'nope', _type: 'd', _id: '1', error: '[nope] missing' });
    const byIds = (await http.ok('POST', '/i/d/_mtermvectors?positions=false', {
      parameters: { fields: ['kept'] },
      ids: ['1', '2'],
    })) as { docs: Vectors[] };
    expect(byIds.docs.map((doc) => Object.keys(doc.term_vectors!))).toEqual([['kept'], ['kept']]);
    expect(await http.ok('GET', '/i/d/_mtermvectors?ids=1,2&fields=bare')).toMatchObject({
      docs: [{ found: true }, { found: true }],
    });
  });
});

describe('what is refused', () => {
  let http: HttpClient;
  beforeAll(async () => {
    http = await HttpClient.start({ 'search.max_text': '1000' });
    await http.ok('PUT', '/i', {
      mappings: { d: { properties: { n: { type: 'integer' } } }, kid: { _parent: { type: 'd' } } },
    });
  });
  afterAll(() => http.close());

  test.each([
    ['/i/d/1/_termvector', { bogus: 1 }, 400, 'The parameter bogus is not valid'],
    ['/i/d/1/_termvector', { filter: {} }, 400, 'The parameter filter is not valid'],
    ['/i/d/1/_termvector', { fields: 'a' }, 400, 'The parameter fields must be given as an array!'],
    ['/i/d/1/_termvector', { doc: {} }, 400, 'Either "id" or "doc" can be specified'],
    ['/i/d/_termvector', {}, 400, 'Validation Failed: 1: id or doc is missing;'],
    [
      '/i/d/_termvector',
      { doc: { n: 'x' } },
      500,
      'failed to execute term vector request]; nested: ',
    ],
    ['/i/d/_termvector', { doc: { t: 'x'.repeat(1001) } }, 400, '(search.max_text)'],
    ['/nope/d/1/_termvector', {}, 404, 'IndexMissingException[[nope] missing]'],
    ['/i/kid/1/_termvector', {}, 400, 'RoutingMissingException'],
    ['/i/d/1/_termvector?preference=_x', {}, 400, 'no Preference for [_x]'],
    ['/i/d/_mtermvectors', { docs: [] }, 400, '1: multi term vectors: no documents requested;'],
    [
      '/_mtermvectors',
      { docs: [{}] },
      400,
      '3: id or doc is missing;4: at multi term vectors for doc 0;',
    ],
    ['/i/d/_mtermvectors', { ids: '1' }, 400, '_mtermvectors: Parameter idsnot supported'],
    ['/i/d/_mtermvectors', { docs: {} }, 400, 'No parameter named docsand type OBJECT'],
    ['/i/d/_mtermvectors', { x: [] }, 400, 'No parameter named xand type ARRAY'],
  ])('%s %j', async (path, body, status, text) => {
    const [answered, answer] = await http.pair('POST', path, body);
    expect([answered, (answer as { error: string }).error]).toEqual([
      status,
      expect.stringContaining(text),
    ]);
  });
});
