// Scripts of one request that each take as long as they may: others get a turn after each of them.

import { HttpClient } from '../support/http-client';

const ENDLESS = 'while (true) {}';
const DOCUMENTS = 32;
/** Fewer would do; without turns in between, 16 and more scripts run in one stretch. */
const MOST_SCRIPTS = 8;

let http: HttpClient;
let oneMs: number;
beforeAll(async () => {
  http = await HttpClient.start();
  const lines = Array.from(
    { length: DOCUMENTS },
    (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n}}\n`,
  );
  await http.ok('POST', '/a/t/_bulk?refresh=true', lines.join(''));
  const one = () =>
    longestStretchMs(() => http.send('POST', '/a/t/1/_update', { script: ENDLESS }));
  // The first ones run code that is not compiled yet.
  oneMs = await one();
  for (let n = 0; n < 5; n++) oneMs = Math.min(oneMs, await one());
});
afterAll(() => http.close());

/** Processor time of the longest stretch in which nobody else had a turn. */
async function longestStretchMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  let last = process.cpuUsage();
  const look = () => {
    const { user } = process.cpuUsage(last);
    longest = Math.max(longest, user / 1000);
    last = process.cpuUsage();
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isDone = true;
  return longest;
}

test('a bulk of updates', async () => {
  const lines = Array.from(
    { length: DOCUMENTS },
    (_, n) => `{"update":{"_id":"${n}"}}\n{"script":"${ENDLESS}"}\n`,
  );
  const ms = await longestStretchMs(() => http.send('POST', '/a/t/_bulk', lines.join('')));
  expect(ms).toBeLessThan(oneMs * MOST_SCRIPTS);
});

test('a reindex', async () => {
  const body = { source: { index: 'a' }, dest: { index: 'b' }, script: ENDLESS };
  let answer: unknown;
  const ms = await longestStretchMs(async () => {
    answer = await http.send('POST', '/_reindex', body);
  });
  expect(JSON.stringify(answer)).toContain('steps');
  expect(ms).toBeLessThan(oneMs * MOST_SCRIPTS);
});
