// The recorded cases against a server in this process. Those that do not pass yet stand in
// expected-failures.json with what differs first in them; a case that starts or stops passing, or differs in
// another way, fails this test until the list says so (`npm run conformance -- --update`).

import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { readCases } from '../../scripts/dev/conformance/cases';
import {
  expectedFailuresFile,
  nameOf,
  readExpectedFailures,
  unexpected,
} from '../../scripts/dev/conformance/expected';
import { runCase } from '../../scripts/dev/conformance/run';
import { createTestApp, type TestApp } from '../support/app';
import { TEST_WORKERS } from '../support/workers';

const folder = join(__dirname, 'cases');
const cases = readCases(folder);
/** What threads have to do is alike in many cases: with them a third of all, unless there is time. */
const withThreads = TEST_WORKERS === 0 || process.env['LONG'] !== undefined ? 1 : 3;
/** One case of so many is tried; CASES_OF says it for another version of Node, which answers alike. */
const casesOf = Number(process.env['CASES_OF'] ?? withThreads);
const tried = cases.filter((_, i) => i % casesOf === 0);
const expectedFailures = readExpectedFailures(expectedFailuresFile(folder));

let app: TestApp;
let server: Server;
let port: number;

beforeAll(async () => {
  app = await createTestApp({
    'index.number_of_shards': '5',
    'index.number_of_replicas': '1',
    'search.default_search_type': 'query_then_fetch',
  });
  server = createServer(app.handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as { port: number }).port;
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await app.close();
});

test('the list of expected failures names cases that exist', () => {
  const names = new Set(cases.map(nameOf));
  expect([...expectedFailures.keys()].filter((name) => !names.has(name))).toEqual([]);
});

test('recorded answers are given, apart from the expected failures', async () => {
  const changed: string[] = [];
  for (const testCase of tried) {
    const difference = await runCase(port, testCase);
    const problem = unexpected(expectedFailures, nameOf(testCase), difference);
    if (problem !== null) changed.push(problem);
  }
  expect(changed).toEqual([]);
});
