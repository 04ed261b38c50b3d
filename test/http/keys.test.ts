// Keys: who is let in, and what for.

import request, { type Test } from 'supertest';
import { createTestApp, type TestApp } from '../support/app';

let app: TestApp;
const pairs = new Map<string, string>();

/** A request of a key, as clients of 1.x send it. */
function as(id: string, method: string, path: string, body?: object | string): Test {
  const verb = method.toLowerCase() as 'get';
  const agent = request(app.handler);
  const test = agent[verb](path).auth(id, pairs.get(id) ?? 'wrong');
  if (body === undefined) return test;
  return test
    .set('Content-Type', 'application/json')
    .send(typeof body === 'string' ? body : JSON.stringify(body));
}

async function key(id: string, role: object, more: object = {}): Promise<void> {
  const made = await as('admin', 'PUT', `/_facetd/keys/${id}`, { role, ...more });
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  pairs.set(id, (made.body as { secret: string }).secret);
}

beforeAll(async () => {
  app = await createTestApp({ 'http.authentication': 'true' });
  const all = { cluster: ['monitor', 'cluster', 'snapshots', 'keys'] as const };
  const { secret } = await app.engine.access.keys.create({
    id: 'admin',
    role: {
      ...all,
      indices: [
        {
          names: ['*'],
          privileges: ['read', 'write', 'index_admin', 'aliases', 'monitor'],
          filter: null,
          fields: null,
        },
      ],
      limits: { inFlight: null, perSecond: null, maxBody: null, memoryPercent: null },
    },
    expiresAt: null,
  });
  pairs.set('admin', secret);
  await as('admin', 'PUT', '/logs-1/t/1?refresh=true', { text: 'one' }).expect(201);
  await as('admin', 'PUT', '/other/t/1?refresh=true', { text: 'secret' }).expect(201);
  await as('admin', 'PUT', '/other/_alias/logs-of-other').expect(200);
  await key('reader', { indices: [{ names: ['logs-*'], privileges: ['read'] }] });
  await key('writer', { indices: [{ names: ['logs-*'], privileges: ['read', 'write'] }] });
  await key('feeder', { indices: [{ names: ['logs-*'], privileges: ['write'] }] });
  await key('owner', { indices: [{ names: ['logs-*'], privileges: ['all'] }] });
  await key('watcher', { cluster: ['monitor'] });
});
afterAll(() => app.close());

describe('who is let in', () => {
  test('nobody without a key, wherever they go', async () => {
    for (const path of ['/', '/_search', '/nowhere/at/all/of/it', '/_cat', '/_facetd/keys']) {
      const answer = await request(app.handler).get(path);
      const { status, headers } = answer;
      expect([path, status]).toEqual([path, 401]);
      expect(headers['www-authenticate']).toMatch(/^Basic realm=/);
      expect(answer.body).toEqual({
        error: 'AuthenticationException[the request names no key]',
        status: 401,
      });
    }
  });

  test('a key by Basic authentication, and as an API key', async () => {
    await as('reader', 'GET', '/').expect(200);
    const pair = Buffer.from(`reader:${pairs.get('reader')!}`).toString('base64');
    for (const scheme of ['ApiKey', 'apikey', 'Basic']) {
      await request(app.handler).get('/').set('Authorization', `${scheme} ${pair}`).expect(200);
    }
    await request(app.handler).get('/').set('Authorization', `Bearer ${pair}`).expect(401);
    await request(app.handler).get('/').set('Authorization', 'Basic !').expect(401);
  });

  test('browsers are told to keep nothing, and to take answers for what they are', async () => {
    const isTold = async (name: string, value: string): Promise<boolean> => {
      const { headers } = await as('reader', 'GET', '/').set(name, value).expect(200);
      const { 'x-content-type-options': type, 'cache-control': cache } = headers;
      expect([type, cache]).toEqual(
        type === undefined ? [undefined, undefined] : ['nosniff', 'no-store'],
      );
      return type !== undefined && headers['x-frame-options'] === 'DENY';
    };
    expect(await isTold('User-Agent', 'Mozilla/5.0 (X11)')).toBe(true);
    expect(await isTold('Sec-Fetch-Mode', 'cors')).toBe(true);
    expect(await isTold('User-Agent', 'elasticsearch-py/1.9.0')).toBe(false);
  });

  test('no wrong secret, also when asked again, and no unknown key', async () => {
    for (let i = 0; i < 2; i++) {
      await request(app.handler).get('/').auth('reader', 'wrong').expect(401);
      await request(app.handler).get('/').auth('nobody', 'wrong').expect(401);
    }
  });

  test('no key that was revoked, replaced or has expired', async () => {
    await key('passing', { cluster: ['monitor'] });
    await as('passing', 'GET', '/').expect(200);
    const rotated = await as('admin', 'POST', '/_facetd/keys/passing/_rotate').expect(200);
    await as('passing', 'GET', '/').expect(401);
    pairs.set('passing', (rotated.body as { secret: string }).secret);
    await as('passing', 'GET', '/').expect(200);
    await as('admin', 'DELETE', '/_facetd/keys/passing').expect(200);
    await as('passing', 'GET', '/').expect(401);
    await as('admin', 'DELETE', '/_facetd/keys/passing').expect(404);
    await key('brief', { cluster: ['monitor'] }, { expires_in: '300ms' });
    await new Promise((resolve) => setTimeout(resolve, 310));
    await as('brief', 'GET', '/').expect(401);
  });

  test('keys are listed without their secrets, with their last use', async () => {
    await as('reader', 'GET', '/').expect(200);
    const listed = await as('admin', 'GET', '/_facetd/keys').expect(200);
    const { keys } = listed.body as { keys: Record<string, Record<string, unknown>> };
    expect(keys['reader']).toMatchObject({
      role: { cluster: [], indices: [{ names: ['logs-*'], privileges: ['read'] }] },
      expires: null,
      last_used: expect.stringMatching(/^\d{4}-/) as string,
    });
    expect(listed.text).not.toMatch(/hash|salt|secret"/);
    await as('reader', 'GET', '/_facetd/keys').expect(403);
    expect((await as('reader', 'GET', '/_facetd/me').expect(200)).body).toMatchObject({
      id: 'reader',
    });
  });

  test('keys that cannot be are refused by name', async () => {
    const cases: [string, object, number, RegExp][] = [
      ['/_facetd/keys/a%3Ab', { role: {} }, 400, /cannot be the id/],
      ['/_facetd/keys/x', {}, 400, /needs a \[role\]/],
      ['/_facetd/keys/x', { role: { cluster: ['none'] } }, 400, /\[none\] in \[cluster\]/],
      ['/_facetd/keys/x', { role: { clustr: [] } }, 400, /unknown member \[clustr\]/],
      ['/_facetd/keys/x', { role: { indices: [{ names: ['a'] }] } }, 400, /\[privileges\]/],
      ['/_facetd/keys/x', { role: {}, secret: 'short' }, 400, /\[12\] to \[256\]/],
      ['/_facetd/keys/reader', { role: {} }, 409, /there is a key \[reader\]/],
    ];
    for (const [path, body, status, error] of cases) {
      const answer = await as('admin', 'PUT', path, body);
      expect([path, answer.status]).toEqual([path, status]);
      expect((answer.body as { error: string }).error).toMatch(error);
    }
  });

  test('no more of one key than its limits say', async () => {
    const limits = { per_second: 1, max_body: 100 };
    await key('slow', { indices: [{ names: ['logs-*'], privileges: ['all'] }], limits });
    const put = await as('slow', 'PUT', '/logs-1/t/big', { text: 'x'.repeat(200) });
    expect([put.status, put.text]).toEqual([413, expect.stringContaining('max_body of the key')]);
    const statuses: number[] = [];
    let last = put;
    for (let i = 0; i < 30 && last.status !== 429; i++) {
      last = await as('slow', 'GET', '/');
      statuses.push(last.status);
    }
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
    expect([last.status, last.headers['retry-after']]).toEqual([429, '1']);
    await as('reader', 'GET', '/').expect(200);
  });

  test('keys survive a restart, and when they were used last', async () => {
    const { secret } = await app.engine.access.keys.create({
      id: 'idle',
      role: app.engine.access.keys.find('reader')!.role,
      expiresAt: null,
    });
    const lastUse = async (id: string): Promise<unknown> => {
      const answer = await as('admin', 'GET', `/_facetd/keys/${id}`).expect(200);
      return (answer.body as { keys: Record<string, { last_used: unknown }> }).keys[id]!.last_used;
    };
    await as('reader', 'GET', '/').expect(200);
    const before = await lastUse('reader');
    app = await app.restart();
    expect([await lastUse('reader'), await lastUse('idle')]).toEqual([before, null]);
    await request(app.handler).get('/').auth('idle', secret).expect(200);
    expect(await lastUse('idle')).toMatch(/^\d{4}-/);
    await as('reader', 'GET', '/logs-1/_count').expect(200);
    await as('reader', 'GET', '/nothing/_count').expect(403);
  });
});

describe('what a key may do', () => {
  const allowed = async (id: string, method: string, path: string, body?: object | string) => {
    const { status } = await as(id, method, path, body);
    return status !== 401 && status !== 403;
  };

  test('by class of action', async () => {
    const table: [string, string, object | string | undefined, string][] = [
      ['GET', '/logs-1/_search', undefined, 'reader writer owner'],
      ['GET', '/logs-1/t/1', undefined, 'reader writer owner'],
      ['GET', '/logs-1/_mapping', undefined, 'reader writer owner'],
      ['PUT', '/logs-1/t/2', { text: 'two' }, 'writer feeder owner'],
      ['POST', '/logs-1/t/1/_update', { doc: { more: 1 } }, 'writer owner'],
      [
        'POST',
        '/_bulk',
        '{"delete":{"_index":"logs-1","_type":"t","_id":"9"}}\n',
        'writer feeder owner',
      ],
      ['POST', '/logs-1/_refresh', undefined, 'writer feeder owner'],
      ['DELETE', '/logs-1/t/2', undefined, 'writer feeder owner'],
      ['PUT', '/logs-new', undefined, 'owner'],
      ['PUT', '/logs-1/_mapping/t', { t: { properties: {} } }, 'owner'],
      ['PUT', '/logs-1/_alias/logs-all', undefined, 'owner'],
      ['GET', '/logs-1/_stats', undefined, 'owner watcher'],
      ['GET', '/_cat/indices', undefined, 'owner watcher'],
      ['GET', '/_nodes', undefined, 'watcher'],
      ['GET', '/_cluster/state', undefined, 'watcher'],
      ['PUT', '/_template/x', { template: 'x' }, ''],
      ['GET', '/_snapshot', undefined, ''],
      ['POST', '/_reindex', {}, ''],
    ];
    for (const [method, path, body, who] of table) {
      const found: string[] = [];
      for (const id of ['reader', 'writer', 'feeder', 'owner', 'watcher']) {
        if (await allowed(id, method, path, body)) found.push(id);
      }
      expect([method, path, found.join(' ')]).toEqual([method, path, who]);
    }
  });

  test('on its indices only, whichever way they are named', async () => {
    const total = async (path: string, body?: object): Promise<unknown> => {
      const answer = await as('reader', 'POST', path, body);
      return answer.status === 200
        ? (answer.body as { hits: { total: number } }).hits.total
        : answer.status;
    };
    await as('admin', 'POST', '/_refresh').expect(200);
    const ofLogs = await total('/logs-1/_search');
    expect(ofLogs).toBeGreaterThan(0);
    // The alias shows the other index whole, so that it is granted.
    expect(await total('/logs-of-other/_search')).toBe(1);
    await as('admin', 'DELETE', '/other/_alias/logs-of-other').expect(200);
    for (const path of [
      '/_search',
      '/_all/_search',
      '/*/_search',
      '/log*/_search',
      '/o*,l*/_search',
    ]) {
      expect([path, await total(path)]).toEqual([path, ofLogs]);
    }
    for (const path of ['/other/_search', '/logs-1,other/_search', '/nothing/_search']) {
      expect([path, await total(path)]).toEqual([path, 403]);
    }
    expect(await total('/logs-none/_search')).toBe(404);
    const inner = {
      query: { indices: { indices: ['other'], query: { match_all: {} }, no_match_query: 'none' } },
    };
    expect(await total('/_search', inner)).toBe(0);
    const lookUp = { terms: { text: { index: 'other', type: 't', id: '1', path: 'text' } } };
    const looked = await as('reader', 'POST', '/logs-1/_search', {
      query: { filtered: { filter: lookUp } },
    });
    expect(looked.text).not.toContain('secret');
    expect(looked.status).toBe(400);
    expect(looked.text).toContain('AuthorizationException');
  });

  test('in the bodies of requests as well', async () => {
    const got = await as('reader', 'POST', '/_mget', {
      docs: [
        { _index: 'logs-1', _type: 't', _id: '1' },
        { _index: 'other', _type: 't', _id: '1' },
      ],
    }).expect(200);
    const { docs } = got.body as { docs: { found?: boolean; error?: string }[] };
    expect(docs[0]).toMatchObject({ found: true });
    expect(docs[1]!.error).toMatch(/AuthorizationException/);
    const lines = ['{"index":"other"}', '{}', '{"index":"logs-1"}', '{}', ''].join('\n');
    const searched = await as('reader', 'POST', '/_msearch', lines).expect(200);
    expect(searched.text).not.toContain('secret');
    const bulk = await as(
      'writer',
      'POST',
      '/_bulk',
      '{"index":{"_index":"other","_type":"t","_id":"2"}}\n{}\n{"index":{"_index":"fresh","_type":"t"}}\n{}\n',
    ).expect(200);
    const { items } = bulk.body as {
      items: { index?: { status: number }; create?: { status: number } }[];
    };
    expect(items.map((item) => (item.index ?? item.create)!.status)).toEqual([403, 403]);
    await as('admin', 'HEAD', '/fresh').expect(404);
    await as('admin', 'GET', '/other/t/2').expect(404);
  });

  test('stored queries look up what the asker may read', async () => {
    const path = { index: 'other', type: 't', id: '1', path: 'text' };
    const query = { filtered: { filter: { terms: { text: path } } } };
    await as('writer', 'PUT', '/logs-1/.percolator/q?refresh=true', { query }).expect(201);
    const matches = async (id: string): Promise<unknown> => {
      const doc = { text: 'secret' };
      const answer = await as(id, 'POST', '/logs-1/t/_percolate', { doc }).expect(200);
      return (answer.body as { total: number }).total;
    };
    expect([await matches('admin'), await matches('writer')]).toEqual([1, 0]);
    app = await app.restart();
    expect([await matches('admin'), await matches('writer')]).toEqual([1, 0]);
    await as('admin', 'DELETE', '/logs-1/.percolator/q').expect(200);
  });

  test('lists show what is granted', async () => {
    for (const path of [
      '/_mapping',
      '/_settings',
      '/_aliases',
      '/_cat/aliases',
      '/_mapping/field/*',
    ]) {
      expect((await as('reader', 'GET', path).expect(200)).text).not.toContain('other');
    }
    for (const path of [
      '/_stats',
      '/_cat/indices',
      '/_cat/shards',
      '/_segments',
      '/_cluster/health?level=indices',
    ]) {
      expect((await as('owner', 'GET', path).expect(200)).text).not.toContain('other');
    }
  });

  test('aliases and indices of others stay out of reach of an owner', async () => {
    for (const action of [
      { add: { index: 'other', alias: 'logs-x' } },
      { add: { index: 'logs-1', alias: 'mine' } },
      { remove: { index: 'logs-1', alias: '*' } },
      { remove_index: { index: 'other' } },
    ]) {
      const { status } = await as('owner', 'POST', '/_aliases', { actions: [action] });
      expect([action, status]).toEqual([action, 403]);
    }
    await as('owner', 'DELETE', '/other').expect(403);
    await as('owner', 'DELETE', '/_all').expect(200);
    await as('admin', 'HEAD', '/other').expect(200);
    await as('admin', 'HEAD', '/logs-1').expect(404);
  });

  test('scrolls of others are not there', async () => {
    const first = await as('admin', 'GET', '/other/_search?scroll=1m&search_type=scan').expect(200);
    const { _scroll_id: id } = first.body as { _scroll_id: string };
    const next = await as('reader', 'GET', `/_search/scroll?scroll=1m&scroll_id=${id}`);
    expect((next.body as { hits?: { hits: unknown[] } }).hits?.hits ?? []).toEqual([]);
    await as('reader', 'DELETE', '/_search/scroll/_all');
    const own = await as('admin', 'GET', `/_search/scroll?scroll=1m&scroll_id=${id}`).expect(200);
    expect((own.body as { hits: { hits: unknown[] } }).hits.hits).toHaveLength(1);
  });
});
