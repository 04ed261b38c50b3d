// Random requests of a key that sees little, about an index `data` with the aliases `mine` and `yours` and an
// index `hidden`, and the search of their answers for what it must not see.

import { type Random, repetitions } from './random';

/** What must not be seen: in texts, and as a number. */
export const MARKER = 'zzsecret';
export const NUMBER = 987654;

/** Method, path and body. */
export type Sent = readonly [string, string, (object | string)?];

/** Documents that have the word of another one. */
export function lookUp(index: string, id: string): object {
  const terms = { word: { index, type: 't', id, path: 'word' } };
  return { filtered: { filter: { terms } } };
}

/** Makes requests. */
export function confinedRequests(random: Random): () => Sent {
  const names = [
    '',
    '/mine',
    '/data',
    '/_all',
    '/*',
    '/yours',
    '/hidden',
    '/mine,hidden',
    '/m*,d*',
  ];
  const fields = [
    ...['text', 'word', 'n', 'sub.word', 'who', '_all', 'quick', '_type', '_uid'],
    ...['title', 'tag', 'm', 'sub.open', 'joint', 'shared', 'open.shared', 'inner.shared', '*'],
  ];
  const field = () => random.pick(fields);
  const query = (depth: number): object => {
    const f = field();
    const kinds: (() => object)[] = [
      () => ({ match_all: {} }),
      () => ({ prefix: { [f]: random.pick(['zz', 'o', 'c']) } }),
      () => ({ wildcard: { [f]: random.pick(['zz*', '*', '*t*']) } }),
      () => ({ fuzzy: { [f]: 'zsecret' } }),
      () => ({ query_string: { query: random.pick(['zz*', 'common OR zz*', '*:*', `${f}:zz*`]) } }),
      () => ({ range: { n: { gte: random.pick([0, NUMBER - 1]) } } }),
      () => ({ ids: { values: ['0', '1', 'c1', 'fresh-hidden'] } }),
      () => lookUp(random.pick(['data', 'hidden', 'mine']), '1'),
      () => ({
        more_like_this: { fields: ['text'], ids: ['1'], min_doc_freq: 1, min_term_freq: 1 },
      }),
    ];
    if (depth > 0) {
      const inner = () => query(depth - 1);
      kinds.push(
        () => ({ bool: { should: [inner(), inner()] } }),
        () => ({ bool: { must_not: [inner()] } }),
        () => ({ has_child: { type: 'c', query: inner(), inner_hits: {} } }),
        () => ({ has_parent: { parent_type: 't', query: inner() } }),
        () => ({ nested: { path: 'sub', query: inner() } }),
        () => ({ constant_score: { filter: { not: { query: inner() } } } }),
        () => ({
          filtered: {
            query: inner(),
            filter: { indices: { indices: ['hidden'], filter: { match_all: {} } } },
          },
        }),
      );
    }
    return random.pick(kinds)();
  };
  const body = (): object => {
    const f = field();
    const parts: object[] = [
      { size: 50 },
      {
        facets: {
          f: { terms: { field: f, size: 50, all_terms: random.chance(0.3) }, global: true },
        },
      },
      { facets: { f: { statistical: { field: 'n' }, global: true } } },
      {
        aggs: {
          g: {
            global: {},
            aggs: { t: { terms: { field: f, size: 0, min_doc_count: random.below(2) } } },
          },
        },
      },
      { aggs: { g: { significant_terms: { field: f, min_doc_count: 1 } } } },
      { aggs: { g: { children: { type: 'c' }, aggs: { t: { top_hits: {} } } } } },
      { aggs: { g: { max: { field: 'n' } } } },
      { sort: [{ [f]: 'desc' }] },
      { highlight: { fields: { '*': {} } } },
      { fields: ['*', f], fielddata_fields: [f] },
      { suggest: { s: { text: 'zzsecre', term: { field: f } } } },
      { explain: true },
      { script_fields: { s: { script: `doc['${f}'].values` } } },
      { rescore: { query: { rescore_query: query(1) } } },
    ];
    const chosen = { query: query(2) };
    for (let i = random.below(3); i >= 0; i--) Object.assign(chosen, random.pick(parts));
    return chosen;
  };
  return () => {
    const name = random.pick(names);
    const at = name === '' ? '/data' : name;
    const id = random.pick(['0', '1', 'c1', 'fresh-hidden']);
    const tail = random.pick([
      '',
      '/_source',
      '/_mlt?min_doc_freq=1&min_term_freq=1',
      '/_termvector',
      '/_explain?q=zz*',
      '/_percolate',
    ]);
    const doc = { _index: random.pick(['data', 'hidden', 'mine']), _type: 't', _id: id };
    return random.pick<() => Sent>([
      () => ['POST', `${name}/_search`, body()],
      () => ['POST', `${name}/_search`, body()],
      () => [
        'POST',
        `${name}/_search?search_type=${random.pick(['count', 'scan', 'dfs_query_then_fetch'])}&scroll=1s`,
        body(),
      ],
      () => ['POST', `${name}/_count`, { query: query(2) }],
      () => [
        'POST',
        `${name}/_msearch`,
        `{"index":"${random.pick(['hidden', 'data', 'mine'])}"}\n${JSON.stringify(body())}\n`,
      ],
      () => ['POST', `${name}/_validate/query?explain=true`, { query: query(2) }],
      () => ['POST', `${name}/_search/exists`, { query: query(2) }],
      () => ['POST', `${name}/_suggest`, { s: { text: 'zz', completion: { field: 'quick' } } }],
      () => ['POST', `${at}/t/_percolate`, { doc: { text: 'common' } }],
      () => ['GET', `${at}/t/${id}${tail}`],
      () => ['POST', '/_mget', { docs: [doc, doc] }],
      () => ['POST', '/_mtermvectors', { docs: [doc] }],
      () => [
        'GET',
        `${name}/${random.pick(['_mapping', '_settings', '_aliases', '_alias', '_warmer', '_stats', '_search_shards', '_segments', '_field_stats?fields=word', '_recovery', '_status'])}`,
      ],
      () => [
        'GET',
        `/_cat/${random.pick(['indices', 'aliases', 'shards', 'count', 'count/data', 'segments', 'recovery', 'health', 'nodes', 'fielddata'])}`,
      ],
      () => [
        'GET',
        `/${random.pick(['_cluster/state', '_cluster/health?level=shards', '_nodes/stats', '_metrics', '_template', '_snapshot', '_tasks'])}`,
      ],
    ])();
  };
}

/**
 * Sends many random requests; none is answered with a marker that it does not have itself.
 *
 * @param ask sends one and tells its status and answer
 */
export async function assertNothingShown(
  random: Random,
  ask: (sent: Sent) => Promise<{ readonly status: number; readonly text: string }>,
): Promise<void> {
  const next = confinedRequests(random);
  const statuses = new Map<number, number>();
  for (let i = repetitions('CONFINED_REQUESTS', 250, 10_000); i > 0; i--) {
    const sent = next();
    const [method, path, body] = sent;
    const { status, text } = await ask(sent);
    const leaks = [MARKER, String(NUMBER)].filter((marker) => {
      // What the request says itself comes back in errors.
      const said = `${path}${typeof body === 'string' ? body : JSON.stringify(body ?? '')}`;
      return text.includes(marker) && !said.includes(marker);
    });
    expect([random.seed, method, path, JSON.stringify(body), leaks]).toEqual([
      ...[random.seed, method, path, JSON.stringify(body), []],
    ]);
    expect(text).not.toContain('internal error');
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(statuses.get(200)).toBeGreaterThan(50);
}
