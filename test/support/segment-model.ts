// A brute-force model of a segment: plain arrays and maps, obviously right, against which builder, reader
// and merger are checked. The documents are in segment-documents.ts.

import assert from 'node:assert/strict';

import { Bitset, NO_MORE_DOCS } from '../../engine/segment/contract/bitset';
import { fieldNorm } from '../../engine/similarity/contract/norms';
import type { SegmentReader } from '../../engine/segment/contract/reader';
import { compareDoubles } from '../../engine/segment/columns/number-order';
import { compareUtf8 } from '../../engine/segment/dictionary/utf8-order';
import { FIELDS, type FieldName, type FlatDoc, type ModelValue } from './segment-documents';

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
  const maxNorm = FIELDS[name].norms ? Math.max(...block.map(({ doc }) => norms[doc]!)) : 0;
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
