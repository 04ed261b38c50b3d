import { RequestKinds } from '../../../../server/http-threads/request-kind';

const kinds = new RequestKinds();

test.each([
  ['GET', '/i/t/1', 'read'],
  ['HEAD', '/i/t/1?routing=a', 'read'],
  ['GET', '/i/t/1/_source', 'read'],
  ['POST', '/_mget', 'read'],
  ['POST', '/i/_search?size=1', 'read'],
  ['POST', '/_search/template', 'read'],
  ['GET', '/i/_count', 'read'],
  ['GET', '/_all/_search', 'read'],
  ['POST', '/_msearch', 'read'],
  // What only main can do.
  ['GET', '/i/_search?scroll=1m', 'api'],
  ['GET', '/i/t/1?refresh=true', 'api'],
  ['GET', '/i/t/1?realtime=false', 'api'],
  ['POST', '/i/_search/exists', 'api'],
  ['PUT', '/i/t/1', 'api'],
  ['DELETE', '/i/t/1', 'api'],
  ['PATCH', '/i/_search', 'api'],
  ['POST', '/_bulk', 'api'],
  ['GET', '/_nodes/stats', 'api'],
  // Not of a route, or not readable.
  ['OPTIONS', '/i/_search', 'other'],
  ['GET', '/_explorer', 'other'],
  ['GET', '/_explorer/page.js', 'other'],
  ['GET', '/_plugin/kibana3/index.html', 'other'],
  ['GET', '/a/b/c/d/e/f', 'other'],
  ['GET', '/%zz/t/1', 'other'],
])('%s %s is %s', (method, target, kind) => {
  expect(kinds.of(method, target)).toBe(kind);
});
