// npm run bench:aliases: is an alias flip one step for everyone who searches meanwhile, and what do many
// aliases on many indices cost? Ends with exit code 1 when an answer was wrong or a target is missed.

import { Progress } from '../../common/progress';
import { flipAliases, type FlipResult } from './alias-flips';
import { measureScale, type ScaleResult } from './alias-scale';
import { figure, type Table } from './report';
import { OwnServer } from './target';
import { runBenchmark, type Verdict, type VerdictOptions } from './verdict';

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

type Options = VerdictOptions<'flips' | 'clients' | 'indices' | 'aliases' | 'documents' | 'idle'>;

async function measure(options: Options): Promise<Verdict> {
  const flips = options.flips === 0 ? null : await flip(options);
  const scale = options.indices === 0 ? null : await scaleUp(options);
  return {
    tables: [
      ...(flips === null ? [] : [flipTable(flips)]),
      ...(scale === null ? [] : [scaleTable(options, scale)]),
    ],
    stats: { flips, scale },
    targets: TARGETS,
    misses: [
      ...(flips === null ? [] : wrongAnswers(flips)),
      ...(scale === null ? [] : missedTargets(scale)),
    ],
  };
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
    return await measureScale(
      server,
      { ...options, idleSeconds: options.idle },
      (step, done, total) => {
        let bar = bars.get(step);
        if (bar === undefined) bars.set(step, (bar = new Progress(step, total)));
        bar.update(done);
      },
    );
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

function scaleTable({ indices, aliases, idle }: Options, scale: ScaleResult): Table {
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
        `RssAnon of the indices after ${idle} s, MB`,
        figure(scale.addedMemory / 2 ** 20),
        memoryTarget,
      ],
      ['CPU meanwhile, % of a core', figure(scale.idleCpu * 100), ''],
    ],
  };
}

runBenchmark({
  usage: USAGE,
  numbers: {
    flips: [50_000, 0],
    clients: [8, 1],
    indices: [1000, 0],
    aliases: [10_000, 1],
    documents: [0, 0],
    idle: [60, 1],
  },
  texts: [],
  measure,
});
