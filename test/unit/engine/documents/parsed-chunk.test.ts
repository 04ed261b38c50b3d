// What keeps a document of thousands of new fields from holding the event loop.

import { parseChunk } from '../../../../engine/documents/parsed-chunk';
import type { DocumentWrite } from '../../../../engine/documents/document-write';
import type { IndexService } from '../../../../engine/shard/index';
import type { IndexMetadata } from '../../../../engine/metadata/index';
import type { QueryRegistry } from '../../../../engine/percolator/index';
import { compileMapping } from '../../../../engine/mapping/index';
import { TestIndex } from '../mapping/support';

const ENVELOPE = { id: '1', routing: null, parent: null, timestamp: null, expiry: null };
const write = (source: string) =>
  ({
    kind: 'index',
    type: 't',
    id: '1',
    source: Buffer.from(source),
    envelope: ENVELOPE,
  }) as unknown as DocumentWrite;

function stepsOf(source: string, maxMs: number): { steps: number; fields: string[] } {
  const index = new TestIndex({ t: {} });
  const service = {
    mapping: (metadata: IndexMetadata) => compileMapping(metadata, index.analysis, index.limits),
    analysis: () => index.analysis,
    mappingLimits: index.limits,
  } as unknown as IndexService;
  const queries = {} as QueryRegistry;
  const parsing = parseChunk(service, [write(source)], index.metadata, queries, maxMs);
  let steps = 0;
  let step = parsing.next();
  for (; step.done !== true; step = parsing.next()) steps++;
  index.metadata = step.value.next;
  return { steps, fields: Object.keys(index.getProperties() as object) };
}

test('new fields are merged in steps where parsing took long', () => {
  expect(stepsOf('{"a":1,"b":2}', -1)).toEqual({ steps: 3, fields: ['a', 'b'] });
});

test('and at once where it did not', () => {
  expect(stepsOf('{"a":1,"b":2}', Infinity)).toEqual({ steps: 0, fields: ['a', 'b'] });
});
