// Nested objects below hits over HTTP, against what the sources say: over shards, segments, workers, updates
// and deletions, and in one another.

import { HttpClient } from '../support/http-client';

interface Shown {
  _id: string;
  _score: number | null;
  _source?: Record<string, unknown>;
  _nested?: { field: string; offset: number; _nested?: { field: string; offset: number } };
  _explanation?: { value: number; description: string };
  highlight?: Record<string, string[]>;
  sort?: number[];
  inner_hits?: Record<string, Below>;
}
interface Below {
  hits: { total: number; max_score: number | null; hits: Shown[] };
}

interface Comment {
  text: string;
  stars: number;
  replies?: { by: string }[];
}
const MAPPINGS = {
  post: {
    properties: {
      n: { type: 'integer' },
      comments: {
        type: 'nested',
        properties: {
          text: { type: 'string' },
          stars: { type: 'integer' },
          replies: { type: 'nested', properties: { by: { type: 'string' } } },
        },
      },
    },
  },
};

/** Post n has n % 5 comments of distinct stars; every other comment of a post is red, and has replies. */
function commentsOf(n: number, stars: number): Comment[] {
  return Array.from({ length: n % 5 }, (_, i) => ({
    text: i % 2 === 0 ? 'red one' : 'blue one',
    stars: stars + ((i * 3) % 5),
    ...(i % 2 === 0 ? { replies: [{ by: `a${n}` }, { by: `b${i}` }] } : {}),
  }));
}

describe.each([0, 2])('%i workers', (workers) => {
  let http: HttpClient;
  const posts = new Map<string, Comment[]>();
  beforeAll(async () => {
    http = await HttpClient.start({ 'node.workers': String(workers) });
    for (const shards of [1, 3]) {
      const settings = { number_of_shards: shards };
      await http.ok('PUT', `/p${shards}`, { settings, mappings: MAPPINGS });
      const put = (n: number, stars: number): string => {
        posts.set(`${n}`, commentsOf(n, stars));
        const source = { n, comments: commentsOf(n, stars) };
        return `${JSON.stringify({ index: { _type: 'post', _id: `${n}` } })}\n${JSON.stringify(source)}\n`;
      };
      const send = (from: number, to: number, stars: number): Promise<unknown> => {
        const numbers = Array.from({ length: to - from }, (_, i) => from + i);
        const body = numbers.map((n) => put(n, stars)).join('');
        return http.ok('POST', `/p${shards}/_bulk?refresh=true`, body);
      };
      await send(0, 20, 0);
      await send(20, 40, 10);
      await send(5, 15, 100);
      await http.ok('DELETE', `/p${shards}/post/39?refresh=true`);
    }
    posts.delete('39');
  });
  afterAll(() => http.close());

  const hits = async (shards: number, body: object): Promise<Shown[]> => {
    const answer = await http.ok('POST', `/p${shards}/_search`, { size: 100, ...body });
    return (answer as { hits: { hits: Shown[] } }).hits.hits;
  };
  const RED = { match: { 'comments.text': 'red' } };
  /** Places of the red comments of a post, those with most stars first. */
  const redOf = (id: string): number[] => {
    const comments = posts.get(id)!;
    const red = [...comments.keys()].filter((i) => comments[i]!.text.startsWith('red'));
    return red.sort((a, b) => comments[b]!.stars - comments[a]!.stars);
  };

  test.each([1, 3])('shows the objects that match, %i shards', async (shards) => {
    const found = await hits(shards, {
      query: {
        nested: {
          path: 'comments',
          query: RED,
          inner_hits: { sort: [{ 'comments.stars': 'desc' }], size: 1 },
        },
      },
    });
    const withRed = [...posts.keys()].filter((id) => redOf(id).length > 0);
    expect(found.map(({ _id }) => _id).sort()).toEqual(withRed.sort());
    for (const { _id, inner_hits: below } of found) {
      const [first] = redOf(_id);
      const { text, stars, replies } = posts.get(_id)![first!]!;
      expect(below!['comments']!.hits).toEqual({
        total: redOf(_id).length,
        max_score: null,
        hits: [
          {
            _index: `p${shards}`,
            _type: 'post',
            _id,
            _nested: { field: 'comments', offset: first },
            _score: null,
            _source: { text, stars, replies },
            sort: [stars],
          },
        ],
      });
    }
  });

  test.each([1, 3])('and objects in objects, %i shards', async (shards) => {
    const found = await hits(shards, {
      query: { match_all: {} },
      inner_hits: {
        red: {
          path: {
            comments: {
              query: RED,
              size: 10,
              inner_hits: { by: { path: { 'comments.replies': { size: 10 } } } },
            },
          },
        },
        all: { path: { 'comments.replies': { size: 100 } } },
      },
    });
    expect(found.length).toBe(posts.size);
    for (const { _id, inner_hits: below } of found) {
      const shown = below!['red']!.hits.hits;
      expect(shown.map(({ _nested }) => _nested!.offset).sort()).toEqual(redOf(_id).sort());
      for (const { _nested: place, inner_hits: inner } of shown) {
        // Equal ones stand in reverse order, as on the reference server.
        const replies = posts.get(_id)![place!.offset]!.replies!;
        expect(inner!['by']!.hits.hits.map(({ _source }) => _source)).toEqual(
          [...replies].reverse(),
        );
        expect(inner!['by']!.hits.hits[0]!._nested).toEqual({
          field: 'comments',
          offset: place!.offset,
          _nested: { field: 'replies', offset: 1 },
        });
      }
      expect(below!['all']!.hits.total).toBe(2 * redOf(_id).length);
    }
  });

  test('scores are explained and marks are of the object alone', async () => {
    const query = { match: { 'comments.text': 'blue one' } };
    const options = { explain: true, highlight: { fields: { 'comments.text': {} } } };
    const found = await hits(1, {
      query: { nested: { path: 'comments', query, inner_hits: options } },
    });
    const shown = found.flatMap(({ inner_hits: below }) => below!['comments']!.hits.hits);
    expect(shown.length).toBeGreaterThan(20);
    for (const { _score, _source, _explanation, highlight } of shown) {
      expect(_explanation!.value).toBeCloseTo(_score!, 5);
      const marked = String(_source!['text']).replace(/blue|one/g, '<em>$&</em>');
      expect(highlight).toEqual({ 'comments.text': [marked] });
    }
  });

  test('definitions stand in one another so deep at most', async () => {
    let below: object = {};
    for (let i = 0; i < 40; i++) {
      below = { inner_hits: { x: { path: { 'comments.replies': below } } } };
    }
    const answer = await http.send('POST', '/p1/_search', below);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('[inner_hits] stand in one another deeper than [32]');
  });
});
