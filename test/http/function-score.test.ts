// function_score against the scores and errors of the reference server, for one document.

import { HttpClient } from '../support/http-client';
import results from './function-score-results.json';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  const type = (name: string) => ({ type: name });
  await http.ok('PUT', '/expr-p', {
    settings: { number_of_shards: 1 },
    mappings: {
      t: {
        properties: {
          i: type('integer'),
          f: type('float'),
          d: type('double'),
          s: { type: 'string', index: 'not_analyzed' },
          tx: type('string'),
          dt: type('date'),
          g: type('geo_point'),
          gm: type('geo_point'),
          eg: type('geo_point'),
          im: type('integer'),
          em: type('integer'),
        },
      },
    },
  });
  await http.ok('PUT', '/expr-p/t/1?refresh=true', {
    i: 7,
    f: 1.1,
    d: 2.5,
    s: 'Hello',
    tx: 'quick brown fox',
    dt: '2014-03-05T10:20:30.456Z',
    g: { lat: 40.7, lon: -74 },
    gm: [
      { lat: 1, lon: 2 },
      { lat: 3, lon: 4 },
    ],
    im: [3, 1, 2, 3],
  });
});
afterAll(() => http.close());

test.each(results.map(([body, expected]) => [JSON.stringify(body), body, expected] as const))(
  '%s',
  async (_text, body, expected) => {
    const request = { query: { function_score: body } };
    if (typeof expected === 'string') {
      const [status, message] = [expected.slice(0, 3), expected.slice(4)];
      const error = await http.error('POST', '/expr-p/_search', request);
      expect(error).toContain(message);
      expect(error.slice(0, 3)).toBe(status);
      return;
    }
    const answer = (await http.ok('POST', '/expr-p/_search', request)) as {
      hits: { max_score: number | null };
    };
    expect(answer.hits.max_score).toBe(expected);
  },
);

test('random scores are the same for the same seed, and spread', async () => {
  for (let i = 0; i < 50; i++) await http.ok('PUT', `/r/t/${i}`, { n: i });
  await http.ok('POST', '/r/_refresh');
  const order = async (seed: number) => {
    const query = { function_score: { random_score: { seed }, boost_mode: 'replace' } };
    const answer = await http.ok('POST', '/r/_search', { query, size: 50 });
    return (answer as { hits: { hits: { _id: string; _score: number }[] } }).hits.hits;
  };
  const first = await order(1);
  expect(await order(1)).toEqual(first);
  expect((await order(2)).map((hit) => hit._id)).not.toEqual(first.map((hit) => hit._id));
  expect(first.every(({ _score }) => _score >= 0 && _score < 1)).toBe(true);
  expect(new Set(first.map(({ _score }) => _score)).size).toBeGreaterThan(45);
});
