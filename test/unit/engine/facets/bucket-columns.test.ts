// Facets count a segment by columns of buckets from the second time on. Here each request is counted by a
// segment that has them and by one that was just opened.

import { facetKind } from '../../../../engine/facets/registry';
import { writeJson } from '../../../../engine/json/write';
import { Bitset } from '../../../../engine/segment/contract/bitset';
import type { OpenSegment } from '../../../../engine/segment/read/open-segment';
import { SegmentBuilder } from '../../../../engine/segment/write/segment-builder';
import { indexedField } from '../../../support/indexed-field';
import { MemorySegments } from '../../../support/memory-segments';
import { Random, testSeed } from '../../../support/random';

const SEED = testSeed(5);
const DOCS = 9000;
const ONE = indexedField(40, 'one', { kind: 'int' });
const SOME = indexedField(41, 'some', { kind: 'double' });
const TIMES = indexedField(42, 'times', { kind: 'long' });
const FEW = indexedField(43, 'few', { kind: 'int' });

const random = new Random(SEED);
const BUILT = build().finish();

/** Sums are exact in doubles. */
function build(): SegmentBuilder {
  const builder = new SegmentBuilder();
  for (let doc = 0; doc < DOCS; doc++) {
    builder.beginDocument(doc + 1);
    builder.number(ONE, random.between(-500, 20_000));
    if (random.chance(0.8)) builder.number(SOME, random.between(-40, 40) / 4);
    for (let n = random.below(4); n > 0; n--)
      builder.number(TIMES, random.between(-4000, 9000) * 76_543_210);
    if (random.chance(0.02)) builder.number(FEW, random.below(9));
    builder.endDocument();
  }
  return builder;
}

function open(): OpenSegment {
  const store = new MemorySegments();
  return store.open(store.add(BUILT));
}

function docsOf(share: number): Bitset {
  const docs = new Bitset(DOCS);
  for (let doc = 0; doc < DOCS; doc++) if (random.chance(share)) docs.add(doc);
  return docs;
}

function answer(type: string, spec: object, segment: OpenSegment, docs: Bitset): string {
  const kind = facetKind(type);
  const collector = kind.collector(spec, {
    soleShard: true,
    segments: [segment],
    scoresOf: () => () => 1,
  });
  collector.collect(segment, docs);
  return writeJson(kind.reduce([spec], [collector.partial()]));
}

const by = ({ id }: { readonly id: number }) => ({ kind: 'field', field: id });
const NONE = { kind: 'none' };
const KEYS = { kind: 'keys' };
const month = {
  interval: 'month',
  preZone: 'Europe/Berlin',
  postZone: 'UTC',
  adjustLargeInterval: false,
  preOffset: 0,
  postOffset: 0,
  factor: 1,
};
const range = (from: number, to: number) => ({ from, to, fromText: null, toText: null });
const RANGES = [range(300, Infinity), range(-7, 12), range(5, 5), range(-Infinity, -7)];
const ORDERED = { order: 'key' };

test.each<[string, string, object]>([
  ['histogram', 'one', { key: by(ONE), values: NONE, interval: 70, ...ORDERED }],
  ['histogram', 'one with itself', { key: by(ONE), values: KEYS, interval: 7000, ...ORDERED }],
  ['histogram', 'one with some', { key: by(ONE), values: by(SOME), interval: 500, ...ORDERED }],
  ['histogram', 'one with times', { key: by(ONE), values: by(TIMES), interval: 500, ...ORDERED }],
  ['histogram', 'some with one', { key: by(SOME), values: by(ONE), interval: 2, ...ORDERED }],
  ['histogram', 'one by one', { key: by(ONE), values: NONE, interval: 1, ...ORDERED }],
  ['histogram', 'few with few', { key: by(FEW), values: by(FEW), interval: 3, ...ORDERED }],
  ['date_histogram', 'times', { key: by(TIMES), values: NONE, rounding: month, ...ORDERED }],
  ['date_histogram', 'with one', { key: by(TIMES), values: by(ONE), rounding: month, ...ORDERED }],
  ['range', 'one', { key: by(ONE), values: KEYS, ranges: RANGES }],
  ['range', 'some with one', { key: by(SOME), values: by(ONE), ranges: RANGES }],
  ['range', 'one with few', { key: by(ONE), values: by(FEW), ranges: RANGES }],
  ['range', 'overlapping', { key: by(ONE), values: KEYS, ranges: [...RANGES, range(0, 9)] }],
  ['range', 'times with one', { key: by(TIMES), values: by(ONE), ranges: RANGES }],
])('%s of %s is counted alike with and without them', (type, _what, spec) => {
  const warm = open();
  for (const share of [1, 1, 0.9, 0.3, 0.3, 0.01, 0.0005, 0]) {
    const docs = share === 1 ? Bitset.full(DOCS) : docsOf(share);
    expect({ SEED, share, answer: answer(type, spec, warm, docs) }).toEqual({
      SEED,
      share,
      answer: answer(type, spec, open(), docs),
    });
  }
});
