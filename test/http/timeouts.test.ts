// Times that a request may wait for a master or for other nodes. Nothing here waits, but what cannot be read
// is refused where the reference reads it, and only there.

import { HttpClient } from '../support/http-client';

let http: HttpClient;
beforeAll(async () => {
  http = await HttpClient.start();
  await http.ok('PUT', '/i', {});
});
afterAll(() => http.close());

const REFUSED =
  '400 ElasticsearchParseException[Failed to parse [5x]]; nested: NumberFormatException[For input string: "5x"]; ';

const READS: readonly (readonly [string, readonly string[]])[] = [
  ['/_nodes', ['timeout']],
  ['/_nodes/none/stats', ['timeout']],
  ['/_nodes/stats/os', ['timeout']],
  ['/_nodes/hot_threads', ['timeout']],
  ['/_cluster/stats', ['timeout']],
  ['/_cluster/health', ['timeout', 'master_timeout']],
  ['/_cluster/state/nodes', ['master_timeout']],
  ['/_cluster/pending_tasks', ['master_timeout']],
  ['/_cluster/settings', []],
  ['/_template/none', ['master_timeout']],
  ['/_snapshot', ['master_timeout']],
  ['/_stats', []],
  ['/_segments', []],
  ['/_status', []],
  ['/_recovery', []],
  ['/_mapping', []],
  ...[
    'allocation',
    'shards',
    'master',
    'nodes',
    'indices',
    'segments',
    'thread_pool',
    'plugins',
  ].map((table) => [`/_cat/${table}`, ['master_timeout']] as const),
  ['/_cat/pending_tasks', ['master_timeout']],
  ['/_cat/indices?help', []],
  ...['count', 'health', 'recovery', 'aliases', 'fielddata'].map(
    (table) => [`/_cat/${table}`, []] as const,
  ),
];

test.each(READS)('%s reads %j', async (path, read) => {
  for (const name of ['timeout', 'master_timeout']) {
    const target = `${path}${path.includes('?') ? '&' : '?'}${name}=5x`;
    if (read.includes(name)) expect(await http.error('GET', target)).toBe(REFUSED);
    else
      expect((await http.send('GET', target)).status).toBe(path === '/_template/none' ? 404 : 200);
    expect((await http.send('GET', target.replace('5x', '5s'))).status).toBe(
      path === '/_template/none' ? 404 : 200,
    );
  }
});
