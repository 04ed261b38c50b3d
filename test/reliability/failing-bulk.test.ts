// A disk that fails in the middle of a large bulk must not end the process: no promise may be left without
// anybody who handles its rejection. In a process of its own, because the test runner would handle it.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { MAIN } from '../support/server-process';

const ENGINE = join(dirname(MAIN), '..', 'engine', 'index.js');

/** Takes the modules' path and the data path; prints what became of the bulk. */
const SCRIPT = `
const [engineModule, dataPath] = process.argv.slice(1);
const { openEngine, DEFAULT_LIMITS } = require(engineModule);
let failNow = false;
const wrap = (database) => new Proxy(database, {
  get(target, name) {
    if (name === 'batch' && failNow) return () => Promise.reject(new Error('broken disk'));
    const member = target[name];
    return typeof member === 'function' ? member.bind(target) : member;
  },
});
const settings = {
  dataPath, clusterName: 'c', nodeName: 'n', defaultSearchType: 'query_then_fetch', workers: 0,
  indexDefaults: new Map([['index.number_of_shards', '1']]), memoryBytes: 1e7,
  limits: DEFAULT_LIMITS, autoCreateIndex: true, destructiveRequiresName: false, acceptDataLoss: false,
};
const request = (id) => ({
  index: 'i', type: 't', id, source: Buffer.from('{"a":1}'), versionType: 'internal',
  refresh: false, create: false,
});
void (async () => {
  const engine = await openEngine({ settings, wrap, reopenDelayMs: 1 });
  await engine.index(request('first'));
  failNow = true;
  const actions = Array.from({ length: 2000 }, (_, i) => ({ kind: 'index', request: request(String(i)) }));
  const error = await engine.bulk(actions, false).catch((error) => error);
  failNow = false;
  console.log('status ' + error.status);
  await engine.close();
  console.log('closed');
})();
`;

test('a failing batch in the middle of a bulk is an answer, not the end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'facetd-bulk-'));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['-e', SCRIPT],
      ENGINE,
      join(folder, 'data'),
    ]);
    expect(stdout).toBe('status 503\nclosed\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
