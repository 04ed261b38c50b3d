import { documentRouting, routingHash, shardOf } from '../../../../engine/metadata/routing';
import type { AliasMetadata } from '../../../../engine/metadata/state';
import { errorOf } from './support';

const alias = (indexRouting: string | null): AliasMetadata => ({
  name: 'A',
  filter: null,
  indexRouting,
  searchRouting: null,
  isWriteIndex: null,
});

describe('routing hash', () => {
  // value, hash, shard of 2, 3, 5, 7, 10: as a 1.7.6 server places documents
  test.each([
    ['0', 177621, 1, 0, 1, 3, 1],
    ['1', 177622, 0, 1, 2, 4, 2],
    ['2', 177623, 1, 2, 3, 5, 3],
    ['3', 177624, 0, 0, 4, 6, 4],
    ['4', 177625, 1, 1, 0, 0, 5],
    ['5', 177626, 0, 2, 1, 1, 6],
    ['a', 177670, 0, 1, 0, 3, 0],
    ['b', 177671, 1, 2, 1, 4, 1],
    ['c', 177672, 0, 0, 2, 5, 2],
    ['A', 177638, 0, 2, 3, 6, 8],
    ['x', 177693, 1, 0, 3, 5, 3],
    ['y', 177694, 0, 1, 4, 6, 4],
    ['z', 177695, 1, 2, 0, 0, 5],
    ['r1', 5863720, 0, 1, 0, 2, 0],
    ['zzzzzzzzzzzz', 389879997, 1, 0, 2, 3, 7],
    ['user1', 277151541, 1, 0, 1, 2, 1],
    ['user2', 277151542, 0, 1, 2, 3, 2],
    ['kimchy', 153126218, 0, 2, 3, 0, 8],
    ['blog', 2090116809, 1, 0, 4, 4, 9],
    ['42', 5861675, 1, 2, 0, 1, 5],
    ['100', 193431990, 0, 0, 0, 3, 0],
    ['abcdefghij', -1215284260, 0, 1, 0, 1, 0],
    ['the quick brown fox', -1290746600, 0, 2, 0, 3, 0],
    ['é', 177806, 0, 2, 1, 6, 6],
    ['日本', 6747126, 0, 0, 1, 1, 6],
    ['😀', 7743522, 0, 0, 2, 3, 2],
    ['-1', 5861443, 1, 1, 3, 0, 3],
    ['1 2', 193431464, 0, 2, 4, 2, 4],
    ['2147483648', 1343268084, 0, 0, 4, 4, 4],
    ['AV8-zyxwVUtsRqponmlk', 180343337, 1, 2, 2, 6, 7],
  ])('%s', (value, hash, ...shards) => {
    expect(routingHash(value)).toBe(hash);
    expect([2, 3, 5, 7, 10].map((count) => shardOf(value, count))).toEqual(shards);
    expect(shardOf(value, 1)).toBe(0);
  });
});

describe('routing of a single document', () => {
  test('is the parameter, else the parent, else nothing', () => {
    expect(documentRouting(null, 'r', 'p')).toBe('r');
    expect(documentRouting(null, undefined, 'p')).toBe('p');
    expect(documentRouting(null, '', '')).toBeNull();
    expect(documentRouting(null, undefined, undefined)).toBeNull();
  });

  test('keeps commas on an index, and refuses them through an alias', () => {
    expect(documentRouting(null, '2,3', undefined)).toBe('2,3');
    expect(errorOf(() => documentRouting(alias(null), '2,3', undefined))).toBe(
      '400 ElasticsearchIllegalArgumentException[index/alias [A] provided with routing value [2,3] that resolved to several routing values, rejecting operation]',
    );
  });

  test('is set by the alias, which accepts no other', () => {
    expect(documentRouting(alias('1'), undefined, undefined)).toBe('1');
    expect(documentRouting(alias('1'), '1', undefined)).toBe('1');
    expect(documentRouting(alias(null), '2', undefined)).toBe('2');
    const conflict =
      '400 ElasticsearchIllegalArgumentException[Alias [A] has index routing associated with it [1], and was provided with routing value [2], rejecting operation]';
    expect(errorOf(() => documentRouting(alias('1'), '2', undefined))).toBe(conflict);
    expect(errorOf(() => documentRouting(alias('1'), undefined, '2'))).toBe(conflict);
  });
});
