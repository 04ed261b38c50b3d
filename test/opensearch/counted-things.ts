// Random things written to the embedded engine and to OpenSearch, and counted by both.

import { parseJsonObject } from '../../engine/json/parse';
import type { Engine } from '../../engine/index';
import { writeJson } from '../../engine/json/write';
import type { JsonOutput } from '../../engine/json/json';
import { EngineFolder, indexRequest, OPEN_INDICES, searchFor } from '../support/engine';
import { makeThing, some, sourceOf, THING_PROPERTIES, type Thing } from '../support/facets/things';
import { onlyWhere } from '../support/only-where';
import { Random, rounds, testSeed } from '../support/random';
import { Counted } from './counted';

/** Part of a search: `facets` or `aggs`, of which the first is looked at. */
type Question = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** Searches of which shards were asked several times. */
let askedAgain = 0;

const url = process.env['OPENSEARCH_URL'] ?? '';

/**
 * A test where OPENSEARCH_URL names a server: what is asked of random documents is counted alike.
 *
 * @param what is counted, for the name @param questions makes what is asked
 * @param refused what OpenSearch may refuse; null: nothing
 */
export function countsAreEqual(
  what: string,
  questions: (random: Random) => readonly Question[],
  refused: RegExp | null,
) {
  onlyWhere(url !== '', 'OPENSEARCH_URL')(`${what} are those of the embedded engine`, async () => {
    const folder = await EngineFolder.create();
    const first = testSeed(1);
    let compared = 0;
    try {
      const engine = await folder.open();
      const counted = await Counted.open(engine, url);
      for (let seed = first; seed < first + rounds(4, 60); seed++) {
        const random = new Random(seed);
        try {
          await fill(engine, counted, random);
          for (let i = 0; i < 6; i++)
            compared += await compare(engine, counted, random, questions(random), refused);
        } catch (error) {
          throw new Error(`TEST_SEED=${seed}`, { cause: error });
        }
        for (const index of ['a', 'b']) await counted.remove(index);
        await engine.admin.deleteIndices(['a', 'b'], OPEN_INDICES);
      }
      await counted.client.close();
    } finally {
      await folder.remove();
    }
    expect(compared).toBeGreaterThan(0);
    expect(askedAgain).toBeGreaterThan(0);
  });
}

/** Makes the indices `a`, of several shards, and `b` with things in them. */
async function fill(engine: Engine, counted: Counted, random: Random): Promise<void> {
  const mappings = { doc: { properties: THING_PROPERTIES }, odd: { properties: THING_PROPERTIES } };
  for (const index of ['a', 'b']) {
    const shards = index === 'a' ? random.between(1, 3) : 1;
    const settings = { number_of_shards: shards, refresh_interval: '-1' };
    await engine.admin.createIndex(index, parseJsonObject(JSON.stringify({ settings, mappings })));
    await counted.create(index);
    const most = random.pick([3, 40, 400]);
    const hasSeveral = random.chance(0.3);
    // In the second round some are replaced, and some deleted.
    for (const deleted of [0, 0.5]) {
      const documents = some(random, () => makeThing(random), most).map((thing) => ({
        type: random.pick(['doc', 'doc', 'odd']),
        id: String(random.below(2 * most)),
        source: random.chance(deleted) ? null : sourceOf(hasSeveral ? thing : inOnePlace(thing)),
      }));
      const writes = documents.map(({ type, id, source }) =>
        source === null
          ? ({ kind: 'delete', request: { ...indexRequest(index, type, id, {}), id } } as const)
          : ({ kind: 'index', request: indexRequest(index, type, id, source) } as const),
      );
      await engine.bulk(writes, false);
      await counted.write(index, documents);
      await engine.maintenance.refresh([], OPEN_INDICES);
    }
  }
}

/** The same with one point at most. */
function inOnePlace(thing: Thing): Thing {
  return { ...thing, at: thing.at.slice(0, 1), kids: thing.kids.map(inOnePlace) };
}

/** @returns how many were compared, and not refused */
async function compare(
  engine: Engine,
  counted: Counted,
  random: Random,
  questions: readonly Question[],
  refused: RegExp | null,
): Promise<number> {
  let compared = 0;
  const range = { range: { one: { gte: random.below(5) }, _name: 'least' } };
  const query = random.chance(0.5) ? { filtered: { filter: range } } : { match_all: {} };
  const types = random.pick<readonly string[]>([[], [], ['odd']]);
  for (const question of questions) {
    const names = random.pick(['a', 'b', 'a,b']);
    const { facets, aggregations } = await searchFor(
      engine,
      names,
      { size: 0, query, ...question },
      {},
      types,
    );
    const expected = textsOf((facets ?? aggregations) as ReadonlyMap<string, JsonOutput>);
    let found: readonly string[];
    try {
      const again = await counted.searchAgain();
      const [failure] = again.failures;
      if (failure !== undefined) throw new Error(failure.reason);
      if (counted.requests > 1) askedAgain++;
      const counts = (again.facets ?? again.aggregations ?? new Map<string, string>()).values();
      found = Array.from(counts, (each) => withoutBounds(String(each)));
    } catch (error) {
      if (refused?.test(String(error)) !== true) throw error;
      continue;
    }
    compared++;
    expect([question, query, names, types, found]).toEqual([
      question,
      query,
      names,
      types,
      expected,
    ]);
  }
  return compared;
}

function textsOf(counted: ReadonlyMap<string, JsonOutput>): string[] {
  return Array.from(counted.values(), (each) => withoutBounds(writeJson(each)));
}

/** Whether a shard has more terms than 1.x would ask it for is told by segment in the embedded engine. */
function withoutBounds(text: string): string {
  return text.replaceAll('"doc_count_error_upper_bound":-1', '"doc_count_error_upper_bound":0');
}
