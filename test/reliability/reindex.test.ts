// Reindexing under full write load: writers that name the alias never stop, and after each move of the alias
// everything that was acknowledged is behind it, once, in its last state, also when the process is killed.

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcknowledgedState } from '../support/acknowledged-state';
import { startNode } from '../support/child';
import { repeatable } from '../support/repeatable';
import { repetitions, testSeed } from '../support/random';
import { freePort, ServerProcess } from '../support/server-process';
import { pause, until } from '../support/until';

const WRITERS = 6;
/** Moves of the alias under load. */
const MOVES = repetitions('REINDEX_MOVES', 2, 40);
/** Processes that are killed while they copy. */
const KILLS = repetitions('REINDEX_KILLS', 2, 40);
/** Documents that nobody changes, for readers. */
const STEADY = 40;

const SETTINGS = ['index.refresh_interval=50ms'];

interface Item {
  readonly status: number;
}

interface Hits {
  readonly hits: {
    readonly total: number;
    readonly hits: readonly { readonly _id: string; readonly _index: string }[];
  };
}

let folder: string;
let server: ServerProcess;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-reindex-'));
  server = await ServerProcess.start(folder, await freePort(), SETTINGS);
});
afterEach(async () => {
  await server.kill();
  await rm(folder, { recursive: true, force: true });
});

async function ok(method: string, path: string, body?: string | object): Promise<unknown> {
  const answer = await server.send(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Writers through the alias, each with documents of its own, and what was acknowledged of them. */
class Writers {
  readonly states = new Map<string, AcknowledgedState<number | null>>();
  acknowledged = 0;
  private isStopped = false;
  private running: Promise<unknown> = Promise.resolve();
  private next = 0;

  constructor(private readonly seed: number) {}

  start(): void {
    this.isStopped = false;
    const writers = Array.from({ length: WRITERS }, (_, writer) => this.write(writer));
    this.running = Promise.all(writers);
    this.running.catch(() => undefined);
  }

  /** Resolves when no writer runs any more; a connection that breaks ends one. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.allSettled([this.running]);
  }

  /** @throws Error when a writer was refused */
  async failures(): Promise<void> {
    await this.running;
  }

  /** Resolves when so many more operations are acknowledged. @throws Error when a writer was refused */
  async more(operations: number): Promise<void> {
    const goal = this.acknowledged + operations;
    let isBroken = false;
    this.running.catch(() => (isBroken = true));
    await until(() => this.acknowledged > goal || isBroken);
    if (isBroken) await this.running;
  }

  private async write(writer: number): Promise<void> {
    const random = repeatable(this.seed + writer + this.acknowledged * 31);
    while (!this.isStopped) {
      const ids = Array.from({ length: 6 }, () => {
        const isNew = random() < 0.5;
        return `${writer}-${isNew ? `n${this.next++}` : Math.floor(random() * 20)}`;
      });
      await (random() < 0.3 ? this.one(ids[0]!, random) : this.bulk([...new Set(ids)], random));
    }
  }

  private state(id: string): AcknowledgedState<number | null> {
    let state = this.states.get(id);
    if (state === undefined)
      this.states.set(id, (state = new AcknowledgedState<number | null>(null)));
    return state;
  }

  private async one(id: string, random: () => number): Promise<void> {
    const n = this.next++;
    const kind = random();
    const state = this.state(id);
    if (kind < 0.3) {
      state.sending(null);
      const { status } = await server.send('DELETE', `/live/doc/${id}`);
      if (status !== 200 && status !== 404) throw new Error(`delete: ${status}`);
      state.settle(null);
    } else {
      state.sending(n);
      const body = { doc: { n, even: n % 2 === 0 }, doc_as_upsert: true };
      const { status, body: answer } = await server.send(
        'POST',
        `/live/doc/${id}/_update?retry_on_conflict=3`,
        body,
      );
      if (status >= 300) throw new Error(`update: ${JSON.stringify(answer)}`);
      state.settle(n);
    }
    this.acknowledged++;
  }

  private async bulk(ids: readonly string[], random: () => number): Promise<void> {
    const lines: string[] = [];
    const sent = ids.map((id) => {
      const n = this.next++;
      const isDelete = random() < 0.2;
      lines.push(JSON.stringify({ [isDelete ? 'delete' : 'index']: { _id: id } }));
      if (!isDelete) lines.push(JSON.stringify({ n, even: n % 2 === 0 }));
      const state = this.state(id);
      const value = isDelete ? null : n;
      state.sending(value);
      return [state, value] as const;
    });
    const answer = await ok('POST', '/live/doc/_bulk', `${lines.join('\n')}\n`);
    const { items } = answer as { items: Record<string, Item>[] };
    items.forEach((item, i) => {
      const { status } = Object.values(item)[0]!;
      if (status >= 300 && status !== 404) throw new Error(`bulk: ${JSON.stringify(item)}`);
      const [state, value] = sent[i]!;
      state.settle(value);
      this.acknowledged++;
    });
  }

  /** What is wrong behind the alias, one line each. */
  async problems(): Promise<string[]> {
    await ok('POST', '/_refresh');
    const ids = [...this.states.keys()];
    const found = (await ok('POST', '/live/doc/_mget', { ids })) as {
      docs: { found: boolean; _source?: { n: number } }[];
    };
    const problems: string[] = [];
    let live = 0;
    for (const [i, id] of ids.entries()) {
      const { found: isThere, _source } = found.docs[i]!;
      if (isThere) live++;
      const problem = this.states.get(id)!.found(isThere ? _source!.n : null);
      if (problem !== null) problems.push(`${id}: ${problem}`);
    }
    const { count } = (await ok('GET', '/live/doc/_count')) as { count: number };
    if (count !== live) problems.push(`${count} documents are found, ${live} are there`);
    return problems;
  }
}

async function prepare(): Promise<void> {
  await ok('PUT', '/gen-0', {
    mappings: { doc: { properties: { n: { type: 'long' } } }, steady: {} },
    aliases: { live: {} },
  });
  const lines = Array.from({ length: STEADY }, (_, i) => `{"index":{"_id":"${i}"}}\n{"s":${i}}\n`);
  await ok('POST', '/live/steady/_bulk?refresh=true', lines.join(''));
}

/** Some with a query that everything matches, some with other numbers of shards. */
const copy = (generation: number) => ({
  source: {
    index: generation % 3 === 2 ? `gen-${generation - 1}` : 'live',
    ...(generation % 2 === 0 ? { query: { match_all: {} } } : {}),
  },
  dest: { index: `gen-${generation}`, settings: { number_of_shards: (generation % 3) + 1 } },
  swap_alias: 'live',
});

/** Searches through the alias until told to stop; gives what was wrong. */
async function read(isOver: () => boolean): Promise<string[]> {
  const wrong: string[] = [];
  while (!isOver()) {
    const body = { size: STEADY, query: { match_all: {} } };
    const { hits } = (await ok('POST', '/live/steady/_search', body)) as Hits;
    const indices = new Set(hits.hits.map(({ _index }) => _index));
    if (hits.total !== STEADY || indices.size !== 1) {
      wrong.push(`${hits.total} of ${[...indices].join()}`);
    }
  }
  return wrong;
}

/** All documents of an index that writers wrote, by id. */
async function documents(
  index: string,
): Promise<ReadonlyMap<string, { readonly version: number; readonly n: unknown }>> {
  const body = { size: 100_000, version: true };
  const { hits } = (await ok('POST', `/${index}/doc/_search`, body)) as {
    hits: { hits: { _id: string; _version: number; _source: { n: number } }[] };
  };
  return new Map(
    hits.hits.map(({ _id, _version, _source }) => [_id, { version: _version, n: _source.n }]),
  );
}

test('nothing that was acknowledged is lost or doubled by moves of the alias under load', async () => {
  await prepare();
  const writers = new Writers(testSeed(71));
  writers.start();
  let isOver = false;
  const reading = read(() => isOver);
  for (let generation = 1; generation <= MOVES; generation++) {
    await writers.more(300);
    const copied = await ok('POST', '/_reindex', copy(generation));
    expect(copied).toMatchObject({
      swapped: { from: [`gen-${generation - 1}`], to: `gen-${generation}` },
      failures: [],
    });
    // Who named the alias writes to the new index only.
    if (generation < MOVES) await ok('DELETE', `/gen-${generation - 1}`);
  }
  await writers.stop();
  await writers.failures();
  isOver = true;
  expect(await reading).toEqual([]);
  expect(await writers.problems()).toEqual([]);
  expect(Object.keys((await ok('GET', '/_alias/live')) as object)).toEqual([`gen-${MOVES}`]);
  // The old index is as it was when it was left: whatever it has was carried over, with its version.
  const [old, current] = [await documents(`gen-${MOVES - 1}`), await documents(`gen-${MOVES}`)];
  expect(old.size).toBeGreaterThan(STEADY);
  for (const [id, { version, n }] of old) {
    const now = current.get(id);
    if (now?.version === version) expect([id, now.n]).toEqual([id, n]);
    else if (now !== undefined) expect(now.version).toBeGreaterThan(version);
    else expect(writers.states.get(id)?.value).toBeNull();
  }
});

test('a kill while it copies leaves the alias on one whole index', async () => {
  await prepare();
  const seed = testSeed(72);
  const random = repeatable(seed);
  const writers = new Writers(seed);
  let moved = 0;
  for (let generation = 1; generation <= KILLS; generation++) {
    writers.start();
    await writers.more(200);
    const from = Object.keys((await ok('GET', '/_alias/live')) as object)[0]!;
    const request = { ...copy(generation), source: { index: from } };
    const copying = server.send('POST', '/_reindex', request).catch(() => null);
    // Some of them come to their end, some do not.
    await Promise.race([pause(random() * 400), copying]);
    await server.kill();
    await writers.stop();
    server = await ServerProcess.start(folder, await freePort(), SETTINGS);
    const behind = Object.keys((await ok('GET', '/_alias/live')) as object);
    expect(behind).toHaveLength(1);
    if (behind[0] !== from) moved++;
    expect(await writers.problems()).toEqual([]);
    for (const index of Object.keys((await ok('GET', '/_mapping')) as object)) {
      if (index !== behind[0]) await ok('DELETE', `/${index}`);
    }
  }
  expect(moved).toBeLessThanOrEqual(KILLS);
});

async function runCommand(
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string; readonly progress: string }> {
  const program = join(__dirname, '..', '..', 'dist', 'scripts', 'reindex.js');
  const child = startNode(program, args);
  let output = '';
  let progress = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (progress += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, progress };
}

test('the command shows how far it is, and what became of it', async () => {
  await prepare();
  const url = `http://127.0.0.1:${server.port}`;
  const run = (...args: string[]) => runCommand(['--url', url, ...args]);
  const done = await run('--json', '--source', 'live', '--dest', 'gen-1', '--swap', 'live');
  expect(done.code).toBe(0);
  expect(JSON.parse(done.output)).toMatchObject({ ok: true, created: STEADY, failures: [] });
  expect(done.progress).toContain(`100% ${STEADY}/${STEADY}`);
  expect(Object.keys((await ok('GET', '/_alias/live')) as object)).toEqual(['gen-1']);
  const query = '{"term":{"s":3}}';
  const one = await run('--source', 'gen-1', '--dest', 'gen-2', '--query', query);
  expect(one.output).toContain('1 documents copied to gen-2');
  const refused = await run('--source', 'gen-1', '--dest', 'gen-2', '--swap', 'live');
  expect([refused.code, refused.progress]).toEqual([1, expect.stringContaining('exists already')]);
  expect((await run('--source', 'gen-1')).code).toBe(78);
  expect((await run('--source', 'gen-1', '--dest', 'x', '--size', 'y')).code).toBe(78);
});
