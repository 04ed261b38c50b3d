import request from 'supertest';
import { createApp } from '../../../../server/http/app';
import { createLogger } from '../../../../server/config/logger';
import { fakeEngine } from '../../../support/fake-engine';
import { testSettings } from '../../../support/settings';

// The engine of the test refuses everything: what gets there is not a 400.
const app = createApp(fakeEngine({}), testSettings(), createLogger('silent'));

const PATHS: readonly (readonly [methods: string, ...paths: string[]])[] = [
  ['get post', '/i/t/1/_explain'],
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
