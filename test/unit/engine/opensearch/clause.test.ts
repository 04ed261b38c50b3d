import { clauseOf, type ClauseContext } from '../../../../engine/opensearch/queries/clause';
import { regexpText } from '../../../../engine/opensearch/queries/regexp-text';
import type { FieldKind } from '../../../../engine/metadata/index';
import type { Query } from '../../../../engine/query/index';

const KINDS: Readonly<Record<number, FieldKind>> = { 40: 'string', 41: 'long', 42: 'double' };

const context: ClauseContext = {
  mapping: { nestedObject: (path) => ({ path, parent: path === 'a.b' ? 'a' : null }) },
  kindOf: (field) => KINDS[field] ?? null,
  path: null,
};

const term = (text: string): Query => ({
  kind: 'term',
  field: 40,
  term: text,
  boost: 1,
  scored: true,
});

describe('queries as clauses', () => {
  test('a bool without anything required asks for one of its clauses', () => {
    const bool = {
      kind: 'bool',
      must: [],
      should: [term('x'), term('y')],
      mustNot: [term('z')],
      minimumShouldMatch: 0,
      disableCoord: false,
      boost: 1,
    } as const satisfies Query;
    const clause = (text: string): object => ({ term: { f40k: { value: text } } });
    expect(clauseOf(bool, context)).toEqual({
      bool: {
        should: [clause('x'), clause('y')],
        minimum_should_match: 1,
        must_not: [clause('z')],
      },
    });
    expect(clauseOf({ ...bool, must: [term('w')] }, context)).toEqual({
      bool: { filter: [clause('w')], must_not: [clause('z')] },
    });
    expect(clauseOf({ ...bool, should: [] }, context)).toEqual({ match_none: {} });
  });

  test('fields within nested objects have the path of these', () => {
    const hex = (text: string): string => `n${Buffer.from(text).toString('hex')}`;
    const path = `${hex('a')}.${hex('a.b')}`;
    const query: Query = {
      kind: 'nested',
      path: 'a.b',
      query: { kind: 'exists', fields: [41], boost: 1 },
      scoreMode: 'avg',
      boost: 1,
      parentPath: null,
    };
    expect(clauseOf(query, context)).toMatchObject({
      nested: { path, query: { terms: { [`${path}.p`]: ['41'] } } },
    });
  });

  test.each([
    [41, 1.5, null, { range: { f41: { gte: 2 } } }],
    [41, -Infinity, 2n ** 63n, { range: { f41: {} } }],
    [41, 2n ** 63n, null, { match_none: {} }],
    [42, Infinity, null, { match_none: {} }],
    [42, -1e300, 0.5, { range: { f42: { gte: -1e300, lte: 0.5 } } }],
  ])('the range of field %p from %p to %p', (field, from, to, clause) => {
    expect(clauseOf({ kind: 'numericRange', field, from, to, boost: 1 }, context)).toEqual(clause);
  });

  test('phrases keep the holes of their terms', () => {
    const slots = [
      { terms: ['king'], position: 1 },
      { terms: ['hill', 'mountain'], position: 4 },
    ];
    const query: Query = { kind: 'phrase', field: 40, slots, slop: 2, boost: 1 };
    expect(clauseOf(query, context)).toEqual({
      match_phrase: {
        f40: { query: 'king\u0001\u0003\u0001\u0003\u0001hill\u0002mountain', slop: 2 },
      },
    });
  });

  test('shapes are told by their cells', () => {
    const query: Query = {
      kind: 'geoShape',
      field: 40,
      shape: { kind: 'point', x: 10, y: 50 },
      precision: { tree: 'geohash', levels: 2, distanceError: 0 },
      relation: 'intersects',
      boost: 1,
    };
    expect(clauseOf(query, context)).toEqual({ terms: { f40k: ['u0', 'u+'] } });
  });

  test('what there is no clause of is refused by its name', () => {
    expect(() => clauseOf({ kind: 'limit', count: 1 }, context)).toThrow(
      'a [limit] query is not supported by the OpenSearch backend',
    );
  });

  test.each([
    ['\\d+', '(d){1,}'],
    ['a.b', '(a.b)'],
    ['[^b]', '[\\\u0000-ac-\u{10ffff}]'],
    ['x<7-12>', '(x<7-12>)'],
    ['"a*"', '(a\\*)'],
    ['', '()'],
  ])('the expression %p', (pattern, text) => {
    expect(regexpText(pattern, 0xffff)).toBe(text);
  });
});
