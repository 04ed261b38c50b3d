// Speed of building, merging and reading segments on made-up documents of about sixty words.
//
//   npm run build && node dist/scripts/dev/bench-segment.js [documents]     (or any TypeScript runner)

import { ByteCache } from '../../engine/common/byte-cache';
import type { Analyzer } from '../../engine/analysis/chain/analyzer';
import type { IndexedField } from '../../engine/mapping/fields/field-sink';
import { Bitset, NO_MORE_DOCS } from '../../engine/segment/contract/bitset';
import { mergeSegments } from '../../engine/segment/merge/merger';
import { openSegment } from '../../engine/segment/read/open-segment';
import type { SegmentReader } from '../../engine/segment/contract/reader';
import { SegmentBuilder } from '../../engine/segment/write/segment-builder';
import { committedSegment, type BuiltSegment } from '../../engine/segment/format/segment-writer';
import { warmUnpack } from '../../engine/segment/postings/unpack';

const DOCS = Number(process.argv.at(-1)) || 40_000;
const WORDS_PER_DOC = 56;

const blanks: Analyzer = {
  name: 'blanks',
  positionGap: 0,
  analyze: () => [],
  forEachTerm(text, emit) {
    let from = 0;
    for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', from)) {
      emit(text.slice(from, at), 1);
      from = at + 1;
    }
    emit(text.slice(from), 1);
    return 0;
  },
};

function field(id: number, name: string, options: Partial<IndexedField>): IndexedField {
  return {
    id,
    name,
    kind: 'string',
    indexed: true,
    analyzer: null,
    indexOptions: 'docs',
    norms: false,
    docValues: true,
    positionGap: 0,
    ...options,
  };
}

const text = {
  analyzer: blanks,
  indexOptions: 'positions',
  norms: true,
  docValues: false,
} as const;
const BODY = field(40, 'body', text);
const ALL = field(3, '_all', text);
const TAG = field(41, 'tag', {});
const UID = field(1, '_uid', { docValues: false });
const SIZE = field(42, 'size', { kind: 'long' });
const PRICE = field(43, 'price', { kind: 'double' });

let state = 1;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return (state >>> 0) / 2 ** 32;
}

function words(n: number): string {
  const list: string[] = [];
  for (let i = 0; i < n; i++) list.push(`w${Math.floor(60_000 ** random())}`);
  return list.join(' ');
}

function build(from: number, texts: readonly string[]): BuiltSegment {
  const builder = new SegmentBuilder();
  texts.forEach((body, i) => {
    builder.beginDocument(from + i);
    builder.text(UID, `package#${(from + i) * 7919}`, 1);
    builder.text(BODY, body, 1);
    builder.text(ALL, body, 1);
    for (let t = 0; t < 3; t++) builder.text(TAG, `tag${Math.floor(600 ** random())}`, 1);
    builder.number(SIZE, Math.floor(1e6 * random() ** 4));
    builder.number(PRICE, Math.round(random() * 10_000) / 100);
    builder.endDocument();
  });
  return builder.finish();
}

function open(id: number, built: BuiltSegment): SegmentReader {
  const source = {
    readBlock: (_: number, block: number) => Buffer.from(new Uint8Array(built.blocks[block]!)),
    readDeletions: () => Buffer.alloc(0),
  };
  return openSegment(committedSegment(id, built), source, new ByteCache(1 << 30));
}

/** Best of five, in nanoseconds per unit. */
function measure(name: string, units: number, run: () => unknown): void {
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  const each = (best * 1e6) / units;
  console.log(
    `${name.padEnd(44)} ${each < 10_000 ? `${each.toFixed(2)} ns` : `${(each / 1000).toFixed(2)} us`}`,
  );
}

warmUnpack();
const texts = Array.from({ length: DOCS }, () => words(WORDS_PER_DOC));
const half = DOCS >>> 1;
measure('build, per document', DOCS, () => build(1, texts));
const whole = build(1, texts);
console.log(
  `size: ${(whole.bytes / DOCS).toFixed(0)} bytes per document, ${whole.blocks.length} blocks`,
);
const parts = [build(1, texts.slice(0, half)), build(half + 1, texts.slice(half))];
measure('merge of two halves, per document', DOCS, () => {
  const steps = mergeSegments(parts.map((part, i) => open(i + 1, part)));
  while (steps.next().done !== true);
});
const reader = open(9, whole);
const terms = reader.terms(BODY.id)!;
const common = terms.ordinalOf('w2');
const rare = terms.ordinalOf('w300');
for (const [name, ordinal] of [
  [`df ${terms.docFreq(common)}`, common],
  [`df ${terms.docFreq(rare)}`, rare],
] as const) {
  const df = terms.docFreq(ordinal);
  measure(`documents, ${name}, per posting`, df, () => {
    const postings = terms.postings(ordinal, 'docs');
    while (postings.nextDoc() !== NO_MORE_DOCS);
  });
  measure(`documents and frequencies, ${name}`, df, () => {
    const postings = terms.postings(ordinal, 'freqs');
    let sum = 0;
    while (postings.nextDoc() !== NO_MORE_DOCS) sum += postings.freq();
    return sum;
  });
  measure(`with first position, ${name}`, df, () => {
    const postings = terms.postings(ordinal, 'positions');
    let sum = 0;
    while (postings.nextDoc() !== NO_MORE_DOCS) sum += postings.nextPosition();
    return sum;
  });
  measure(`fill, ${name}`, df, () => terms.postings(ordinal, 'docs').fill(new Bitset(DOCS)));
  measure(`advance by 500, ${name}, per step`, Math.ceil(DOCS / 500), () => {
    const postings = terms.postings(ordinal, 'docs');
    for (let target = 0; target < DOCS; target += 500) {
      if (postings.doc < target && postings.advance(target) === NO_MORE_DOCS) break;
    }
  });
}
measure('look-up of a term', 1000, () => {
  for (let i = 0; i < 1000; i++) terms.ordinalOf(`w${i * 7}`);
});
measure('open and first posting of a term, per term', 1000, () => {
  for (let i = 0; i < 1000; i++) terms.postings(i * 7, 'docs').nextDoc();
});
measure('fill of all terms, per posting', terms.sumDocFreq, () =>
  terms.fill(0, terms.size, new Bitset(DOCS)),
);
measure('all terms as strings, per term', terms.size, () =>
  terms.forEach(0, terms.size, () => true),
);
measure('uninvert body, per posting', terms.sumDocFreq, () => open(9, whole).ordinals(BODY.id));
measure('range on a number', 1, () => reader.numeric(SIZE.id)!.rangeOf(1000, 50_000));
measure('open a segment again', 1000, () => {
  for (let i = 0; i < 1000; i++) reader.terms(BODY.id)!.docFreq(0);
});
