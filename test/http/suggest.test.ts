// Suggestions over HTTP: what recorded cases do not show. Deleted documents, merges, statistics, limits and
// what the URL of a search asks for.

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
});
afterAll(() => http.close());

interface Answer {
  readonly s?: readonly {
    readonly options: readonly { readonly text: string; readonly score: number }[];
  }[];
}

async function texts(index: string, suggestion: object): Promise<readonly string[]> {
  const answer = (await http.ok('POST', `/${index}/_suggest`, { s: suggestion })) as Answer;
  return (answer.s ?? []).flatMap(({ options }) => options.map(({ text }) => text));
}

const complete = (index: string, text: string, options: object = {}) =>
  texts(index, { text, completion: { field: 'c', ...options } });

test('deleted and replaced documents are not suggested, before and after a merge', async () => {
  await http.ok('PUT', '/gone', { mappings: { t: { properties: { c: { type: 'completion' } } } } });
  const put = (id: number, input: string, weight: number) =>
    http.ok('PUT', `/gone/t/${id}`, { c: { input, weight } });
  await put(1, 'alpha', 9);
  await put(2, 'alpine', 5);
  await put(3, 'alto', 1);
  await http.ok('POST', '/gone/_refresh');
  expect(await complete('gone', 'al')).toEqual(['alpha', 'alpine', 'alto']);
  await http.ok('DELETE', '/gone/t/1');
  await put(3, 'almond', 7);
  await http.ok('POST', '/gone/_refresh');
  expect(await complete('gone', 'al')).toEqual(['almond', 'alpine']);
  expect(await complete('gone', 'al', { size: 1 })).toEqual(['almond']);
  await http.ok('POST', '/gone/_optimize?max_num_segments=1');
  expect(await complete('gone', 'al')).toEqual(['almond', 'alpine']);
});

test('inputs of several segments and shards are one list by weight', async () => {
  await http.ok('PUT', '/many', {
    settings: { number_of_shards: 3 },
    mappings: { t: { properties: { c: { type: 'completion' } } } },
  });
  for (let i = 0; i < 30; i++) {
    await http.ok('PUT', `/many/t/${i}`, { c: { input: `word ${i}`, weight: (i * 7) % 30 } });
    if (i % 10 === 9) await http.ok('POST', '/many/_refresh');
  }
  const best = Array.from({ length: 30 }, (_, i) => i).sort(
    (a, b) => ((b * 7) % 30) - ((a * 7) % 30),
  );
  expect(await complete('many', 'wo', { size: 8 })).toEqual(
    best.slice(0, 8).map((i) => `word ${i}`),
  );
});

test('statistics count suggestions, and what completions hold in memory', async () => {
  await http.ok('PUT', '/counted', {
    mappings: { t: { properties: { c: { type: 'completion' } } } },
  });
  await http.ok('PUT', '/counted/t/1?refresh=true', { c: 'one' });
  await complete('counted', 'o');
  await complete('counted', 'x');
  const stats = (await http.ok('GET', '/counted/_stats')) as {
    _all: {
      total: {
        suggest: { total: number; current: number };
        search: { query_total: number };
        completion: { size_in_bytes: number };
      };
    };
  };
  const { suggest, search, completion } = stats._all.total;
  expect(suggest).toMatchObject({ total: 2, current: 0 });
  expect(search.query_total).toBe(0);
  expect(completion.size_in_bytes).toBeGreaterThan(0);
});

test('names like those of objects are data', async () => {
  await http.ok('PUT', '/names', {
    mappings: { t: { properties: { constructor: { type: 'completion' }, w: { type: 'string' } } } },
  });
  await http.ok('PUT', '/names/t/1?refresh=true', { constructor: '__proto__', w: 'constructor' });
  const body =
    '{"__proto__":{"text":"_p","completion":{"field":"constructor"}},"toString":{"text":"construktor","term":{"field":"w"}}}';
  const answer = await http.send('POST', '/names/_suggest', body);
  expect(answer.status).toBe(200);
  const members = new Map(Object.entries(answer.body as object));
  expect(members.get('toString')).toMatchObject([{ options: [{ text: 'constructor' }] }]);
  expect([...members.keys()]).toEqual(['_shards', '__proto__', 'toString']);
});

test('too much is refused by name', async () => {
  await http.ok('PUT', '/limits', {
    mappings: { t: { properties: { c: { type: 'completion', payloads: true } } } },
  });
  await http.ok('PUT', '/limits/t/1?refresh=true', { c: 'a', w: 'quick brown fox' });
  const words = await http.send('POST', '/limits/_suggest', {
    s: { text: 'ab '.repeat(5000), term: { field: 'w' } },
  });
  expect(words.status).toBe(500);
  expect(JSON.stringify(words.body)).toContain('search.max_suggestions');
  const options = await http.send('POST', '/limits/_suggest', {
    s: { text: 'a', completion: { field: 'c', size: 2147483647 } },
  });
  expect(JSON.stringify(options.body)).toContain('search.max_suggest_options');
  const payload = await http.send('PUT', '/limits/t/2', {
    c: { input: 'b', payload: { x: 'y'.repeat(20_000) } },
  });
  expect(payload.status).toBe(400);
  expect(JSON.stringify(payload.body)).toContain('more than [16384]');
  const text = Array.from({ length: 14 }, () => 'quik').join(' ');
  const phrase = await http.send('POST', '/limits/_suggest', {
    s: {
      text,
      phrase: {
        field: 'w',
        max_errors: 14,
        token_limit: 100,
        confidence: 0,
        direct_generator: [
          { field: 'w', min_word_length: 1, size: 10, accuracy: 0, prefix_length: 0 },
        ],
      },
    },
  });
  // One candidate for each of the words: 2^14 phrases are few enough.
  expect(phrase.status).toBe(200);
});

test('a phrase with too many corrections fails, and holds nobody up for long', async () => {
  const words = Array.from({ length: 20 }, (_, i) => `abcd${String.fromCharCode(97 + i)}`).join(
    ' ',
  );
  await http.ok('PUT', '/wide/t/1?refresh=true', { w: words });
  const answer = await http.send('POST', '/wide/_suggest', {
    s: {
      text: Array.from({ length: 9 }, () => 'abcdz').join(' '),
      phrase: {
        field: 'w',
        max_errors: 9,
        shard_size: 20,
        confidence: 0,
        direct_generator: [{ field: 'w', size: 20, max_inspections: 20 }],
      },
    },
  });
  expect(answer.status).toBe(500);
  expect(JSON.stringify(answer.body)).toContain('words to score');
});

test('the URL of a search asks for words: its text, else that of the query', async () => {
  await http.ok('PUT', '/url/t/1?refresh=true', { w: 'quick brown fox' });
  const found = async (query: string): Promise<unknown> => {
    const answer = (await http.ok('GET', `/url/_search?size=0&suggest_field=w&${query}`)) as {
      suggest: { w: Answer['s'] };
    };
    return answer.suggest.w!.map(({ options }) => options.map(({ text }) => text));
  };
  expect(await found('suggest_text=quikc')).toEqual([['quick']]);
  expect(await found('q=brwon')).toEqual([['brown']]);
  expect(await found('suggest_text=quick&suggest_mode=always&suggest_size=1')).toEqual([[]]);
  const wrong = await http.send(
    'GET',
    '/url/_search?suggest_field=w&suggest_text=x&suggest_mode=bogus',
  );
  expect(JSON.stringify(wrong.body)).toContain('Illegal suggest mode bogus');
});

test('contexts of fields that a document itself adds', async () => {
  await http.ok('PUT', '/added', {
    mappings: {
      t: {
        properties: {
          c: { type: 'completion', context: { kind: { type: 'category', path: 'kind' } } },
        },
      },
    },
  });
  await http.ok('PUT', '/added/t/1?refresh=true', { c: 'alpha', kind: 'new' });
  expect(await complete('added', 'a', { context: { kind: 'new' } })).toEqual(['alpha']);
  const none = await http.send('PUT', '/added/t/2', { c: 'beta' });
  expect(none).toMatchObject({
    status: 400,
    body: { error: 'ElasticsearchIllegalArgumentException[one or more prefixes needed]' },
  });
});

describe('collate', () => {
  const WORDS = ['nobel', 'noble', 'prize', 'price', 'winner', 'winter', 'peace'];
  const phrase = (collate: object) => ({
    text: 'nobl prixe winer',
    phrase: {
      field: 't',
      max_errors: 3,
      confidence: 0,
      size: 20,
      direct_generator: [{ field: 't', suggest_mode: 'always' }],
      collate,
    },
  });
  const QUERY = { match: { t: { query: '{{suggestion}}', operator: 'and' } } };

  async function fill(server: HttpClient, index: string, shards: number): Promise<void> {
    await server.ok('PUT', `/${index}`, {
      settings: { number_of_shards: shards },
      mappings: { d: { properties: { t: { type: 'string' } } } },
    });
    for (let from = 0; from < 40; from += 20) {
      const lines = Array.from({ length: 20 }, (_, i) => {
        const at = from + i;
        const t = [at, at * 3 + 1, at * 5 + 2].map((n) => WORDS[n % WORDS.length]).join(' ');
        return `{"index":{"_id":"${at}"}}\n${JSON.stringify({ t })}\n`;
      });
      await server.ok('POST', `/${index}/d/_bulk?refresh=true`, lines.join(''));
    }
    await server.ok('DELETE', `/${index}/d/3?refresh=true`);
  }

  type Options = readonly { readonly text: string; readonly collate_match?: boolean }[];
  const optionsOf = (answer: unknown): Options => (answer as Answer).s?.[0]?.options ?? [];

  test.each([0, 1])('%i workers: an option matches what a search for it finds', async (workers) => {
    const server = await HttpClient.start({ 'node.workers': String(workers) });
    try {
      await fill(server, 'one', 1);
      const all = optionsOf(
        await server.ok('POST', '/one/_suggest', { s: phrase({ query: QUERY, prune: true }) }),
      );
      const found: boolean[] = [];
      for (const { text } of all) {
        const query = { match: { t: { query: text, operator: 'and' } } };
        const { count } = (await server.ok('POST', '/one/_count', { query })) as { count: number };
        found.push(count > 0);
      }
      expect(all.map((option) => option.collate_match)).toEqual(found);
      expect(new Set(found).size).toBe(2);
      const body = { size: 1, suggest: { s: phrase({ filter: { query: QUERY } }) } };
      const searched = (await server.ok('POST', '/one/_search', body)) as { suggest: Answer };
      const matching = all.filter((option) => option.collate_match === true);
      expect(optionsOf(searched.suggest).map(({ text }) => text)).toEqual(
        matching.map(({ text }) => text),
      );
      // Over shards, one of them has to have it.
      await fill(server, 'three', 3);
      const over = optionsOf(
        await server.ok('POST', '/three/_suggest', { s: phrase({ query: QUERY }) }),
      );
      expect(over.length).toBeGreaterThan(0);
      for (const { text } of over) {
        const query = { match: { t: { query: text, operator: 'and' } } };
        expect(await server.ok('POST', '/three/_count', { query })).not.toMatchObject({ count: 0 });
      }
    } finally {
      await server.close();
    }
  });

  test('a shard that cannot read its query fails, and the others answer', async () => {
    await http.ok('PUT', '/able', {
      mappings: { d: { properties: { t: { type: 'string' }, o: { type: 'nested' } } } },
    });
    await http.ok('PUT', '/able/d/1?refresh=true', { t: 'noble prize', o: { x: 'prize' } });
    await http.ok('PUT', '/unable/d/1?refresh=true', { t: 'nobel price' });
    const nested = { nested: { path: 'o', query: { match: { 'o.x': '{{suggestion}}' } } } };
    const s = phrase({ query: nested });
    const answer = await http.ok('POST', '/able,unable/_suggest', { s });
    expect(answer).toMatchObject({
      _shards: { total: 2, successful: 1, failed: 1, failures: [{ index: 'unable' }] },
    });
    const options = optionsOf(answer).map(({ text }) => text);
    expect(options.length).toBeGreaterThan(0);
    expect(options.every((text) => text.includes('prize'))).toBe(true);
    expect(await http.pair('POST', '/unable/_search', { suggest: { s } })).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining('all shards failed') as string }),
    ]);
  });

  test('documents that queries look into are read', async () => {
    await http.ok('PUT', '/looked/d/1?refresh=true', { t: 'noble prize winner', k: 'x' });
    await http.ok('PUT', '/lists/l/1?refresh=true', { keys: ['x'] });
    const terms = { terms: { k: { index: 'lists', type: 'l', id: '1', path: 'keys' } } };
    const collate = { query: { constant_score: { filter: terms } }, prune: true };
    const options = optionsOf(await http.ok('POST', '/looked/_suggest', { s: phrase(collate) }));
    expect(options.length).toBeGreaterThan(0);
    expect(options.every((option) => option.collate_match)).toBe(true);
  });
});
