import { scoredClause, type ScoringContext } from '../../../../engine/opensearch/queries/scored';
import { ListedTerms, listedSegment, type Query } from '../../../../engine/query/index';
import { prepareQuery } from '../../../../engine/query/statistics';
import {
  type Similarity,
  STANDARD_SIMILARITIES,
  STANDARD_SIMILARITY,
} from '../../../../engine/similarity/index';

const context: ScoringContext = {
  mapping: { nestedObject: () => null },
  kindOf: () => 'string',
  path: null,
  textOf: () => ({ norms: true, counted: false }),
};

const term = (text: string): Query => ({
  kind: 'term',
  field: 40,
  term: text,
  boost: 1,
  scored: true,
});

function scored(query: Query, docs: number, terms: Readonly<Record<string, number>>): object {
  const listed = new ListedTerms(new Map(Object.entries(terms)));
  const segment = listedSegment(docs, (field) => (field === 40 ? listed : null));
  const prepared = prepareQuery(query, [segment]);
  return scoredClause(prepared.query, prepared.statistics, context);
}

describe('queries with scores', () => {
  test('a term alone has its rarity for a boost', () => {
    const idf = Math.fround(Math.log(100 / 10) + 1);
    expect(scored(term('x'), 100, { x: 9 })).toEqual({
      term: { f40: { value: 'x', boost: expect.closeTo(idf, 5) as number } },
    });
  });

  test('a shard without documents is asked all the same', () => {
    expect(scored(term('x'), 0, {})).toEqual({ term: { f40: { value: 'x', boost: 0 } } });
  });

  test('spans that were counted are scored by similarities only of which enough is known', () => {
    const tree = { type: 'term', field: { id: 40 }, term: 'x' } as const;
    const spans: Query = { kind: 'spans', tree, boost: 1 };
    const clause = (standard: Similarity): object => {
      const similarities = { ...STANDARD_SIMILARITIES, standard };
      const { query, statistics } = prepareQuery(spans, [listedSegment(9, () => null)], {
        similarities,
      });
      const counted = new Map([[tree, new Map([[3, { freq: 1, norm: 120 }]])]]);
      return scoredClause(query, statistics, { ...context, spans: counted });
    };
    expect(clause(STANDARD_SIMILARITY)).toHaveProperty('script_score');
    expect(clause({ kind: 'BM25', k1: 1, b: 0, countsOverlaps: false })).toHaveProperty(
      'script_score',
    );
    const refused = 'scoring by similarity [LMDirichlet] is not supported';
    expect(() => clause({ kind: 'LMDirichlet', mu: 1 })).toThrow(refused);
  });

  test('optional clauses are counted, and required ones once for all', () => {
    const bool: Query = {
      kind: 'bool',
      must: [term('x')],
      should: [term('y'), term('z')],
      mustNot: [],
      minimumShouldMatch: 0,
      disableCoord: false,
      boost: 1,
    };
    const filter = (text: string): object => ({ term: { f40k: { value: text } } });
    expect(scored(bool, 10, { x: 1, y: 1, z: 1 })).toMatchObject({
      function_score: {
        functions: [
          { weight: 1 / 3 },
          { filter: filter('y'), weight: 1 / 3 },
          { filter: filter('z'), weight: 1 / 3 },
        ],
        score_mode: 'sum',
        boost_mode: 'multiply',
      },
    });
    expect(scored({ ...bool, disableCoord: true }, 10, { x: 1 })).toHaveProperty('bool');
  });
});
