// Storage is reopened soon, also while one runs that takes as long as it likes: it gets a short grace and
// is given up then.

import { EngineFolder, indexRequest, OPEN_INDICES, searchFor } from '../support/engine';
import { FaultPlan } from '../support/faulty-database';
import { until } from '../support/until';

/** So many documents and steps that it takes far longer than the test waits for anything. */
const DOCUMENTS = 5000;
const FACETS = 250;

test.each([0, 2])('a long search does not hold up reopening, with %d workers', async (workers) => {
  const folder = await EngineFolder.create();
  const plan = new FaultPlan();
  try {
    const engine = await folder.open({
      wrap: plan.wrap,
      changes: { workers },
      reopenDelayMs: 1,
      searchGraceMs: 20,
    });
    const actions = Array.from({ length: DOCUMENTS }, (_, i) => ({
      kind: 'index' as const,
      request: indexRequest('i', 'doc', String(i), { n: i, text: `word${i} common` }),
    }));
    await engine.bulk(actions, true);
    await engine.maintenance.refresh(['i'], OPEN_INDICES);
    const facets = Object.fromEntries(
      Array.from({ length: FACETS }, (_, i) => [
        `f${i}`,
        {
          statistical: { script: `x = 0; for (k = 0; k < 60; k++) { x += sqrt(k + ${i}) }; x` },
        },
      ]),
    );
    let isOver = false;
    const search = searchFor(engine, 'i', { size: 0, facets }).then(
      () => 'answered',
      (error: unknown) => String(error),
    );
    void search.then(() => (isOver = true));
    await until(
      async () => (await engine.nodeStats()).local!.shards.reads.searches.current > 0 || isOver,
    );
    expect(isOver).toBe(false);
    plan.failAt = plan.count + 1;
    await engine.index(indexRequest('i', 'doc', 'x', { n: 1 })).catch(() => undefined);
    await until(async () => (await engine.nodeStats()).isWritable);
    expect(await search).toMatch(/cancelled|cut off|not available/);
    expect((await searchFor(engine, 'i', {})).total).toBe(DOCUMENTS);
  } finally {
    await folder.remove();
  }
});
