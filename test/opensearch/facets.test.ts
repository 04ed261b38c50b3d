// Facets of all types by OpenSearch, beside those of the embedded engine, over the same random documents.
//
// OPENSEARCH_URL says where the server is. TEST_SEED says which documents are the first.

import type { Engine } from '../../engine/index';
import { parseJsonObject } from '../../engine/json/parse';
import type { JsonOutput } from '../../engine/json/json';
import { writeJson } from '../../engine/json/write';
import { EngineFolder, indexRequest, OPEN_INDICES, searchFor } from '../support/engine';
import {
  dateHistogram,
  filter,
  geoDistance,
  histogram,
  query,
  range,
  statistical,
  termsStats,
} from '../support/facets/number-facets';
import { terms } from '../support/facets/terms-facet';
import {
  makeThing,
  some,
  sourceOf,
  THING_PROPERTIES,
  type Asked,
  type Thing,
} from '../support/facets/things';
import { onlyWhere } from '../support/only-where';
import { Random, rounds, testSeed } from '../support/random';
import { Counted } from './counted';

const url = process.env['OPENSEARCH_URL'] ?? '';

const KINDS: readonly ((random: Random) => Asked)[] = [
  terms,
  terms,
  terms,
  termsStats,
  statistical,
  histogram,
  dateHistogram,
  range,
  filter,
  query,
  geoDistance,
];

/** A facet in a frame. */
function definition(random: Random, kind: (random: Random) => Asked): object {
  const isNested = random.chance(0.3);
  const path = isNested ? 'kids.' : '';
  const only = { term: { [`${path}one`]: random.below(5) } };
  return {
    ...kind(random).request(path),
    global: random.chance(0.2),
    ...(isNested ? { nested: 'kids' } : {}),
    ...(random.chance(0.3) ? { facet_filter: random.chance(0.3) ? { not: only } : only } : {}),
    ...(random.chance(0.2) ? { exclude_filter: ['least'] } : {}),
  };
}

/** The same with one point at most. */
function inOnePlace(thing: Thing): Thing {
  return { ...thing, at: thing.at.slice(0, 1), kids: thing.kids.map(inOnePlace) };
}

/** What OpenSearch says that it cannot do, by name. */
const REFUSED = /is not supported by the OpenSearch backend/;

/** @returns how many were compared, and not refused */
async function compare(engine: Engine, counted: Counted, random: Random): Promise<number> {
  let compared = 0;
  const least = random.chance(0.5)
    ? { range: { one: { gte: random.below(5) }, _name: 'least' } }
    : null;
  const types = random.pick<readonly string[]>([[], [], ['odd']]);
  for (const kind of KINDS) {
    const f = definition(random, kind);
    const body = {
      size: 0,
      query: least === null ? { match_all: {} } : { filtered: { filter: least } },
      facets: { f },
    };
    const { facets } = await searchFor(engine, random.pick(['a', 'a,b']), body, {}, types);
    const expected = writeJson((facets as ReadonlyMap<string, JsonOutput>).get('f')!);
    let found: string | undefined;
    try {
      found = (await counted.again()).facets?.get('f');
    } catch (error) {
      if (!REFUSED.test(String(error))) throw error;
      continue;
    }
    compared++;
    expect([f, types, found]).toEqual([f, types, expected]);
  }
  return compared;
}

onlyWhere(url !== '', 'OPENSEARCH_URL')(
  'facets of all types are those of the embedded engine',
  async () => {
    const folder = await EngineFolder.create();
    const first = testSeed(1);
    let compared = 0;
    try {
      const engine = await folder.open();
      const counted = new Counted(engine, url);
      for (let seed = first; seed < first + rounds(4, 60); seed++) {
        const random = new Random(seed);
        const mappings = {
          doc: { properties: THING_PROPERTIES },
          odd: { properties: THING_PROPERTIES },
        };
        for (const index of ['a', 'b']) {
          const settings = {
            number_of_shards: index === 'a' ? random.between(1, 3) : 1,
            refresh_interval: '-1',
          };
          await engine.admin.createIndex(
            index,
            parseJsonObject(JSON.stringify({ settings, mappings })),
          );
          await counted.create(index);
          const documents = some(random, () => makeThing(random), random.pick([3, 40, 150])).map(
            (thing, i) => ({
              type: random.pick(['doc', 'doc', 'odd']),
              id: String(i),
              source: sourceOf(random.chance(0.5) ? thing : inOnePlace(thing)),
            }),
          );
          await engine.bulk(
            documents.map(
              ({ type, id, source }) =>
                ({ kind: 'index', request: indexRequest(index, type, id, source) }) as const,
            ),
            false,
          );
          await counted.write(index, documents);
        }
        await engine.maintenance.refresh([], OPEN_INDICES);
        for (let i = 0; i < 6; i++) {
          try {
            compared += await compare(engine, counted, random);
          } catch (error) {
            throw new Error(`TEST_SEED=${seed}`, { cause: error });
          }
        }
        for (const index of ['a', 'b']) await counted.remove(index);
        await engine.admin.deleteIndices(['a', 'b'], OPEN_INDICES);
      }
      await counted.client.close();
    } finally {
      await folder.remove();
    }
    expect(compared).toBeGreaterThan(0);
  },
);
