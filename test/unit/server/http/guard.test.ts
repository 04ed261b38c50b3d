import { hostname } from 'node:os';
import request from 'supertest';
import { EngineError } from '../../../../engine/index';
import { fakeApp as app } from '../../../support/fake-app';

describe('pages of other origins', () => {
  test('are refused, whatever they send', async () => {
    const answer = await request(app())
      .put('/i/t/1')
      .set('Origin', 'http://evil.example')
      .send('{}');
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('origin [http://evil.example] is not allowed');
    await request(app()).get('/').set('Origin', 'null').expect(403);
  });

  test('a name that was pointed at this machine is refused', async () => {
    await request(app()).get('/').set('Host', 'evil.example:9200').expect(403);
    await request(app()).get('/').set('Host', 'LOCALHOST:9200').expect(200);
    await request(app()).get('/').set('Host', '[::1]:9200').expect(200);
    const listed = app({}, { 'http.allowed_hosts': 'search.internal,other' });
    await request(listed).get('/').set('Host', 'search.internal:9200').expect(200);
  });

  test('whatever the requests before called the node', async () => {
    const node = app();
    for (let time = 0; time < 2; time++) {
      await request(node).get('/').set('Host', 'localhost:9200').expect(200);
      await request(node).get('/').set('Host', 'evil.example:9200').expect(403);
    }
  });

  test.each(['127.0.0.1', '0.0.0.0', '192.0.2.7'])(
    'also on a node that listens on %s',
    async (host) => {
      const values = { 'network.host': host, 'network.insecure_bind': 'true' };
      const ask = (name: string, more = {}) =>
        request(app({}, { ...values, ...more }))
          .get('/')
          .set('Host', name);
      const refused = await ask('evil.example:9200').expect(403);
      expect(refused.text).toContain('host [evil.example:9200] is not a name of this node');
      const own = hostname();
      for (const name of [
        '192.0.2.7:9200',
        '[2001:db8::1]:9200',
        '[::1]',
        'localhost.',
        own,
        `${own}:9200`,
      ]) {
        await ask(name).expect(200);
      }
      await ask('1.2.3.4.evil.example').expect(403);
      await ask('evil.example', { 'http.allowed_hosts': 'Evil.Example' }).expect(200);
      await ask('evil.example', { 'http.allowed_hosts': '*' }).expect(200);
    },
  );

  test('a configured network.host is a name of the node', async () => {
    const values = { 'network.host': 'search.internal', 'network.insecure_bind': 'true' };
    await request(app({}, values)).get('/').set('Host', 'search.internal:9200').expect(200);
    await request(app({}, values)).get('/').set('Host', 'other.internal:9200').expect(403);
  });

  test.each([
    '_optimize',
    'i/_optimize',
    '_cache/clear',
    '_flush',
    '_flush/synced',
    '_refresh',
    '_nodes/hot_threads',
  ])('cannot cause GET /%s by an image or a link', async (path) => {
    let calls = 0;
    const called = () => Promise.reject(new EngineError('IndexMissingException', String(++calls)));
    const engine = new Proxy({}, { get: () => called });
    const ask = (site: string, method: 'get' | 'head' | 'post' = 'get') =>
      request(app(engine))[method](`/${path}`).set('Sec-Fetch-Site', site);
    for (const site of ['cross-site', 'same-site']) {
      const refused = await ask(site).expect(403);
      expect(refused.text).toContain(`a request from another site [${site}] is not allowed`);
      await ask(site, 'post').expect(403);
    }
    expect(calls).toBe(0);
    expect((await ask('none')).status).not.toBe(403);
    expect((await ask('same-origin')).status).not.toBe(403);
    const cors = app(engine, {
      'http.cors.enabled': 'true',
      'http.cors.allow-origin': 'http://a.example',
    });
    const allowed = await request(cors)
      .get(`/${path}`)
      .set('Sec-Fetch-Site', 'cross-site')
      .set('Origin', 'http://a.example');
    expect(allowed.status).not.toBe(403);
  });

  test('may link to what only reads', async () => {
    await request(app()).get('/').set('Sec-Fetch-Site', 'cross-site').expect(200);
    await request(app()).delete('/i').set('Sec-Fetch-Site', 'cross-site').expect(403);
  });

  test('the node’s own origin is fine', async () => {
    await request(app())
      .get('/')
      .set('Host', 'localhost:9200')
      .set('Origin', 'http://localhost:9200')
      .expect(200);
  });

  test('CORS headers go to listed origins of browsers', async () => {
    const server = app(
      {},
      {
        'http.cors.enabled': 'true',
        'http.cors.allow-origin': 'http://a.example,http://b.example',
      },
    );
    const ask = (origin: string, agent = 'Mozilla/5.0') =>
      request(server).get('/').set('Origin', origin).set('User-Agent', agent);
    const listed = await ask('http://b.example');
    expect(listed.headers['access-control-allow-origin']).toBe('http://b.example');
    expect((await ask('http://c.example')).status).toBe(403);
    const library = await ask('http://a.example', 'curl/7');
    expect(library.status).toBe(200);
    expect(library.headers).not.toHaveProperty('access-control-allow-origin');
    const preflight = await request(server)
      .options('/i')
      .set('Origin', 'http://a.example')
      .set('User-Agent', 'Mozilla/5.0');
    expect(preflight.headers).toMatchObject({
      'access-control-max-age': '1728000',
      'access-control-allow-methods': 'OPTIONS, HEAD, GET, POST, PUT, DELETE',
    });
  });

  test('a pattern between slashes matches whole origins', async () => {
    const server = app(
      {},
      { 'http.cors.enabled': 'true', 'http.cors.allow-origin': '/https?:\\/\\/localhost(:\\d+)?/' },
    );
    const status = async (origin: string) =>
      (await request(server).get('/').set('Origin', origin)).status;
    expect(await status('http://localhost:8000')).toBe(200);
    expect(await status('http://localhost.evil.example')).toBe(403);
  });
});
