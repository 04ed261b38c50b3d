// Bulk requests, refreshes, merges and searches all at once: no document may be lost, doubled or left in an
// older version, neither in between nor in the end, nor after a restart.

import type { Engine } from '../../engine/index';
import { parseJsonObject } from '../../engine/json/parse';
import { writeJson } from '../../engine/json/write';
import { EngineFolder, indexRequest, OPEN_INDICES, toSegments, searchFor } from '../support/engine';
import { Random, rounds, testSeed } from '../support/random';

const IDS = 600;
const BULKS = rounds(30, 180);
const MAPPING = {
  properties: {
    key: { type: 'string', index: 'not_analyzed' },
    rev: { type: 'integer' },
    kids: { type: 'nested', properties: { of: { type: 'string', index: 'not_analyzed' } } },
  },
};

interface Entry {
  readonly term: string | number;
  readonly count: number;
}

/** All entries of the facets of a search over everything, by facet. */
async function everything(
  engine: Engine,
): Promise<{ total: number; facets: Map<string, Entry[]> }> {
  const size = 1_000_000;
  const found = await searchFor(engine, 'i', {
    size: 0,
    facets: {
      keys: { terms: { field: 'key', size, order: 'term' } },
      revisions: { terms: { field: 'rev', size } },
      kids: { terms: { field: 'kids.of', size }, nested: 'kids' },
    },
  });
  const facets = new Map<string, Entry[]>();
  for (const [name, facet] of found.facets as ReadonlyMap<string, never>) {
    facets.set(name, (JSON.parse(writeJson(facet)) as { terms: Entry[] }).terms);
  }
  return { total: found.total, facets };
}

class Load {
  /** What is acknowledged: revision by id. */
  readonly written = new Map<string, number>();
  private revision = 0;
  isOver = false;

  constructor(
    private readonly engine: Engine,
    private readonly random: Random,
  ) {}

  /** Writes bulk after bulk, as fast as they are acknowledged. */
  async write(): Promise<void> {
    const { random } = this;
    for (let bulk = 0; bulk < BULKS; bulk++) {
      const outcome = new Map<string, number | null>();
      const actions = [];
      for (let i = random.between(1, 60); i > 0; i--) {
        const id = String(random.below(IDS));
        const isDelete = random.chance(0.15);
        const rev = this.revision++;
        const source = { key: id, rev, kids: [{ of: id }, { of: id }] };
        const request = { ...indexRequest('i', 'doc', id, source), id };
        actions.push({ kind: isDelete ? 'delete' : 'index', request } as const);
        outcome.set(id, isDelete ? null : rev);
      }
      await this.engine.bulk(actions, random.chance(0.1));
      for (const [id, rev] of outcome) {
        if (rev === null) this.written.delete(id);
        else this.written.set(id, rev);
      }
    }
    this.isOver = true;
  }

  async refresh(): Promise<void> {
    while (!this.isOver) {
      await this.engine.maintenance.refresh([], OPEN_INDICES);
      await new Promise((resolve) => setTimeout(resolve, this.random.below(4)));
    }
  }

  async optimize(): Promise<void> {
    while (!this.isOver) {
      await this.engine.maintenance.optimize(
        [],
        OPEN_INDICES,
        toSegments(this.random.between(1, 2)),
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Looks at snapshots in between: each holds every document once, with all its nested objects. */
  async look(): Promise<void> {
    while (!this.isOver) {
      const { total, facets } = await everything(this.engine);
      this.expectWhole(total, facets);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  expectWhole(total: number, facets: ReadonlyMap<string, readonly Entry[]>): void {
    const keys = facets.get('keys')!;
    expect(keys.filter(({ count }) => count !== 1)).toEqual([]);
    expect(keys).toHaveLength(total);
    expect(facets.get('revisions')!.filter(({ count }) => count !== 1)).toEqual([]);
    expect(facets.get('kids')!.filter(({ count }) => count !== 2)).toEqual([]);
    expect(facets.get('kids')).toHaveLength(total);
  }

  async expectWritten(engine: Engine): Promise<void> {
    const { total, facets } = await everything(engine);
    this.expectWhole(total, facets);
    const keys = facets.get('keys')!.map(({ term }) => term);
    expect(keys).toEqual([...this.written.keys()].sort());
    const revisions = facets.get('revisions')!.map(({ term }) => Number(term));
    expect(revisions.sort((a, b) => a - b)).toEqual(
      [...this.written.values()].sort((a, b) => a - b),
    );
  }
}

test.each([
  [1, 1],
  [2, 3],
])(
  'merging under load loses and doubles nothing (sequence %i, %i shards)',
  async (number, shards) => {
    const seed = testSeed(number);
    const folder = await EngineFolder.create();
    try {
      const engine = await folder.open();
      const settings = { number_of_shards: shards, refresh_interval: '-1' };
      await engine.admin.createIndex(
        'i',
        parseJsonObject(JSON.stringify({ settings, mappings: { doc: MAPPING } })),
      );
      const load = new Load(engine, new Random(seed));
      await Promise.all([load.write(), load.refresh(), load.optimize(), load.look()]);
      await engine.maintenance.refresh([], OPEN_INDICES);
      await load.expectWritten(engine);
      await load.expectWritten(await folder.restart());
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    } finally {
      await folder.remove();
    }
  },
);
