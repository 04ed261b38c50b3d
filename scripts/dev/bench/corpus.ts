// The documents: bulk NDJSON of scripts/corpus-debian in a file, read as a stream so that a million fit.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { CORPUS_MAPPING } from '../../debian-packages';
import { compiledProgram } from '../../common/package-folder';
import { hashText } from './random';

/** A document as it is sent: the id, and the text of its source. */
export interface CorpusDocument {
  readonly id: string;
  readonly source: string;
}

/** The type under which documents are loaded. */
export const TYPE = 'package';

/** Index definition for the benchmark: one shard, no copies, everything else as by default. */
export const INDEX_BODY = {
  settings: { number_of_shards: 1, number_of_replicas: 0 },
  mappings: {
    [TYPE]: {
      properties: {
        ...CORPUS_MAPPING.mappings.package.properties,
        updated: { type: 'date' },
      },
    },
  },
};

const FIRST_DAY = Date.UTC(2010, 0, 1);
const DAYS = 15 * 365;
const DAY_MS = 86_400_000;

/**
 * The package list has no dates; this one is made from the id, so that date facets have something to count.
 */
export function updatedDay(id: string): string {
  return new Date(FIRST_DAY + (hashText(id) % DAYS) * DAY_MS).toISOString().slice(0, 10);
}

/** Writes the corpus of this Debian machine, unless the file is already there. */
export async function ensureCorpus(file: string, times: number): Promise<void> {
  if (existsSync(file)) return;
  const program = compiledProgram('scripts/debian-packages');
  const child = spawn(process.execPath, [program, '--times', String(times)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  await pipeline(child.stdout, createWriteStream(`${file}.part`));
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`corpus-debian ended with code ${code}`);
  await rename(`${file}.part`, file);
}

/** The documents of a corpus file in order. @throws Error when a line is not what it should be */
export async function* readCorpus(file: string): AsyncGenerator<CorpusDocument> {
  let id: string | null = null;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line === '') continue;
    if (id === null) {
      id = (JSON.parse(line) as { index?: { _id?: string } }).index?._id ?? null;
      if (id === null) throw new Error(`${file}: expected an index action, found ${line}`);
      continue;
    }
    yield { id, source: `${line.slice(0, -1)},"updated":"${updatedDay(id)}"}` };
    id = null;
  }
}
