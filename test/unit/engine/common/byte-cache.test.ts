import {
  ByteCache,
  countersOf,
  lookUps,
  sumStatsByKind,
} from '../../../../engine/common/byte-cache';

/** What an entry of `bytes` bytes costs. */
const OVERHEAD = 128;

describe('the cache', () => {
  test('gives back what was put, by owner and key', () => {
    const cache = new ByteCache(10_000);
    cache.put(1, 'a', 'column', 'one', 10);
    cache.put(2, 'a', 'column', 'two', 10);
    cache.put(1, 0, 'block', 'three', 10);
    expect(cache.get(1, 'a', 'column')).toBe('one');
    expect(cache.get(2, 'a', 'column')).toBe('two');
    expect(cache.get(1, 0, 'block')).toBe('three');
    expect(cache.get(3, 'a', 'column')).toBeUndefined();
    expect(cache.bytes).toBe(3 * (10 + OVERHEAD));
  });

  test('evicts what was used least recently when the budget is spent', () => {
    const cache = new ByteCache(3 * (100 + OVERHEAD));
    for (const key of ['a', 'b', 'c']) cache.put(1, key, 'block', key, 100);
    cache.get(1, 'a', 'block');
    cache.put(1, 'd', 'block', 'd', 100);
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(1, key, 'block'))).toEqual([
      'a',
      undefined,
      'c',
      'd',
    ]);
    expect(cache.statistics().get('block')).toEqual({
      hits: 4,
      misses: 1,
      evictions: 1,
      entries: 3,
      bytes: 3 * (100 + OVERHEAD),
    });
  });

  test('keeps no value larger than the budget, and stays within it', () => {
    const cache = new ByteCache(1000);
    cache.put(1, 'small', 'block', 1, 100);
    cache.put(1, 'huge', 'block', 2, 2000);
    expect(cache.get(1, 'huge', 'block')).toBeUndefined();
    expect(cache.get(1, 'small', 'block')).toBe(1);
    for (let i = 0; i < 500; i++) {
      cache.put(i % 7, i, 'block', i, (i * 37) % 900);
      expect(cache.bytes).toBeLessThanOrEqual(1000);
    }
  });

  test('replaces a value under the same key', () => {
    const cache = new ByteCache(10_000);
    cache.put(1, 'a', 'block', 1, 500);
    cache.put(1, 'a', 'filter', 2, 50);
    expect(cache.get(1, 'a', 'filter')).toBe(2);
    expect(cache.bytes).toBe(50 + OVERHEAD);
    expect(cache.statistics().get('block')!.bytes).toBe(0);
  });

  test('drops all entries of an owner, or of a kind', () => {
    const cache = new ByteCache(10_000);
    for (const owner of [1, 2]) {
      cache.put(owner, 'a', 'block', owner, 10);
      cache.put(owner, 'b', 'filter', owner, 10);
    }
    cache.remove(1);
    expect(cache.get(1, 'a', 'block')).toBeUndefined();
    expect(cache.get(2, 'a', 'block')).toBe(2);
    cache.clear('filter');
    expect(cache.get(2, 'b', 'filter')).toBeUndefined();
    expect(cache.get(2, 'a', 'block')).toBe(2);
    cache.clear();
    expect(cache.bytes).toBe(0);
  });

  test('a smaller budget takes effect at once', () => {
    const cache = new ByteCache(10_000);
    for (let i = 0; i < 10; i++) cache.put(1, i, 'block', i, 100);
    cache.setLimit(500);
    expect(cache.bytes).toBeLessThanOrEqual(500);
    expect(cache.get(1, 9, 'block')).toBe(9);
  });
});

describe('totals of several caches', () => {
  test('add up, and keep what a cache that is gone has counted', () => {
    const first = new ByteCache(10_000);
    first.put(1, 'a', 'column', 'one', 10);
    first.get(1, 'a', 'column');
    first.get(1, 'b', 'filter');
    const gone = first.totals();
    expect(lookUps(gone)).toBe(2);
    const second = new ByteCache(20_000);
    second.put(1, 'a', 'column', 'one', 10);
    second.get(1, 'a', 'column');
    const { kinds, limitBytes } = sumStatsByKind([second.totals(), countersOf(gone)]);
    expect(limitBytes).toBe(20_000);
    expect(kinds.get('column')).toEqual({
      hits: 2,
      misses: 0,
      evictions: 0,
      entries: 1,
      bytes: 10 + OVERHEAD,
    });
    expect(kinds.get('filter')).toMatchObject({ misses: 1, entries: 0 });
  });
});
