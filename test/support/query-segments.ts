// Real segments from small described documents, for tests of query execution.

import { ByteCache } from '../../engine/common/byte-cache';
import type { Analyzer, Token } from '../../engine/analysis/chain/analyzer';
import { META_FIELD, type IndexedField } from '../../engine/mapping/fields/field-sink';
import type { Bitset } from '../../engine/segment/contract/bitset';
import { openSegment } from '../../engine/segment/read/open-segment';
import type { SegmentReader } from '../../engine/segment/contract/reader';
import { SegmentBuilder } from '../../engine/segment/write/segment-builder';
import { committedSegment } from '../../engine/segment/format/segment-writer';
import { indexedField } from './indexed-field';
import type { FieldKind } from '../../engine/metadata/field';

/** Splits at blanks; `_` is a hole (a removed word), `|` puts the next word at the same position. */
export const WORDS: Analyzer = {
  name: 'words',
  positionGap: 0,
  analyze(text: string): Token[] {
    const tokens: Token[] = [];
    this.forEachTerm(text, (term, positionIncrement) => {
      tokens.push({ term, positionIncrement, startOffset: 0, endOffset: 0, type: 'word' });
    });
    return tokens;
  },
  forEachTerm(text, emit): number {
    let increment = 1;
    for (const word of text.split(' ')) {
      if (word === '') continue;
      if (word === '_') increment++;
      else if (word === '|') increment = 0;
      else {
        emit(word, increment);
        increment = 1;
      }
    }
    return Math.max(0, increment - 1);
  },
};

function field(
  id: number,
  name: string,
  kind: FieldKind,
  options: Partial<IndexedField> = {},
): IndexedField {
  return indexedField(id, name, { kind, ...options });
}

const TEXT = { analyzer: WORDS, indexOptions: 'positions', norms: true, docValues: false } as const;

/** The fields of test documents. `a` and `r` belong to nested objects at `c` and `c.r`. */
export const FIELDS = {
  _uid: field(META_FIELD._uid, '_uid', 'string'),
  _type: field(META_FIELD._type, '_type', 'string'),
  _parent: field(META_FIELD._parent, '_parent', 'string'),
  t: field(40, 't', 'string', TEXT),
  u: field(41, 'u', 'string', { ...TEXT, norms: false, indexOptions: 'freqs' }),
  k: field(42, 'k', 'string'),
  n: field(43, 'n', 'int'),
  l: field(44, 'l', 'long'),
  d: field(45, 'd', 'double'),
  a: field(46, 'c.a', 'string', TEXT),
  m: field(47, 'c.m', 'int'),
  r: field(48, 'c.r.x', 'string', TEXT),
} as const;

export type FieldName = keyof typeof FIELDS;
type FieldValue = string | number | bigint;
type FieldValues = Readonly<Partial<Record<FieldName, readonly FieldValue[]>>>;

/** A described document or nested object. */
export interface TestObject {
  readonly values: FieldValues;
  /** Nested objects: those of a root are at `c`, those of these at `c.r`. */
  readonly nested?: readonly TestObject[];
}

export const PATHS = ['c', 'c.r'] as const;

let nextSegmentId = 1;

/** Builds and opens a segment. `sequence`: of the first document. */
export function segmentOf(
  documents: readonly TestObject[],
  sequence = 1,
  liveDocs: Bitset | null = null,
): SegmentReader {
  const builder = new SegmentBuilder();
  documents.forEach((document, i) => {
    builder.beginDocument(sequence + i);
    describeObject(builder, document, 0);
    builder.endDocument();
  });
  const built = builder.finish();
  const id = nextSegmentId++;
  const reader = openSegment(
    committedSegment(id, built),
    {
      readBlock: (_segment, block) => built.blocks[block]!,
      readDeletions: () => Buffer.alloc(0),
    },
    new ByteCache(64 << 20),
  );
  return liveDocs === null ? reader : withLiveDocs(reader, liveDocs);
}

/** The same segment with some documents deleted. */
export function withLiveDocs(reader: SegmentReader, liveDocs: Bitset): SegmentReader {
  return Object.create(reader, {
    liveDocs: { value: liveDocs },
    deletedCount: { value: reader.docCount - liveDocs.count() },
  }) as SegmentReader;
}

function describeObject(builder: SegmentBuilder, object: TestObject, depth: number): void {
  for (const [name, values] of Object.entries(object.values) as [FieldName, FieldValue[]][]) {
    const target = FIELDS[name];
    for (const value of values) {
      if (typeof value === 'string') builder.text(target, value, 1);
      else if (typeof value === 'bigint') builder.long(target, value);
      else builder.number(target, value);
    }
  }
  for (const nested of object.nested ?? []) {
    builder.beginNested(PATHS[depth]!);
    describeObject(builder, nested, depth + 1);
    builder.endNested();
  }
}
