// An acknowledged write survives a power cut: whatever the disk had not yet synced is gone or garbage.
//
// Simulated on the newest log file of each database. Its size, taken when the last acknowledgement arrived,
// is a lower bound of what was synced; behind it anything may be missing or replaced.

import { readdirSync, statSync } from 'node:fs';
import { appendFile, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AcknowledgedWrites } from '../support/acknowledged-writes';
import { Random, repetitions, testSeed } from '../support/random';
import { freePort, ServerProcess } from '../support/server-process';

const CUTS = repetitions('POWER_CUTS', 5, 100);
/** At most so many operations between two of them, which is a fraction of a second. */
const OPERATIONS = 300;
const WRITERS = 4;

interface LogFile {
  readonly file: string;
  readonly size: number;
}

/** The newest write-ahead log file of a database folder, or null. */
function newestLog(folder: string): LogFile | null {
  const names = readdirSync(folder).filter((name) => name.endsWith('.log'));
  const name = names.sort().at(-1);
  if (name === undefined) return null;
  const file = join(folder, name);
  return { file, size: statSync(file).size };
}

/** Cuts the newest log somewhere behind what is known to be synced and perhaps adds what a disk might. */
async function cut(random: Random, synced: LogFile | null, folder: string): Promise<void> {
  const now = newestLog(folder);
  if (now === null || now.file !== synced?.file) return;
  await truncate(now.file, random.between(synced.size, now.size));
  const tail = random.pick(['nothing', 'zeros', 'garbage']);
  const length = random.between(1, 3000);
  if (tail === 'zeros') await appendFile(now.file, Buffer.alloc(length));
  if (tail === 'garbage') {
    await appendFile(now.file, Buffer.from(Array.from({ length }, () => random.below(256))));
  }
}

test(`${CUTS} simulated power cuts lose nothing acknowledged`, async () => {
  const random = new Random(testSeed(20140302));
  const folder = await mkdtemp(join(tmpdir(), 'facetd-cut-'));
  const data = join(folder, 'data');
  const databases = [join(data, 'log'), join(data, 'segments')];
  const port = await freePort();
  let synced: readonly (LogFile | null)[] = [null, null];
  const writes = new AcknowledgedWrites(random, () => {
    synced = databases.map(newestLog);
  });
  let server: ServerProcess | null = null;
  try {
    server = await ServerProcess.start(data, port);
    await writes.prepare(server);
    for (let round = 0; round < CUTS; round++) {
      let stopped = false;
      const running = writes.run(server, WRITERS, () => stopped);
      await Promise.race([writes.more(random.between(1, OPERATIONS)), running]);
      await server.kill();
      stopped = true;
      await running;
      for (const [i, database] of databases.entries()) await cut(random, synced[i]!, database);
      server = await ServerProcess.start(data, port);
      const problems = await writes.verify(server);
      if (problems.length > 0) {
        throw new Error(
          [
            `seed ${random.seed}, round ${round}:`,
            ...problems,
            'the server said:',
            server.log(),
          ].join('\n'),
        );
      }
    }
    expect(writes.acknowledgements).toBeGreaterThan(CUTS);
  } finally {
    await server?.kill();
    await rm(folder, { recursive: true, force: true });
  }
});
