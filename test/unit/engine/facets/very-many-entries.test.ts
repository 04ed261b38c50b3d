// Facets with very many entries are answered, or refused where memory does not suffice; the engine goes on.

import { DEFAULT_REQUEST_LIMITS } from '../../../../engine/common/request-meter';
import type { Engine } from '../../../../engine/index';
import type { JsonOutput } from '../../../../engine/json/json';
import { parseJsonObject } from '../../../../engine/json/parse';
import { writeJson } from '../../../../engine/json/write';
import { EngineFolder, indexRequest, searchFor } from '../../../support/engine';

/** A tenth of the entries that a response may have. */
const MANY = 100_000;
const DOCUMENTS = 50;
const EACH = MANY / DOCUMENTS;

let folder: EngineFolder;
let engine: Engine;

beforeAll(async () => {
  folder = await EngineFolder.create();
  engine = await folder.open({ changes: { memoryBytes: 512 * 1024 * 1024 } });
  const fields = { n: 'integer', far: 'long', at: 'date' };
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, type]) => [name, { type }]),
  );
  const body = JSON.stringify({ mappings: { doc: { properties } } });
  await engine.admin.createIndex('i', parseJsonObject(body));
  const actions = Array.from({ length: DOCUMENTS }, (_, d) => {
    const n = Array.from({ length: EACH }, (_value, i) => d * EACH + i);
    // Ten years apart each time, before and after 1970.
    const source = JSON.stringify({ n, far: [d * 1e15, -d * 1e15], at: (d - 25) * 315_576e6 });
    return { kind: 'index', request: indexRequest('i', 'doc', String(d), source) } as const;
  });
  await engine.bulk(actions, true);
});

afterAll(() => folder.remove());

/** The facet as text. */
async function facetOf(definition: object): Promise<string> {
  const { facets } = await searchFor(engine, 'i', { size: 0, facets: { f: definition } });
  return writeJson((facets as ReadonlyMap<string, JsonOutput>).get('f')!);
}

async function entriesIn(definition: object): Promise<number> {
  return (await facetOf(definition)).split('},{').length;
}

test('very many different values and huge ranges are answered', async () => {
  const shown: [object, number][] = [
    [{ terms: { field: 'n', size: 2147483647, exclude: [5] } }, MANY - 1],
    [{ terms_stats: { key_field: 'n', value_field: 'n', size: 0, order: 'total' } }, MANY],
    [{ histogram: { field: 'n', interval: 1 } }, MANY],
    [{ histogram: { field: 'far', interval: 1, value_field: 'far' } }, 2 * DOCUMENTS - 1],
    [
      { date_histogram: { field: 'at', interval: 'second', time_zone: 'Europe/Berlin' } },
      DOCUMENTS,
    ],
  ];
  for (const [definition, entries] of shown)
    expect([definition, await entriesIn(definition)]).toEqual([definition, entries]);
  const { ranges } = DEFAULT_REQUEST_LIMITS;
  const many = Array.from({ length: ranges }, (_, i) => ({ from: i, to: i + 1 }));
  expect(await entriesIn({ range: { field: 'at', ranges: many } })).toBe(ranges);
});

test('more entries than a response may have are refused', async () => {
  const whole = { terms: { field: 'n', size: MANY } };
  const facets = Object.fromEntries([
    ...Array.from({ length: 10 }, (_, i) => [`f${i}`, whole] as const),
    ['last', { terms: { field: 'far', size: 1 } }],
  ]);
  await expect(searchFor(engine, 'i', { size: 0, facets })).rejects.toThrow(
    'Facet [last]: would return more than [1000000] entries',
  );
});

test('what does not fit into the memory budget is refused, and other requests are answered', async () => {
  engine = await folder.restart({ changes: { memoryBytes: 1024 * 1024 } });
  for (const definition of [
    { terms: { field: 'n', size: MANY } },
    { terms_stats: { key_field: 'n', value_field: 'far', size: 0 } },
    { histogram: { field: 'n', interval: 1, value_field: 'far' } },
    { date_histogram: { field: 'n', interval: '1ms', value_field: 'far' } },
  ]) {
    const refusal = facetOf(definition).then(
      () => 'answered',
      (error: unknown) => String(error),
    );
    expect(await refusal).toMatch(
      /CircuitBreakingException\[\[REQUEST\] Data too large, data for \[facet f\] would be larger than limit of \[524288b\]/,
    );
  }
  expect(await facetOf({ statistical: { field: 'far' } })).toContain(
    `"count":${2 * DOCUMENTS - 1},`,
  );
});
