// An acknowledged write survives SIGKILL, and an alias swap is there wholly or not at all.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcknowledgedWrites } from '../support/acknowledged-writes';
import { Random, repetitions, testSeed } from '../support/random';
import { freePort, ServerProcess } from '../support/server-process';

const CYCLES = repetitions('KILLS', 5, 200);
/** At most so many operations between two of them, which is a fraction of a second. */
const OPERATIONS = 300;
const WRITERS = 4;

test(`${CYCLES} kills under ${WRITERS} writers lose nothing acknowledged`, async () => {
  const random = new Random(testSeed(20140301));
  const folder = await mkdtemp(join(tmpdir(), 'facetd-kill-'));
  const port = await freePort();
  const writes = new AcknowledgedWrites(random);
  let server: ServerProcess | null = null;
  try {
    server = await ServerProcess.start(join(folder, 'data'), port);
    await writes.prepare(server);
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      let stopped = false;
      const running = writes.run(server, WRITERS, () => stopped);
      await Promise.race([writes.more(random.between(1, OPERATIONS)), running]);
      await server.kill();
      stopped = true;
      await running;
      server = await ServerProcess.start(join(folder, 'data'), port);
      const problems = await writes.verify(server);
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
    expect(await server.stop()).toBe(0);
  } finally {
    await server?.kill();
    await rm(folder, { recursive: true, force: true });
  }
});
