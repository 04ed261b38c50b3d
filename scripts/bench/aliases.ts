// npm run bench:aliases: is an alias flip one step for everyone who searches meanwhile, and what do many
// aliases on many indices cost? Ends with exit code 1 when an answer was wrong or a target is missed.

import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Progress } from '../progress';
import { flipAliases, type FlipResult } from './alias-flips';
import { measureScale, type ScaleOptions, type ScaleResult } from './alias-scale';
import { wholeNumber } from './options';
import { figure, plainTable, type Table } from './report';
import { OwnServer } from './target';

const USAGE = `usage: npm run bench:aliases -- [options]

  --flips N          alias flips under searching clients; 0 leaves them out (50000)
  --clients N        clients that search meanwhile (8)
  --indices N        open indices; 0 leaves out everything but the flips (1000)
  --aliases N        aliases on them (10000)
  --documents N      documents in each of them, which give it a mapping (0)
  --idle SECONDS     rest before memory is read (60)
  --set KEY=VALUE    setting for the server that is started; may be repeated
  --json FILE        everything that was measured
`;

const TARGETS = {
  actionsMs: 20,
  listMs: 200,
  startMs: 5000,
  addedMemory: 64 * 1024 * 1024,
};

interface Options extends ScaleOptions {
  readonly flips: number;
  readonly clients: number;
  readonly settings: readonly string[];
  readonly json: string | null;
}

/** @returns null when help was asked for */
function parseOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      flips: { type: 'string', default: '50000' },
      clients: { type: 'string', default: '8' },
      indices: { type: 'string', default: '1000' },
      aliases: { type: 'string', default: '10000' },
      documents: { type: 'string', default: '0' },
      idle: { type: 'string', default: '60' },
      set: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  return {
    flips: wholeNumber('flips', values.flips, 0),
    clients: wholeNumber('clients', values.clients, 1),
    indices: wholeNumber('indices', values.indices, 0),
    aliases: wholeNumber('aliases', values.aliases, 1),
    documents: wholeNumber('documents', values.documents, 0),
    idleSeconds: wholeNumber('idle', values.idle, 1),
    settings: values.set,
    json: values.json ?? null,
  };
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(USAGE);
    return;
  }
  const flips = options.flips === 0 ? null : await flip(options);
  const scale = options.indices === 0 ? null : await scaleUp(options);
  const misses = [
    ...(flips === null ? [] : wrongAnswers(flips)),
    ...(scale === null ? [] : missedTargets(scale)),
  ];
  if (flips !== null) console.log(`\n${plainTable(flipTable(flips))}`);
  if (scale !== null) console.log(`\n${plainTable(scaleTable(options, scale))}`);
  for (const miss of misses) console.error(miss);
  if (options.json !== null) {
    const { json: _file, ...asked } = options;
    const result = { options: asked, flips, scale, targets: TARGETS, misses };
    await writeFile(options.json, `${JSON.stringify(result, null, 1)}\n`);
  }
  if (misses.length > 0) process.exitCode = 1;
}

async function flip({ flips, clients, settings }: Options): Promise<FlipResult> {
  const server = await OwnServer.start(settings);
  const target = server.target();
  try {
    const progress = new Progress('flipping', flips);
    return await flipAliases(target, flips, clients, (done) => progress.update(done));
  } finally {
    target.close();
    await server.stop();
  }
}

async function scaleUp(options: Options): Promise<ScaleResult> {
  const server = await OwnServer.start(options.settings);
  try {
    const bars = new Map<string, Progress>();
    return await measureScale(server, options, (step, done, total) => {
      let bar = bars.get(step);
      if (bar === undefined) bars.set(step, (bar = new Progress(step, total)));
      bar.update(done);
    });
  } finally {
    await server.stop();
  }
}

function wrongAnswers({ both, none, errors, seen, examples }: FlipResult): string[] {
  const wrong = [
    ...(both > 0 ? [`${both} answers from both indices`] : []),
    ...(none > 0 ? [`${none} answers from none of the indices`] : []),
    ...(errors > 0 ? [`${errors} errors`] : []),
    ...(seen.includes(0) ? ['one of the indices was never seen'] : []),
  ];
  return [...wrong, ...examples];
}

function missedTargets(scale: ScaleResult): string[] {
  const misses: string[] = [];
  const check = (what: string, value: number, limit: number): void => {
    if (value > limit) misses.push(`${what}: ${figure(value)}, wanted ${figure(limit)} or less`);
  };
  check('_aliases with 100 actions, ms', scale.actionsMs, TARGETS.actionsMs + scale.syncMs);
  check('GET /_alias, ms', scale.listMs, TARGETS.listMs);
  check('start to first answer, ms', scale.startMs, TARGETS.startMs);
  check('RssAnon of open indices, MB', scale.addedMemory / 2 ** 20, TARGETS.addedMemory / 2 ** 20);
  return misses;
}

function flipTable(result: FlipResult): Table {
  return {
    title: `${result.flips.toLocaleString('en')} alias flips`,
    head: ['', 'measured'],
    rows: [
      ['searches meanwhile', result.searches.toLocaleString('en')],
      ['answers from both indices', String(result.both)],
      ['answers from none', String(result.none)],
      ['errors', String(result.errors)],
      ['flips per s', figure(result.flips / result.seconds)],
      ['flip median, ms', figure(result.flipMedianMs)],
      ['flip p99, ms', figure(result.flipP99Ms)],
    ],
  };
}

function scaleTable({ indices, aliases, idleSeconds }: Options, scale: ScaleResult): Table {
  const counts = `${aliases.toLocaleString('en')} aliases on ${indices.toLocaleString('en')} indices`;
  const memoryTarget = String(TARGETS.addedMemory / 2 ** 20);
  return {
    title: counts,
    head: ['', 'measured', 'target'],
    rows: [
      ['_aliases with 100 actions, ms', figure(scale.actionsMs), `${TARGETS.actionsMs} + sync`],
      ['one disk sync, ms', figure(scale.syncMs), ''],
      ['GET /_alias, ms', figure(scale.listMs), String(TARGETS.listMs)],
      ['start to first answer, ms', figure(scale.startMs), String(TARGETS.startMs)],
      [
        `RssAnon of the indices after ${idleSeconds} s, MB`,
        figure(scale.addedMemory / 2 ** 20),
        memoryTarget,
      ],
      ['CPU meanwhile, % of a core', figure(scale.idleCpu * 100), ''],
    ],
  };
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
