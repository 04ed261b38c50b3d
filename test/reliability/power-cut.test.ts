// An acknowledged write survives a power cut: what the server had not synced is gone, or garbage, and changes
// of names that were not synced are taken back (test/support/power-cut/).

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcknowledgedWrites } from '../support/acknowledged-writes';
import { PowerCutDisk, type Losses } from '../support/power-cut/disk';
import { buildUnsynced } from '../support/power-cut/library';
import { Random, repetitions, testSeed } from '../support/random';
import { freePort, ServerProcess } from '../support/server-process';
import { until } from '../support/until';

const CUTS = repetitions('POWER_CUTS', 2, 100);
/** What a cut finds unsynced is chance: there are more of them until all kinds of losses were tried. */
const MOST_CUTS = 10 * CUTS;
/** Of new folders; nothing was acknowledged in them. */
const CREATIONS = Math.ceil(CUTS / 2);
/** At most so many operations between two of them, which is a fraction of a second. */
const OPERATIONS = 300;
/** At most so many calls of a start before a cut. */
const CALLS_OF_A_START = 60;
const WRITERS = 4;
const HOOKS = join(__dirname, '..', 'support', 'power-cut', 'database-hooks.js');
/** The least that LevelDB takes: tables and the list of files are written all the time. */
const SMALL_BUFFERS = { DATABASE_BUFFER_BYTES: String(64 * 1024) };

const library = buildUnsynced();
// Without a C compiler or LD_PRELOAD nothing can be said.
const testCuts = library === null ? test.skip : test;
afterAll(() => library?.remove());

/** A server whose disk loses what was not synced. */
class Machine {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'facetd-cut-')));
  readonly disk = new PowerCutDisk(join(this.folder, 'disk'), library!.path);
  readonly writes: AcknowledgedWrites;
  readonly losses: Losses = { changes: 0, bytes: 0, lines: [] };
  private server: ServerProcess | null = null;
  private lastLosses: Losses = this.losses;

  constructor(readonly random: Random) {
    this.writes = new AcknowledgedWrites(random);
  }

  /** @param environment in addition to what the disk needs */
  async launch(environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    this.server = ServerProcess.launch(
      join(this.disk.root, 'data'),
      await freePort(),
      [],
      ['--require', HOOKS],
      { ...this.disk.environment(), ...SMALL_BUFFERS, ...environment },
    );
    return this.server;
  }

  async start(environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    for (;;) {
      const server = await this.launch(environment);
      try {
        await server.answers();
        return server;
      } catch (error) {
        // Somebody else was faster to take the port.
        if (!server.log().includes('EADDRINUSE')) throw error;
      }
    }
  }

  /** Writes for a while, then cuts. */
  async cutWhileWriting(server: ServerProcess): Promise<void> {
    let stopped = false;
    const running = this.writes.run(server, WRITERS, () => stopped);
    await Promise.race([this.writes.more(this.random.between(1, OPERATIONS)), running]);
    await server.kill();
    stopped = true;
    await running;
    this.cut();
  }

  /** Starts and cuts on the way. */
  async cutWhileStarting(): Promise<void> {
    const server = await this.launch();
    const calls = this.random.between(1, CALLS_OF_A_START);
    await until(async () => this.disk.calls() >= calls || (await server.isAnswering()));
    await server.kill();
    this.cut();
  }

  /** Whether cuts took bytes of files, and changes of names. */
  get hasLostAll(): boolean {
    return this.losses.bytes > 0 && this.losses.changes > 0;
  }

  private cut(): void {
    this.lastLosses = this.disk.cut(this.random);
    this.losses.changes += this.lastLosses.changes;
    this.losses.bytes += this.lastLosses.bytes;
  }

  /** Starts again and compares what is there with what was acknowledged. */
  async problems(): Promise<string[]> {
    try {
      return await this.writes.verify(await this.start());
    } catch (error) {
      return [(error as Error).message];
    }
  }

  /** What to say of problems. */
  describe(round: number, problems: readonly string[]): string {
    return [
      `seed ${this.random.seed}, round ${round}:`,
      ...problems,
      'the cut took:',
      ...this.lastLosses.lines,
      'the server said:',
      this.server?.log() ?? '',
    ].join('\n');
  }

  async running(): Promise<ServerProcess> {
    return this.server ?? this.start();
  }

  async remove(): Promise<void> {
    await this.server?.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

testCuts(`${CUTS} power cuts lose nothing acknowledged`, async () => {
  const machine = new Machine(new Random(testSeed(20140302)));
  try {
    await machine.writes.prepare(await machine.start());
    for (let round = 0; round < CUTS || (!machine.hasLostAll && round < MOST_CUTS); round++) {
      await machine.cutWhileWriting(await machine.running());
      while (machine.random.chance(0.3)) await machine.cutWhileStarting();
      const problems = await machine.problems();
      if (problems.length > 0) throw new Error(machine.describe(round, problems));
    }
    expect(machine.writes.acknowledgements).toBeGreaterThan(CUTS);
    // Nothing taken would say that nothing was tried.
    expect(machine.hasLostAll).toBe(true);
  } finally {
    await machine.remove();
  }
});

testCuts(
  `${CREATIONS} power cuts while a data folder is made leave one that can be used`,
  async () => {
    const random = new Random(testSeed(20140305));
    for (let round = 0; round < CREATIONS; round++) {
      const machine = new Machine(random);
      try {
        do await machine.cutWhileStarting();
        while (random.chance(0.5));
        const server = await machine.start();
        await server.send('PUT', '/i/t/1', { n: 1 });
        const { body } = await server.send('GET', '/i/t/1');
        expect({ round, body }).toMatchObject({ body: { found: true } });
      } catch (error) {
        throw new Error(machine.describe(round, [(error as Error).message]), { cause: error });
      } finally {
        await machine.remove();
      }
    }
  },
);

// The tests above are worth something only if they fail where syncing does not work.
describe('a server that does not sync', () => {
  const ways: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['files at all', { UNSYNCED_SWALLOW: '/' }],
    ['write-ahead files', { UNSYNCED_SWALLOW: '.log' }],
    ['its batches', { DATABASE_SYNC: 'false' }],
  ];
  // Each takes a dozen starts: one of them unless there is time.
  testCuts.each(CUTS > 2 ? ways : ways.slice(-1))('%s is found out', async (_what, environment) => {
    const machine = new Machine(new Random(testSeed(20140304)));
    try {
      const server = await machine.start();
      await machine.writes.prepare(server);
      await server.stop();
      let problems: string[] = [];
      // A cut may take nothing.
      for (let round = 0; round < 10 && problems.length === 0; round++) {
        await machine.cutWhileWriting(await machine.start(environment));
        problems = await machine.problems();
        await (await machine.running()).kill();
      }
      // Writes that are gone, or a folder that cannot be opened.
      expect(problems.join('\n')).toMatch(/expected one of|acknowledged|cannot open|is damaged/);
    } finally {
      await machine.remove();
    }
  });
});
