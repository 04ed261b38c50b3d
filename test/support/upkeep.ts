// What an operator does while clients write: merging, flushing, snapshots and restores, with a record,
// outside of the server, of what was acknowledged.

import { INDICES } from './acknowledged-changes';
import type { Random } from './random';
import type { ServerProcess } from './server-process';

const REPOSITORY = 'crash';
/** More than these are removed again. */
const MAX_SNAPSHOTS = 3;

interface Acknowledged {
  readonly name: string;
  /** Of the indices in it. */
  readonly documents: number;
}

export class Upkeep {
  /** Snapshots that were answered to be complete, the oldest first. */
  private snapshots: Acknowledged[] = [];
  /** Documents of the copies of an index that were answered to be complete. */
  private readonly copies = new Map<string, number>();
  private counter = 0;
  /** How often each was acknowledged. */
  readonly done = { optimize: 0, flush: 0, snapshot: 0, removal: 0, restore: 0 };

  constructor(private readonly random: Random) {}

  /** Registers the repository on an empty server, whose `path.repo` is set. */
  async prepare(server: ServerProcess): Promise<void> {
    const body = { type: 'fs', settings: { location: REPOSITORY } };
    const { status } = await server.send('PUT', `/_snapshot/${REPOSITORY}`, body);
    if (status !== 200) throw new Error(`cannot register the repository: ${status}`);
  }

  /** Does all of it, side by side, until `stopped` says so. */
  async run(server: ServerProcess, stopped: () => boolean): Promise<void> {
    const jobs = [() => this.optimize(server), () => this.flush(server), () => this.save(server)];
    await Promise.all(
      jobs.map(async (job) => {
        try {
          while (!stopped()) await job();
        } catch (error) {
          // The connection broke: the server is being killed.
          if (error instanceof Wrong) throw error;
        }
      }),
    );
  }

  /** Compares the server with the record; returns what is wrong, one line each. */
  async verify(server: ServerProcess): Promise<string[]> {
    const problems: string[] = [];
    for (const { name, documents } of this.snapshots) {
      const { status, body } = await server.send('POST', `${pathOf(name)}/_verify`);
      const found = (body as { documents?: number }).documents;
      if (status === 200 && found === documents) continue;
      problems.push(`snapshot ${name}: ${status} ${JSON.stringify(body)}, expected ${documents}`);
    }
    const { body: all } = await server.send('GET', '/_all/_settings?expand_wildcards=open,closed');
    for (const copy of Object.keys(all as object).filter((name) => name.startsWith('copy-'))) {
      // A restore that was cut off leaves nothing, or the whole index.
      const { status, body } = await server.send('GET', `/${copy}/_count`);
      const { count, _shards } = body as { count?: number; _shards?: { failed: number } };
      const expected = this.copies.get(copy) ?? count;
      if (status !== 200 || _shards?.failed !== 0 || count !== expected) {
        problems.push(`index ${copy}: ${status} ${JSON.stringify(body)}, expected ${expected}`);
      }
      await server.send('DELETE', `/${copy}`);
      this.copies.delete(copy);
    }
    for (const copy of this.copies.keys()) problems.push(`index ${copy} is gone`);
    this.copies.clear();
    return problems;
  }

  private async optimize(server: ServerProcess): Promise<void> {
    const segments = this.random.between(1, 3);
    await accepted(server, 'POST', `/${this.random.pick(INDICES)}/_optimize?max_num_segments=${segments}`); // prettier-ignore
    this.done.optimize++;
  }

  private async flush(server: ServerProcess): Promise<void> {
    await accepted(server, 'POST', `/${this.random.pick(INDICES)}/_flush`);
    this.done.flush++;
  }

  /** One snapshot of both indices, perhaps a copy made of it, and an old one removed. */
  private async save(server: ServerProcess): Promise<void> {
    const name = `s${++this.counter}`;
    await accepted(server, 'PUT', `${pathOf(name)}?wait_for_completion=true`, {
      indices: INDICES.join(),
    });
    const verified = await accepted(server, 'POST', `${pathOf(name)}/_verify`);
    const { documents } = verified as { documents: number };
    this.snapshots.push({ name, documents });
    this.done.snapshot++;
    if (this.random.chance(0.5)) await this.restore(server, name);
    const [oldest] = this.snapshots;
    if (this.snapshots.length <= MAX_SNAPSHOTS || oldest === undefined) return;
    // It may be gone from here on.
    this.snapshots = this.snapshots.slice(1);
    await accepted(server, 'DELETE', pathOf(oldest.name));
    this.done.removal++;
  }

  private async restore(server: ServerProcess, snapshot: string): Promise<void> {
    const index = INDICES[0];
    const copy = `copy-${snapshot}`;
    await accepted(server, 'POST', `${pathOf(snapshot)}/_restore?wait_for_completion=true`, {
      indices: index,
      rename_pattern: index,
      rename_replacement: copy,
      include_aliases: false,
      include_global_state: false,
    });
    const counted = await accepted(server, 'GET', `/${copy}/_count`);
    this.copies.set(copy, (counted as { count: number }).count);
    this.done.restore++;
    if (this.random.chance(0.5)) return;
    this.copies.delete(copy);
    await accepted(server, 'DELETE', `/${copy}`);
  }
}

function pathOf(snapshot: string): string {
  return `/_snapshot/${REPOSITORY}/${snapshot}`;
}

class Wrong extends Error {}

async function accepted(
  server: ServerProcess,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await server.send(method, path, body);
  if (answer.status === 200) return answer.body;
  throw new Wrong(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}
