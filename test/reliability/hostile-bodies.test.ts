// Bodies that are damaged, deeply nested or much larger inside than outside: the process that answers the
// last one is the one that was asked first.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { note } from '../support/figures';
import { sendAll } from '../support/hostile/family';
import { Mutations } from '../support/hostile/mutations';
import { figuresOf, Victim } from '../support/hostile/victim';
import type { HostileRequest } from '../support/hostile/wire';
import { Random, repetitions, testSeed } from '../support/random';
import { freePort, ServerProcess } from '../support/server-process';

const RUNS = repetitions('HOSTILE_BODIES', 300, 20_000, 200_000);
const CASE_RUNS = repetitions('HOSTILE_CASES', 500, 20_000, 1_000_000);
const AT_ONCE = 8;
/** Requests after which all indices are removed: they would become ever more. */
const BETWEEN = 500;

const ROUTES = [
  ['POST', '/i/_search'],
  ['POST', '/i/t/_bulk'],
  ['POST', '/_aliases'],
  ['PUT', '/i/t/2'],
  ['PUT', '/i/_mapping/t'],
  ['POST', '/_msearch'],
  ['POST', '/i/_analyze'],
  ['GET', '/'],
] as const;
const SEEDS = [
  '{"query":{"bool":{"must":[{"term":{"a":"x"}},{"range":{"n":{"gte":1}}}]}},"sort":[{"n":"asc"}]}',
  '{"index":{"_id":"3"}}\n{"a":["x",{"b":null}],"n":1.5e3}\n',
  '---\nquery:\n  bool:\n    must:\n    - term: {a: x}\n    - range: {n: {gte: 1}}\nsize: 2\n',
  '---\nactions:\n- add: {index: i, alias: "b"}\n- remove: {index: i, alias: \'b\'}\n',
  '---\na: &x [1, 2]\nb: *x\nc: |\n  text\nd: >-\n  folded\n? e\n: !!str 1\n',
];
const PARTS = [
  ...[
    '[',
    '{',
    ']',
    '}',
    '"',
    "'",
    '- ',
    '? ',
    ': ',
    '---\n',
    '\n',
    '  ',
    '\t',
    ',',
    '#',
    '&a ',
    '*a',
  ],
  ...[
    '!!map ',
    '|\n',
    '>\n',
    '%TAG ! x\n',
    '<<: ',
    '\0',
    '\\',
    '\\u',
    'é',
    '\ufeff',
    '1e999',
    '{"a":',
    '...\n',
  ],
];

let folder: string;
let server: ServerProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-hostile-'));
  const settings = ['node.workers=0', 'node.memory=64mb'];
  server = await ServerProcess.start(join(folder, 'data'), await freePort(), settings, [
    '--max-old-space-size=256',
  ]);
  await server.send('PUT', '/i/t/1?refresh', { a: 'x', n: 1 });
});
afterAll(async () => {
  await server.kill();
  await rm(folder, { recursive: true });
});

/** Changes some places of a text; sometimes puts one part in thousands of times. */
function mutated(random: Random): string {
  let text = random.pick(SEEDS);
  for (let changes = random.below(4) + 1; changes > 0; changes--) {
    const at = random.below(text.length + 1);
    const part = random.pick(PARTS);
    const times = random.below(8) === 0 ? random.below(20_000) : random.below(3);
    text = text.slice(0, at) + part.repeat(times) + text.slice(at + random.below(5));
  }
  return random.below(3) === 0 ? `---\n${text}` : text;
}

test(`${RUNS} mutated bodies do not end the process`, async () => {
  const random = new Random(testSeed(20_140_301));
  for (let run = 0; run < RUNS; run += AT_ONCE) {
    const bodies = Array.from({ length: AT_ONCE }, () => mutated(random));
    await Promise.all(
      bodies.map(async (body) => {
        const [method, path] = random.pick(ROUTES);
        const answer = await server.send(method, path, body);
        expect(JSON.stringify(answer.body)).not.toContain('internal error, request id');
      }),
    );
  }
  expect(await alive()).toBe(server.pid);
}, 600_000);

test.each(['[', '{"a":', '{a: ', '- ', '? ', ': '])(
  '20,000 times %j on every route',
  async (part) => {
    for (const [method, path] of ROUTES) {
      for (const head of ['', '---\n']) {
        await server.send(method, path, head + part.repeat(20_000));
      }
    }
    expect(await alive()).toBe(server.pid);
  },
);

test(`${CASE_RUNS} changed requests of recorded cases and all routes`, async () => {
  const random = new Random(testSeed(20_140_724));
  const mutations = new Mutations(random);
  const problems: string[] = [];
  const victim = await Victim.start();
  try {
    const [seen, after] = await victim.watch(async () => {
      for (let run = 0; run < CASE_RUNS && problems.length === 0; run += BETWEEN) {
        problems.push(...(await sendAll(victim.port, taken(mutations, BETWEEN), AT_ONCE)));
        await victim.renew();
      }
    });
    note('changed requests', { seed: random.seed, requests: CASE_RUNS, ...figuresOf(seen) });
    expect([...problems, ...after]).toEqual([]);
  } finally {
    await victim.end();
  }
});

function* taken(mutations: Mutations, count: number): Generator<HostileRequest> {
  for (let n = 0; n < count; n++) yield mutations.next();
}

/** The process that answers. */
async function alive(): Promise<number> {
  const { body } = await server.send('GET', '/_nodes/process');
  const nodes = (body as { nodes: Record<string, { process: { id: number } }> }).nodes;
  return Object.values(nodes)[0]!.process.id;
}
