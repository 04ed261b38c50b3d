// An acknowledged write survives SIGKILL, whatever else goes on, and an array of alias actions is there as a
// whole or not at all.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcknowledgedWrites } from '../support/acknowledged-writes';
import { Random, repetitions, testSeed } from '../support/random';
import { freePort, ServerProcess } from '../support/server-process';
import { Upkeep } from '../support/upkeep';

const CYCLES = repetitions('KILLS', 3, 200);
/** At most so many operations between two of them, which is a fraction of a second. */
const OPERATIONS = 3000;
const WRITERS = 8;
const AMOUNTS = { documents: 100, items: 100 };

test(`${CYCLES} kills under ${WRITERS} writers lose nothing acknowledged`, async () => {
  const random = new Random(testSeed(20140301));
  const folder = await mkdtemp(join(tmpdir(), 'facetd-kill-'));
  const port = await freePort();
  const writes = new AcknowledgedWrites(random, AMOUNTS);
  const upkeep = new Upkeep(random);
  let server: ServerProcess | null = null;
  const start = (): Promise<ServerProcess> =>
    ServerProcess.start(join(folder, 'data'), port, [`path.repo=${join(folder, 'repositories')}`]);
  try {
    server = await start();
    await writes.prepare(server);
    await upkeep.prepare(server);
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      let stopped = false;
      const running = Promise.all([
        writes.run(server, WRITERS, () => stopped),
        upkeep.run(server, () => stopped),
      ]);
      await Promise.race([writes.more(random.between(1, OPERATIONS)), running]);
      await server.kill();
      stopped = true;
      await running;
      server = await start();
      const problems = [...(await writes.verify(server)), ...(await upkeep.verify(server))];
      if (problems.length > 0) {
        throw new Error(
          [
            `seed ${random.seed}, cycle ${cycle}:`,
            ...problems,
            'the server said:',
            server.log(),
          ].join('\n'),
        );
      }
    }
    expect(writes.acknowledgements).toBeGreaterThan(CYCLES * WRITERS);
    if (CYCLES >= 20) {
      // Few kills may all come early.
      expect(Object.values(upkeep.done).filter((count) => count === 0)).toEqual([]);
      const done = { acknowledgements: writes.acknowledgements, ...upkeep.done };
      process.stderr.write(`${CYCLES} kills: ${JSON.stringify(done)}\n`);
    }
    expect(await server.stop()).toBe(0);
  } finally {
    await server?.kill();
    await rm(folder, { recursive: true, force: true });
  }
});
