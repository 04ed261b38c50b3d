// Single documents behave as if one operation came after the other, whoever sends them and whatever comes
// in between: 16 clients index, create, update by script, delete and get a few documents, with and without
// versions, and what they saw is checked for an order that explains all of it. The server is killed in
// between, with LONG=1 many times: what was acknowledged before is part of the same history.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { note } from '../support/figures';
import {
  nonlinear,
  type Change,
  type Look,
  type Operation,
  type State,
} from '../support/linearizability';
import { Random, repetitions, testSeed } from '../support/random';
import { freePort, ServerProcess, type HttpAnswer } from '../support/server-process';

const CLIENTS = 16;
const DOCUMENTS = 6;
const OPERATIONS = repetitions('LINEARIZABLE_OPERATIONS', 3000, 200_000);
const KILLS = repetitions('LINEARIZABLE_KILLS', 1, 40);
/** Longer than any test: versions of deleted documents must not start again. */
const INDEX = {
  settings: { number_of_shards: 2, 'index.gc_deletes': '24h', refresh_interval: '50ms' },
};

interface Document {
  _version?: number;
  found?: boolean;
  error?: string;
  _source?: { log: string };
}

/** What was sent and came back, document by document. */
class History {
  readonly documents = Array.from({ length: DOCUMENTS }, (): Operation[] => []);
  /** The last version that anybody saw, to be asked for. */
  readonly versions = new Array<number>(DOCUMENTS).fill(1);
  conflicts = 0;
  unanswered = 0;
  done = 0;
}

/** An operation that is about to be sent, and what its answer says. */
interface Plan {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly apply: ((before: State) => State) | null;
}

function plan(random: Random, id: number, entry: string, version: number): Plan {
  const path = `/i/t/${id}`;
  const wanted = random.chance(0.3) ? `version=${version}` : '';
  const dice = random.next();
  if (dice < 0.3) return { method: 'GET', path, apply: null };
  if (dice < 0.5) {
    return { method: 'PUT', path: `${path}?${wanted}`, body: { log: entry }, apply: () => entry };
  }
  if (dice < 0.6) {
    return { method: 'PUT', path: `${path}/_create`, body: { log: entry }, apply: () => entry };
  }
  if (dice < 0.9) {
    const body = { script: "ctx._source.log += ',' + entry", params: { entry } };
    const query = wanted === '' ? `retry_on_conflict=${random.below(4)}` : wanted;
    return {
      method: 'POST',
      path: `${path}/_update?${query}`,
      body,
      apply: (before) => `${before},${entry}`,
    };
  }
  return { method: 'DELETE', path: `${path}?${wanted}`, apply: () => null };
}

/** What an answer says about the document. @throws Error for one that there must not be */
function readAnswer({ method, path, apply }: Plan, { status, body }: HttpAnswer): Change | Look {
  const { _version: version = null, error = '', _source: source } = body as Document;
  if (status === 409) {
    if (error.startsWith('DocumentAlreadyExistsException')) {
      return { kind: 'look', version: null, isPossible: (_version, state) => state !== null };
    }
    const current = Number(/current \[(-?\d+)\]/.exec(error)?.[1] ?? NaN);
    if (Number.isNaN(current)) throw new Error(`${method} ${path}: ${error}`);
    // -1 is said of what was never written.
    return { kind: 'look', version: Math.max(current, 0), isPossible: () => true };
  }
  if (status === 404 && (method === 'GET' || method === 'POST')) {
    return { kind: 'look', version: null, isPossible: (_version, state) => state === null };
  }
  if (method === 'GET' && status === 200) {
    const { log } = source!;
    return { kind: 'look', version, isPossible: (_version, state) => state === log };
  }
  // Also what deletes nothing is a change with a version.
  if (apply !== null && version !== null && [200, 201, 404].includes(status)) {
    return { kind: 'change', version, apply };
  }
  throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
}

async function client(
  server: ServerProcess,
  random: Random,
  name: string,
  history: History,
  until: () => boolean,
): Promise<void> {
  for (let n = 0; !until(); n++) {
    const id = random.below(DOCUMENTS);
    const sent = plan(random, id, `${name}.${n}`, history.versions[id]!);
    const operations = history.documents[id]!;
    const text = `${name}.${n} ${sent.method} ${sent.path}`;
    const begin = performance.now();
    let answer: HttpAnswer;
    try {
      answer = await server.send(sent.method, sent.path, sent.body);
    } catch {
      // The server was killed. A look that was not answered saw nothing.
      history.unanswered++;
      const { apply } = sent;
      if (apply !== null)
        operations.push({
          what: { kind: 'change', version: null, apply },
          begin,
          end: Infinity,
          text,
        });
      return;
    }
    const what = readAnswer(sent, answer);
    const end = performance.now();
    if (answer.status === 409) history.conflicts++;
    if (what.version !== null && what.version > 0) history.versions[id] = what.version;
    history.done++;
    operations.push({
      what,
      begin,
      end,
      text: `${text} -> ${answer.status} ${JSON.stringify(answer.body)}`,
    });
  }
}

test(`${OPERATIONS} operations of ${CLIENTS} clients on ${DOCUMENTS} documents, with ${KILLS} kills, have an order`, async () => {
  const random = new Random(testSeed(20_130_518));
  const folder = await mkdtemp(join(tmpdir(), 'facetd-linear-'));
  const port = await freePort();
  let server: ServerProcess | null = null;
  const history = new History();
  const began = performance.now();
  try {
    server = await ServerProcess.start(join(folder, 'data'), port);
    await server.send('PUT', '/i', INDEX);
    for (let round = 0; round <= KILLS; round++) {
      const isLast = round === KILLS;
      const target = Math.floor((OPERATIONS * (round + 1)) / (KILLS + 1));
      const over = () => history.done >= target;
      let reached: () => void = () => undefined;
      const killTime = new Promise<void>((resolve) => (reached = resolve));
      const until = () => {
        if (!over()) return false;
        reached();
        // Before a kill they go on, so that it comes in the middle.
        return isLast;
      };
      const clients = Promise.all(
        Array.from({ length: CLIENTS }, (_, n) =>
          client(server!, random, `${round}-${n}`, history, until),
        ),
      );
      if (!isLast) {
        await Promise.race([killTime, clients]);
        await server.kill();
      }
      await clients;
      if (!isLast) server = await ServerProcess.start(join(folder, 'data'), port);
    }
    await server.stop();
  } finally {
    await server?.kill();
    await rm(folder, { recursive: true, force: true });
  }
  const operations = history.documents.reduce((sum, { length }) => sum + length, 0);
  note('linearizable documents', {
    seed: random.seed,
    operations,
    kills: KILLS,
    conflicts: history.conflicts,
    unanswered: history.unanswered,
    seconds: Math.round((performance.now() - began) / 1000),
  });
  expect(operations).toBeGreaterThanOrEqual(OPERATIONS);
  expect(history.conflicts).toBeGreaterThan(OPERATIONS / 100);
  if (KILLS > 0) expect(history.unanswered).toBeGreaterThan(0);
  expect(history.documents.map(nonlinear)).toEqual(history.documents.map(() => null));
});
