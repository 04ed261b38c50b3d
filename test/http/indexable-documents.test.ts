// What is acknowledged can be indexed: settings that analysis cannot work with are refused.

import { HttpClient } from '../support/http-client';

let client: HttpClient;
beforeAll(async () => {
  client = await HttpClient.start();
});
afterAll(() => client.close());
afterEach(() => client.reset());

const GRAMS = { filter: { g: { type: 'nGram', min_gram: 3, max_gram: 2 } } };
const REFUSED =
  'ElasticsearchIllegalArgumentException[[min_gram] of filter [g] does not work]; ' +
  'nested: IllegalArgumentException[minGram must not be greater than maxGram]; ';

test('an index with settings that analysis cannot work with is not created', async () => {
  const answer = await client.error('PUT', '/i', { settings: { analysis: GRAMS } });
  expect(answer).toContain('400 IndexCreationException[[i] failed to create index]');
  expect(answer).toContain(REFUSED);
});

test('nor does a closed one get them', async () => {
  await client.ok('PUT', '/i');
  await client.ok('POST', '/i/_close');
  expect(await client.error('PUT', '/i/_settings', { analysis: GRAMS })).toContain(REFUSED);
  await client.ok('PUT', '/i/_settings', { 'index.priority': 5 });
});

test.each([0, -1, 13, 1e9])('geohashes of length %d are refused', async (precision) => {
  const mapping = { type: 'geo_point', geohash: true, geohash_precision: precision };
  const wrong = `[geohash_precision] of field [p] must be from 1 to 12, not [${precision}]`;
  await client.ok('PUT', '/i');
  const body = { properties: { p: mapping } };
  expect(await client.error('PUT', '/i/t/_mapping', body)).toContain(wrong);
  expect(await client.error('PUT', '/j', { mappings: { t: body } })).toContain(wrong);
});

describe('documents that would become too many tokens', () => {
  const GRAM_INDEX = {
    settings: {
      analysis: {
        filter: { grams: { type: 'nGram', min_gram: 1, max_gram: 30 } },
        analyzer: {
          parts: { tokenizer: 'standard', filter: ['grams'] },
          paths: { tokenizer: 'path_hierarchy' },
        },
      },
    },
    mappings: {
      t: {
        properties: {
          s: { type: 'string', analyzer: 'parts', copy_to: 'paths' },
          p: { type: 'string', analyzer: 'paths' },
        },
      },
    },
  };
  const REFUSED_SIZE =
    '400 ElasticsearchIllegalArgumentException[field [s] would become more tokens than ' +
    '[index.max_analyzed_size] allows: 134217728 bytes]';

  test('are refused, others not', async () => {
    await client.ok('PUT', '/i', GRAM_INDEX);
    const word = 'abcdefgh ';
    expect(await client.error('PUT', '/i/t/1', { s: word.repeat(40_000) })).toBe(REFUSED_SIZE);
    expect(await client.error('PUT', '/i/t/1', { s: ['b', 'x'.repeat(100_000)] })).toBe(
      REFUSED_SIZE,
    );
    expect(await client.error('PUT', '/i/t/1', { p: '/a'.repeat(100_000) })).toContain('field [p]');
    // The same length in other fields, or of what makes few tokens, is as good as any.
    await client.ok('PUT', '/i/t/2', { other: word.repeat(40_000), p: `/${'a'.repeat(300_000)}` });
    await client.ok('PUT', '/i/t/3', { s: word.repeat(100) });
    await client.ok('POST', '/i/_refresh');
    expect(await client.ok('GET', '/i/_count')).toMatchObject({ count: 2 });
  });

  test('are what the setting of the index says', async () => {
    await client.ok('PUT', '/i', GRAM_INDEX);
    const document = { s: 'x'.repeat(10_000) };
    await client.ok('PUT', '/i/t/1', document);
    await client.ok('PUT', '/i/_settings', { 'index.max_analyzed_size': '1mb' });
    expect(await client.error('PUT', '/i/t/1', document)).toContain('allows: 1048576 bytes');
    expect(await client.error('PUT', '/i/_settings', { max_analyzed_size: 'x' })).toContain('400');
  });

  test('are those of new fields as well', async () => {
    const { filter, analyzer } = GRAM_INDEX.settings.analysis;
    const analysis = { filter, analyzer: { default_index: analyzer.parts } };
    await client.ok('PUT', '/i', { settings: { analysis } });
    const document = { fresh: 'x'.repeat(100_000) };
    expect(await client.error('PUT', '/i/t/1', document)).toContain('would become more tokens');
    expect(await client.error('PUT', '/i/t/1', { n: 1, fresh: 'x' })).toBe('201 ');
  });
});
