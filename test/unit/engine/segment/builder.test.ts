import type { IndexedField } from '../../../../engine/mapping/fields/field-sink';
import type { OpenSegment } from '../../../../engine/segment/read/open-segment';
import { SegmentBuilder } from '../../../../engine/segment/write/segment-builder';
import { MemorySegments } from '../../../support/memory-segments';
import { indexedField } from '../../../support/indexed-field';
import { FIELDS, WORDS } from '../../../support/segment-documents';

/** Builds documents numbered from 1, each described by a function. */
function build(...documents: ((sink: SegmentBuilder) => void)[]): OpenSegment {
  const builder = new SegmentBuilder();
  documents.forEach((describe, i) => {
    builder.beginDocument(i + 1);
    describe(builder);
    builder.endDocument();
  });
  const store = new MemorySegments();
  return store.open(store.add(builder.finish()));
}

function positionsOf(reader: OpenSegment, target: IndexedField, term: string, doc = 0): number[] {
  const terms = reader.terms(target.id)!;
  const iterator = terms.postings(terms.ordinalOf(term), 'positions');
  expect(iterator.advance(doc)).toBe(doc);
  return Array.from({ length: iterator.freq() }, () => iterator.nextPosition());
}

const { body, tag, double, long } = FIELDS;

describe('the segment builder', () => {
  test('runs positions on over the values of a document, with the gap between them', () => {
    const reader = build((sink) => {
      sink.text(body, 'a b', 1);
      sink.text(body, 'a', 1);
      sink.text(tag, 'x', 1);
      sink.text(body, '', 1);
      sink.text(body, 'a ^b ~c', 1);
    });
    expect(positionsOf(reader, body, 'a')).toEqual([0, 12, 33]);
    expect(positionsOf(reader, body, 'b')).toEqual([1, 36]);
    expect(positionsOf(reader, body, 'c')).toEqual([36]);
  });

  test('skips the places of words removed at the end of a value', () => {
    const reader = build((sink) => {
      sink.text(body, '% a % %', 1);
      sink.text(body, 'b', 1);
    });
    expect(positionsOf(reader, body, 'a')).toEqual([1]);
    expect(positionsOf(reader, body, 'b')).toEqual([14]);
  });

  test('starts positions anew for each document, explicit or not', () => {
    const reader = build(
      (sink) => sink.text(body, 'a b', 1),
      (sink) => sink.text(body, 'x ^b', 1),
      (sink) => sink.text(body, 'b', 1),
    );
    expect([0, 1, 2].map((doc) => positionsOf(reader, body, 'b', doc))).toEqual([[1], [3], [0]]);
  });

  test('numbers nested documents before their root, inner ones first', () => {
    const reader = build(
      (sink) => sink.text(tag, 'first', 1),
      (sink) => {
        sink.text(tag, 'root', 1);
        sink.beginNested('a');
        sink.text(tag, 'outer', 1);
        sink.beginNested('a.b');
        sink.text(tag, 'inner', 1);
        sink.endNested();
        sink.text(tag, 'outer again', 1);
        sink.endNested();
        sink.beginNested('a');
        sink.endNested();
        sink.text(tag, 'root again', 1);
      },
    );
    const { ordinals, offsets, terms } = reader.ordinals(tag.id)!;
    const tags = Array.from({ length: reader.docCount }, (_, doc) =>
      [...ordinals.subarray(offsets![doc], offsets![doc + 1])].map((ordinal) =>
        terms.termAt(ordinal),
      ),
    );
    expect(tags).toEqual([
      ['first'],
      ['inner'],
      ['outer', 'outer again'],
      [],
      ['root', 'root again'],
    ]);
    expect([0, 1, 2, 3, 4].map((doc) => reader.sequenceOf(doc))).toEqual([1, 2, 2, 2, 2]);
    expect(reader.docOfSequence(2)).toBe(4);
    expect(reader.nestedDocs('a')!.count()).toBe(2);
    expect(reader.nestedDocs('a.b')!.has(1)).toBe(true);
  });

  test('counts a value once per document', () => {
    const reader = build((sink) => {
      for (const value of ['b', 'a', 'b', 'a']) sink.text(tag, value, 1);
      for (const value of [3, 1, 3, -0, 0]) sink.number(double, value);
    });
    expect(reader.ordinals(tag.id)!.offsets).toEqual(Uint32Array.of(0, 2));
    const column = reader.numeric(double.id)!;
    const values = Array.from({ length: column.valueCount }, (_, i) => column.valueAt(i));
    expect(values).toEqual([-0, 0, 1, 3]);
  });

  test('leaves out terms that are too long and keeps the positions of the others', () => {
    const longest = 'x'.repeat(32_766);
    const reader = build((sink) => {
      sink.text(body, `a ${longest}x b ${longest}`, 1);
      sink.text(tag, 'é'.repeat(16_384), 1);
    });
    expect(reader.terms(body.id)!.size).toBe(3);
    expect(positionsOf(reader, body, 'b')).toEqual([2]);
    expect(positionsOf(reader, body, longest)).toEqual([3]);
    expect(reader.terms(tag.id)).toBeNull();
    expect(reader.presence(tag.id)!.has(0)).toBe(true);
  });

  test('a document given up halfway leaves no trace', () => {
    const builder = new SegmentBuilder();
    builder.beginDocument(1);
    builder.text(tag, 'gone', 1);
    builder.beginNested('a');
    builder.endNested();
    builder.beginNested('a');
    builder.abandonDocument();
    builder.beginDocument(2);
    builder.text(tag, 'kept', 1);
    builder.endDocument();
    expect([builder.docCount, builder.rootCount]).toEqual([1, 1]);
    const store = new MemorySegments();
    const reader = store.open(store.add(builder.finish()));
    expect(reader.terms(tag.id)!.size).toBe(1);
    expect(reader.roots).toBeNull();
  });

  test('ends nested objects that a failed parse left open', () => {
    const reader = build((sink) => {
      sink.beginNested('a');
      sink.beginNested('a.b');
      sink.text(tag, 'x', 1);
    });
    expect(reader.docCount).toBe(3);
    expect(reader.nestedDocs('a.b')!.has(0)).toBe(true);
  });

  test('a field whose norms are switched off meanwhile has none', () => {
    const builder = new SegmentBuilder();
    for (const [i, target] of [
      body,
      { ...body, norms: false, indexOptions: 'freqs' as const },
    ].entries()) {
      builder.beginDocument(i + 1);
      builder.text(target, 'a a', 1);
      builder.endDocument();
    }
    const store = new MemorySegments();
    const reader = store.open(store.add(builder.finish()));
    expect(reader.norms(body.id)).toBeNull();
    expect(reader.terms(body.id)!.hasPositions).toBe(false);
    expect(reader.terms(body.id)!.sumTotalTermFreq).toBe(4);
  });

  test('analyzes a text once for all fields with the same analyzer', () => {
    let calls = 0;
    const analyzer = {
      ...WORDS,
      forEachTerm(text: string, emit: (term: string, increment: number) => void) {
        calls++;
        return WORDS.forEachTerm(text, emit);
      },
    };
    const a = indexedField(60, 'a', { analyzer, indexOptions: 'positions', docValues: false });
    const all = indexedField(61, 'all', { analyzer, indexOptions: 'positions', docValues: false });
    const other = indexedField(62, 'other', { docValues: false });
    const reader = build((sink) => {
      sink.text(a, 'x y', 1);
      sink.text(other, 'x y', 1);
      sink.text(a, 'z', 1);
      sink.text(all, 'z', 1);
    });
    expect(calls).toBe(2);
    expect(reader.terms(all.id)!.termAt(0)).toBe('z');
    expect(reader.terms(other.id)!.termAt(0)).toBe('x y');
  });

  test('refuses sequence numbers that do not ascend, and calls out of place', () => {
    const builder = new SegmentBuilder();
    expect(() => builder.text(tag, 'x', 1)).toThrow('no document');
    builder.beginDocument(5);
    expect(() => builder.endNested()).toThrow('no nested object');
    expect(() => builder.beginDocument(6)).toThrow('cannot begin');
    expect(() => builder.finish()).toThrow('cannot be finished');
    builder.endDocument();
    expect(() => builder.beginDocument(5)).toThrow(RangeError);
  });

  test('the memory it reports grows with what it holds', () => {
    const builder = new SegmentBuilder();
    const empty = builder.estimatedBytes;
    for (let i = 1; i <= 2000; i++) {
      builder.beginDocument(i);
      builder.text(body, `word${i} and some more`, 1);
      builder.long(long, BigInt(i) ** 6n);
      builder.endDocument();
    }
    // At least a term of nine bytes, four occurrences and a long each.
    expect(builder.estimatedBytes - empty).toBeGreaterThan(2000 * (9 + 16 + 8));
  });

  test('an empty segment can be read', () => {
    const reader = build();
    expect(reader.docCount).toBe(0);
    expect(reader.fields()).toEqual([]);
    expect(reader.docOfSequence(1)).toBe(-1);
    expect(reader.terms(tag.id)).toBeNull();
  });
});
