// Choices from a corpus and the requests made from them.

import { hashText, Random } from '../../../../../scripts/dev/bench/random';
import { buildVocabulary } from '../../../../../scripts/dev/bench/vocabulary';
import { updatedDay, type CorpusDocument } from '../../../../../scripts/dev/bench/corpus';
import {
  openWorkload,
  selectWorkloads,
  WORKLOADS,
} from '../../../../../scripts/dev/bench/workloads';

const INDICES = {
  documents: 'docs',
  writes: 'writes',
  queries: 'queries',
  completions: 'completions',
  families: 'families',
};

/** 20,000 documents in which term frequencies are known: one in 10, in 100, in 10,000. */
function* corpus(): Generator<CorpusDocument> {
  for (let at = 0; at < 20_000; at++) {
    const words = ['filler', 'filler'];
    if (at % 10 === 0) words.push('frequent');
    if (at % 100 === 0) words.push('middling', 'neighbour');
    if (at % 10_000 === 0) words.push('seldom');
    const source = { name: `lib${at % 7}-x${at}`, size: at, description: words.join(' ') };
    yield { id: `p${at}`, source: JSON.stringify(source) };
  }
}

const vocabulary = buildVocabulary(corpus(), 1);

test('terms are chosen by how many documents hold them', async () => {
  const { common, medium, rare, phrases, prefixes } = await vocabulary;
  expect(common).toEqual(['frequent']);
  expect([...medium].sort()).toEqual(['middling', 'neighbour']);
  expect(rare).toEqual(['seldom']);
  expect(phrases).toContain('middling neighbour');
  expect([...prefixes].sort()).toEqual([0, 1, 2, 3, 4, 5, 6].map((digit) => `lib${digit}`));
});

test('sizes are the ends of equal parts', async () => {
  const { sizes } = await vocabulary;
  expect(sizes[0]).toBe(0);
  expect(sizes[sizes.length - 1]).toBe(19_999);
  expect(sizes[(sizes.length - 1) / 2]).toBeCloseTo(10_000, -1);
});

test('a corpus without words has nothing to offer', async () => {
  const document = { id: 'a', source: '{"name":"a","size":1,"description":""}' };
  await expect(buildVocabulary([document], 1)).rejects.toThrow('the corpus has no common terms');
});

test('the same stream of a row makes the same requests, another one others', async () => {
  const input = { vocabulary: await vocabulary, indices: INDICES, seed: 3 };
  for (const kind of WORKLOADS) {
    const first = openWorkload(kind, input, 5);
    const again = openWorkload(kind, input, 5);
    const requests = Array.from({ length: 20 }, () => first.next());
    // What follows a request is a function, which is a new one each time.
    const texts = Array.from({ length: 20 }, () => JSON.stringify(again.next()));
    expect(texts).toEqual(requests.map((request) => JSON.stringify(request)));
    for (const { body } of requests)
      if (body !== '') expect(JSON.parse(body)).toBeInstanceOf(Object);
  }
  const ids = (stream: number) =>
    openWorkload(selectWorkloads(['get'])[0]!, input, stream).next().path;
  expect(ids(1)).not.toBe(ids(2));
});

test('no two broad requests are the same, and each keeps 25 to 95 % of the documents', async () => {
  const input = { vocabulary: await vocabulary, indices: INDICES, seed: 3 };
  const kind = selectWorkloads(['section / broad'])[0]!;
  const bodies = new Set<string>();
  for (let stream = 0; stream < 3; stream++) {
    const { next } = openWorkload(kind, input, stream);
    for (let i = 0; i < 300; i++) {
      const { body } = next();
      bodies.add(body);
      const parsed = JSON.parse(body) as {
        query: { filtered: { filter: { range: { size: { gte: number; lte: number } } } } };
      };
      const { gte, lte } = parsed.query.filtered.filter.range.size;
      const kept = (20_000 - gte) / 20_000;
      expect(kept).toBeGreaterThan(0.249);
      expect(kept).toBeLessThan(0.951);
      expect(lte).toBeGreaterThan(19_999);
    }
  }
  expect(bodies.size).toBe(900);
});

test('rows are selected by parts of their names; names are unique', () => {
  const names = selectWorkloads(['depends', 'count']).map(({ name }) => name);
  expect(names).toEqual([
    'count',
    'depends / match_all',
    'depends / common',
    'depends / rare',
    'depends / broad',
    'aggs depends / broad',
    'aggs depends / match_all',
  ]);
  expect(new Set(WORKLOADS.map(({ name }) => name)).size).toBe(WORKLOADS.length);
});

test('samples are without repetition and no longer than what there is', () => {
  const random = new Random(7);
  for (let i = 0; i < 50; i++) {
    const sample = random.sample([1, 2, 3, 4, 5], 3);
    expect(new Set(sample).size).toBe(3);
  }
  expect(random.sample(['a'], 4)).toEqual(['a']);
});

test('the day of a document depends on its id alone and is within fifteen years', () => {
  expect(updatedDay('bash')).toBe(updatedDay('bash'));
  expect(hashText('bash')).not.toBe(hashText('dash'));
  for (const id of ['bash', 'dash', 'zsh~12']) {
    expect(updatedDay(id) >= '2010-01-01' && updatedDay(id) < '2025-01-01').toBe(true);
  }
});
