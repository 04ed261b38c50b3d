// What queries require of documents, and how few of many queries a document meets.

import { QueryIndex } from '../../../../engine/percolator/query-index';
import { isExact, requirementOf } from '../../../../engine/percolator/requirement';
import type { Query } from '../../../../engine/query/index';
import { MemorySegments, SegmentBuilder } from '../../../../engine/segment/index';
import { indexedField } from '../../../support/indexed-field';

const FIELD = indexedField(20, 'msg');

const term = (text: string): Query => ({
  kind: 'term',
  field: FIELD.id,
  term: text,
  boost: 1,
  scored: true,
});
const bool = (clauses: Partial<Record<'must' | 'should' | 'mustNot', Query[]>>): Query => ({
  kind: 'bool',
  must: clauses.must ?? [],
  should: clauses.should ?? [],
  mustNot: clauses.mustNot ?? [],
  minimumShouldMatch: 0,
  disableCoord: false,
  boost: 1,
});
const ALL: Query = { kind: 'matchAll', boost: 1 };
const NONE: Query = { kind: 'matchNone' };

const one = () => 1;
const values = (query: Query) => requirementOf(query, one)?.map(({ value }) => value) ?? null;

test('a conjunction needs one of its parts, a disjunction any of them', () => {
  expect(values(term('a'))).toEqual(['a']);
  expect(values(bool({ must: [ALL, term('a')], mustNot: [term('b')] }))).toEqual(['a']);
  expect(values(bool({ should: [term('a'), term('b')] }))).toEqual(['a', 'b']);
  expect(values(bool({ should: [term('a'), ALL] }))).toBeNull();
  expect(values(bool({ must: [ALL], should: [term('a')] }))).toBeNull();
  expect(values(bool({ must: [ALL], mustNot: [term('a')] }))).toBeNull();
  expect(values(NONE)).toEqual([]);
  expect(values({ kind: 'filtered', query: ALL, filter: term('a'), boost: 1 })).toEqual(['a']);
  expect(values(bool({ should: [NONE, term('a')] }))).toEqual(['a']);
});

test('of several the one under which fewest queries stand', () => {
  const index = new QueryIndex<number>((a, b) => a - b);
  for (let i = 0; i < 3; i++) index.add(i, [{ field: FIELD.id, value: 'frequent' }]);
  const query = bool({ must: [term('frequent'), term('rare')] });
  expect(requirementOf(query, (mark) => index.costOf(mark))).toEqual([
    { field: FIELD.id, value: 'rare' },
  ]);
});

test('half a character and names without field require no term', () => {
  expect(values(term('\ud800'))).toEqual([null]);
  expect(values({ ...term('a'), field: 0 } as Query)).toEqual([]);
});

test('what is required is enough only for terms and any of several', () => {
  expect(isExact(term('a'))).toBe(true);
  expect(isExact(bool({ should: [term('a'), term('b')] }))).toBe(true);
  expect(isExact(bool({ must: [term('a')], should: [term('b')] }))).toBe(false);
  expect(isExact(bool({ should: [term('a')], mustNot: [term('b')] }))).toBe(false);
  expect(isExact(ALL)).toBe(false);
});

test('of 100,000 queries a document meets those that have one of its words', () => {
  const index = new QueryIndex<number>((a, b) => a - b);
  for (let i = 0; i < 100_000; i++) {
    const query = bool({ must: [term(`w${i % 20_000}`), term(`w${(i * 7) % 20_000}`)] });
    index.add(
      i,
      requirementOf(query, (mark) => index.costOf(mark)),
    );
  }
  const builder = new SegmentBuilder();
  builder.beginDocument(1);
  for (const word of ['w1', 'w2', 'w3']) builder.text(FIELD, word, 1);
  builder.endDocument();
  const { reader } = new MemorySegments().open(builder.finish(), new Map());
  const candidates = [...index.candidates(reader)];
  expect(candidates.length).toBeGreaterThan(0);
  expect(candidates.length).toBeLessThan(50);
  for (const i of candidates) {
    for (const word of ['w1', 'w2', 'w3']) index.remove(i, requirementOf(term(word), one));
  }
  expect([...index.candidates(reader)]).toEqual([]);
});

test('candidates are those of the moment, each once, those without a requirement in order', () => {
  const index = new QueryIndex<number>((a, b) => a - b);
  const mark = (value: string) => ({ field: FIELD.id, value });
  const either = [mark('w1'), mark('w2')];
  for (const i of [3, 1, 2]) index.add(i, null);
  for (const i of [10, 11]) index.add(i, either);
  index.add(12, [mark('elsewhere')]);
  const builder = new SegmentBuilder();
  builder.beginDocument(1);
  for (const word of ['w1', 'w2']) builder.text(FIELD, word, 1);
  builder.endDocument();
  const { reader } = new MemorySegments().open(builder.finish(), new Map());
  const met: number[] = [];
  for (const entry of index.candidates(reader)) {
    if (met.length === 0) {
      index.remove(2, null);
      index.remove(11, either);
      index.add(4, null);
      index.add(13, either);
    }
    met.push(entry);
  }
  expect(met).toEqual([1, 2, 3, 10, 11]);
  expect([...index.candidates(reader)]).toEqual([1, 3, 4, 10, 13]);
});
