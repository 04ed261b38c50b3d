import request from 'supertest';
import { createApp } from '../../../../server/http/app';
import { createLogger } from '../../../../server/config/logger';
import { fakeEngine } from '../../../support/fake-engine';
import { testSettings } from '../../../support/settings';

// The engine of the test refuses everything: what gets there is not a 400.
const app = createApp(fakeEngine({}), testSettings(), createLogger('silent'));

const PATHS: readonly (readonly [methods: string, ...paths: string[]])[] = [
  ['get post delete', '/_search/scroll', '/_search/scroll/abc'],
  ['get post', '/_search/template', '/i/_search/template', '/i/t/_search/template'],
  ['get put post delete', '/_search/template/one'],
  ['put post', '/_search/template/one/_create'],
  ['get post', '/i/t/_percolate', '/i/t/_percolate/count', '/i/t/1/_percolate'],
  ['get post', '/i/t/1/_percolate/count', '/_mpercolate', '/i/_mpercolate', '/i/t/_mpercolate'],
  ['get post', '/i/t/1/_explain', '/_field_stats', '/i/_field_stats'],
  ['get post', '/i/t/_termvector', '/i/t/1/_termvector', '/i/t/1/_termvectors'],
  ['get post', '/_mtermvectors', '/i/_mtermvectors', '/i/t/_mtermvectors'],
  ['get post', '/_search?scroll=1m', '/i/_search?search_type=scan'],
  ['get post', '/i/t/1/_mlt?search_scroll=1m'],
];

const CASES = PATHS.flatMap(([methods, ...paths]) =>
  methods.split(' ').flatMap((method) => paths.map((path) => [method, path] as const)),
);

test.each(CASES)('%s %s is refused by name', async (method, path) => {
  const answer = await request(app)[method as 'get' | 'put' | 'post' | 'delete'](path).send('{}');
  expect(answer.status).toBe(400);
  const { error } = answer.body as { error: string };
  expect(error).toMatch(/^ElasticsearchIllegalArgumentException\[.+\[.+\] is not supported yet\]$/);
  const named = /\[([^[\]]+)\] is not/.exec(error)![1]!.split('/')[0]!;
  expect(path).toContain(named);
});

test('names that the reference takes for an id are one here, too', async () => {
  for (const path of ['/i/t/_suggest', '/i/t/_other']) {
    expect((await request(app).post(path).send('{}')).status).not.toBe(400);
  }
});
