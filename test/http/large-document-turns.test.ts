// An update of one large document: others get a turn between reading, changing and writing it, each of which
// takes about as long as another.

import { HttpClient } from '../support/http-client';

/** Of the time of a request, the longest stretch has less. Without turns in between it has nine tenths. */
const MOST = 0.75;
const TRIES = 3;

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());

/** The part of the processor time of `work` in which nobody else had a turn, at the longest. */
async function longestPart(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let total = 0;
  let isDone = false;
  let last = process.cpuUsage();
  const look = () => {
    const { user } = process.cpuUsage(last);
    total += user;
    longest = Math.max(longest, user);
    last = process.cpuUsage();
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isDone = true;
  return longest / total;
}

/** Garbage is collected whenever it is: one of some tries shows how the work is divided. */
async function leastOf(work: () => Promise<unknown>): Promise<number> {
  await work();
  let least = 1;
  for (let n = 0; n < TRIES; n++) least = Math.min(least, await longestPart(work));
  return least;
}

const objects = Array.from({ length: 40_000 }, (_, a) => ({ a }));

test('an update', async () => {
  await http.ok('PUT', '/i/t/1', { objects });
  let n = 0;
  const update = () => http.ok('POST', '/i/t/1/_update', { doc: { n: n++ } });
  expect(await leastOf(update)).toBeLessThan(MOST);
});
