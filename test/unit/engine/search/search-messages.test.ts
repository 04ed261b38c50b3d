// Answers as they cross threads.

import { packSearch, unpackTexts } from '../../../../engine/search/index';
import type { SearchOutcome } from '../../../../engine/search/plan/executor';

const outcome = (changes: Partial<SearchOutcome>): SearchOutcome =>
  ({ total: 1, hits: [], facets: null, aggregations: null, ...changes }) as SearchOutcome;

const textOf = (text: string | Uint8Array): string =>
  typeof text === 'string' ? text : Buffer.from(text).toString();

test('long texts are sent as bytes, and moved where they are very long', () => {
  const texts = {
    short: '{"a":1}',
    long: `"${'é'.repeat(20_000)}"`,
    longer: `"${'x'.repeat(100_000)}"`,
  };
  const [packed, moved] = packSearch(outcome({ aggregations: new Map(Object.entries(texts)) }));
  expect(packed.facets).toBeNull();
  expect(packed.aggregations!.get('short')).toBe(texts.short);
  expect(moved).toHaveLength(1);
  const sent = structuredClone(packed, { transfer: moved });
  expect(packed.aggregations!.get('longer')).toHaveLength(0);
  for (const [name, text] of Object.entries(texts)) {
    expect(textOf(sent.aggregations!.get(name)!)).toBe(text);
  }
});

test('what was packed before goes through', () => {
  const bytes = new Uint8Array([123, 125]);
  const hits = [Buffer.from('{"_id":"1"}'), Buffer.from('{"_id":"2"}')];
  const [packed] = packSearch(outcome({ hits, facets: new Map([['f', bytes]]) }));
  expect(packed.facets!.get('f')).toBe(bytes);
  expect(unpackTexts(packed.hits).map(textOf)).toEqual(hits.map(textOf));
});
