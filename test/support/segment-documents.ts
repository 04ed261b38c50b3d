// Random documents for segments of a few fields, and how they are fed to a builder.

import fc from 'fast-check';
import type { Analyzer } from '../../engine/analysis/chain/analyzer';
import type { FieldSink } from '../../engine/mapping/fields/field-sink';
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

/** Fields of all kinds. */
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

/** Their names. */
export type FieldName = keyof typeof FIELDS;

/** A value of a field. */
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
