// Every facet type through the whole engine against counting thing by thing: random indices, each with random
// writes, deletions, refreshes and merges, so that counts come from several segments, shards and indices,
// also remembered ones; in every scope.
//
// PROPERTY_RUNS says how many indices, TEST_SEED which one is the first.

import type { Engine } from '../../engine/index';
import { parseJsonObject } from '../../engine/json/parse';
import { writeJson } from '../../engine/json/write';
import { EngineFolder, indexRequest, OPEN_INDICES, searchFor, toSegments } from '../support/engine';
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
  NOTHING,
  some,
  sourceOf,
  THING_PROPERTIES,
  type Asked,
  type Thing,
} from '../support/facets/things';
import { rounds, Random, testSeed } from '../support/random';

const KINDS: readonly ((random: Random) => Asked)[] = [
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

/** A facet with its frame. */
interface Question {
  readonly asked: Asked;
  readonly isNested: boolean;
  readonly isGlobal: boolean;
  /** What `one` must be, or must not be. */
  readonly filter: { readonly one: number; readonly isNot: boolean } | null;
  readonly leavesOut: readonly string[];
}

function question(random: Random, kind: (random: Random) => Asked): Question {
  return {
    asked: kind(random),
    isNested: random.chance(0.3),
    isGlobal: random.chance(0.2),
    filter: random.chance(0.3) ? { one: random.below(5), isNot: random.chance(0.3) } : null,
    leavesOut: random.pick([[], [], [], ['least'], ['tag', 'unknown'], ['tag', 'least']]),
  };
}

/** What a search restricts by itself. */
interface Main {
  readonly least: number | null;
  readonly tag: string | null;
}

function someMain(random: Random): Main {
  return {
    least: random.chance(0.5) ? random.below(5) : null,
    tag: random.chance(0.2) ? `t${random.below(30)}` : null,
  };
}

function queryOf({ least, tag }: Main): object {
  const parts = [
    ...(least === null ? [] : [{ range: { one: { gte: least }, _name: 'least' } }]),
    ...(tag === null ? [] : [{ term: { tag, _name: 'tag' } }]),
  ];
  if (parts.length === 0) return { match_all: {} };
  return { filtered: { filter: parts.length === 1 ? parts[0] : { and: parts } } };
}

/** Where a search goes: some of two indices, through an alias or not; and to some types. */
interface Place {
  readonly names: string;
  readonly has: (entry: Entry) => boolean;
  readonly types: readonly string[];
  /** Whether types and the filter of the alias let a document through. */
  readonly shows: (entry: Entry) => boolean;
}

interface Entry {
  readonly index: string;
  readonly type: string;
  readonly thing: Thing;
}

const INDICES = ['a', 'b'] as const;
const TYPES = ['doc', 'odd'] as const;

/** Two indices, and all that is asked of them. */
class Indices {
  private readonly written = new Map<string, Entry>();
  private visible: readonly Entry[] = [];
  /** Asked again after every refresh: counts of old segments are remembered. */
  private readonly fixed: readonly Question[];
  private readonly fixedMain: Main;
  private readonly most: number;
  /** What `one` is at least in what the alias `few` shows of index `a`. */
  private readonly fewFrom: number;

  constructor(
    private readonly engine: Engine,
    private readonly random: Random,
  ) {
    this.fixed = KINDS.map((kind) => question(random, kind));
    this.fixedMain = someMain(random);
    this.most = random.pick([1, 8, 8, 8, 40, 40, 150]);
    this.fewFrom = random.below(4);
  }

  async create(): Promise<void> {
    const { random } = this;
    const mappings = Object.fromEntries(
      TYPES.map((type) => [type, { properties: THING_PROPERTIES }]),
    );
    for (const name of INDICES) {
      const settings = { number_of_shards: random.between(1, 3), refresh_interval: '-1' };
      const few = { filter: { range: { one: { gte: this.fewFrom } } } };
      const body = { settings, mappings, aliases: name === 'a' ? { few } : {} };
      await this.engine.admin.createIndex(name, parseJsonObject(JSON.stringify(body)));
    }
  }

  async step(): Promise<void> {
    const { random, engine } = this;
    await engine.bulk(
      some(random, () => this.change(), this.most),
      false,
    );
    if (random.chance(0.1))
      await engine.maintenance.optimize([], OPEN_INDICES, toSegments(random.between(1, 2)));
    await engine.maintenance.refresh([], OPEN_INDICES);
    this.visible = [...this.written.values()];
    await this.check();
  }

  private change() {
    const { random } = this;
    const index = random.pick(INDICES);
    const type = random.pick(TYPES);
    const id = String(random.below(3 * this.most));
    const key = `${index}/${type}/${id}`;
    if (random.chance(0.15)) {
      this.written.delete(key);
      return { kind: 'delete', request: { ...indexRequest(index, type, id, {}), id } } as const;
    }
    const thing = makeThing(random);
    this.written.set(key, { index, type, thing });
    return { kind: 'index', request: indexRequest(index, type, id, sourceOf(thing)) } as const;
  }

  private place(): Place {
    const { random } = this;
    const names = random.pick(['a', 'a', 'a,b', 'few', 'few,b']);
    const types = random.pick<readonly string[]>([[], [], [], ['odd'], TYPES]);
    const isFew = ({ index, thing }: Entry) =>
      index === 'b' || thing.one.some((x) => x >= this.fewFrom);
    return {
      names,
      has: ({ index }) => index === 'a' || names.endsWith('b'),
      types,
      shows: (entry) =>
        (types.length === 0 || types.includes(entry.type)) &&
        (!names.startsWith('few') || isFew(entry)),
    };
  }

  private async check(): Promise<void> {
    const { random } = this;
    const place = this.place();
    const main = random.chance(0.5) ? this.fixedMain : someMain(random);
    const questions = [...this.fixed, ...KINDS.map((kind) => question(random, kind))];
    const facets: Record<string, object> = {};
    const expected: string[] = [];
    for (const one of questions) {
      const path = one.isNested ? 'kids.' : '';
      const only = one.filter && { term: { [`${path}one`]: one.filter.one } };
      const name = `f${expected.length}`;
      facets[name] = {
        ...one.asked.request(path),
        global: one.isGlobal,
        ...(one.isNested ? { nested: 'kids' } : {}),
        ...(only === null ? {} : { facet_filter: one.filter!.isNot ? { not: only } : only }),
        ...(one.leavesOut.length > 0 ? { exclude_filter: one.leavesOut } : {}),
      };
      expected.push(JSON.stringify(facets[name]) + one.asked.answer(this.scope(one, place, main)));
    }
    const body = { size: 0, query: queryOf(main), facets };
    const found = await searchFor(this.engine, place.names, body, {}, place.types);
    const texts = [...(found.facets as ReadonlyMap<string, never>)].map(
      ([name, facet]) => JSON.stringify(facets[name]) + writeJson(facet),
    );
    expect([place.names, place.types, main, ...texts]).toEqual([
      place.names,
      place.types,
      main,
      ...expected,
    ]);
  }

  /** What a facet counts. */
  private scope(one: Question, place: Place, main: Main): readonly Thing[] {
    const all = this.visible.filter(place.has);
    const kind = Object.keys(one.asked.request(''))[0]!;
    const isUnrestricted = one.isGlobal && (kind === 'filter' || kind === 'query');
    const shown = isUnrestricted ? all : all.filter(place.shows);
    const roots = shown
      .map(({ thing }) => thing)
      .filter((thing) => {
        if (one.isGlobal) return true;
        const { least, tag } = main;
        return (
          (least === null ||
            one.leavesOut.includes('least') ||
            thing.one.some((x) => x >= least)) &&
          (tag === null || one.leavesOut.includes('tag') || thing.tag.includes(tag))
        );
      });
    const kids = roots.flatMap((root) => root.kids);
    // Where filters and queries are global their scope has nested objects, too, without the fields of roots.
    const things = one.isNested
      ? kids
      : isUnrestricted
        ? [...roots, ...kids.map(() => NOTHING)]
        : roots;
    const { filter: wanted } = one;
    return things.filter((x) => wanted === null || x.one.includes(wanted.one) !== wanted.isNot);
  }
}

test('facets of all types count exactly', async () => {
  const first = testSeed(1);
  const folder = await EngineFolder.create();
  try {
    const engine = await folder.open();
    for (let seed = first; seed < first + rounds(8, 150); seed++) {
      const random = new Random(seed);
      try {
        const indices = new Indices(engine, random);
        await indices.create();
        for (let steps = random.between(1, 6); steps > 0; steps--) await indices.step();
      } catch (error) {
        throw new Error(`TEST_SEED=${seed}`, { cause: error });
      }
      await engine.admin.deleteIndices([...INDICES], OPEN_INDICES);
    }
  } finally {
    await folder.remove();
  }
});
