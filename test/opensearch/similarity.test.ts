// Scores of other similarities than the default one, by OpenSearch and by the embedded engine.
//
// OPENSEARCH_URL says where the server is. TEST_SEED says which documents are the first.

import { onlyWhere } from '../support/only-where';
import { Random, rounds, testSeed } from '../support/random';
import { BothNodes } from './both-nodes';

const url = process.env['OPENSEARCH_URL'] ?? '';
const there = onlyWhere(url !== '', 'OPENSEARCH_URL');

const WORDS = ['red', 'green', 'blue', 'fox', 'dog', 'quick'];
/** As often as others, and asked for in phrases only. */
const LAZY = 'lazy';
const scoredBy = (similarity: string, more: object = {}): object => {
  return { type: 'string', similarity, ...more };
};
const MAPPING = {
  properties: {
    bm: scoredBy('BM25'),
    own: scoredBy('own'),
    overlaps: scoredBy('overlaps', { analyzer: 'doubling' }),
    plain: scoredBy('own', { norms: { enabled: false } }),
    docs: scoredBy('BM25', { index_options: 'docs' }),
    tag: scoredBy('BM25', { index: 'not_analyzed' }),
    usual: { type: 'string' },
    kids: { type: 'nested', include_in_parent: true, properties: { bm: scoredBy('BM25') } },
  },
};
const SETTINGS = {
  similarity: {
    own: { type: 'BM25', k1: 2.5, b: 0.3 },
    overlaps: { type: 'BM25', discount_overlaps: false },
  },
  analysis: {
    filter: { pairs: { type: 'synonym', synonyms: ['red, crimson', 'fox, vixen'] } },
    analyzer: { doubling: { tokenizer: 'whitespace', filter: ['pairs'] } },
  },
};
const FIELDS = ['bm', 'own', 'overlaps', 'plain', 'docs', 'tag', 'usual', 'kids.bm', '_all'];

function text(random: Random): string {
  const length = 1 + random.below(random.chance(0.15) ? 300 : 15);
  return Array.from({ length }, () => random.pick([...WORDS, LAZY])).join(' ');
}

function documentOf(random: Random): object {
  const document: Record<string, unknown> = {};
  for (const field of ['bm', 'own', 'overlaps', 'plain', 'docs', 'usual']) {
    if (random.chance(0.8)) document[field] = text(random);
  }
  document['tag'] = [random.pick(WORDS), random.pick(WORDS)];
  document['kids'] = Array.from({ length: random.below(3) }, () => ({ bm: text(random) }));
  return document;
}

function queryOf(random: Random): object {
  const field = random.pick(FIELDS);
  const word = (): string => random.pick(WORDS);
  return random.pick([
    () => ({ term: { [field]: { value: word(), boost: 1.5 } } }),
    () => ({ match: { [field]: `${word()} ${word()} ${word()}` } }),
    // Phrases with one word at several places are near only.
    () => ({ match_phrase: { [field]: { query: `${word()} ${LAZY}`, slop: random.below(4) } } }),
    () => ({ multi_match: { query: `${word()} ${word()}`, fields: ['bm', 'usual', 'own^2'] } }),
    () => ({ nested: { path: 'kids', query: { match: { 'kids.bm': word() } } } }),
    () => ({
      span_near: {
        clauses: [{ span_term: { bm: word() } }, { span_term: { bm: word() } }],
        slop: 0,
        in_order: true,
      },
    }),
    () => ({
      bool: { must: [{ match: { own: word() } }], should: [{ match: { bm: word() } }] },
    }),
  ])();
}

interface Answer {
  readonly hits: {
    readonly total: number;
    readonly hits: readonly { readonly _id: string; readonly _score: number }[];
  };
}

/** Whether both found the same documents with the same scores, but for what 32 bits round differently. */
function isAlike(ours: [number, unknown], theirs: [number, unknown]): boolean {
  if (ours[0] !== 200 || theirs[0] !== 200) return ours[0] === theirs[0];
  const [a, b] = [ours[1] as Answer, theirs[1] as Answer];
  const scores = new Map(b.hits.hits.map(({ _id, _score }) => [_id, _score]));
  const isSame = ({ _id, _score }: Answer['hits']['hits'][number]): boolean => {
    const other = scores.get(_id) ?? NaN;
    return Math.abs(_score - other) <= 3e-6 * Math.max(1e-3, Math.abs(other));
  };
  return a.hits.total === b.hits.total && a.hits.hits.every(isSame);
}

/** The best hits, or what is wrong. */
function firstOf([status, body]: [number, unknown]): unknown {
  return status === 200 ? (body as Answer).hits.hits.slice(0, 5) : body;
}

there('BM25 scores as in the embedded engine', async () => {
  const nodes = await BothNodes.open(url);
  const failed: unknown[] = [];
  try {
    const random = new Random(testSeed(7));
    for (const [index, own] of [
      ['named', {}],
      ['standard', { 'index.similarity.default.type': 'BM25' }],
    ] as const) {
      const settings = { number_of_shards: 2, ...SETTINGS, ...own };
      await nodes.ok('PUT', `/${index}`, { settings, mappings: { t: MAPPING } });
      const lines = Array.from({ length: 60 }, (_, i) => {
        return `{"index":{"_id":"${i}"}}\n${JSON.stringify(documentOf(random))}\n`;
      });
      await nodes.ok('POST', `/${index}/t/_bulk?refresh=true`, lines.join(''));
      for (let i = 0; i < rounds(60, 600); i++) {
        const body = { query: queryOf(random), size: 100, _source: false };
        const type = random.pick(['query_then_fetch', 'dfs_query_then_fetch']);
        const path = `/${index}/_search?search_type=${type}`;
        const [embedded, remote] = await nodes.answers('POST', path, body);
        if (!isAlike(remote, embedded))
          failed.push({ path, body, remote: firstOf(remote), embedded: firstOf(embedded) });
      }
    }
    expect(JSON.stringify(failed).slice(0, 2000)).toBe('[]');
  } finally {
    await nodes.close();
  }
});

there('what was written by the default similarity is not scored by another one', async () => {
  const nodes = await BothNodes.open(url);
  try {
    const { remote } = nodes;
    await remote.ok('PUT', '/s/t/1?refresh=true', { text: 'red fox' });
    const change = async (type: string): Promise<void> => {
      await remote.ok('POST', '/s/_close');
      await remote.ok('PUT', '/s/_settings', { 'index.similarity.default.type': type });
      await remote.ok('POST', '/s/_open');
    };
    const search = (): Promise<string> =>
      remote.error('POST', '/s/_search', { query: { match: { text: 'fox' } } });
    await change('BM25');
    expect(await search()).toContain('write it again');
    await remote.ok('PUT', '/s/t/1?refresh=true', { text: 'red fox' });
    expect(await search()).toBe('200 ');
    await change('LMDirichlet');
    expect(await search()).toContain('scoring by similarity [LMDirichlet] is not supported');
  } finally {
    await nodes.close();
  }
});
