// The hex dumps of what the engine stores, in docs/format.md and docs/format-segments.md, are what the code
// writes today.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STANDARD_ANALYZER } from '../../../../engine/analysis/builtin';
import { purgeList } from '../../../../engine/shard/shard-garbage';
import { SegmentBuilder } from '../../../../engine/segment/write/segment-builder';
import { hexDump } from '../../../support/hex-dump';
import { indexedField } from '../../../support/indexed-field';

const DOCS = join(__dirname, '..', '..', '..', '..', 'docs');

/** One document: title "red red shirt", brand "Acme", price 7. */
function oneDocument(): Buffer {
  const builder = new SegmentBuilder();
  const title = { analyzer: STANDARD_ANALYZER, indexOptions: 'positions', norms: true } as const;
  builder.beginDocument(42);
  builder.text(indexedField(32, 'title', { ...title, docValues: false }), 'red red shirt', 1);
  builder.text(indexedField(33, 'brand', {}), 'Acme', 1);
  builder.number(indexedField(34, 'price', { kind: 'int' }), 7);
  builder.endDocument();
  return Buffer.concat(builder.finish().blocks);
}

test('the segment of one document is as documented', () => {
  const page = readFileSync(join(DOCS, 'format-segments.md'), 'utf8');
  expect(page).toContain(hexDump('bytes', oneDocument()));
});

test('a purge list is as documented', () => {
  const page = readFileSync(join(DOCS, 'format.md'), 'utf8');
  const [name, value] = purgeList(7, {
    generation: 3,
    segments: [],
    chunks: [],
    superseded: [17, 18],
    tombstones: [{ sequence: 43, at: 1400000000000 }],
  })!;
  expect(name).toBe('purge/7/3');
  expect(page).toContain(hexDump('list', value));
});
