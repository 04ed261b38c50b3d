// A brute-force model of a segment: plain arrays and maps, obviously right, against which builder, reader
// and merger are checked; and random documents for it.

import assert from 'node:assert/strict';

import fc from 'fast-check';
import type { Analyzer } from '../../engine/analysis/chain/analyzer';
import type { FieldSink } from '../../engine/mapping/fields/field-sink';
import { Bitset, NO_MORE_DOCS } from '../../engine/segment/contract/bitset';
import { decodeNorm, fieldNorm } from '../../engine/segment/postings/norms';
import type { SegmentReader } from '../../engine/segment/contract/reader';
import { compareDoubles } from '../../engine/segment/columns/number-order';
import { compareUtf8 } from '../../engine/segment/dictionary/utf8-order';
import { indexedField } from './indexed-field';

/**
 * Splits at blanks; `~` before a word puts it at the place of the one before, `^` leaves a hole; the word `%`
 * is removed and leaves a hole.
 */
export const WORDS: Analyzer = {
  name: 'words',
  positionGap: 0,
  analyze: () => {
    throw new Error('not used');
  },
  forEachTerm(text, emit) {
    let removed = 0;
    for (const word of text.split(' ')) {
      if (word === '') continue;
      if (word === '%') {
        removed++;
        continue;
      }
      if (word.startsWith('~')) emit(word.slice(1), removed);
      else if (word.startsWith('^')) emit(word.slice(1), 3 + removed);
      else emit(word, 1 + removed);
      removed = 0;
    }
    return removed;
  },
};

export const FIELDS = {
  body: indexedField(40, 'body', {
    analyzer: WORDS,
    indexOptions: 'positions',
    norms: true,
    docValues: false,
    positionGap: 10,
  }),
  all: indexedField(3, '_all', {
    analyzer: WORDS,
    indexOptions: 'positions',
    norms: true,
    docValues: false,
  }),
  freqs: indexedField(41, 'freqs', { analyzer: WORDS, indexOptions: 'freqs', docValues: false }),
  tag: indexedField(42, '__proto__'),
  hidden: indexedField(43, 'hidden', { indexed: false }),
  long: indexedField(44, 'long', { kind: 'long' }),
  int: indexedField(45, 'int', { kind: 'int' }),
  double: indexedField(46, 'double', { kind: 'double', docValues: false }),
  float: indexedField(47, 'float', { kind: 'float', indexed: false }),
  point: indexedField(48, 'point', { kind: 'geo' }),
  nothing: indexedField(49, 'nothing', { indexed: false, docValues: false }),
} as const;

export type FieldName = keyof typeof FIELDS;

export type ModelValue =
  | { readonly field: FieldName; readonly text: string; readonly boost: number }
  | { readonly field: FieldName; readonly number: number }
  | { readonly field: FieldName; readonly long: bigint }
  | { readonly field: FieldName; readonly point: readonly [number, number] }
  | { readonly field: FieldName; readonly present: true };

/** Values and nested documents in the order in which they are met. */
export interface ModelDoc {
  readonly items: readonly (ModelValue | { readonly path: string; readonly doc: ModelDoc })[];
}

/** Feeds a document to a sink. */
export function feed(doc: ModelDoc, sink: FieldSink): void {
  for (const item of doc.items) {
    if ('doc' in item) {
      sink.beginNested(item.path);
      feed(item.doc, sink);
      sink.endNested();
      continue;
    }
    const target = FIELDS[item.field];
    if ('text' in item) sink.text(target, item.text, item.boost);
    else if ('number' in item) sink.number(target, item.number);
    else if ('long' in item) sink.long(target, item.long);
    else if ('point' in item) sink.geo(target, item.point[0], item.point[1]);
    else sink.present(target);
  }
}

/** One document of the flattened model, root or nested. */
export interface FlatDoc {
  readonly sequence: number;
  readonly path: string | null;
  readonly values: readonly ModelValue[];
}

/** Documents as a segment numbers them. */
export function flatten(roots: readonly { doc: ModelDoc; sequence: number }[]): FlatDoc[] {
  const flat: FlatDoc[] = [];
  const visit = (doc: ModelDoc, path: string | null, sequence: number): void => {
    const values: ModelValue[] = [];
    for (const item of doc.items) {
      if ('doc' in item) visit(item.doc, item.path, sequence);
      else values.push(item);
    }
    flat.push({ sequence, path, values });
  };
  for (const { doc, sequence } of roots) visit(doc, null, sequence);
  return flat;
}

const WORD = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c', 'the', 'fox', 'foxes', 'foxy', 'd') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '~syn',
      '^late',
      '%',
      'é',
      'z\u0000',
      '\u{1f600}',
      '\uffff',
      '\uffee',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary', maxLength: 6 }).map((s) => s.replaceAll(' ', '_')),
  },
  { weight: 1, arbitrary: fc.nat(40).map((n) => 'shared-prefix-of-many'.padEnd(n + 21, 'x') + n) },
);
const TEXT = fc.array(WORD, { maxLength: 12 }).map((words) => words.join(' '));
const KEYWORD = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('red', 'green', 'blue', '', 'T', 'F', 'a#1', 'a#2') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
const BOOST = fc.constantFrom(1, 1, 1, 2, 0.5);
const LONG = fc.oneof(
  fc.bigInt({ min: -5n, max: 300n }),
  fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n }),
  {
    weight: 1,
    arbitrary: fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n, 2n ** 53n + 1n, 0n),
  },
);
const DOUBLE = fc.oneof(
  fc.integer({ min: -3, max: 300 }),
  fc.double({ noNaN: true }),
  fc.constantFrom(-0, 0, Infinity, -Infinity, 1e300, 0.1, 5e-324),
);

const VALUE: fc.Arbitrary<ModelValue> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      field: fc.constantFrom('body', 'all', 'freqs'),
      text: TEXT,
      boost: BOOST,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      field: fc.constantFrom('tag', 'hidden'),
      text: KEYWORD,
      boost: fc.constant(1),
    }),
  },
  fc.record({ field: fc.constant('long'), long: LONG }),
  fc.record({ field: fc.constant('int'), number: fc.integer() }),
  fc.record({ field: fc.constant('int'), number: fc.integer({ min: 0, max: 9 }) }),
  {
    weight: 2,
    arbitrary: fc.record({ field: fc.constantFrom('double', 'float'), number: DOUBLE }),
  },
  fc.record({
    field: fc.constant('point'),
    point: fc.tuple(
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
    ),
  }),
  fc.record({
    field: fc.constantFrom('body', 'tag', 'long', 'nothing', 'point'),
    present: fc.constant(true),
  }),
);

/** Documents with nested ones up to two levels deep. */
export const DOC: fc.Arbitrary<ModelDoc> = fc.letrec<{
  doc: ModelDoc;
  inner: ModelDoc;
  leaf: ModelDoc;
}>((tie) => ({
  leaf: fc.record({ items: fc.array(VALUE, { maxLength: 4 }) }),
  inner: fc.record({
    items: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: VALUE },
        fc.record({ path: fc.constantFrom('offers.parts', 'offers.x'), doc: tie('leaf') }),
      ),
      { maxLength: 5 },
    ),
  }),
  doc: fc.record({
    items: fc.array(
      fc.oneof(
        { weight: 8, arbitrary: VALUE },
        fc.record({ path: fc.constantFrom('offers', 'comments'), doc: tie('inner') }),
      ),
      { maxLength: 12 },
    ),
  }),
})).doc;

/** Flat documents without nested ones, so that segments without a root set are met too. */
export const FLAT_DOC: fc.Arbitrary<ModelDoc> = fc.record({
  items: fc.array(VALUE, { maxLength: 8 }),
});

interface ModelPosting {
  readonly doc: number;
  readonly positions: number[];
}

interface ModelTerms {
  readonly terms: readonly string[];
  readonly postings: ReadonlyMap<string, ModelPosting[]>;
  readonly norms: readonly number[];
}

function invert(docs: readonly FlatDoc[], name: FieldName): ModelTerms {
  const target = FIELDS[name];
  const postings = new Map<string, ModelPosting[]>();
  const norms: number[] = [];
  docs.forEach(({ values }, doc) => {
    let position = -1;
    let length = 0;
    let tokens = 0;
    let boost = 1;
    let first = true;
    for (const value of values) {
      if (value.field !== name || !('text' in value)) continue;
      if (!first) position += target.positionGap;
      first = false;
      boost = Math.fround(boost * value.boost);
      const add = (raw: string, increment: number): void => {
        const term = wellFormed(raw);
        position = Math.max(0, position + increment);
        if (increment > 0) length++;
        tokens++;
        let list = postings.get(term);
        if (list === undefined) postings.set(term, (list = []));
        if (list.at(-1)?.doc !== doc) list.push({ doc, positions: [] });
        list.at(-1)!.positions.push(position);
      };
      if (target.analyzer === null) add(value.text, 1);
      else {
        const skipped = target.analyzer.forEachTerm(value.text, add) ?? 0;
        position += skipped;
      }
    }
    norms.push(tokens === 0 ? 0 : fieldNorm(length, boost));
  });
  const terms = [...postings.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return { terms, postings, norms };
}

/** Compares everything a reader gives with the model. */
export function checkSegment(reader: SegmentReader, docs: readonly FlatDoc[]): void {
  assert.strictEqual(reader.docCount, docs.length);
  checkDocuments(reader, docs);
  const names = (Object.keys(FIELDS) as FieldName[]).filter((name) =>
    docs.some(({ values }) => values.some((value) => counts(value) && value.field === name)),
  );
  assert.deepStrictEqual(
    reader.fields().map(({ id, name, kind }) => ({ id, name, kind })),
    names
      .map((name) => FIELDS[name])
      .sort((a, b) => a.id - b.id)
      .map(({ id, name, kind }) => ({ id, name, kind })),
  );
  for (const name of Object.keys(FIELDS) as FieldName[]) {
    const present = docs.flatMap(({ values }, doc) =>
      values.some((value) => value.field === name && counts(value)) ? [doc] : [],
    );
    assert.deepStrictEqual(members(reader.presence(FIELDS[name].id)), present);
    if (FIELDS[name].kind === 'string') checkStrings(reader, docs, name);
    else if (FIELDS[name].kind === 'geo') checkPoints(reader, docs);
    else checkNumbers(reader, docs, name);
  }
}

/** Values of fields that are kept nowhere do not count; being told of presence does. */
function counts(value: ModelValue): boolean {
  return value.field !== 'nothing' || 'present' in value;
}

function members(set: Bitset | null): number[] {
  const docs: number[] = [];
  for (let doc = set?.next(0) ?? NO_MORE_DOCS; doc !== NO_MORE_DOCS; doc = set!.next(doc + 1))
    docs.push(doc);
  return docs;
}

function checkDocuments(reader: SegmentReader, docs: readonly FlatDoc[]): void {
  const rootsOf = docs.flatMap(({ path }, doc) => (path === null ? [doc] : []));
  if (rootsOf.length === docs.length) assert.strictEqual(reader.roots, null);
  else assert.deepStrictEqual(members(reader.roots), rootsOf);
  for (const path of ['offers', 'comments', 'offers.parts', 'offers.x', 'nowhere']) {
    const expected = docs.flatMap((doc, i) => (doc.path === path ? [i] : []));
    assert.deepStrictEqual(members(reader.nestedDocs(path)), expected);
  }
  docs.forEach(({ sequence, path }, doc) => {
    assert.strictEqual(reader.sequenceOf(doc), sequence);
    if (path === null) assert.strictEqual(reader.docOfSequence(sequence), doc);
    assert.strictEqual(reader.docOfSequence(sequence + 0.5), -1);
  });
}

function checkStrings(reader: SegmentReader, docs: readonly FlatDoc[], name: FieldName): void {
  const { id, indexOptions, indexed } = FIELDS[name];
  const { terms, postings, norms } = invert(docs, name);
  const dictionary = reader.terms(id);
  if (!indexed || terms.length === 0) {
    assert.strictEqual(dictionary, null);
  } else {
    const hasFreqs = indexOptions !== 'docs';
    assert.strictEqual(dictionary!.size, terms.length);
    assert.strictEqual(dictionary!.hasFreqs, hasFreqs);
    assert.strictEqual(dictionary!.hasPositions, indexOptions === 'positions');
    const lists = terms.map((term) => postings.get(term)!);
    const ttfs = lists.map((list) =>
      list.reduce((sum, { positions }) => sum + positions.length, 0),
    );
    assert.strictEqual(
      dictionary!.sumDocFreq,
      lists.reduce((sum, list) => sum + list.length, 0),
    );
    assert.strictEqual(
      dictionary!.sumTotalTermFreq,
      hasFreqs ? ttfs.reduce((a, b) => a + b, 0) : -1,
    );
    assert.strictEqual(dictionary!.docCount, new Set(lists.flat().map(({ doc }) => doc)).size);
    assert.deepStrictEqual(
      [...dictionary!.docFreqs()],
      lists.map((list) => list.length),
    );
    const seen: string[] = [];
    dictionary!.forEach(0, dictionary!.size, (term, ordinal) => {
      assert.strictEqual(ordinal, seen.length);
      seen.push(term);
    });
    assert.deepStrictEqual(seen, terms);
    terms.forEach((term, ordinal) => {
      assert.strictEqual(dictionary!.ordinalOf(term), ordinal);
      assert.strictEqual(dictionary!.ceiling(term), ordinal);
      assert.strictEqual(dictionary!.termAt(ordinal), term);
      assert.strictEqual(dictionary!.docFreq(ordinal), lists[ordinal]!.length);
      assert.strictEqual(
        dictionary!.totalTermFreq(ordinal),
        hasFreqs ? ttfs[ordinal] : lists[ordinal]!.length,
      );
      checkPostings(reader, name, ordinal, lists[ordinal]!, norms);
    });
    for (const probe of [
      ...terms.map((term) => `${term}\u0001`),
      '',
      '\uffff',
      '\u{10ffff}',
      'foxe',
      '\ud800',
    ]) {
      const expected = terms.findIndex((term) => compareUtf8(term, probe) >= 0);
      assert.strictEqual(dictionary!.ceiling(probe), expected === -1 ? terms.length : expected);
      assert.strictEqual(dictionary!.ordinalOf(probe), terms.indexOf(wellFormed(probe)));
    }
    const middle = terms.length >>> 1;
    const union = new Bitset(docs.length);
    dictionary!.fill(middle, terms.length, union);
    const expected = [
      ...new Set(
        lists
          .slice(middle)
          .flat()
          .map(({ doc }) => doc),
      ),
    ].sort((a, b) => a - b);
    assert.deepStrictEqual(members(union), expected);
  }
  const stored = reader.norms(id);
  if (FIELDS[name].norms && terms.length > 0) assert.deepStrictEqual([...stored!], norms);
  else assert.strictEqual(stored, null);

  const column = reader.ordinals(id);
  if (terms.length === 0) {
    assert.strictEqual(column, null);
    return;
  }
  const expected = docs.map((_, doc) =>
    terms.filter((term) => postings.get(term)!.some((posting) => posting.doc === doc)),
  );
  const { offsets, ordinals } = column!;
  const found = docs.map((_, doc) => {
    if (offsets === null)
      return ordinals[doc] === 0 ? [] : [column!.terms.termAt(ordinals[doc]! - 1)];
    return [...ordinals.subarray(offsets[doc], offsets[doc + 1])].map((o) =>
      column!.terms.termAt(o),
    );
  });
  assert.deepStrictEqual(found, expected);
  assert.strictEqual(
    offsets === null,
    expected.every((list) => list.length <= 1),
  );
}

function checkPostings(
  reader: SegmentReader,
  name: FieldName,
  ordinal: number,
  list: readonly ModelPosting[],
  norms: readonly number[],
): void {
  const terms = reader.terms(FIELDS[name].id)!;
  const iterator = terms.postings(ordinal, 'positions');
  assert.strictEqual(iterator.cost, list.length);
  assert.strictEqual(iterator.doc, -1);
  for (const { doc, positions } of list) {
    assert.strictEqual(iterator.nextDoc(), doc);
    assert.strictEqual(iterator.freq(), terms.hasFreqs ? positions.length : 1);
    if (terms.hasPositions) {
      assert.deepStrictEqual(
        Array.from({ length: iterator.freq() }, () => iterator.nextPosition()),
        positions,
      );
    }
  }
  assert.strictEqual(iterator.nextDoc(), NO_MORE_DOCS);
  const last = list.at(-1)!.doc;
  const other = terms.postings(ordinal, 'freqs');
  assert.strictEqual(other.advance(last), last);
  assert.strictEqual(other.advance(last + 1), NO_MORE_DOCS);
  const bounds = terms.postings(ordinal, 'freqs');
  const end = bounds.blockEnd(0);
  const block = list.filter(({ doc }) => doc <= end);
  const maxFreq = Math.max(
    ...block.map(({ positions }) => (terms.hasFreqs ? positions.length : 1)),
  );
  assert.ok(bounds.blockMaxFreq() >= maxFreq);
  const maxNorm = FIELDS[name].norms
    ? decodeNorm(Math.max(...block.map(({ doc }) => norms[doc]!)))
    : 0;
  assert.strictEqual(bounds.blockMaxNorm(), maxNorm);
  assert.strictEqual(bounds.blockEnd(last + 1), NO_MORE_DOCS);
}

function checkNumbers(reader: SegmentReader, docs: readonly FlatDoc[], name: FieldName): void {
  const { id, kind } = FIELDS[name];
  const exact = kind === 'long' || kind === 'int';
  const expected = docs.map(({ values }) => {
    const own = values.flatMap((value): (number | bigint)[] => {
      if (value.field !== name) return [];
      if ('long' in value) return [value.long];
      if (!('number' in value)) return [];
      return [
        exact ? BigInt(value.number) : kind === 'float' ? Math.fround(value.number) : value.number,
      ];
    });
    return own
      .sort(compareNumbers)
      .filter((value, i) => i === 0 || compareNumbers(own[i - 1]!, value) !== 0);
  });
  const column = reader.numeric(id);
  const all = expected.flat();
  if (all.length === 0) {
    assert.strictEqual(column, null);
    return;
  }
  const { offsets, present } = column!;
  assert.strictEqual(column!.valueCount, all.length);
  const at = (index: number): number | bigint =>
    exact ? column!.longAt(index) : column!.valueAt(index);
  const found = docs.map((_, doc) => {
    if (offsets !== null)
      return Array.from({ length: offsets[doc + 1]! - offsets[doc]! }, (_v, i) =>
        at(offsets[doc]! + i),
      );
    return present === null || present.has(doc) ? [at(doc)] : [];
  });
  assert.deepStrictEqual(found, expected);
  assert.strictEqual(
    offsets === null,
    expected.every((list) => list.length <= 1),
  );
  const sorted = [...all].sort(compareNumbers);
  assert.strictEqual(column!.min, Number(sorted[0]));
  assert.strictEqual(column!.max, Number(sorted.at(-1)));
  const pairs = expected
    .flatMap((list, doc) => list.map((value) => ({ doc, value })))
    .sort((a, b) => compareNumbers(a.value, b.value) || a.doc - b.doc);
  assert.deepStrictEqual(
    [...column!.sortedDocs()],
    pairs.map(({ doc }) => doc),
  );
  const bounds: (number | bigint)[] = [
    ...new Set(all),
    -Infinity,
    Infinity,
    exact ? 0n : -0,
    exact ? 2n ** 70n : 0,
  ];
  for (const from of bounds.slice(0, 6)) {
    for (const to of bounds.slice(-6)) {
      const inside = pairs.filter(
        ({ value }) => compareNumbers(value, from) >= 0 && compareNumbers(value, to) <= 0,
      );
      const [start, end] = column!.rangeOf(from, to);
      assert.strictEqual(end - start, inside.length);
      if (inside.length > 0) assert.strictEqual(start, pairs.indexOf(inside[0]!));
    }
  }
}

function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (typeof a === 'number' && typeof b === 'number') return compareDoubles(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function checkPoints(reader: SegmentReader, docs: readonly FlatDoc[]): void {
  const expected = docs.map(({ values }) =>
    values.flatMap((value) => ('point' in value ? [value.point] : [])),
  );
  const column = reader.geo(FIELDS.point.id);
  if (expected.flat().length === 0) {
    assert.strictEqual(column, null);
    return;
  }
  const { offsets, latitudes, longitudes } = column!;
  const found = docs.map((_, doc) =>
    Array.from({ length: offsets[doc + 1]! - offsets[doc]! }, (_v, i) => [
      latitudes[offsets[doc]! + i],
      longitudes[offsets[doc]! + i],
    ]),
  );
  assert.deepStrictEqual(found, expected);
}

/** The string after a round trip through UTF-8: unpaired surrogates become U+FFFD. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
