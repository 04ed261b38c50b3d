import { SegmentFormatError } from '../../../../engine/segment/format/errors';
import { mergeSegments } from '../../../../engine/segment/merge/merger';
import type { SegmentReader } from '../../../../engine/segment/contract/reader';
import { SegmentBuilder } from '../../../../engine/segment/write/segment-builder';
import type { BuiltSegment } from '../../../../engine/segment/format/segment-writer';
import type { CommittedSegment } from '../../../../storage/types';
import { MemorySegments } from '../../../support/memory-segments';
import { FIELDS } from '../../../support/segment-documents';

function build(
  from: number,
  count: number,
  change: Partial<(typeof FIELDS)['body']> = {},
): BuiltSegment {
  const body = { ...FIELDS.body, ...change };
  const builder = new SegmentBuilder();
  for (let i = from; i < from + count; i++) {
    builder.beginDocument(i);
    builder.text(body, `word${i % 5000} common a${i % 7} b${i % 11}`, 1);
    builder.text(FIELDS.tag, `tag${i}`, 1);
    builder.number(FIELDS.int, (i * 7919) % 100_003);
    builder.endDocument();
  }
  return builder.finish();
}

function run(
  metas: readonly CommittedSegment[],
  store: MemorySegments,
): { built: BuiltSegment; yields: number } {
  const steps = mergeSegments(metas.map((meta) => store.open(meta)));
  for (let yields = 0; ; yields++) {
    const step = steps.next();
    if (step.done === true) return { built: step.value, yields };
  }
}

describe('opening a segment', () => {
  test.each([
    ['no segment', 0, 0x00, 'does not begin with a segment header'],
    ['a later version', 4, 99, 'has format version 99; this build reads version 1'],
    ['another block size', 5, 12, 'has an unknown block size (2^12)'],
    ['another number of documents', 8, 3, 'holds 3 documents where its commit point names 2'],
    ['a directory beyond the end', 39, 0x7f, 'has a damaged header'],
  ])('refuses %s', (_, offset, value, message) => {
    const store = new MemorySegments();
    const meta = store.add(build(1, 2));
    store.damage(meta.id, 0, offset, value);
    expect(() => store.open(meta)).toThrow(SegmentFormatError);
    expect(() => store.open(meta)).toThrow(`segment ${meta.id} ${message}`);
  });

  test('passes on what the store says of a missing block', () => {
    const store = new MemorySegments();
    const meta = store.add(build(1, 2));
    expect(() => store.open({ ...meta, id: 77 })).toThrow('no block 0 of segment 77');
  });

  test('costs no reads once its blocks are cached, and works with a tiny cache', () => {
    const built = build(1, 20_000);
    expect(built.blocks.length).toBeGreaterThan(5);
    const store = new MemorySegments();
    const meta = store.add(built);
    const ask = (reader: SegmentReader): unknown[] => {
      const terms = reader.terms(FIELDS.body.id)!;
      return [
        terms.docFreq(terms.ordinalOf('common')),
        reader.ordinals(FIELDS.tag.id)!.ordinals[123],
        reader.numeric(FIELDS.int.id)!.rangeOf(50, 60),
        reader.norms(FIELDS.body.id)![19_999],
        reader.ordinals(FIELDS.body.id)!.offsets![20_000],
      ];
    };
    const first = ask(store.open(meta));
    const { reads } = store;
    expect(ask(store.open(meta))).toEqual(first);
    expect(store.reads).toBe(reads);
    const tiny = new MemorySegments(1000);
    expect(ask(tiny.open(tiny.add(built)))).toEqual(first);
  });

  test('an evicted or removed segment is read again', () => {
    const store = new MemorySegments();
    const meta = store.add(build(1, 10));
    const reader = store.open(meta);
    expect(reader.terms(FIELDS.tag.id)!.size).toBe(10);
    store.cache.remove(meta.id);
    expect(reader.terms(FIELDS.tag.id)!.size).toBe(10);
  });

  test('an ordinal that does not exist is an error, not a wrong term', () => {
    const store = new MemorySegments();
    const terms = store.open(store.add(build(1, 10))).terms(FIELDS.tag.id)!;
    for (const ordinal of [-1, 10, NaN]) expect(() => terms.termAt(ordinal)).toThrow(RangeError);
  });
});

describe('merging', () => {
  test('yields in between and gives what one build gives', () => {
    const store = new MemorySegments();
    const metas = [0, 1, 2].map((i) => store.add(build(1 + i * 8000, 8000)));
    const { built, yields } = run(metas, store);
    expect(yields).toBeGreaterThan(0);
    const merged = store.open(store.add(built));
    const whole = store.open(store.add(build(1, 24_000)));
    for (const { id } of [FIELDS.body, FIELDS.tag]) {
      const a = merged.terms(id)!;
      const b = whole.terms(id)!;
      expect(a.docFreqs()).toEqual(b.docFreqs());
      for (let ordinal = 0; ordinal < a.size; ordinal += 97)
        expect(a.termAt(ordinal)).toBe(b.termAt(ordinal));
      expect(merged.ordinals(id)!.ordinals).toEqual(whole.ordinals(id)!.ordinals);
    }
    expect(merged.norms(FIELDS.body.id)).toEqual(whole.norms(FIELDS.body.id));
    expect(merged.numeric(FIELDS.int.id)!.sortedDocs()).toEqual(
      whole.numeric(FIELDS.int.id)!.sortedDocs(),
    );
  });

  test('drops norms and positions that one of the segments lacks', () => {
    const store = new MemorySegments();
    const metas = [
      store.add(build(1, 10)),
      store.add(build(11, 10, { norms: false, indexOptions: 'docs' })),
    ];
    const reader = store.open(store.add(run(metas, store).built));
    expect(reader.norms(FIELDS.body.id)).toBeNull();
    const terms = reader.terms(FIELDS.body.id)!;
    expect([terms.hasFreqs, terms.hasPositions, terms.sumTotalTermFreq]).toEqual([
      false,
      false,
      -1,
    ]);
    expect(terms.docFreq(terms.ordinalOf('common'))).toBe(20);
  });

  test('of segments without a live document gives an empty one', () => {
    const store = new MemorySegments();
    const meta = store.delete(store.add(build(1, 3)), [0, 1, 2], 1);
    const { built } = run([meta], store);
    expect(built).toMatchObject({ docCount: 0, rootCount: 0, minSequence: 0, maxSequence: 0 });
  });

  test('takes open segments only', () => {
    expect(() => mergeSegments([{} as SegmentReader]).next()).toThrow(TypeError);
  });
});
