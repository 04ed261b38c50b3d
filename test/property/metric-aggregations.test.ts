// cardinality, percentiles and geo_bounds two and three levels deep, through the whole engine, against lists
// of values: random documents with deletions, over several segments and shards.
//
// PROPERTY_RUNS says how many indices, TEST_SEED which one is the first.

import type { Engine } from '../../engine/index';
import { parseJsonObject } from '../../engine/json/parse';
import { writeJson } from '../../engine/json/write';
import { EngineFolder, indexRequest, OPEN_INDICES, searchFor } from '../support/engine';
import { propertyRuns, Random, testSeed } from '../support/random';

interface Kid {
  readonly k: string;
  readonly n: readonly number[];
}

interface Doc extends Kid {
  readonly at: readonly { readonly lat: number; readonly lon: number }[];
  readonly kids: readonly Kid[];
}

const KID = { k: { type: 'string', index: 'not_analyzed' }, n: { type: 'double' } };
const PROPERTIES = {
  ...KID,
  at: { type: 'geo_point' },
  kids: { type: 'nested', properties: KID },
};
const PERCENTS = [0, 12.5, 50, 100];

function several<T>(random: Random, most: number, make: () => T): T[] {
  return Array.from({ length: random.below(most + 1) }, make);
}

function someKid(random: Random): Kid {
  return {
    k: `k${random.below(4)}`,
    n: several(random, 2, () => random.below(120) / 4),
  };
}

function someDoc(random: Random): Doc {
  return {
    ...someKid(random),
    at: several(random, 2, () => ({
      lat: random.between(-80, 80),
      lon: random.between(-179, 179),
    })),
    kids: several(random, 3, () => someKid(random)),
  };
}

function metricsOf(path: string) {
  return {
    keys: { cardinality: { field: `${path}k` } },
    numbers: { cardinality: { field: `${path}n`, precision_threshold: 1000 } },
    spread: { percentiles: { field: `${path}n`, percents: PERCENTS } },
  };
}

const AGGREGATIONS = {
  byKey: {
    terms: { field: 'k', size: 0, order: { _term: 'asc' } },
    aggs: {
      ...metricsOf(''),
      box: { geo_bounds: { field: 'at', wrap_longitude: false } },
      kids: {
        nested: { path: 'kids' },
        aggs: {
          byKey: {
            terms: { field: 'kids.k', size: 0, order: { _term: 'asc' } },
            aggs: metricsOf('kids.'),
          },
        },
      },
    },
  },
};

function percentile(sorted: readonly number[], percent: number): number | string {
  if (sorted.length === 0) return 'NaN';
  const index = (percent / 100) * (sorted.length - 1);
  const low = sorted[Math.floor(index)]!;
  const high = sorted[Math.ceil(index)]!;
  return low + (high - low) * (index - Math.floor(index));
}

function metrics(things: readonly Kid[]) {
  const numbers = things.flatMap(({ n }) => n).sort((a, b) => a - b);
  return {
    doc_count: things.length,
    keys: { value: new Set(things.map(({ k }) => k)).size },
    numbers: { value: new Set(numbers).size },
    spread: {
      values: Object.fromEntries(
        PERCENTS.map((percent) => [
          Number.isInteger(percent) ? `${percent}.0` : String(percent),
          percentile(numbers, percent),
        ]),
      ),
    },
  };
}

function byKey<T extends Kid, R>(things: readonly T[], of: (group: readonly T[]) => R) {
  const keys = [...new Set(things.map(({ k }) => k))].sort();
  return {
    doc_count_error_upper_bound: 0,
    sum_other_doc_count: 0,
    buckets: keys.map((key) => ({ key, ...of(things.filter(({ k }) => k === key)) })),
  };
}

function box(docs: readonly Doc[]) {
  const points = docs.flatMap(({ at }) => at);
  if (points.length === 0) return {};
  const latitudes = points.map(({ lat }) => lat);
  const longitudes = points.map(({ lon }) => lon);
  const topLeft = { lat: Math.max(...latitudes), lon: Math.min(...longitudes) };
  const bottomRight = { lat: Math.min(...latitudes), lon: Math.max(...longitudes) };
  return { bounds: { top_left: topLeft, bottom_right: bottomRight } };
}

function expected(docs: readonly Doc[]) {
  return {
    byKey: byKey(docs, (group) => {
      const kids = group.flatMap((doc) => doc.kids);
      return {
        ...metrics(group),
        box: box(group),
        kids: { doc_count: kids.length, byKey: byKey(kids, metrics) },
      };
    }),
  };
}

async function run(engine: Engine, random: Random, index: string): Promise<void> {
  const settings = { number_of_shards: random.between(1, 3), refresh_interval: '-1' };
  const body = { settings, mappings: { doc: { properties: PROPERTIES } } };
  await engine.admin.createIndex(index, parseJsonObject(JSON.stringify(body)));
  const written = new Map<string, Doc>();
  for (let step = random.between(1, 4); step > 0; step--) {
    await engine.bulk(
      several(random, 60, () => {
        const id = String(random.below(80));
        if (random.chance(0.15)) {
          written.delete(id);
          return {
            kind: 'delete',
            request: { ...indexRequest(index, 'doc', id, {}), id },
          } as const;
        }
        const doc = someDoc(random);
        written.set(id, doc);
        return { kind: 'index', request: indexRequest(index, 'doc', id, doc) } as const;
      }),
      false,
    );
    await engine.maintenance.refresh([], OPEN_INDICES);
    const least = random.below(15);
    const isIn = (doc: Doc) => least < 5 || doc.n.some((n) => n >= least);
    const query = least < 5 ? { match_all: {} } : { range: { n: { gte: least } } };
    const found = await searchFor(engine, index, { size: 0, query, aggs: AGGREGATIONS });
    expect(JSON.parse(writeJson(found.aggregations!))).toEqual(
      expected([...written.values()].filter(isIn)),
    );
  }
}

test('metrics in buckets in buckets are those of the values', async () => {
  const first = testSeed(1);
  const folder = await EngineFolder.create();
  try {
    const engine = await folder.open();
    for (let seed = first; seed < first + propertyRuns(8); seed++) {
      try {
        await run(engine, new Random(seed), `i${seed}`);
      } catch (error) {
        throw new Error(`TEST_SEED=${seed}`, { cause: error });
      }
    }
  } finally {
    await folder.remove();
  }
});
