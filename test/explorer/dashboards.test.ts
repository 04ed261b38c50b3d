// Pages such as Kibana 3 and elasticsearch-head in a real browser: served by the node, and by a web server of
// their own with the two CORS settings. The page here does what theirs do: templates that are compiled by
// `new Function`, styles in place, and the requests that both were recorded to send.

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startServer, type RunningServer } from '../../scripts/common/client';
import { findBrowser, startBrowser } from '../support/browser';

const PATH = findBrowser();
const inBrowser = PATH === null ? describe.skip : describe;

const PAGE =
  '<!doctype html><title>board</title><link rel="icon" href="data:,">' +
  '<div id="out" style="color: red"></div><script src="app.js"></script>';
/** Sends the list of requests one by one, and shows each status with what was asked for of the answer. */
const APP = `
var render = new Function('rows', 'return rows.join("\\\\n")');
function ask(server, requests) {
  var rows = [];
  return requests.reduce(function (before, one) {
    return before.then(function () {
      return new Promise(function (done) {
        var sent = new XMLHttpRequest();
        sent.open(one[0], server + one[1]);
        sent.setRequestHeader('Content-Type', 'application/json');
        sent.onloadend = function () {
          rows.push(one[0] + ' ' + one[1] + ' ' + sent.status);
          done();
        };
        sent.send(one[2] === undefined ? null : JSON.stringify(one[2]));
      });
    });
  }, Promise.resolve()).then(function () {
    document.getElementById('out').textContent = render(rows);
    return rows;
  });
}`;

const board = { user: 'guest', group: 'guest', title: 'mine', dashboard: '{}' };
const facets = {
  facets: {
    '0': {
      date_histogram: { field: '@timestamp', interval: '1d' },
      global: true,
      facet_filter: { fquery: { query: { query_string: { query: '*' } } } },
    },
    terms: { terms: { field: 'status', size: 10, order: 'count', exclude: [] } },
  },
  size: 0,
};
const REQUESTS: readonly (readonly [method: string, path: string, body?: object])[] = [
  // Kibana 3
  ['GET', '/_nodes'],
  ['GET', '/logs-1,logs-2/_aliases?ignore_missing=true'],
  ['GET', '/logs-1/_mapping'],
  ['POST', '/logs-1/_search', facets],
  ['PUT', '/kibana-int/dashboard/mine', board],
  ['GET', '/kibana-int/dashboard/mine?1400000000000'],
  ['POST', '/kibana-int/dashboard/_search', { query: { query_string: { query: 'title:mine*' } } }],
  ['DELETE', '/kibana-int/dashboard/mine'],
  // elasticsearch-head
  ['GET', '/_cluster/state'],
  ['GET', '/_status'],
  ['GET', '/_nodes/stats?all=true'],
  ['GET', '/_cluster/health'],
  ['POST', '/logs-1/log/_search', { query: { bool: { must: [{ match_all: {} }] } }, facets: {} }],
];

inBrowser('pages in a browser', () => {
  let folder: string;
  let server: RunningServer;
  let elsewhere: Server;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'facetd-pages-'));
    mkdirSync(join(folder, 'site'));
    writeFileSync(join(folder, 'site', 'index.html'), PAGE);
    writeFileSync(join(folder, 'site', 'app.js'), APP);
    elsewhere = createServer(({ url }, response) => {
      const isApp = url === '/app.js';
      response.setHeader('Content-Type', isApp ? 'text/javascript' : 'text/html');
      response.end(isApp ? APP : PAGE);
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    // Another host than that of the node, by name: cross-site, and not only another origin.
    origin = `http://localhost:${(elsewhere.address() as AddressInfo).port}`;
    server = await startServer(join(folder, 'data'), [
      'node.workers=0',
      `http.static.kibana=${join(folder, 'site')}`,
      'http.cors.enabled=true',
      `http.cors.allow-origin=${origin}`,
    ]);
    for (const index of ['logs-1', 'logs-2']) {
      const log = { '@timestamp': '2014-05-01T10:00:00Z', status: 200 };
      await server.client.send('PUT', `/${index}/log/1?refresh=true`, log);
    }
    browser = await startBrowser(PATH!);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    elsewhere?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ['served by the node', () => `${server.client.url}/_plugin/kibana/`, () => ''],
    ['from an origin of their own', () => `${origin}/`, () => server.client.url],
  ])('%s', async (_name, at, asked) => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(at());
    const rows: unknown = await page.evaluate(
      `ask(${JSON.stringify(asked())}, ${JSON.stringify(REQUESTS)})`,
    );
    expect(rows).toEqual(
      REQUESTS.map(([method, path]) => `${method} ${path} ${method === 'PUT' ? 201 : 200}`),
    );
    expect(await page.evaluate("getComputedStyle(document.getElementById('out')).color")).toBe(
      'rgb(255, 0, 0)',
    );
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('an origin that is not named gets nothing', async () => {
    const page = await browser.newPage();
    await page.goto(origin.replace('localhost', '127.0.0.1'));
    const rows: unknown = await page.evaluate(
      `ask(${JSON.stringify(server.client.url)}, ${JSON.stringify(REQUESTS.slice(0, 5))})`,
    );
    expect(rows).toEqual(REQUESTS.slice(0, 5).map(([method, path]) => `${method} ${path} 0`));
    await page.close();
  });
});
