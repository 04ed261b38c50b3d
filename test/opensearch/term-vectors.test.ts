// Term vectors over OpenSearch beside those of the embedded engine: the same documents, the same requests.
//
// OPENSEARCH_URL says where the server is. TEST_SEED says which documents are the first.

import { onlyWhere } from '../support/only-where';
import { Random, testSeed } from '../support/random';
import { BothNodes } from './both-nodes';

const url = process.env['OPENSEARCH_URL'] ?? '';
const there = onlyWhere(url !== '', 'OPENSEARCH_URL');

const WORDS = ['red', 'green', 'blue', 'the', 'fox', 'é😀', 'a\u0001b', '\u0005'];
const KEPT = { type: 'string', term_vector: 'with_positions_offsets' };
const MAPPING = {
  properties: {
    text: KEPT,
    other: { type: 'string' },
    docs: { ...KEPT, index_options: 'docs' },
    plain: { ...KEPT, norms: { enabled: false } },
    tag: { ...KEPT, index: 'not_analyzed' },
    gaps: { ...KEPT, analyzer: 'stop' },
    never: KEPT,
  },
};

function text(random: Random, most: number): string {
  const length = 1 + random.below(most);
  return Array.from({ length }, () => random.pick(WORDS)).join(' ');
}

function documentOf(random: Random): object {
  const long = random.chance(0.2) ? 300 : 12;
  return {
    text: [text(random, long), text(random, 5)],
    other: text(random, long),
    docs: text(random, long),
    plain: text(random, long),
    tag: [random.pick(WORDS), random.pick(WORDS)],
    gaps: text(random, 20),
    added: text(random, 3),
  };
}

const OPTIONS = [
  '',
  '?term_statistics=true',
  '?term_statistics=true&field_statistics=false&fields=text,docs,tag,added',
  '?term_statistics=true&positions=false&offsets=false&fields=other,plain,gaps',
  '?field_statistics=false',
  '?realtime=false&term_statistics=true',
  '?fields=never,absent,t*&term_statistics=true',
];

there('terms and their figures are those of the embedded engine', async () => {
  const nodes = await BothNodes.open(url);
  try {
    const random = new Random(testSeed(42));
    const settings = { number_of_shards: 2 };
    await nodes.ok('PUT', '/v', { settings, mappings: { t: MAPPING } });
    for (let i = 0; i < 30; i++) await nodes.ok('PUT', `/v/t/${i}`, documentOf(random));
    await nodes.ok('POST', '/_refresh');
    // Not visible yet, and one that is deleted but still counts.
    await nodes.ok('PUT', '/v/t/new', documentOf(random));
    await nodes.ok('PUT', '/v/t/3', documentOf(random));
    const bodies: [string, string, object?][] = ['1', '3', 'new', 'absent'].flatMap((id) =>
      OPTIONS.map((options): [string, string] => ['GET', `/v/t/${id}/_termvector${options}`]),
    );
    bodies.push(
      ['POST', '/v/t/_termvector?term_statistics=true', { doc: documentOf(random) }],
      ['POST', '/v/t/_termvector?term_statistics=true', { doc: { unknown: 'red fox', text: '' } }],
      ['POST', '/v/u/_termvector?term_statistics=true', { doc: { unknown: 'red fox' } }],
      ['POST', '/v/t/1/_termvector', { per_field_analyzer: { text: 'keyword' }, fields: ['text'] }],
      [
        'POST',
        '/_mtermvectors?term_statistics=true',
        {
          docs: [
            { _index: 'v', _type: 't', _id: '1' },
            { _index: 'v', _type: 't', doc: { text: 'fox' } },
            { _index: 'none', _type: 't', _id: '1' },
          ],
        },
      ],
    );
    for (const [method, path, body] of bodies) {
      const [embedded, remote] = await nodes.answers(method, path, body);
      expect({ path, body, answer: withoutTimes(remote) }).toEqual({
        path,
        body,
        answer: withoutTimes(embedded),
      });
    }
  } finally {
    await nodes.close();
  }
});

function withoutTimes(answer: unknown): unknown {
  const text = JSON.stringify(answer);
  return JSON.parse(text.replace(/"took":\d+/g, '"took":0'));
}
