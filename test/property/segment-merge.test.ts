import fc from 'fast-check';
import { mergeSegments } from '../../engine/segment/merge/merger';
import { SegmentBuilder } from '../../engine/segment/write/segment-builder';
import type { BuiltSegment } from '../../engine/segment/format/segment-writer';
import type { CommittedSegment } from '../../storage/types';
import { MemorySegments } from '../support/memory-segments';
import { Random } from '../support/random';
import { DOC, feed, flatten, type ModelDoc } from '../support/segment-documents';
import { checkSegment } from '../support/segment-model';

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

/**
 * Segments of up to 450 documents whose fields hold some of a few words, so that postings fill several
 * blocks.
 */
function longPostings(
  seed: number,
  share: number,
): { store: MemorySegments; metas: CommittedSegment[]; survivors: Root[] } {
  const random = new Random(seed);
  const store = new MemorySegments();
  const survivors: Root[] = [];
  let sequence = 0;
  const metas = Array.from({ length: 4 }, (_, generation) => {
    const roots = Array.from({ length: random.between(60, 450) }, () => {
      const words = Array.from({ length: random.between(1, 6) }, () =>
        random.pick(['a', 'a', 'b', '~c', '^c', 'd', '%', `e${random.between(0, 40)}`]),
      ).join(' ');
      const items = (['body', 'freqs', 'tag'] as const)
        .filter(() => random.between(0, 9) > 0)
        .map((field) => ({ field, text: words, boost: 1 }));
      return { doc: { items }, sequence: ++sequence };
    });
    const meta = store.add(build(roots));
    const dropped = roots.filter(() => random.between(0, 99) < share);
    survivors.push(...roots.filter((root) => !dropped.includes(root)));
    const reader = store.open(meta);
    const docs = dropped.map((root) => reader.docOfSequence(root.sequence));
    return docs.length === 0 ? meta : store.delete(meta, docs, generation + 1);
  });
  return { store, metas, survivors };
}

describe('a merged segment', () => {
  test.each([
    [1, 0],
    [2, 1],
    [3, 40],
    [4, 97],
  ])('equals it with postings of several blocks (seed %i, %i %% deleted)', (seed, share) => {
    const { store, metas, survivors } = longPostings(seed, share);
    const merged = store.open(store.add(merge(store, metas)));
    checkSegment(merged, flatten(survivors));
  });

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
