// Aggregations where no index has a document: what stands below several buckets has none, either.

import { writeJson } from '../../../../engine/json/write';
import type { JsonOutput } from '../../../../engine/json/json';
import { parseJsonObject } from '../../../../engine/json/parse';
import { EngineFolder, searchFor } from '../../../support/engine';

test('buckets of an empty index are those of nothing', async () => {
  const folder = await EngineFolder.create();
  try {
    const engine = await folder.open();
    const mappings = { t: { properties: { tag: { type: 'string', index: 'not_analyzed' } } } };
    await engine.admin.createIndex('i', parseJsonObject(JSON.stringify({ mappings })));
    const aggs = {
      two: {
        filters: { filters: [{ match_all: {} }, { term: { tag: 'a' } }] },
        aggs: { tags: { terms: { field: 'tag' } } },
      },
    };
    const { aggregations } = await searchFor(engine, 'i', { aggs });
    const text = writeJson((aggregations as ReadonlyMap<string, JsonOutput>).get('two')!);
    const terms = { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] };
    const bucket = { doc_count: 0, tags: terms };
    expect(JSON.parse(text)).toEqual({ buckets: [bucket, bucket] });
  } finally {
    await folder.remove();
  }
});
