// Random analysis and hostile texts through the whole life of an index: what is accepted can be indexed and
// refreshed, and is found alike after a refresh, a restart, and a snapshot and its restore. The node always
// starts.

import { analysisSettings, hostileText } from '../support/hostile/analysis-arbitrary';
import { complaint } from '../support/hostile/wire';
import { note } from '../support/figures';
import { HttpClient } from '../support/http-client';
import { Random, repetitions, testSeed } from '../support/random';

/** Lives of nodes; each has some indices of analysis of their own. */
const LIVES = repetitions('ANALYSIS_LIVES', 1, 40, 1000);
const INDICES = LIVES > 1 ? 24 : 8;
const TEXTS = 12;
const LONGEST = 4000;

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'r' } });
});
afterAll(() => http.close());

/** Sends a request that may be refused, but not with a bug of ours. @returns whether it was not */
async function isAccepted(method: string, path: string, body: string): Promise<boolean> {
  const { status, text } = await http.send(method, path, body);
  const answer = {
    status,
    type: 'application/json',
    text,
    bug: /internal error/.exec(text)?.[0] ?? null,
  };
  expect({ path, body: body.slice(0, 1000), complaint: complaint(answer) }).toMatchObject({
    complaint: null,
  });
  return status < 300;
}

/** All that can be seen of an index. */
async function seen(index: string, texts: readonly string[]): Promise<unknown[]> {
  const bodies = [
    { size: 100, sort: ['n'], facets: { f: { terms: { field: 'f', size: 1000 } } } },
    ...texts.map((text) => ({ query: { match: { f: text.slice(0, 300) } }, size: 100 })),
    ...texts.map((text) => ({ query: { term: { f: text.slice(0, 5) } }, size: 100 })),
    { query: { prefix: { f: 'a' } }, size: 100 },
    { query: { match_phrase: { f: 'running the a' } }, size: 100 },
  ];
  const answers: unknown[] = [];
  for (const body of bodies) {
    const { status, body: answer } = await http.send('POST', `/${index}/_search`, body);
    const { took: _took, ...rest } = answer as Record<string, unknown>;
    answers.push([body, status, rest]);
  }
  return answers;
}

async function live(random: Random, life: number): Promise<[accepted: number, documents: number]> {
  const texts = Array.from({ length: TEXTS }, () => hostileText(random, LONGEST));
  const indices: string[] = [];
  let documents = 0;
  for (let n = 0; n < INDICES; n++) {
    const index = `i${n}`;
    const analysis = analysisSettings(random, life * INDICES + n);
    const mappings = { t: { properties: { f: { type: 'string', analyzer: 'a' } } } };
    const body = JSON.stringify({ settings: { analysis }, mappings });
    if (!(await isAccepted('PUT', `/${index}`, body))) continue;
    indices.push(index);
    for (const [id, text] of texts.entries()) {
      if (await isAccepted('PUT', `/${index}/t/${id}`, JSON.stringify({ f: text, n: id })))
        documents++;
    }
  }
  const everything = () => Promise.all(indices.map((index) => seen(index, texts)));
  await http.ok('POST', '/_refresh');
  const before = await everything();
  const counted = ((await http.ok('GET', '/_count')) as { count: number }).count;
  expect(counted).toBe(documents);

  await http.restart();
  expect(await everything()).toEqual(before);

  await http.ok('PUT', `/_snapshot/r/s${life}?wait_for_completion=true`);
  await http.reset();
  await http.ok('POST', `/_snapshot/r/s${life}/_restore?wait_for_completion=true`);
  expect(await everything()).toEqual(before);
  await http.restart();
  expect(await everything()).toEqual(before);
  await http.reset();
  return [indices.length, documents];
}

test(`${LIVES} lives of ${INDICES} random analyses with ${TEXTS} hostile texts`, async () => {
  const random = new Random(testSeed(19_590_424));
  let accepted = 0;
  let documents = 0;
  for (let n = 0; n < LIVES; n++) {
    const [indices, indexed] = await live(random, n);
    accepted += indices;
    documents += indexed;
  }
  note('lives of analyses', { seed: random.seed, lives: LIVES, accepted, documents });
  // Refusing everything would be easy.
  expect(accepted).toBeGreaterThan((LIVES * INDICES) / 5);
  expect(documents).toBeGreaterThan(accepted * (TEXTS / 2));
});
