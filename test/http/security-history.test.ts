// The known vulnerabilities of the reference server (SECURITY.md): what makes them work there does nothing.

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { createTestApp, type TestApp } from '../support/app';

const TARGET = join(tmpdir(), `facetd-proof-${process.pid}`);

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await request(app.handler).put('/i/t/1?refresh=true').send({ a: 1 }).expect(201);
});
afterAll(() => app.close());

test('scripts reach no classes, files or processes (CVE-2014-3120, CVE-2015-1427)', async () => {
  const sources = [
    `import java.io.*; new java.io.File("${TARGET}").createNewFile();`,
    `java.lang.Math.class.forName("java.lang.Runtime").getRuntime().exec("touch ${TARGET}").getText()`,
    `new java.util.Scanner(Runtime.getRuntime().exec("touch ${TARGET}").getInputStream()).next()`,
    `"touch ${TARGET}".execute()`,
    `this.constructor.constructor("return process")().mainModule.require("fs").writeFileSync("${TARGET}", "")`,
    `doc.constructor.constructor("return process")()`,
    `_source.__proto__.polluted = 1`,
  ];
  for (const script of sources) {
    for (const lang of ['groovy', 'mvel', 'expression', 'js']) {
      const { status } = await request(app.handler)
        .post('/i/_search')
        .send({ script_fields: { x: { script, lang } } });
      expect([script, lang, status]).toEqual([script, lang, expect.any(Number)]);
      expect(status).toBeGreaterThanOrEqual(400);
      const update = await request(app.handler).post('/i/t/1/_update').send({ script, lang });
      expect(update.status).toBeGreaterThanOrEqual(400);
    }
  }
  expect(existsSync(TARGET)).toBe(false);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test('pages of other origins read and change nothing (CVE-2014-6439)', async () => {
  for (const [method, path] of [
    ['get', '/i/_search'],
    ['delete', '/i'],
    ['options', '/i/_search'],
  ] as const) {
    const agent = request(app.handler);
    const answer = await agent[method](path)
      .set('Origin', 'http://evil.example')
      .set('User-Agent', 'Mozilla/5.0');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.text ?? '').not.toContain('_source');
  }
  await request(app.handler).get('/i/t/1').expect(200);
});

test('no path reads a file (CVE-2015-3337)', async () => {
  for (const path of [
    '/_plugin/head/../../../../../../etc/passwd',
    '/_plugin/head/..%2f..%2f..%2f..%2fetc%2fpasswd',
    '/_site/%2e%2e/%2e%2e/etc/passwd',
  ]) {
    const { status, text } = await request(app.handler).get(path);
    expect([path, status >= 400, text.includes('root:')]).toEqual([path, true, false]);
  }
});

test('repositories and names of snapshots lead nowhere else (CVE-2015-4165, CVE-2015-5531)', async () => {
  const put = (location: string) =>
    request(app.handler).put('/_snapshot/r').send({ type: 'fs', settings: { location } });
  for (const location of [TARGET, '../../outside', '/etc']) {
    expect((await put(location)).status).toBeGreaterThanOrEqual(400);
  }
  expect((await put('inside')).status).toBe(200);
  for (const name of ['..%2f..%2fetc%2fpasswd', '%2fetc%2fpasswd']) {
    for (const method of ['get', 'put', 'delete'] as const) {
      const { status, text } = await request(app.handler)[method](`/_snapshot/r/backdata${name}`);
      expect([name, method, status >= 400, text.includes('root:')]).toEqual([
        ...[name, method, true, false],
      ]);
    }
  }
  expect(existsSync(TARGET)).toBe(false);
});

test('serialized objects are no requests (CVE-2015-5377)', async () => {
  const magic = Buffer.from('aced0005737200116a6176612e7574696c2e486173684d6170', 'hex');
  const answer = await request(app.handler)
    .post('/i/_search')
    .set('Content-Type', 'application/octet-stream')
    .send(magic);
  expect(answer.status).toBeGreaterThanOrEqual(400);
});
