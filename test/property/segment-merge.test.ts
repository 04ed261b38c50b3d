import fc from 'fast-check';
import { mergeSegments } from '../../engine/segment/merger';
import { SegmentBuilder, type BuiltSegment } from '../../engine/segment/segment-builder';
import type { CommittedSegment } from '../../storage/types';
import { MemorySegments } from '../support/memory-segments';
import { checkSegment, DOC, feed, flatten, type ModelDoc } from '../support/segment-model';

interface Root {
  readonly doc: ModelDoc;
  readonly sequence: number;
}

function build(roots: readonly Root[]): BuiltSegment {
  const builder = new SegmentBuilder();
  for (const { doc, sequence } of roots) {
    builder.beginDocument(sequence);
    feed(doc, builder);
    builder.endDocument();
  }
  return builder.finish();
}

function merge(store: MemorySegments, metas: readonly CommittedSegment[]): BuiltSegment {
  const steps = mergeSegments(metas.map((meta) => store.open(meta)));
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const SOURCES = fc.array(
  fc.array(fc.record({ doc: DOC, deleted: fc.boolean(), again: fc.boolean() }), { maxLength: 8 }),
  { minLength: 1, maxLength: 4 },
);

describe('a merged segment', () => {
  test('equals the surviving documents built anew', () => {
    fc.assert(
      fc.property(SOURCES, fc.boolean(), (sources, keepAll) => {
        const store = new MemorySegments();
        let sequence = 0;
        const survivors: Root[] = [];
        const metas = sources.map((documents) => {
          const roots = documents.map(({ doc }) => ({ doc, sequence: (sequence += 3) }));
          let meta = store.add(build(roots));
          const reader = store.open(meta);
          documents.forEach(({ deleted, again }, i) => {
            const root = reader.docOfSequence(roots[i]!.sequence);
            if (deleted && !keepAll) {
              meta = store.delete(meta, again ? [root, root] : [root], i + 1);
            } else {
              survivors.push(roots[i]!);
            }
          });
          return meta;
        });
        const merged = merge(store, metas);
        const flat = flatten(survivors);
        const reader = store.open(store.add(merged));
        checkSegment(reader, flat);
        const rebuilt = build(survivors);
        const apart = { blocks: null, bytes: null };
        expect({ ...merged, ...apart }).toEqual({ ...rebuilt, ...apart });
        expect(reader.contents.directory.fields).toEqual(
          store.open(store.add(rebuilt)).contents.directory.fields,
        );
      }),
      { numRuns: 80 },
    );
  });
});
