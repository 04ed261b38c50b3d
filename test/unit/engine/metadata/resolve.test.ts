import fc from 'fast-check';
import {
  effectiveAliasFilters,
  expandNames,
  resolveIndices,
  searchRouting,
  singleIndex,
} from '../../../../engine/metadata/resolve';
import { matchesPattern } from '../../../../engine/common/pattern';
import { shardOf } from '../../../../engine/metadata/routing';
import type { IndicesOptions } from '../../../../engine/metadata/state';
import { add, errorOf, options, stateOf, withAliases } from './support';

const base = withAliases(stateOf('a1', 'a2', 'b1', '!z'), [
  add('a1', 'both'),
  add('a2', 'both'),
  add('a1', 'axis'),
  add('z', 'closing'),
]);

const resolve = (expression: string, change: Partial<IndicesOptions> = {}, state = base): string =>
  resolveIndices(state, expression.split(',').filter(Boolean), options(change)).join();

const failure = (expression: string, change: Partial<IndicesOptions> = {}, state = base): string =>
  errorOf(() => resolve(expression, change, state));

describe('index expressions', () => {
  test.each([
    ['', 'a1,a2,b1'],
    ['_all', 'a1,a2,b1'],
    ['a1', 'a1'],
    ['a1,', 'a1'],
    ['b1,a1', 'b1,a1'],
    ['both', 'a1,a2'],
    ['both,a1', 'a1,a2'],
    ['a*', 'a1,a2'],
    // Patterns pull in aliases, here one of a1 and a2.
    ['b*', 'b1,a1,a2'],
    // Exclusion is by name: the alias axis still leads to a1.
    ['a*,-a1', 'a2,a1'],
    ['a*,-axis,-a1', 'a2'],
    ['a*,-*', ''],
    ['-a1', 'a2,b1'],
    ['+a1', 'a1'],
    ['+a1,+b1,-a1', 'b1'],
    ['+a1,b*', 'a1,b1,a2'],
    ['x*', ''],
  ])('%s stands for [%s]', (expression, expected) => {
    expect(resolve(expression)).toBe(expected);
  });

  test.each([
    ['x', '404 IndexMissingException[[x] missing]'],
    ['a1,x', '404 IndexMissingException[[x] missing]'],
    ['_all,a1', '404 IndexMissingException[[_all] missing]'],
    // A sign with nothing to add to or take from is part of the name.
    ['a1,-a1', '404 IndexMissingException[[-a1] missing]'],
    ['z', '403 IndexClosedException[[z] closed]'],
    // An alias of a closed index matches the pattern, _all does not see it.
    ['*', '403 IndexClosedException[[z] closed]'],
    ['-x', '404 IndexMissingException[[x] missing]'],
  ])('%s fails', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });

  test('what is missing may be ignored, by the option that counts for one name or several', () => {
    expect(resolve('a1,x', { ignoreUnavailable: true })).toBe('a1');
    expect(resolve('x', { ignoreUnavailable: true })).toBe('');
    expect(failure('x', { ignoreUnavailable: true, allowNoIndices: false })).toBe(
      '404 IndexMissingException[[x] missing]',
    );
    expect(failure('x,y', { ignoreUnavailable: true, allowNoIndices: false })).toBe(
      '404 IndexMissingException[[[x, y]] missing]',
    );
  });

  test('patterns must match something unless no index is allowed', () => {
    expect(failure('x*', { allowNoIndices: false })).toBe(
      '404 IndexMissingException[[x*] missing]',
    );
    expect(failure('a*,-*', { allowNoIndices: false })).toBe(
      '404 IndexMissingException[[[a*, -*]] missing]',
    );
    expect(failure('', { allowNoIndices: false }, stateOf())).toBe(
      '404 IndexMissingException[[_all] missing]',
    );
    expect(resolve('_all', {}, stateOf())).toBe('');
  });

  test('closed indices are kept, dropped or refused', () => {
    expect(resolve('z', { forbidClosed: false })).toBe('z');
    expect(resolve('z,a1', { ignoreUnavailable: true })).toBe('a1');
    expect(resolve('_all', { expandClosed: true })).toBe('a1,a2,b1,z');
    expect(resolve('_all', { expandOpen: false, expandClosed: true })).toBe('z');
    expect(resolve('*', { expandOpen: false, expandClosed: true, forbidClosed: false })).toBe(
      'z,a1,a2',
    );
  });

  test('without expansion patterns are names', () => {
    const none = { expandOpen: false, expandClosed: false };
    expect(resolve('a*', none)).toBe('');
    expect(resolve('a1,b1', none)).toBe('a1,b1');
    expect(failure('a*,b*', none)).toBe('404 IndexMissingException[[a*] missing]');
    expect(resolve('', none)).toBe('');
    expect(failure('', { ...none, allowNoIndices: false })).toBe(
      '400 ElasticsearchIllegalArgumentException[no indices were specified and wildcard expansion is disabled.]',
    );
  });

  test('names that look like signs or patterns are found literally first', () => {
    const odd = withAliases(base, [add('a1', '-x'), add('b1', 's*r')]);
    expect(resolve('-x', {}, odd)).toBe('a1');
    expect(resolve('s*r', {}, odd)).toBe('b1');
  });

  test('the same list comes back when there is nothing to expand', () => {
    const names = ['a1', 'both'];
    expect(expandNames(base, names, options())).toBe(names);
  });
});

describe('patterns', () => {
  test('agree with a regular expression', () => {
    const letter = fc.constantFrom('a', 'b', '*', '.', '?');
    fc.assert(
      fc.property(
        fc.string({ unit: letter, maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '.', '?'), maxLength: 8 }),
        (pattern, name) => {
          const source = pattern.replace(/[.?]/g, '\\$&').replace(/\*/g, '.*');
          expect(matchesPattern(pattern, name)).toBe(new RegExp(`^${source}$`).test(name));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('single index', () => {
  test('is an index, or the only one behind an alias', () => {
    expect(singleIndex(base, 'a1', 'read').index.name).toBe('a1');
    expect(singleIndex(base, 'a1', 'read').alias).toBeNull();
    expect(singleIndex(base, 'axis', 'read').index.name).toBe('a1');
    expect(singleIndex(base, 'axis', 'read').alias?.name).toBe('axis');
  });

  test.each([
    ['x', '404 IndexMissingException[[x] missing]'],
    ['a*', '404 IndexMissingException[[a*] missing]'],
    ['a1,b1', '404 IndexMissingException[[a1,b1] missing]'],
    ['_all', '404 IndexMissingException[[_all] missing]'],
    ['z', '403 IndexClosedException[[z] closed]'],
    ['closing', '403 IndexClosedException[[z] closed]'],
    [
      'both',
      "400 ElasticsearchIllegalArgumentException[Alias [both] has more than one indices associated with it [[a1, a2]], can't execute a single index op]",
    ],
  ])('%s fails', (name, expected) => {
    expect(errorOf(() => singleIndex(base, name, 'read'))).toBe(expected);
  });

  test('multi-get has its own wording', () => {
    expect(errorOf(() => singleIndex(base, 'both', 'multiGet'))).toContain(
      'has more than one index associated with it [[a1, a2]]',
    );
  });
});

describe('effective alias filter', () => {
  const kim = { term: { user: 'kimchy' } };
  const ann = { term: { user: 'ann' } };
  const state = withAliases(stateOf('news', 'old'), [
    add('news', 'kim', { filter: kim }),
    add('news', 'ann', { filter: ann }),
    add('news', 'everything'),
    add('news', 'mix', { filter: kim }),
    add('old', 'mix', { filter: ann }),
  ]);
  const filters = (expression: string, index = 'news'): string[] | null =>
    effectiveAliasFilters(state, index, expression.split(',').filter(Boolean))?.map((filter) =>
      [...(filter.get('term') as Map<string, unknown>).values()].join(),
    ) ?? null;

  test.each([
    ['', null],
    ['_all', null],
    ['kim', ['kimchy']],
    ['kim,ann', ['kimchy', 'ann']],
    ['kim,everything', null],
    ['everything,kim', null],
    ['kim,news', null],
    ['*', null],
    ['k*', ['kimchy']],
    ['k*,an*', ['kimchy', 'ann']],
    ['mix,old', ['kimchy']],
  ])('%s filters news by %j', (expression, expected) => {
    expect(filters(expression)).toEqual(expected);
  });

  test('each index has its own', () => {
    expect(filters('mix', 'old')).toEqual(['ann']);
    expect(filters('mix,old', 'old')).toBeNull();
    expect(filters('kim', 'old')).toBeNull();
  });
});

describe('search routing', () => {
  const state = withAliases(stateOf('i', 'other'), [
    add('i', 's1', { searchRouting: '1' }),
    add('i', 's23', { searchRouting: '2,3' }),
    add('i', 's12', { searchRouting: '1,2' }),
    add('i', 'nr'),
    add('i', 'two', { searchRouting: '1' }),
    add('other', 'two', { searchRouting: '2' }),
    add('i', 'blank', { searchRouting: '' }),
    add('i', 'spaces', { searchRouting: '1, 2 ,,3' }),
  ]);

  const values = (expression: string, parameter?: string): Record<string, string[]> =>
    Object.fromEntries(
      [...searchRouting(state, expression.split(',').filter(Boolean), parameter)].map(
        ([index, set]) => [index, [...set]],
      ),
    );

  /** Shards asked, with five shards an index. */
  const shards = (expression: string, parameter?: string): number => {
    const names = expression.split(',').filter(Boolean);
    const routing = searchRouting(state, names, parameter);
    let total = 0;
    for (const index of resolveIndices(state, names, options())) {
      const set = routing.get(index);
      total += set === undefined ? 5 : new Set([...set].map((value) => shardOf(value, 5))).size;
    }
    return total;
  };

  test.each([
    ['s1', undefined, 1],
    ['s1', '1', 1],
    ['s1', '1,2', 1],
    ['s1', '2', 5],
    ['s1', '', 5],
    ['s12', undefined, 2],
    ['s12', '2,3', 1],
    ['i', '1,1', 1],
    ['i', '', 0],
    ['i', ',', 0],
    ['s1,s23', undefined, 3],
    ['s1,s23', '2', 1],
    ['s1,s23', '4', 5],
    ['s1,nr', undefined, 5],
    ['s1,nr', '2', 1],
    ['s1,i', '2', 1],
    ['s1,other', '2', 6],
    ['two', '1', 6],
    ['blank', undefined, 5],
    ['blank', '3', 1],
    ['nr', '', 0],
    ['_all', '1', 2],
    ['', undefined, 10],
  ])('%s with routing=%s asks %i shards', (expression, parameter, expected) => {
    expect(shards(expression, parameter)).toBe(expected);
  });

  test('values are not trimmed, empty ones are dropped', () => {
    expect(values('spaces')).toEqual({ i: ['1', ' 2 ', '3'] });
  });

  test('an index named first is not narrowed by an alias after it', () => {
    expect(values('i,s1', '2')).toEqual({ i: ['2'] });
    expect(values('i,s1')).toEqual({});
  });
});
