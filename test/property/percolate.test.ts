// Trying a document against stored queries gives those that find it when it is stored: random queries and
// documents, with nested objects, and queries that are changed and deleted on the way.

import { HttpClient } from '../support/http-client';
import { Random, repetitions, testSeed } from '../support/random';

const ROUNDS = repetitions('PROPERTY_RUNS', 2, 40);
const QUERIES = 60;
const DOCUMENTS = 20;
const WORDS = ['red', 'blue', 'fox', 'dog', 'quick', 'the', 'é', '\ud800', 'constructor'];

type Json = Record<string, unknown>;

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());

function leaf(random: Random): Json {
  const word = random.pick(WORDS);
  const number = random.below(8);
  return random.pick<Json>([
    { term: { msg: word } },
    { term: { k: word } },
    { term: { n: number } },
    { term: { f: number / 2 } },
    { term: { b: number > 3 } },
    { terms: { k: [word, random.pick(WORDS)] } },
    { terms: { n: [number, random.below(8)] } },
    { match: { msg: `${word} ${random.pick(WORDS)}` } },
    { match: { msg: { query: `${word} ${random.pick(WORDS)}`, operator: 'and' } } },
    { match: { msg: { query: WORDS.join(' '), minimum_should_match: 2 } } },
    { match_phrase: { msg: `${word} ${random.pick(WORDS)}` } },
    { match_phrase_prefix: { msg: 'quick f' } },
    { multi_match: { query: word, fields: ['msg', 'k'], type: 'cross_fields' } },
    { range: { n: { gte: number } } },
    { range: { k: { lt: 'g' } } },
    { prefix: { msg: 'r' } },
    { wildcard: { k: '*o*' } },
    { fuzzy: { msg: 'fux' } },
    { common: { msg: { query: word, cutoff_frequency: 1 } } },
    { query_string: { query: 'msg:fox OR _exists_:f' } },
    { nested: { path: 'o', query: { term: { 'o.a': word } } } },
    { match_all: {} },
    { ids: { values: ['none'] } },
  ]);
}

function filter(random: Random): Json {
  return random.pick<Json>([
    { exists: { field: 'f' } },
    { missing: { field: 'k' } },
    { term: { k: random.pick(WORDS) } },
    { range: { n: { lte: random.below(8) } } },
    { not: { term: { msg: random.pick(WORDS) } } },
    { script: { script: "doc['n'].value > 3" } },
    { query: leaf(random) },
  ]);
}

function query(random: Random, depth: number): Json {
  if (depth === 0 || random.below(3) === 0) return leaf(random);
  const part = (): Json => query(random, depth - 1);
  return random.pick<() => Json>([
    () => ({ bool: { must: [part(), part()] } }),
    () => ({ bool: { should: [part(), part(), part()], minimum_should_match: 2 } }),
    () => ({ bool: { should: [part(), part()] } }),
    () => ({ bool: { must: [part()], must_not: [part()], should: [part()] } }),
    () => ({ bool: { must_not: [part()] } }),
    () => ({ filtered: { query: part(), filter: filter(random) } }),
    () => ({ constant_score: { filter: filter(random) } }),
    () => ({ dis_max: { queries: [part(), part()] } }),
    () => ({ boosting: { positive: part(), negative: part(), negative_boost: 0.5 } }),
    () => ({ function_score: { query: part(), boost_factor: 2 } }),
  ])();
}

function text(random: Random): string {
  return Array.from({ length: 1 + random.below(4) }, () => random.pick(WORDS)).join(' ');
}

function documentOf(random: Random): Json {
  const document: Json = {};
  if (random.below(4) > 0) document['msg'] = text(random);
  if (random.below(2) > 0) document['k'] = [random.pick(WORDS), random.pick(WORDS)];
  if (random.below(2) > 0) document['n'] = [random.below(8), random.below(8)];
  if (random.below(3) > 0) document['f'] = random.below(8) / 2;
  if (random.below(3) > 0) document['b'] = random.below(2) > 0;
  if (random.below(3) === 0) document['o'] = [{ a: text(random) }, { a: text(random) }];
  return document;
}

const MAPPING = {
  properties: {
    msg: { type: 'string' },
    k: { type: 'string', index: 'not_analyzed' },
    n: { type: 'integer' },
    f: { type: 'float' },
    b: { type: 'boolean' },
    o: { type: 'nested', properties: { a: { type: 'string' } } },
  },
};

interface Percolation {
  readonly matches: readonly { readonly _id: string }[];
}

test('a document matches the stored queries that find it', async () => {
  const random = new Random(testSeed(4711));
  for (let round = 0; round < ROUNDS; round++) {
    const settings = { number_of_shards: 1 + random.below(3) };
    await http.ok('PUT', '/i', { settings, mappings: { t: MAPPING } });
    await http.ok('PUT', '/docs', { settings: { number_of_shards: 1 }, mappings: { t: MAPPING } });
    const stored = new Map<string, Json>();
    for (let d = 0; d < DOCUMENTS; d++) {
      for (let q = 0; q < QUERIES / DOCUMENTS; q++) {
        const id = `q${random.below(QUERIES)}`;
        if (random.below(6) === 0) {
          await http.send('DELETE', `/i/.percolator/${id}`);
          stored.delete(id);
        } else {
          const body = query(random, 2);
          await http.ok('PUT', `/i/.percolator/${id}`, { query: body });
          stored.set(id, body);
        }
      }
      const document = documentOf(random);
      await http.ok('PUT', '/docs/t/1?refresh=true', document);
      const tried = (await http.ok('POST', '/i/t/_percolate', { doc: document })) as Percolation;
      const matching = new Set(tried.matches.map(({ _id }) => _id));
      for (const [id, body] of stored) {
        const { count } = (await http.ok('POST', '/docs/t/_count', { query: body })) as {
          count: number;
        };
        if (matching.has(id) !== (count === 1)) {
          throw new Error(`${JSON.stringify(body)} of ${JSON.stringify(document)}: ${count}`);
        }
      }
    }
    await http.reset();
  }
});
