import fc from 'fast-check';
import { SegmentBuilder } from '../../engine/segment/write/segment-builder';
import { MemorySegments } from '../support/memory-segments';
import { DOC, feed, FLAT_DOC, flatten, type ModelDoc } from '../support/segment-documents';
import { checkSegment } from '../support/segment-model';

function checkBuild(documents: readonly ModelDoc[], gaps: readonly number[]): void {
  const builder = new SegmentBuilder();
  let sequence = 7;
  const roots = documents.map((doc, i) => ({
    doc,
    sequence: (sequence += 1 + (gaps[i % gaps.length] ?? 0)),
  }));
  for (const root of roots) {
    builder.beginDocument(root.sequence);
    feed(root.doc, builder);
    builder.endDocument();
  }
  const built = builder.finish();
  const store = new MemorySegments();
  const flat = flatten(roots);
  expect(built.rootCount).toBe(roots.length);
  expect(built.minSequence).toBe(roots[0]?.sequence ?? 0);
  expect(built.maxSequence).toBe(roots.at(-1)?.sequence ?? 0);
  expect(built.bytes).toBe(built.blocks.reduce((sum, block) => sum + block.length, 0));
  checkSegment(store.open(store.add(built)), flat);
}

const GAPS = fc.oneof(
  fc.constant([0]),
  fc.array(fc.nat(300), { minLength: 1 }),
  fc.constant([0, 2 ** 33]),
);

describe('a built segment', () => {
  test('reads back as the documents it was built from', () => {
    fc.assert(fc.property(fc.array(DOC, { maxLength: 12 }), GAPS, checkBuild), { numRuns: 100 });
  });

  test('reads back without nested documents', () => {
    fc.assert(fc.property(fc.array(FLAT_DOC, { maxLength: 30 }), GAPS, checkBuild), {
      numRuns: 60,
    });
  });
});
