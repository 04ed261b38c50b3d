import {
  checkSimilarities,
  countsOverlaps,
  hasSameSimilarities,
  similarityRegistry,
} from '../../../../engine/similarity/registry';

function settings(
  definitions: Readonly<Record<string, string | readonly string[]>>,
): Map<string, string | readonly string[]> {
  return new Map(
    Object.entries(definitions).map(([name, value]) => [`index.similarity.${name}`, value]),
  );
}

describe('similarities of an index', () => {
  test('without settings: default and BM25, and queries are normed', () => {
    const { named, standard, normsQueries } = similarityRegistry(new Map());
    expect([...named.keys()]).toEqual(['default', 'BM25']);
    expect(standard).toEqual({ kind: 'default', countsOverlaps: false });
    expect(named.get('BM25')).toEqual({
      kind: 'BM25',
      k1: Math.fround(1.2),
      b: 0.75,
      countsOverlaps: false,
    });
    expect(normsQueries).toBe(true);
  });

  test('types are class names in several spellings', () => {
    const { named } = similarityRegistry(
      settings({
        'a.type': 'l_m_dirichlet',
        'b.type': 'org.elasticsearch.index.similarity.BM25SimilarityProvider',
        'c.type': 'org.elasticsearch.index.similarity.LMJelinekMercer',
        'd.type': 'Default',
      }),
    );
    expect([...named.values()].slice(2).map(({ kind }) => kind)).toEqual([
      'LMDirichlet',
      'BM25',
      'LMJelinekMercer',
      'default',
    ]);
  });

  test('names can be given to others; base decides whether queries are normed, else default', () => {
    const bm25 = similarityRegistry(settings({ 'default.type': 'BM25', 'BM25.type': 'default' }));
    expect(bm25.standard.kind).toBe('BM25');
    expect(bm25.named.get('BM25')!.kind).toBe('default');
    expect(bm25.normsQueries).toBe(false);
    const both = settings({ 'default.type': 'BM25', 'base.type': 'default' });
    expect(similarityRegistry(both).normsQueries).toBe(true);
  });

  test('options by underscores and camelCase', () => {
    const { named } = similarityRegistry(
      settings({
        'x.type': 'DFR',
        'x.basicModel': 'ine',
        'x.after_effect': 'b',
        'x.normalization': 'h3',
        'x.normalization.h3.c': '5',
        'y.type': 'BM25',
        'y.discountOverlaps': 'off',
      }),
    );
    expect(named.get('x')).toEqual({
      kind: 'DFR',
      basicModel: 'ine',
      afterEffect: 'b',
      normalization: { name: 'h3', parameter: 5 },
    });
    expect(countsOverlaps(named.get('y')!)).toBe(true);
  });

  test.each<[Record<string, string | string[]>, string]>([
    [{ 'x.k1': '2' }, 'SimilarityProvider [x] must have an associated type'],
    [{ 'x.type': ['BM25', 'DFR'] }, 'SimilarityProvider [x] must have an associated type'],
    [
      { x: 'BM25' },
      "Failed to get setting group for [index.similarity.] setting prefix and setting [index.similarity.x] because of a missing '.'",
    ],
    [{ 'x.type': 'foo' }, 'Failed to load class setting [type] with value [foo]'],
    [{ 'x.type': 'bm25' }, 'Failed to load class setting [type] with value [bm25]'],
    [{ 'x.type': '' }, 'Failed to load class setting [type] with value []'],
    [{ 'x.type': 'BM25', 'x.b': 'z' }, 'Failed to parse float setting [b] with value [z]'],
    [{ 'x.type': 'DFR' }, 'Unsupported BasicModel [null]'],
    [{ 'x.type': 'DFR', 'x.basic_model': 'G' }, 'Unsupported BasicModel [G]'],
    [{ 'x.type': 'DFR', 'x.basic_model': 'g' }, 'Unsupported AfterEffect [null]'],
    [
      { 'x.type': 'DFR', 'x.basic_model': 'g', 'x.after_effect': 'l' },
      'Unsupported Normalization [null]',
    ],
    [{ 'x.type': 'IB', 'x.distribution': '__proto__' }, 'Unsupported Distribution [__proto__]'],
    [{ 'x.type': 'IB', 'x.distribution': 'll', 'x.lambda': 'x' }, 'Unsupported Lambda [x]'],
    [{ 'x.type': 'constructor' }, 'Failed to load class setting [type] with value [constructor]'],
  ])('%j is refused where it is new, and passed over where it is old', (definitions, message) => {
    const bad = settings(definitions);
    expect(() => checkSimilarities(bad)).toThrow(message);
    expect([...similarityRegistry(bad).named.keys()]).toEqual(['default', 'BM25']);
  });

  test('one that cannot be read leaves the others alone', () => {
    const { named } = similarityRegistry(settings({ 'x.type': 'foo', 'y.type': 'LMDirichlet' }));
    expect([...named.keys()]).toEqual(['default', 'BM25', 'y']);
  });

  test('other settings make no difference', () => {
    const one = settings({ 'x.type': 'BM25' });
    const two = new Map([...one, ['index.refresh_interval', '1s'] as const]);
    expect(hasSameSimilarities(one, two)).toBe(true);
    expect(hasSameSimilarities(one, settings({ 'x.type': 'BM25', 'x.b': '1' }))).toBe(false);
    expect(hasSameSimilarities(undefined, new Map())).toBe(false);
  });
});
