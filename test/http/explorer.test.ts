// The files of the explorer, and who is led to it. What the page does is tested in test/explorer.

import request from 'supertest';
import { createTestApp, type TestApp } from '../support/app';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

interface Stats {
  readonly nodes: Readonly<Record<string, { readonly http: object }>>;
}

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test('browsers are led to the explorer, programs see JSON', async () => {
  const page = await request(app.handler).get('/').set('Accept', BROWSER);
  expect(page.headers['content-type']).toBe('text/html; charset=UTF-8');
  expect(page.headers['vary']).toContain('Accept');
  expect(page.text).toContain('<a href="_explorer">');
  for (const accept of ['*/*', 'application/json', '']) {
    const answer = await request(app.handler).get('/').set('Accept', accept);
    expect(answer.body).toMatchObject({ tagline: 'You Know, for Search' });
  }
});

test.each([
  ['/_explorer', 'text/html; charset=UTF-8'],
  ['/_explorer?x=1', 'text/html; charset=UTF-8'],
  ['/_explorer/page.js', 'text/javascript; charset=UTF-8'],
  ['/_explorer/page.css', 'text/css; charset=UTF-8'],
  ['/_explorer/icon.svg', 'image/svg+xml'],
])('%s is served under a strict policy, and not again to who has it', async (path, type) => {
  const answer = await request(app.handler).get(path);
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': type,
    'content-encoding': 'gzip',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  const policy = String(answer.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  const again = await request(app.handler)
    .get(path)
    .set('If-None-Match', String(answer.headers['etag']));
  expect([again.status, again.text]).toEqual([304, '']);
  const head = await request(app.handler).head(path);
  expect([head.status, head.text]).toEqual([200, undefined]);
});

test('files are named, never looked for', async () => {
  for (const path of [
    '/_explorer/x',
    '/_explorer/..%2f..%2fpackage.json',
    '/_explorer/__proto__',
  ]) {
    expect((await request(app.handler).get(path)).status).toBe(404);
  }
  const moved = await request(app.handler).get('/_explorer/');
  expect([moved.status, moved.headers['location']]).toEqual([308, '../_explorer']);
});

test('the last slow requests are told where they are asked for', async () => {
  const statsOf = async (path: string): Promise<object> => {
    const { body } = (await request(app.handler).get(path)) as { body: Stats };
    return Object.values(body.nodes)[0]!.http;
  };
  expect(await statsOf('/_nodes/stats/http')).not.toHaveProperty('slow_requests');
  expect(await statsOf('/_nodes/stats/http?slow_requests=true')).toHaveProperty('slow_requests');
});
