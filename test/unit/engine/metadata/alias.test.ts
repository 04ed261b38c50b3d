import { EngineError } from '../../../../engine/errors';
import { writeJson } from '../../../../engine/json/write';
import { aliasToJson, parseAliasBody } from '../../../../engine/metadata/alias';
import { replaceIndex, setIndexState } from '../../../../engine/metadata/changes';
import type { ClusterState } from '../../../../engine/metadata/state';
import { parseJson } from '../../../../engine/json/parse';
import { add, errorOf, json, remove, stateOf, withAliases } from './support';

/** `index:alias{...}` of every alias. */
const show = (state: ClusterState): string =>
  [...state.indices.values()]
    .flatMap((index) =>
      [...index.aliases.values()].map(
        (alias) => `${index.name}:${alias.name}${writeJson(aliasToJson(alias))}`,
      ),
    )
    .join(' ');

const base = withAliases(stateOf('a1', 'a2', 'b1', '!z'), [
  add('a1', 'old', { routing: '1', filter: { term: { n: 1 } } }),
]);

describe('adding aliases', () => {
  test('to the indices of an expression, closed ones only by name', () => {
    expect(show(withAliases(stateOf('a1', 'a2', '!a3'), [add('a*', 'x')]))).toBe('a1:x{} a2:x{}');
    expect(show(withAliases(stateOf('a1', '!a3'), [add('a3', 'x')]))).toBe('a3:x{}');
    expect(show(withAliases(stateOf('a1', '!a3'), [add('_all', 'x')]))).toBe('a1:x{}');
  });

  test('with filter and routing', () => {
    const state = withAliases(stateOf('a1'), [
      add('a1', 'x', { indexRouting: '1', searchRouting: '1,2', filter: { term: { n: 1.5 } } }),
    ]);
    expect(show(state)).toBe(
      'a1:x{"filter":{"term":{"n":1.5}},"index_routing":"1","search_routing":"1,2"}',
    );
  });

  test('again clears what is not given again', () => {
    expect(show(withAliases(base, [add('a1', 'old')]))).toBe('a1:old{}');
  });

  test('without a difference changes nothing', () => {
    const again = add('a1', 'old', { routing: '1', filter: { term: { n: 1 } } });
    expect(withAliases(base, [again])).toBe(base);
  });

  test('counts the version of the changed indices only', () => {
    const state = withAliases(base, [add('a2', 'x')]);
    expect(state.indices.get('a2')!.version).toBe(base.indices.get('a2')!.version + 1);
    expect(state.indices.get('a1')).toBe(base.indices.get('a1'));
    expect(state.version).toBe(base.version + 1);
  });

  test('accepts nearly any name', () => {
    for (const name of ['UPPER', 'a b', 'a/b', 'a,b', 'x*', '_x', '-x', 'é', '__proto__']) {
      expect(show(withAliases(stateOf('a1'), [add('a1', name)]))).toBe(`a1:${name}{}`);
    }
  });
});

describe('several actions', () => {
  test('apply in order to the state before them', () => {
    // What is removed is looked up before the request, so a new alias survives.
    expect(show(withAliases(base, [add('a1', 'x'), remove(['a1'], ['x'])]))).toContain('a1:x{}');
    expect(show(withAliases(base, [add('a1', 'old'), remove(['a1'], ['old'])]))).toBe('');
    expect(show(withAliases(base, [remove(['a1'], ['old']), add('a1', 'old')]))).toBe('a1:old{}');
    expect(show(withAliases(base, [add('a2', 'x', { routing: '1' }), add('a2', 'x')]))).toContain(
      'a2:x{}',
    );
  });

  test('switch an alias from one index to another', () => {
    const state = withAliases(base, [remove(['a1'], ['old']), add('a2', 'old')]);
    expect(show(state)).toBe('a2:old{}');
  });

  test('are all or nothing', () => {
    const failing = [add('a2', 'x'), add('a2', 'b1')];
    expect(errorOf(() => withAliases(base, failing))).toBe(
      '400 InvalidAliasNameException[[a2] Invalid alias name [b1], an index exists with the same name as the alias]',
    );
    expect(show(base)).not.toContain('a2:x');
  });
});

describe('removing aliases', () => {
  test('by name, pattern or _all', () => {
    const state = withAliases(base, [add('a2', 'other'), add('a1', 'other')]);
    expect(show(withAliases(state, [remove(['a1'], ['o*'])]))).toBe('a2:other{}');
    expect(show(withAliases(state, [remove(['*'], ['other'])]))).toMatch(/^a1:old[^ ]*$/);
    expect(show(withAliases(state, [remove(['_all'], ['_all'])]))).toBe('');
    expect(show(withAliases(state, [remove(['a1', 'a2'], ['nosuch', 'other'])]))).toMatch(
      /^a1:old[^ ]*$/,
    );
  });

  test('that are not there is an error only when nothing else is left to do', () => {
    expect(errorOf(() => withAliases(base, [remove(['a1'], ['x'])]))).toBe(
      '404 AliasesMissingException[aliases [[x]] missing]',
    );
    expect(
      errorOf(() => withAliases(base, [remove(['a1'], ['x']), remove(['a2'], ['_all'])])),
    ).toBe('404 AliasesMissingException[aliases [[x, _all]] missing]');
    expect(errorOf(() => withAliases(base, [remove(['a1'], ['a1'])]))).toBe(
      '404 AliasesMissingException[aliases [[a1]] missing]',
    );
    expect(show(withAliases(base, [remove(['a1'], ['x']), add('b1', 'y')]))).toContain('b1:y{}');
  });
});

describe('alias actions that fail', () => {
  const invalid = '400 ActionRequestValidationException[Validation Failed: ';
  test.each([
    [[], `${invalid}1: Must specify at least one alias action;]`],
    [[add('a1', '')], `${invalid}1: Alias action [add] requires an [alias] to be set;]`],
    [[add('', 'x')], `${invalid}1: Alias action [add]: [index] may not be empty string;]`],
    [
      [{ ...add('', ''), indices: [], aliases: [] }],
      `${invalid}1: Alias action [add] requires an [alias] to be set;2: Alias action [add]: Property [index] was either missing or null;]`,
    ],
    [
      [add('a1', 'x'), remove([' '], [''])],
      `${invalid}1: Alias action [remove]: [alias] may not be empty string;2: Alias action [remove]: [index] may not be empty string;]`,
    ],
    [[add('x', 'y')], '404 IndexMissingException[[x] missing]'],
    [[add('a1,a2', 'y')], '404 IndexMissingException[[a1,a2] missing]'],
    [[add('x*', 'y')], '404 IndexMissingException[[x*] missing]'],
    [
      [add('a1', 'A', { routing: '1,2' })],
      '400 ElasticsearchIllegalArgumentException[alias [A] has several index routing values associated with it]',
    ],
    [
      [add('a1', '*')],
      '400 InvalidAliasNameException[[a1] Invalid alias name [*], it stands for all indices]',
    ],
    [
      [add('a1', '_all')],
      '400 InvalidAliasNameException[[a1] Invalid alias name [_all], it stands for all indices]',
    ],
  ])('%j', (actions, expected) => {
    expect(errorOf(() => withAliases(base, actions))).toBe(expected);
  });

  test('on a filter that cannot be parsed', () => {
    const refuse = (): never => {
      throw new EngineError('QueryParsingException', '[a1] No filter registered for [match]');
    };
    const action = add('a1', 'x', { filter: { match: { n: 1 } } });
    expect(errorOf(() => withAliases(base, [action], refuse))).toBe(
      '400 ElasticsearchIllegalArgumentException[failed to parse filter for alias [x]]; nested: QueryParsingException[[a1] No filter registered for [match]]; ',
    );
    expect(() => withAliases(base, [add('a1', 'x', { filter: {} })], refuse)).not.toThrow();
  });

  test('on blocked indices that are named, before anything missing', () => {
    const index = base.indices.get('a1')!;
    const settings = new Map(index.settings).set('index.blocks.read_only', 'true');
    const blocked = replaceIndex(base, { ...index, settings });
    const text = '403 ClusterBlockException[blocked by: [FORBIDDEN/5/index read-only (api)];]';
    expect(errorOf(() => withAliases(blocked, [add('x', 'y'), add('a1', 'y')]))).toBe(text);
    expect(show(withAliases(blocked, [add('a*', 'y')]))).toContain('a1:y');
    expect(errorOf(() => withAliases(blocked, [add('x', 'y')]))).toContain('missing');
  });

  test('but not on closed indices', () => {
    expect(show(withAliases(setIndexState(base, 'a2', false), [add('a2', 'x')]))).toContain('a2:x');
  });
});

describe('alias bodies of create requests', () => {
  test.each([
    ['{}', '{}'],
    ['{"routing":"1"}', '{"index_routing":"1","search_routing":"1"}'],
    ['{"index_routing":"5","routing":"1"}', '{"index_routing":"5","search_routing":"1"}'],
    ['{"routing":"1","indexRouting":"5"}', '{"index_routing":"5","search_routing":"1"}'],
    ['{"routing":"1","search-routing":"2,3"}', '{"index_routing":"1","search_routing":"2,3"}'],
    ['{"routing":""}', '{"index_routing":"","search_routing":""}'],
    // Only strings count here.
    ['{"routing":5,"search_routing":true}', '{}'],
    ['{"routing":"1","index_routing":null}', '{"index_routing":"1","search_routing":"1"}'],
    ['{"filter":{}}', '{}'],
    ['{"filter":null,"unknown":{"a":1}}', '{}'],
    ['{"filter":"{}"}', '{}'],
    ['{"filter":[{"term":{"a":1}},{"term":{"a":2}}]}', '{"filter":{"term":{"a":2}}}'],
    ['{"filter":{"b":1.50,"a":[1e3,-2,0.001]}}', '{"filter":{"b":1.5,"a":[1000.0,-2,0.001]}}'],
    ['{"filter":{"a":123456789012345678901}}', '{"filter":{"a":123456789012345678901}}'],
  ])('%s is kept as %s', (body, expected) => {
    expect(writeJson(aliasToJson(parseAliasBody('x', parseJson(body))))).toBe(expected);
  });

  test('need a name and an object', () => {
    const error = '400 ElasticsearchIllegalArgumentException';
    expect(errorOf(() => parseAliasBody('x', 'y'))).toBe(`${error}[No alias is specified]`);
    expect(errorOf(() => parseAliasBody('x', null))).toBe(`${error}[No alias is specified]`);
    expect(errorOf(() => parseAliasBody(' ', json({})))).toBe(`${error}[alias name is required]`);
  });
});

describe('the work of one request is limited', () => {
  const tooMuch =
    'ElasticsearchIllegalArgumentException[alias actions would go through more than [2000000] names of indices and aliases; use several requests]';
  const names = Array.from({ length: 300 }, (_, i) => `my-index-${i}`);
  const state = withAliases(stateOf(...names), [add('*', 'many')]);
  const times = <T>(count: number, action: T): T[] => Array.from({ length: count }, () => action);

  test.each([
    ['patterns of indices', times(10_000, remove(['x*'], ['none']))],
    ['aliases of many indices', times(10_000, remove(['many'], ['none']))],
    [
      'patterns of aliases',
      times(
        10_000,
        remove(
          ['my-index-1'],
          Array.from({ length: 300 }, (_, i) => `no${i}*`),
        ),
      ),
    ],
    ['filters', times(1_000, add('many', 'f', { filter: { term: { n: 1 } } }))],
  ])('%s', (_what, actions) => {
    expect(errorOf(() => withAliases(state, actions))).toContain(tooMuch);
  });

  test('and many plain actions are no work', () => {
    const actions = names.flatMap((name) => times(100, add(name, 'plain')));
    const after = withAliases(state, actions);
    expect(after.indices.get('my-index-7')!.aliases.has('plain')).toBe(true);
  });
});
