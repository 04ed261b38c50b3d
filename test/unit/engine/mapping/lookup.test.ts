// How names in requests find fields (reference server).

import { TestIndex } from './support';

const string = { type: 'string' };

const index = new TestIndex({
  a: {
    properties: {
      f: string,
      o: { properties: { x: string, deep: { properties: { y: { type: 'date' } } } } },
      n: {
        type: 'nested',
        properties: { p: string, m: { type: 'nested', properties: { q: string } } },
      },
      ren: { ...string, index_name: 'other' },
      m: { ...string, fields: { raw: { ...string, index: 'not_analyzed' } } },
      hidden: { ...string, index: 'no' },
    },
  },
  b: { properties: { f: { type: 'integer' }, only: { type: 'long' }, x: { type: 'double' } } },
  c: { _parent: { type: 'a' } },
});
const mapping = index.compile();

function found(name: string, types: string[] = []): string | null {
  const match = mapping.find(name, types);
  if (match === null) return null;
  const { docType, path, type } = match.mapped;
  return `${docType}:${path}:${type}${match.restrictToType === null ? '' : ' in ' + match.restrictToType}`;
}

test.each([
  ['f', [], 'a:f:string'],
  ['f', ['b'], 'b:f:integer'],
  ['f', ['c'], null],
  ['f', ['_all'], 'a:f:string'],
  ['b.f', [], 'b:f:integer in b'],
  ['b.f', ['a'], 'b:f:integer in b'],
  ['a.o.x', [], 'a:o.x:string in a'],
  ['o.x', [], 'a:o.x:string'],
  ['other', [], 'a:ren:string'],
  ['ren', [], 'a:ren:string'],
  // The full path of a later type beats the last segment of an earlier one.
  ['x', [], 'b:x:double'],
  ['x', ['a'], 'a:o.x:string'],
  ['y', [], 'a:o.deep.y:date'],
  ['raw', [], 'a:m.raw:string'],
  ['m.raw', [], 'a:m.raw:string'],
  ['only', ['a'], null],
  ['nosuch', [], null],
  ['o', [], null],
  ['_type', [], 'a:_type:meta'],
  ['_parent', [], 'c:_parent:meta'],
] as [string, string[], string | null][])('%s in %j', (name, types, expected) => {
  expect(found(name, types)).toBe(expected);
});

test('nested paths', () => {
  expect(mapping.find('n.m.q', [])?.mapped.nestedPath).toBe('n.m');
  expect(mapping.find('n.p', [])?.mapped.nestedPath).toBe('n');
  expect(mapping.find('o.x', [])?.mapped.nestedPath).toBeNull();
  expect(mapping.nestedObject('n', [])).toEqual({ path: 'n', parent: null });
  expect(mapping.nestedObject('n.m', [])).toEqual({ path: 'n.m', parent: 'n' });
  expect(mapping.nestedObject('a.n.m', [])).toEqual({ path: 'n.m', parent: 'n' });
  expect(mapping.nestedObject('o', [])).toBe('plain');
  expect(mapping.nestedObject('zz', [])).toBeNull();
});

test('patterns and leaves', () => {
  const paths = (fields: readonly { path: string }[]): string[] => fields.map(({ path }) => path);
  expect(paths(mapping.match('o*', []))).toEqual(['o.x', 'o.deep.y', 'ren', 'only']);
  expect(paths(mapping.match('*st', []))).toEqual(['_boost']);
  expect(paths(mapping.match('f', ['b']))).toEqual(['f']);
  expect(paths(mapping.match('hid*', []))).toEqual([]);
  expect(paths(mapping.match('*', ['b']))).toEqual(
    expect.arrayContaining(['_all', '_ttl', '_timestamp', '_size', 'f', 'only', 'x']),
  );
  expect(paths(mapping.leavesOf('o', []))).toEqual(['o.x', 'o.deep.y']);
  expect(paths(mapping.leavesOf('a.o.deep', []))).toEqual(['o.deep.y']);
});

test('search analyzers and physical fields', () => {
  const other = new TestIndex({
    t: {
      properties: {
        plain: string,
        k: { ...string, index: 'not_analyzed' },
        both: { ...string, analyzer: 'simple' },
        split: { ...string, index_analyzer: 'simple', search_analyzer: 'whitespace' },
        short: {
          ...string,
          norms: { enabled: false },
          index_options: 'docs',
          position_offset_gap: 9,
        },
        n: { type: 'float' },
      },
    },
  }).compile();
  const of = (name: string) => other.find(name, [])!.mapped;
  expect(of('plain').field).toMatchObject({
    kind: 'string',
    indexed: true,
    indexOptions: 'positions',
    norms: true,
    docValues: false,
    positionGap: 0,
  });
  expect(of('plain').field?.analyzer?.name).toBe('standard');
  expect(of('k')).toMatchObject({ searchAnalyzer: null });
  expect(of('k').field).toMatchObject({
    analyzer: null,
    indexOptions: 'docs',
    norms: false,
    docValues: true,
  });
  expect(of('both').searchAnalyzer?.name).toBe('simple');
  expect(of('split').field?.analyzer?.name).toBe('simple');
  expect(of('split').searchAnalyzer?.name).toBe('whitespace');
  expect(of('short').field).toMatchObject({ norms: false, indexOptions: 'docs', positionGap: 9 });
  expect(of('n').field).toMatchObject({ kind: 'float', norms: false, docValues: true });
});

test('_parent takes bare ids for those of the parent type', () => {
  const parent = mapping.find('_parent', ['c'])!.mapped;
  expect(parent.termOf('5')).toBe('a#5');
  expect(parent.termOf('z#5')).toBe('z#5');
});
