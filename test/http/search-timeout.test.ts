// When the time of a search is up while its hits are fetched: all of them are shown, those that are left
// without what has to be worked out, and the answer says so. The clock goes on by one with each look at it:
// where time ends does not depend on the machine.

import { HttpClient } from '../support/http-client';

interface Shown {
  readonly _id: string;
  readonly _source?: unknown;
  readonly fields?: Record<string, unknown[]>;
  readonly highlight?: Record<string, string[]>;
  readonly matched_queries?: string[];
  readonly _explanation?: unknown;
  readonly inner_hits?: Record<string, { hits: { total: number; hits: Shown[] } }>;
}
interface Answer {
  readonly timed_out: boolean;
  readonly hits: { readonly total: number; readonly hits: readonly Shown[] };
  readonly aggregations?: { readonly a: { readonly hits: { readonly hits: readonly Shown[] } } };
}

const HITS = 4;
/** Of a document. */
const WORDS = 2500;
const OBJECTS = 700;
const CHILDREN = 3;

/** Goes on by one each time that somebody looks. */
let now = Date.now();
const clock = jest.spyOn(Date, 'now').mockImplementation(() => ++now);

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start({ 'node.workers': '0' });
  const type = {
    properties: {
      text: { type: 'string', index_options: 'offsets', term_vector: 'with_positions_offsets' },
      grams: { type: 'string', analyzer: 'grams' },
      o: { type: 'nested' },
    },
  };
  const child = { _parent: { type: 't' } };
  await http.ok('PUT', '/i', {
    settings: {
      analysis: {
        analyzer: { grams: { tokenizer: 'standard', filter: ['lowercase', 'shingle'] } },
      },
    },
    mappings: { t: type, c: child },
  });
  const lines: object[] = [];
  const text = Array.from({ length: WORDS }, (_, n) => `word${n % 7}.`).join(' ');
  for (let n = 0; n < HITS; n++) {
    const o = Array.from({ length: OBJECTS }, (_, i) => ({ a: i }));
    lines.push({ index: { _type: 't', _id: `${n}` } }, { n, text, grams: text, o });
    for (let i = 0; i < CHILDREN; i++) {
      lines.push({ index: { _type: 'c', _id: `${n}-${i}`, parent: `${n}` } }, { m: i });
    }
  }
  await http.ok(
    'POST',
    '/i/_bulk?refresh=true',
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
});
afterAll(async () => {
  clock.mockRestore();
  await http.close();
});

/** A search in a time in which the clock is looked at so often; and how often it was. */
async function searchFor(looks: number, body: object): Promise<readonly [Answer, number]> {
  const before = now;
  const answer = await http.ok('POST', '/i/t/_search', { ...body, timeout: `${looks}ms` });
  return [answer as Answer, now - before];
}

/** Times between nothing and enough. */
const TIMES = 16;

/** Answers for times from nothing to enough, the last of them being whole, that found all documents. */
async function answersOf(
  body: object,
): Promise<{ answers: Answer[]; whole: Answer; looks: number }> {
  const [whole, looks] = await searchFor(1e6, body);
  expect([whole.timed_out, whole.hits.total]).toEqual([false, HITS]);
  const answers: Answer[] = [];
  for (let i = 0; i < TIMES; i++) {
    const [answer] = await searchFor(Math.max(1, Math.floor((i * looks) / TIMES)), body);
    if (answer.hits.total === HITS) answers.push(answer);
  }
  return { answers, whole, looks };
}

const byWord = { highlight_query: { match: { text: 'word3' } } };
const HIGHLIGHT = { highlight: { ...byWord, fields: { text: {} } } };
const script = { script: "(1..300).each { it * 2 }; doc['n'].value" };

/** What of hits is asked for, and how often it takes a look at the clock to make it for one hit. */
const DETAILS: readonly (readonly [keyof Shown, number, object])[] = [
  ['highlight', 8, { highlight: { ...byWord, fields: { text: { type: 'plain' } } } }],
  ['highlight', 8, { highlight: { ...byWord, fields: { text: { type: 'fvh' } } } }],
  ['highlight', 8, { highlight: { ...byWord, fields: { text: { type: 'postings' } } } }],
  // Shingles: tokens that are made all together.
  [
    'highlight',
    8,
    {
      highlight: {
        highlight_query: { match: { grams: 'word3. word4' } },
        fields: { grams: {} },
      },
    },
  ],
  ['fields', 1, { script_fields: { f: script } }],
  ['_explanation', 1, { explain: true }],
  ['matched_queries', 1, { query: { match: { text: { query: 'word3', _name: 'm' } } } }],
];

test.each(DETAILS)(
  '%s (%#) of the hits that are left is left out',
  async (member, least, asked) => {
    const body = { sort: ['n'], _source: ['n'], ...asked };
    const { answers, whole, looks } = await answersOf(body);
    expect(looks).toBeGreaterThan(HITS * least);
    const counts = new Set<number>();
    for (const { timed_out, hits } of answers) {
      const made = hits.hits.filter((hit) => hit[member] !== undefined).length;
      counts.add(made);
      expect(timed_out).toBe(made < HITS);
      // The first ones have it.
      const expected = whole.hits.hits.map((hit, i) => {
        return i < made ? hit : { ...hit, [member]: undefined };
      });
      expect(hits.hits).toEqual(expected);
    }
    expect(counts.has(0)).toBe(true);
    expect(counts.size).toBeGreaterThan(2);
  },
);

test.each([
  ['objects', { o: { path: { o: {} } } }, OBJECTS],
  ['children', { o: { type: { c: {} } } }, CHILDREN],
])('%s below hits are those found in time', async (_, inner, most) => {
  const { answers, whole } = await answersOf({ sort: ['n'], _source: ['n'], inner_hits: inner });
  const totals = new Set<number | undefined>();
  for (const { timed_out, hits } of answers) {
    const found = hits.hits.map((hit) => hit.inner_hits?.['o']!.hits.total);
    expect(found.every((total) => total === undefined || total <= most)).toBe(true);
    expect(hits.hits.map(({ _id }) => _id)).toEqual(whole.hits.hits.map(({ _id }) => _id));
    if (!timed_out) expect(hits).toEqual(whole.hits);
    found.forEach((total) => totals.add(total));
  }
  expect(totals.has(undefined)).toBe(true);
  expect(totals.has(most)).toBe(true);
  expect(totals.size).toBeGreaterThan(2);
});

test('hits of buckets are shown without', async () => {
  const a = { top_hits: { size: HITS, sort: ['n'], _source: ['n'], ...HIGHLIGHT } };
  const { answers, whole } = await answersOf({ size: 0, aggs: { a } });
  const shown = ({ aggregations }: Answer) => aggregations!.a.hits.hits;
  const counts = new Set<number>();
  for (const answer of answers) {
    const made = shown(answer).filter(({ highlight }) => highlight !== undefined).length;
    counts.add(made);
    expect(answer.timed_out).toBe(made < HITS);
    expect(shown(answer).map(({ _id }) => _id)).toEqual(shown(whole).map(({ _id }) => _id));
  }
  expect(counts.size).toBeGreaterThan(2);
});

test('stages of rescoring that time is too short for are left out', async () => {
  const first = { query: { function_score: { field_value_factor: { field: 'n' } } } };
  const loop = '(1..300).each { it * 2 }; 4 - doc["n"].value';
  const rescoring = {
    window_size: HITS,
    query: {
      score_mode: 'multiply',
      rescore_query: { function_score: { script_score: { script: loop } } },
    },
  };
  const plain = (await http.ok('POST', '/i/t/_search', first)) as Answer;
  const { answers, whole } = await answersOf({ ...first, rescore: [rescoring, rescoring] });
  const ids = ({ hits }: Answer) => hits.hits.map(({ _id }) => _id).join();
  expect([ids(plain), ids(whole)]).toEqual(['3,2,1,0', '1,2,3,0']);
  const seen = new Set<string>();
  for (const answer of answers) {
    seen.add(`${answer.timed_out} ${ids(answer)}`);
    if (answer.timed_out) expect(answer.hits).not.toEqual(whole.hits);
  }
  // After both stages, the first, and none.
  expect([...seen].sort()).toEqual(['false 1,2,3,0', 'true 2,1,3,0', 'true 3,2,1,0']);
});
