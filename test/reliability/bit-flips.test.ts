// One flipped bit anywhere in a data folder or a snapshot repository, while it is used and across restarts:
// an answer is the undamaged one, or an error that names the damage, or there is no start and it says why.

import { cp, mkdtemp, open as openFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openEngine, type Engine } from '../../engine/index';
import { parseJsonObject } from '../../engine/json/parse';
import { inspectFolder } from '../../storage/inspect/inspect';
import { answers, describeError, QUERIES } from '../support/answers';
import { indexRequest, nodeSettings, OPEN_INDICES } from '../support/engine';
import { Random, repetitions, testSeed } from '../support/random';
import { freePort, ServerProcess } from '../support/server-process';

const FLIPS = repetitions('FLIPS', 6, 800, 2000);
const REPOSITORY_FLIPS = FLIPS;
const DOCUMENTS = 60;
const INDICES = ['one', 'two'];
/** The last ones never existed. */
const IDS = Array.from({ length: DOCUMENTS + 5 }, (_, i) => String(i));
/** What an answer says of damage: what it is in, and what to do, or that it is being done. */
const NAMED = new RegExp(
  [
    'CorruptIndexException\\[.*(run verify|are being built again)',
    'StorageFailureException\\[writes are refused, because stored data is damaged: .*run verify',
    'StorageFailureException\\[acknowledged writes are lost .*node.accept_data_loss',
  ].join('|'),
);
/** What a start that is refused says, and a restore. */
const REFUSED = new RegExp(
  [
    'damaged|checksum|corrupt',
    'cannot open the (log|segments) database',
    'acknowledged writes are lost',
  ].join('|'),
  'i',
);

let root: string;
let intact: string;
let expected: Map<string, string>;

function open(dataPath: string): Promise<Engine> {
  const repositoryPaths = [join(root, 'repositories')];
  return openEngine({
    settings: nodeSettings(dataPath, { workers: 0, repositoryPaths }),
    reopenDelayMs: 1,
  });
}

async function start(folder: string): Promise<ServerProcess> {
  return ServerProcess.start(folder, await freePort(), ['node.workers=0']);
}

interface Document {
  readonly found: boolean;
  readonly _version: number;
  readonly _source: object;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'facetd-flips-'));
  intact = join(root, 'intact');
  const random = new Random(20140810);
  // Opened several times, so that there are tables, and write-ahead files with the last writes.
  for (let round = 0; round < 4; round++) {
    const engine = await open(intact);
    for (const index of INDICES) {
      if (round === 0) {
        const mapping =
          '{"mappings":{"doc":{"properties":{"tag":{"type":"string","index":"not_analyzed"}}}},"aliases":{"both":{}}}';
        await engine.admin.createIndex(index, parseJsonObject(mapping));
      }
      for (let i = 0; i < DOCUMENTS; i++) {
        if (round > 0 && random.chance(0.7)) continue;
        const noise = Array.from({ length: 20 }, () => `x${random.below(100_000)}`).join(' ');
        const source = { n: i, text: `word${i % 5} ${noise}`, tag: `t${(i + round) % 7}` };
        await engine.index(indexRequest(index, 'doc', String(i), source));
        if (random.chance(0.1)) {
          await engine.delete({ ...indexRequest(index, 'doc', String(i), {}), id: `${i}` });
        }
      }
      if (round < 3) await engine.maintenance.refresh([index], OPEN_INDICES);
    }
    await engine.close();
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** All files with something in them, by their kind, so that small ones are hit as often as large ones. */
async function filesByKind(folder: string): Promise<string[][]> {
  const kinds = new Map<string, string[]>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if ((await stat(path)).size === 0) continue;
    const kind = join(entry.parentPath, entry.name.replace(/[0-9a-f-]{3,}/g, '#'));
    kinds.set(kind, [...(kinds.get(kind) ?? []), path]);
  }
  return [...kinds.values()];
}

/** Flips one bit in place, as it changes under a server, half of the time where values are; says where. */
async function flip(folder: string, random: Random): Promise<string> {
  const kinds = await filesByKind(folder);
  const tables = kinds.filter(([path]) => path!.endsWith('.ldb'));
  const path = random.pick(random.pick(tables.length > 0 && random.chance(0.5) ? tables : kinds));
  const { size } = await stat(path);
  const [at, bit] = [random.below(size), random.below(8)];
  const file = await openFile(path, 'r+');
  try {
    const byte = Buffer.alloc(1);
    await file.read(byte, 0, 1, at);
    byte[0]! ^= 1 << bit;
    await file.write(byte, 0, 1, at);
  } finally {
    await file.close();
  }
  return `${path.slice(root.length)}: bit ${bit} of byte ${at} of ${size}`;
}

/** Where a start is the one after the process ended. */
const AGAIN = ', after the process ended';

/** The name of the file in what `flip` says. */
function fileOf(where: string): string {
  return basename(where.split(':')[0]!);
}

/** How often each outcome was seen, and what is wrong. */
class Outcomes {
  readonly counts = { equal: 0, named: 0, refused: 0, died: 0, wrong: 0 };
  readonly wrong: string[] = [];

  note(kind: 'equal' | 'named' | 'refused'): void {
    this.counts[kind]++;
  }

  isWrong(what: string): void {
    this.counts.wrong++;
    this.wrong.push(what);
  }
}

/** What a server says, as texts that can be compared. */
async function everything(server: ServerProcess): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  const ask = async (question: string, method: string, path: string, body?: object) => {
    const answer = await server.send(method, path, body);
    all.set(question, JSON.stringify(answer).replace(/"took":\d+/g, ''));
  };
  await ask('templates', 'GET', '/_template');
  for (const index of INDICES) {
    await ask(`${index} mapping`, 'GET', `/${index}/_mapping`);
    await ask(`${index} aliases`, 'GET', `/${index}/_alias`);
    for (const [i, body] of QUERIES.entries()) {
      await ask(`${index} search ${i}`, 'POST', `/${index}/_search`, body);
    }
    const { status, body } = await server.send('POST', `/${index}/doc/_mget`, { ids: IDS });
    const { docs } = body as { docs?: unknown[] };
    for (const [i, id] of IDS.entries()) {
      all.set(`${index} get ${id}`, JSON.stringify(status === 200 ? docs![i] : body));
    }
  }
  return all;
}

/** The answers that are neither right nor name the damage; null when all are right. */
function judge(found: Map<string, string>): string[] | null {
  const differing = [...expected].filter(([question, answer]) => found.get(question) !== answer);
  if (differing.length === 0) return null;
  return differing
    .filter(([question]) => !NAMED.test(found.get(question) ?? ''))
    .map(([question, right]) => `${question}: ${found.get(question)} instead of ${right}`);
}

/** An existing document is written again: its version goes on, and nothing is there twice. */
async function writeAgain(server: ServerProcess, random: Random): Promise<string | null> {
  const index = random.pick(INDICES);
  const live = IDS.map((id) => ({
    id,
    document: JSON.parse(expected.get(`${index} get ${id}`)!) as Document,
  })).filter(({ document }) => document.found);
  const { id, document } = random.pick(live);
  const path = `/${index}/doc/${id}`;
  const written = await server.send('PUT', `${path}?refresh=true`, document._source);
  const text = JSON.stringify(written.body);
  if ((written.body as Document)._version !== document._version + 1) {
    const before = `version ${document._version}`;
    return NAMED.test(text) ? null : `${path}, ${before}, was written again: ${text}`;
  }
  const { body } = await server.send('GET', `/${index}/_search?size=0`);
  if ((body as { hits?: { total: number } }).hits?.total === live.length) return null;
  const counted = JSON.stringify(body);
  if (NAMED.test(counted)) return null;
  return `${path} was written again: ${counted} instead of ${live.length} documents`;
}

/** Starts over a folder, perhaps damages it then, and asks everything. */
async function examine(
  folder: string,
  random: Random,
  what: string | null,
  outcomes: Outcomes,
): Promise<void> {
  let where = what ?? '';
  let server: ServerProcess;
  try {
    server = await start(folder);
  } catch (error) {
    const { message } = error as Error;
    if (hasDied(message)) await died(folder, random, where, outcomes, message);
    else if (REFUSED.test(message) && (await isVerified(folder, where, message)))
      outcomes.note('refused');
    else outcomes.isWrong(`${where}: ${message}`);
    return;
  }
  try {
    if (what === null) where = `${await flip(folder, random)} while serving`;
    const wrong = judge(await everything(server));
    const written = await writeAgain(server, random);
    const all = [...(wrong ?? []), ...(written === null ? [] : [written])];
    if (all.length > 0) outcomes.isWrong(`${where}:\n  ${all.join('\n  ').slice(0, 1500)}`);
    else outcomes.note(wrong === null ? 'equal' : 'named');
  } catch (error) {
    await server.kill();
    if (hasDied(server.log())) await died(folder, random, where, outcomes, server.log());
    else outcomes.isWrong(`${where}: ${(error as Error).message}: ${server.log()}`);
  } finally {
    await server.kill();
  }
}

/** LevelDB trusts keys and lengths, and ends the process where they cannot be. */
function hasDied(output: string): boolean {
  return /Assertion|bad_alloc|SIG(ABRT|SEGV|BUS)/.test(output);
}

/** The start after it deals with what the process ended over: it does not end again. */
async function died(
  folder: string,
  random: Random,
  where: string,
  outcomes: Outcomes,
  output: string,
): Promise<void> {
  outcomes.counts.died++;
  if (where.includes(AGAIN)) outcomes.isWrong(`${where}: ${output}`);
  else await examine(folder, random, `${where}${AGAIN}`, outcomes);
}

/** Whether what refuses a start is found by `verify`, or named by the refusal. */
async function isVerified(folder: string, where: string, refusal: string): Promise<boolean> {
  const file = fileOf(where);
  // LevelDB drops what is damaged of a write-ahead file when it opens it; what is missing is said.
  if (refusal.includes(file) || /batches .* are missing .*accept_data_loss/s.test(refusal))
    return true;
  const { problems } = await inspectFolder(folder, () => undefined);
  // LevelDB's list of files and what names it are one.
  const isList = /^(CURRENT|MANIFEST)/.test(file);
  return problems.some((text) => text.includes(file) || (isList && /list of files/.test(text)));
}

test(`${FLIPS} flipped bits in a data folder give no wrong answer`, async () => {
  const random = new Random(testSeed(20140811));
  const outcomes = new Outcomes();
  const server = await start(join(root, 'intact'));
  expected = await everything(server);
  expect(await server.stop()).toBe(0);
  const folder = join(root, 'copy');
  for (let round = 0; round < FLIPS; round++) {
    await rm(folder, { recursive: true, force: true });
    await cp(intact, folder, { recursive: true });
    const what = round % 2 === 0 ? await flip(folder, random) : null;
    await examine(folder, random, what, outcomes);
  }
  process.stderr.write(`${FLIPS} flips: ${JSON.stringify(outcomes.counts)}\n`);
  expect(outcomes.wrong).toEqual([]);
});

/** Answers of the copies that a restore made, under the names of their indices. */
async function restoredAnswers(engine: Engine): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const index of INDICES) {
    for (const [question, answer] of await answers(engine, `copy-${index}`, IDS)) {
      all.set(`${index} ${question}`, answer.replaceAll(`copy-${index}`, index));
    }
  }
  return all;
}

async function restore(engine: Engine): Promise<void> {
  const { completed } = await engine.snapshots.restore({
    repository: 'r',
    snapshot: 's',
    indices: [],
    ignoreUnavailable: false,
    renamePattern: '(.+)',
    renameReplacement: 'copy-$1',
    includeAliases: false,
    includeGlobalState: false,
    partial: false,
    indexSettings: new Map(),
    ignoreIndexSettings: [],
  });
  await completed;
}

test(`${REPOSITORY_FLIPS} flipped bits in a repository restore the same or nothing`, async () => {
  const random = new Random(testSeed(20140812));
  const outcomes = new Outcomes();
  const folder = join(root, 'repositories', 'r');
  const whole = join(root, 'whole');
  await rm(join(root, 'copy'), { recursive: true, force: true });
  await cp(intact, join(root, 'copy'), { recursive: true });
  const engine = await open(join(root, 'copy'));
  try {
    const settings = new Map([['location', 'r']]);
    await engine.snapshots.putRepository({ name: 'r', type: 'fs', settings, verify: true });
    const { completed } = await engine.snapshots.create({
      repository: 'r',
      snapshot: 's',
      indices: [],
      options: OPEN_INDICES,
      includeGlobalState: true,
      partial: false,
    });
    expect((await completed).state).toBe('SUCCESS');
    await restore(engine);
    const copies = INDICES.map((name) => `copy-${name}`);
    const right = await restoredAnswers(engine);
    await engine.admin.deleteIndices(copies, OPEN_INDICES);
    await cp(folder, whole, { recursive: true });
    for (let round = 0; round < REPOSITORY_FLIPS; round++) {
      const where = await flip(folder, random);
      const refusal = await restore(engine).then(() => null, describeError);
      if (refusal === null) {
        const found = await restoredAnswers(engine);
        const wrong = [...right].filter(([question, answer]) => found.get(question) !== answer);
        if (wrong.length > 0) outcomes.isWrong(`${where}: ${wrong.join('; ').slice(0, 1500)}`);
        else outcomes.note('equal');
        await engine.admin.deleteIndices(copies, OPEN_INDICES);
      } else if (!REFUSED.test(refusal) || !refusal.includes(fileOf(where))) {
        outcomes.isWrong(`${where}: ${refusal}`);
      } else outcomes.note('refused');
      expect([...engine.state().indices.keys()].sort()).toEqual(INDICES);
      await rm(folder, { recursive: true });
      await cp(whole, folder, { recursive: true });
    }
  } finally {
    await engine.close();
  }
  process.stderr.write(`${REPOSITORY_FLIPS} flips: ${JSON.stringify(outcomes.counts)}\n`);
  expect(outcomes.wrong).toEqual([]);
});
