import { effectiveMethod, Router } from '../../../../server/request/router';
import { decodeComponent, parseQueryParameters, splitTarget } from '../../../../server/request/url';

const router = new Router([
  { methods: ['GET'], path: '/', handler: 'root' },
  { methods: ['GET', 'PUT'], path: '/{index}', handler: 'index' },
  { methods: ['GET', 'POST'], path: '/{index}/{type}', handler: 'type' },
  { methods: ['GET'], path: '/_search', handler: 'search all' },
  { methods: ['GET'], path: '/{index}/_search', handler: 'search' },
  { methods: ['GET', 'PUT'], path: '/{index}/{type}/{id}', handler: 'document' },
  { methods: ['GET'], path: '/_alias/{name}', handler: 'alias' },
  { methods: ['GET'], path: '/_cat/indices', handler: 'cat' },
]);
function match(method: string, path: string): string {
  const found = router.match(method, path);
  if (found === null) return 'none';
  const variables = [...found.variables].map(([name, value]) => `${name}=${value}`);
  return [found.handler, ...variables].join(' ');
}

test.each([
  ['GET', '/', 'root'],
  ['GET', '/i', 'index index=i'],
  ['GET', '/_search', 'search all'],
  ['GET', '/i/_search', 'search index=i'],
  ['GET', '//i//_search/', 'search index=i'],
  ['GET', '/i/t', 'type index=i type=t'],
  ['GET', '/i/t/1', 'document index=i type=t id=1'],
  // A method without a literal route falls through to the variables.
  ['POST', '/i/_search', 'type index=i type=_search'],
  ['PUT', '/_search', 'index index=_search'],
  // Backtracking: the literal branch has nothing this long.
  ['GET', '/_cat/other', 'type index=_cat type=other'],
  ['GET', '/_alias/a/b', 'document index=_alias type=a id=b'],
  ['GET', '/_search/x/y', 'document index=_search type=x id=y'],
  ['PUT', '/', 'none'],
  ['GET', '/a/b/c/d', 'none'],
  ['DELETE', '/i', 'none'],
  ['PATCH', '/i', 'index index=i'],
  ['TRACE', '/i/t/1', 'document index=i type=t id=1'],
])('%s %s is %s', (method, path, expected) => {
  expect(match(method, path)).toBe(expected);
});

test.each([
  ['/%61%31', 'index index=a1'],
  ['/a1%2Cal', 'index index=a1,al'],
  ['/i/t/a%2Fb', 'document index=i type=t id=a/b'],
  ['/i/t/x+y', 'document index=i type=t id=x y'],
  ['/i/t/x%2By', 'document index=i type=t id=x+y'],
  ['/i/%5Fsearch', 'type index=i type=_search'],
  ['/i/t/%C3%A9', 'document index=i type=t id=é'],
  ['/__proto__/constructor/toString', 'document index=__proto__ type=constructor id=toString'],
])('only variables are decoded: %s', (path, expected) => {
  expect(match('GET', path)).toBe(expected);
});

test('a broken escape is a client error', () => {
  expect(() => match('GET', '/%zz')).toThrow("invalid escape sequence `%zz' at index 0 of: %zz");
});

test('two routes for one path are a mistake of ours', () => {
  const twice = [
    { methods: ['GET'], path: '/{a}/x', handler: 1 },
    { methods: ['GET'], path: '/{b}/x', handler: 2 },
  ];
  expect(() => new Router(twice)).toThrow('two routes for GET /{b}/x');
});

test('unheard-of methods count as GET', () => {
  expect(['GET', 'PUT', 'PATCH', 'LINK'].map(effectiveMethod)).toEqual([
    'GET',
    'PUT',
    'GET',
    'GET',
  ]);
});

test('query parameters: last duplicate wins, bare names are empty, only & separates', () => {
  expect([...parseQueryParameters('a&b=1&b=2&&c=x;d=3&e=%26+%C3%A9&f=g=h')]).toEqual([
    ['a', ''],
    ['b', '2'],
    ['c', 'x;d=3'],
    ['e', '& é'],
    ['f', 'g=h'],
  ]);
  expect(() => parseQueryParameters('q=%zz')).toThrow('invalid escape sequence');
  expect(() => parseQueryParameters('q=%')).toThrow('unterminated escape sequence');
});

test('targets are split at the first question mark', () => {
  expect(splitTarget('/a?b?c')).toEqual({ path: '/a', query: 'b?c' });
  expect(splitTarget('/a')).toEqual({ path: '/a', query: '' });
  expect(splitTarget('http://localhost:9200/a/b?c=http://d')).toEqual({
    path: '/a/b',
    query: 'c=http://d',
  });
  expect(splitTarget('HTTP://[::1]:9200')).toEqual({ path: '/', query: '' });
  expect(splitTarget('http://x?a')).toEqual({ path: '/', query: 'a' });
  expect(splitTarget('*')).toEqual({ path: '/*', query: '' });
  expect(splitTarget('')).toEqual({ path: '/', query: '' });
});

test('raw UTF-8 bytes of a target are read as UTF-8', () => {
  expect(decodeComponent(Buffer.from('é').toString('latin1'))).toBe('é');
});
