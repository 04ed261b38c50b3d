// Columns that facets read stay within the memory of the node: those make room that were not used for
// longest.

import type { CacheStats, Engine } from '../../../../engine/index';
import { EngineFolder, indexRequest, searchFor } from '../../../support/engine';

const BUDGET = 512 * 1024;
const FIELDS = Array.from({ length: 16 }, (_, f) => `f${f}`);
const DOCUMENTS = 4000;

async function load(engine: Engine): Promise<void> {
  const actions = Array.from({ length: DOCUMENTS }, (_, d) => {
    const values = FIELDS.map((name, f) => [name, d + (f + 1) / 7]);
    const request = indexRequest('i', 'doc', String(d), Object.fromEntries(values) as object);
    return { kind: 'index', request } as const;
  });
  await engine.bulk(actions, true);
}

/** The fields of which a column is in memory. */
function inMemory(engine: Engine, { columns }: CacheStats): string[] {
  const ids = new Set([...columns.values()].flatMap((own) => [...own.keys()]));
  const fields = engine.state().indices.get('i')!.fields.values();
  return [...fields].filter(({ id }) => ids.has(id)).map(({ name }) => name);
}

test('columns are evicted least recently used first', async () => {
  const folder = await EngineFolder.create();
  try {
    const engine = await folder.open({ changes: { memoryBytes: BUDGET, workers: 0 } });
    await load(engine);
    const use = (field: string, from: number): Promise<unknown> =>
      searchFor(engine, 'i', {
        size: 0,
        facets: { f: { range: { field, ranges: [{ from }] } } },
      });
    for (const [i, field] of FIELDS.entries()) {
      await use(field, i);
      // Used again and again, so that it stays.
      await use('f0', i);
      const { columns } = await engine.local.caches();
      const held = [...columns.values()].flatMap((own) => [...own.values()]);
      expect(held.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(BUDGET);
    }
    const stats = await engine.local.caches();
    expect(stats.kinds.get('column')!.evictions).toBeGreaterThan(0);
    const kept = inMemory(engine, stats);
    expect(kept).toEqual(expect.arrayContaining(['f0', 'f15']));
    expect(kept).not.toContain('f1');
    // What is kept of the others are those used last.
    const others = FIELDS.filter((field) => field !== 'f0' && kept.includes(field));
    expect(others).toEqual(FIELDS.slice(FIELDS.length - others.length));
  } finally {
    await folder.remove();
  }
});
