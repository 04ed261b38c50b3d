// Bucket aggregations against counting by hand: random documents over segments, shards and workers, with
// values that are missing or several, and deleted documents.

import { encodeGeohash } from '../../engine/geo/index';
import { HttpClient } from '../support/http-client';
import { repeatable } from '../support/repeatable';
import { testSeed } from '../support/random';

interface Doc {
  readonly id: string;
  readonly tags: string[];
  readonly addresses: string[];
  readonly points: { lat: number; lon: number }[];
}

interface Kid {
  readonly parent: string;
  readonly word: string;
}

interface Bucket {
  key: string;
  doc_count: number;
  bg_count: number;
  score: number;
  kids: { doc_count: number; words: { buckets: Bucket[] } };
}

interface Answer {
  aggregations: { t: { doc_count: number; buckets: Bucket[] } };
}

const MAPPINGS = {
  par: {
    properties: {
      tags: { type: 'string', index: 'not_analyzed' },
      addresses: { type: 'ip' },
      points: { type: 'geo_point' },
    },
  },
  kid: {
    _parent: { type: 'par' },
    properties: { word: { type: 'string', index: 'not_analyzed' } },
  },
};
const INDICES = ['i', 'one'];
const MASKS = ['10.0.0.0/8', '10.1.0.0/16', '192.168.0.0/30', '0.0.0.0/0'];
const ALL = { match_all: {} };
const RINGS = [{ to: 100 }, { from: 100, to: 1000 }, { from: 1000 }, { from: 50, to: 5000 }];

describe.each([0, 2])('%i workers', (workers) => {
  const seed = testSeed(20 + workers);
  const roll = repeatable(seed);
  const below = (n: number): number => Math.floor(roll() * n);
  const some = <T>(max: number, make: () => T): T[] => Array.from({ length: below(max + 1) }, make);
  let http: HttpClient;
  let docs: Doc[] = [];
  let kids: Kid[] = [];

  beforeAll(async () => {
    http = await HttpClient.start({ 'node.workers': String(workers) });
    for (const [index, shards] of [
      ['i', 3],
      ['one', 1],
    ] as const) {
      const settings = { number_of_shards: shards };
      await http.ok('PUT', `/${index}`, { settings, mappings: MAPPINGS });
    }
    for (let part = 0; part < 3; part++) {
      const lines: object[] = [];
      for (let i = 0; i < 30; i++) {
        const doc: Doc = {
          id: `p${part * 30 + i}`,
          tags: some(3, () => 'abcdef'.charAt(below(6))),
          addresses: some(
            2,
            () => `${below(2) === 0 ? '10' : '192.168'}.${below(3)}.${below(4)}`,
          ).map((text) => (text.startsWith('10') ? `${text}.7` : text)),
          points: some(2, () => ({ lat: below(1200) / 100 + 40, lon: below(1200) / 100 })),
        };
        const { id, ...source } = doc;
        docs.push(doc);
        lines.push({ index: { _type: 'par', _id: id } }, source);
        for (const word of some(3, () => 'xyz'.charAt(below(3)))) {
          const kid: Kid = { parent: `p${below(95)}`, word };
          kids.push(kid);
          lines.push(
            { index: { _type: 'kid', _id: `k${kids.length}`, _parent: kid.parent } },
            { word },
          );
        }
      }
      for (const index of INDICES)
        await http.ok('POST', `/${index}/_bulk?refresh=true`, ndjson(lines));
    }
    const gone = new Set(['p3', 'p40', 'p77']);
    for (const index of INDICES) {
      for (const id of gone) await http.ok('DELETE', `/${index}/par/${id}`);
    }
    await http.ok('POST', '/_refresh');
    docs = docs.filter(({ id }) => !gone.has(id));
    kids = kids.filter(({ parent }) => docs.some(({ id }) => id === parent));
  });
  afterAll(() => http.close());

  const buckets = async (t: object, query: object = ALL, index = 'i'): Promise<Bucket[]> => {
    const answer = await http.ok('POST', `/${index}/par/_search`, { size: 0, query, aggs: { t } });
    return (answer as Answer).aggregations.t.buckets;
  };

  it('ip_range', async () => {
    const found = await buckets({
      ip_range: { field: 'addresses', ranges: MASKS.map((mask) => ({ mask })) },
    });
    const counts = new Map(found.map((bucket) => [bucket.key, bucket.doc_count]));
    for (const mask of MASKS) {
      const [base, bits] = mask.split('/') as [string, string];
      const size = 2 ** (32 - Number(bits));
      const cell = (text: string): number => Math.floor(numberOf(text) / size);
      const wanted = docs.filter(({ addresses }) => addresses.some((a) => cell(a) === cell(base)));
      expect([seed, mask, counts.get(mask)]).toEqual([seed, mask, wanted.length]);
    }
  });

  it('geo_distance', async () => {
    const found = await buckets({
      geo_distance: {
        field: 'points',
        origin: '45,5',
        unit: 'km',
        distance_type: 'plane',
        ranges: RINGS.map((ring, i) => ({ ...ring, key: String(i) })),
      },
    });
    const perDegree = (2 * Math.PI * 6378.137) / 360;
    for (const { key, doc_count: count } of found) {
      const { from = 0, to = Infinity } = RINGS[Number(key)] as { from?: number; to?: number };
      const wanted = docs.filter(({ points }) =>
        points.some(({ lat, lon }) => {
          const distance = Math.hypot(lat - 45, lon - 5) * perDegree;
          return distance >= from && distance < to;
        }),
      );
      expect([seed, key, count]).toEqual([seed, key, wanted.length]);
    }
    expect(found).toHaveLength(RINGS.length);
  });

  it.each([1, 3, 4, 12])('geohash_grid of %i characters', async (precision) => {
    const found = await buckets({ geohash_grid: { field: 'points', precision, size: 0 } });
    const counts = new Map<string, number>();
    for (const { points } of docs) {
      const cells = points.map(({ lat, lon }) =>
        encodeGeohash({ latitude: lat, longitude: lon }, precision),
      );
      for (const cell of new Set(cells)) counts.set(cell, (counts.get(cell) ?? 0) + 1);
    }
    const wanted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? 1 : -1));
    expect(found.map(({ key, doc_count: count }) => [key, count])).toEqual(wanted);
    const first = await buckets({ geohash_grid: { field: 'points', precision, size: 2 } });
    expect(first).toEqual(found.slice(0, 2));
  });

  it('significant_terms', async () => {
    const subset = docs.filter(({ tags }) => tags.includes('a'));
    const found = await buckets(
      { significant_terms: { field: 'tags', min_doc_count: 2, size: 0 } },
      { term: { tags: 'a' } },
      'one',
    );
    const { count: background } = (await http.ok('GET', '/one/_count')) as { count: number };
    const wanted = [...'abcdef']
      .map((key) => {
        const having = (list: readonly Doc[]) =>
          list.filter(({ tags }) => tags.includes(key)).length;
        const [fg, bg] = [having(subset) / subset.length, having(docs) / background];
        return {
          key,
          doc_count: having(subset),
          bg_count: having(docs),
          score: (fg - bg) * (fg / bg),
        };
      })
      .filter(({ doc_count: count, score }) => count >= 2 && score > 0)
      .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
    expect(found.map(({ key }) => key)).toEqual(wanted.map(({ key }) => key));
    found.forEach((bucket, i) => {
      const { score, ...counts } = wanted[i]!;
      expect(bucket).toMatchObject(counts);
      expect(bucket.score).toBeCloseTo(score, 9);
    });
  });

  it('children below the terms of their parents', async () => {
    const found = await buckets({
      terms: { field: 'tags', order: { _term: 'asc' } },
      aggs: { kids: { children: { type: 'kid' }, aggs: { words: { terms: { field: 'word' } } } } },
    });
    for (const { key, kids: below } of found) {
      const parents = new Set(docs.filter(({ tags }) => tags.includes(key)).map(({ id }) => id));
      const own = kids.filter(({ parent }) => parents.has(parent));
      expect([seed, key, below.doc_count]).toEqual([seed, key, own.length]);
      for (const { key: word, doc_count: count } of below.words.buckets)
        expect(count).toBe(own.filter((kid) => kid.word === word).length);
    }
    expect(found).toHaveLength(6);
  });
});

function ndjson(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
