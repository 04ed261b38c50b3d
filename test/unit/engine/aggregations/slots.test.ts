// Metrics below terms and histograms: documents of a set are folded by their one bucket, or handed on in
// windows where something stands beside them that does not fold. Both have to say the same, and the truth.

import type { Engine } from '../../../../engine/index';
import { writeJson } from '../../../../engine/json/write';
import { EngineFolder, indexRequest, OPEN_INDICES, searchFor } from '../../../support/engine';

interface Doc {
  readonly tag?: string;
  readonly n?: number;
  readonly m: number;
}

const DOCS: readonly Doc[] = Array.from({ length: 240 }, (_, i) => ({
  ...(i % 9 === 0 ? {} : { tag: `t${(i * i) % 23}` }),
  ...(i % 7 === 0 ? {} : { n: ((i * 37) % 100) - 20.5 }),
  m: i,
}));
const isDeleted = (i: number): boolean => i % 31 === 0;

const SINGLE = { s: { stats: { field: 'n' } } };
const SEVERAL = { ...SINGLE, a: { avg: { field: 'm' } } };
/** Sums of squares are not folded. */
const HANDED_ON = { ...SEVERAL, e: { extended_stats: { field: 'n' } } };

const PARENTS: Record<string, { body: object; keyOf: (doc: Doc) => string | null }> = {
  terms: { body: { terms: { field: 'tag', size: 0 } }, keyOf: ({ tag }) => tag ?? null },
  'terms that are numbers': {
    body: { terms: { field: 'm', size: 0 } },
    keyOf: ({ m }) => String(m),
  },
  histogram: {
    body: { histogram: { field: 'm', interval: 30, min_doc_count: 1 } },
    keyOf: ({ m }) => String(Math.floor(m / 30) * 30),
  },
};

interface Bucket {
  readonly key: string | number;
  readonly doc_count: number;
  readonly s: { count: number; sum: number; min: number; max: number };
  readonly a?: { value: number };
}

let folder: EngineFolder;
let engine: Engine;

beforeAll(async () => {
  folder = await EngineFolder.create();
  engine = await folder.open({ changes: { workers: 0 } });
  const refresh = () => engine.maintenance.refresh([], OPEN_INDICES);
  for (const [i, doc] of DOCS.entries()) {
    await engine.index(indexRequest('i', 'doc', String(i), doc));
    if (i % 150 === 149) await refresh();
  }
  for (let i = 0; i < DOCS.length; i++) {
    if (isDeleted(i))
      await engine.delete({ ...indexRequest('i', 'doc', String(i), {}), id: String(i) });
  }
  await refresh();
});
afterAll(() => folder.remove());

async function buckets(parent: object, subs: object, from: number): Promise<readonly Bucket[]> {
  const body = { size: 0, query: { range: { m: { gte: from } } } };
  const aggs = { it: { ...parent, aggs: subs } };
  const { aggregations } = await searchFor(engine, 'i', { ...body, aggs });
  return (JSON.parse(writeJson(aggregations!)) as { it: { buckets: Bucket[] } }).it.buckets;
}

/** Halves add up exactly, in whatever order. */
function numbersOf({ count, sum, min, max }: Bucket['s']): readonly number[] {
  return count === 0 ? [0] : [count, sum, min, max];
}

test.each(Object.entries(PARENTS))('metrics below %s', async (_, { body, keyOf }) => {
  // Buckets of histograms are kept from the second time on, and scopes differ so that no count is.
  for (const from of [0, 120, 225, 232]) {
    const handed = await buckets(body, HANDED_ON, from);
    const folded = await buckets(body, SEVERAL, from);
    const single = await buckets(body, SINGLE, from);
    expect(folded).toEqual(handed.map(({ key, doc_count, s, a }) => ({ key, doc_count, s, a })));
    expect(single).toEqual(handed.map(({ key, doc_count, s }) => ({ key, doc_count, s })));
    const counted = DOCS.filter((doc, i) => doc.m >= from && !isDeleted(i));
    const keys = new Set(counted.map(keyOf).filter((key) => key !== null));
    expect(new Set(folded.map(({ key }) => String(key)))).toEqual(keys);
    const shown = folded.map(({ key, doc_count, s }) => [String(key), doc_count, numbersOf(s)]);
    const expected = folded.map(({ key }) => {
      const own = counted.filter((doc) => keyOf(doc) === String(key));
      const values = own.flatMap(({ n }) => n ?? []);
      const sum = values.reduce((total, value) => total + value, 0);
      const ends = [Math.min(...values), Math.max(...values)];
      return [
        String(key),
        own.length,
        [values.length, ...(values.length > 0 ? [sum, ...ends] : [])],
      ];
    });
    expect(shown).toEqual(expected);
  }
});
