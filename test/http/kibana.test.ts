// Kibana 3: its files served by the node, and nothing else of the machine; and its requests from an origin of
// its own.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../server/config/values';
import { StaticFolder } from '../../server/http/static-folder';
import { RawHttp } from '../support/raw-http';
import { testSettings } from '../support/settings';

const ORIGIN = 'http://kibana.example';

let folder: string;
let site: string;
let node: RawHttp;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facetd-kibana-'));
  site = join(folder, 'site');
  mkdirSync(join(site, 'app', 'dashboards'), { recursive: true });
  mkdirSync(join(folder, 'site-beside'));
  for (const [name, text] of [
    ['site/index.html', '<!doctype html><title>Kibana 3</title>'],
    ['site/config.js', 'define({})'],
    ['site/app/app.js', 'require([])'],
    ['site/app/dashboards/default.json', '{"title":"x"}'],
    ['site/app/data.bin', ''],
    ['site/.htpasswd', 'secret'],
    ['site/a b.css', 'a{}'],
    ['site-beside/secret.txt', 'secret'],
    ['secret.txt', 'secret'],
  ] as const) {
    writeFileSync(join(folder, name), text);
  }
  symlinkSync(join(folder, 'secret.txt'), join(site, 'link.txt'));
  symlinkSync(join(folder, 'site-beside'), join(site, 'linked'));
  symlinkSync(join(site, 'config.js'), join(site, 'inner.js'));
  execFileSync('mkfifo', [join(site, 'pipe')]);
  node = await RawHttp.start({
    'http.static.kibana': site,
    'http.authentication': 'false',
    'http.cors.enabled': 'true',
    'http.cors.allow-origin': ORIGIN,
  });
});
afterAll(async () => {
  await node.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
  node.send({ method, path: `/_plugin/kibana${path}`, headers });

test.each([
  ['/', 'text/html; charset=UTF-8', '<!doctype html><title>Kibana 3</title>'],
  ['/?x=1', 'text/html; charset=UTF-8', '<!doctype html><title>Kibana 3</title>'],
  ['/index.html', 'text/html; charset=UTF-8', '<!doctype html><title>Kibana 3</title>'],
  ['/config.js', 'text/javascript; charset=UTF-8', 'define({})'],
  ['/app/app.js?bust=3', 'text/javascript; charset=UTF-8', 'require([])'],
  ['/app/dashboards/default.json', 'application/json; charset=UTF-8', '{"title":"x"}'],
  ['/app/data.bin', 'application/octet-stream', ''],
  ['/a%20b.css', 'text/css; charset=UTF-8', 'a{}'],
])('%s is a file', async (path, type, text) => {
  const { status, headers, body } = await get(path);
  expect([status, headers['content-type'], body.toString()]).toEqual([200, type, text]);
  expect(headers).toMatchObject({
    'content-length': String(text.length),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  });
  const policy = headers['content-security-policy']!;
  expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'unsafe-eval'; /);
  expect(policy).not.toMatch(/\*|https?:/);
  const head = await get(path, 'HEAD');
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
    200,
    String(text.length),
    0,
  ]);
  const again = await get(path, 'GET', { 'If-None-Match': headers['etag']! });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

test.each([
  '/nothing.js',
  '/app',
  '/app/',
  '/.htpasswd',
  '/%2ehtpasswd',
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/%2e%2e%2fsecret.txt',
  '/..%5csecret.txt',
  '/app/../../secret.txt',
  '/../site-beside/secret.txt',
  '/app/./app.js',
  '//config.js',
  '/link.txt',
  '/inner.js',
  '/linked/secret.txt',
  '/pipe',
  '/config.js/',
  '/config.js%00.html',
  '/%',
  '/%ff',
  `/${'x'.repeat(5000)}`,
  `/${'x/'.repeat(2000)}`,
])('%.40s is none', async (path) => {
  const { status, body } = await get(path);
  expect([status, body.toString()]).toEqual([404, 'there is no such file\n']);
});

test('what is beside the path is no file, and files are only read', async () => {
  const moved = await get('');
  expect([moved.status, moved.headers['location']]).toEqual([308, 'kibana/']);
  const other = await node.send({ method: 'GET', path: '/_plugin/kibanax/config.js' });
  expect([other.status, other.body.toString()]).toEqual([
    404,
    expect.stringContaining('IndexMissing'),
  ]);
  for (const method of ['PUT', 'POST', 'DELETE', 'PATCH']) {
    const { status, headers } = await get('/config.js', method);
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  }
  expect((await get('/config.js')).body.toString()).toBe('define({})');
});

test('folders that are none, or hold what is not for everybody, are refused', () => {
  const of = (values: Record<string, string>) => StaticFolder.of(testSettings(values));
  expect(of({})).toBeNull();
  const path = { 'path.data': join(site, 'data') };
  for (const [values, message] of [
    [{ 'http.static.kibana': join(folder, 'no') }, /no is not a folder/],
    [{ 'http.static.kibana': join(site, 'config.js') }, /is not a folder/],
    [{ 'http.static.kibana': site, ...path }, /contains .*data, which is not for everybody/],
    [{ 'http.static.kibana': '/' }, /which is not for everybody/],
  ] as const) {
    expect(() => of(values)).toThrow(ConfigError);
    expect(() => of(values)).toThrow(message);
  }
});

test('a node without the setting has no such files', async () => {
  const plain = await RawHttp.start();
  try {
    expect((await plain.send({ method: 'GET', path: '/_plugin/kibana/' })).status).toBe(400);
  } finally {
    await plain.close();
  }
});

/** As a browser sends it from the page of another origin. */
const BROWSER = { Origin: ORIGIN, 'User-Agent': 'Mozilla/5.0', 'Sec-Fetch-Site': 'cross-site' };

test('from an origin of its own, with two settings: a search, and a dashboard that is saved', async () => {
  const ask = (method: string, path: string, body?: string, headers = {}) =>
    node.send({
      method,
      path,
      headers: {
        ...BROWSER,
        ...headers,
        ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
      },
      ...(body === undefined ? {} : { pieces: [body] }),
    });
  const preflight = await ask('OPTIONS', '/kibana-int/dashboard/x', undefined, {
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'content-type',
  });
  expect(preflight.status).toBe(200);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': ORIGIN,
    'access-control-allow-methods': expect.stringContaining('PUT') as unknown,
    'access-control-allow-headers': expect.stringContaining('Content-Type') as unknown,
  });
  const json = { 'Content-Type': 'application/json;charset=UTF-8' };
  const dashboard = '{"user":"guest","group":"guest","title":"x","dashboard":"{}"}';
  const saved = await ask('PUT', '/kibana-int/dashboard/x?refresh=true', dashboard, json);
  expect([saved.status, saved.headers['access-control-allow-origin']]).toEqual([201, ORIGIN]);
  const fquery = {
    query: { filtered: { query: { bool: { should: [{ query_string: { query: '*' } }] } } } },
  };
  const search = {
    facets: { 0: { query: { match_all: {} }, facet_filter: { fquery } } },
    size: 0,
  };
  const found = await ask('POST', '/kibana-int/_search', JSON.stringify(search), json);
  expect([found.status, found.headers['access-control-allow-origin']]).toEqual([200, ORIGIN]);
  expect(JSON.parse(found.body.toString())).toMatchObject({
    facets: { 0: { _type: 'query', count: 1 } },
  });
  const other = await ask('POST', '/kibana-int/_search', '{}', { Origin: 'http://evil.example' });
  expect(other.status).toBe(403);
});
