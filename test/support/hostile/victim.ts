// A real server with little memory that is attacked while somebody else looks whether it is still there: its
// process, its event loop, its memory, its answers to other clients, and what all its objects share.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { freePort, ServerProcess } from '../server-process';
import { until } from '../until';
import { Looks, type DelayCounts } from './looks';

/** MB of old objects that the main thread may have. */
const HEAP_MB = 512;
const NODE_MEMORY_MB = 128;
/** What may stay after an attack: caches on main, buffers that are kept for the next request. */
const LEFT_MB = 96;
/** P10 of the table in RESILIENCY.md. */
const MOST_RESIDENT_MB = 1200;
const MB = 1024 * 1024;
/** As config/facetd.service has it. */
const MALLOC = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** What was seen while an attack went on. */
export interface Observation {
  readonly seconds: number;
  /** Lateness of the event loop, without the time in which the machine had no processor for it. */
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The slowest of the answers that another client got to `GET /`. */
  readonly rootMs: number;
  readonly roots: number;
  readonly residentMb: number;
  readonly delays: DelayCounts;
  /** With HOSTILE_STACKS, the longest stretches of the main thread. */
  readonly stretches: readonly Stretch[];
}

/** What the main thread was seen doing while nobody else had a turn. */
interface Stretch {
  readonly ms: number;
  /** Samples and the functions that they were taken in, innermost first. */
  readonly stacks: readonly string[];
}

interface Delays {
  readonly delays: DelayCounts;
  readonly stretches: readonly Stretch[];
}

/** What a report says of it. */
export function figuresOf({
  delays: _delays,
  stretches: _stretches,
  ...seen
}: Observation): Record<string, number> {
  return { ...seen, seconds: Math.round(seen.seconds * 10) / 10 };
}

/** Another client, on a thread of its own: it asks for `/` again and again. */
const OTHER_CLIENT = `
const { parentPort, workerData } = require('node:worker_threads');
const { Agent, request } = require('node:http');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let slowest = 0, count = 0, failed = null, since = 0;
function ask() {
  since = performance.now();
  const next = (error) => {
    slowest = Math.max(slowest, performance.now() - since);
    count++;
    if (error) failed ??= String(error);
    setTimeout(ask, 20);
  };
  const sent = request({ agent, host: '127.0.0.1', port: workerData, path: '/' }, (answer) => {
    answer.resume();
    answer.on('error', next);
    answer.on('end', () => next(answer.statusCode === 200 ? null : 'status ' + answer.statusCode));
  });
  sent.on('error', next);
  sent.end();
}
ask();
parentPort.on('message', () => {
  parentPort.postMessage({ slowest: Math.max(slowest, performance.now() - since), count, failed });
  slowest = 0, count = 0, failed = null;
});
`;

interface Asked {
  readonly slowest: number;
  readonly count: number;
  readonly failed: string | null;
}

const CONTROL = {
  query: { match: { text: 'third' } },
  sort: ['n'],
  facets: {
    tags: { terms: { field: 'tag', size: 20 } },
    sum: { statistical: { field: 'n' } },
  },
};

/** A server under attack, and the one who watches it. */
export class Victim {
  private control = '';
  private restMb = 0;
  private isBroken = false;

  private constructor(
    private readonly folder: string,
    readonly server: ServerProcess,
    private readonly other: Worker,
  ) {}

  /** Starts a server with 512 MB of heap over an empty folder. @param settings as for `--set` */
  static async start(settings: readonly string[] = []): Promise<Victim> {
    const folder = await mkdtemp(join(tmpdir(), 'facetd-hostile-'));
    const port = await freePort();
    const server = await ServerProcess.start(
      join(folder, 'data'),
      port,
      [
        `node.memory=${NODE_MEMORY_MB}mb`,
        'node.workers=1',
        'node.min_free_disk=0',
        'action.destructive_requires_name=true',
        `path.repo=${join(folder, 'repo')}`,
        ...settings,
      ],
      [`--max-old-space-size=${HEAP_MB}`, '--expose-gc', '--require', join(__dirname, 'inside.js')],
      MALLOC,
    );
    const other = new Worker(OTHER_CLIENT, { eval: true, workerData: port });
    const victim = new Victim(folder, server, other);
    await victim.prepare();
    return victim;
  }

  get port(): number {
    return this.server.port;
  }

  /** False once the process has ended, or something was found that will not go away by itself. */
  get isUsable(): boolean {
    return this.server.isRunning && !this.isBroken;
  }

  private async prepare(): Promise<void> {
    await this.fill();
    this.control = await this.search();
    await this.ask('delays');
    this.restMb = await this.usedMb();
  }

  /** Makes what the control search looks for. */
  private async fill(): Promise<void> {
    await this.server.send('DELETE', '/control');
    const lines = Array.from(
      { length: 300 },
      (_, n) =>
        `{"index":{"_id":"${n}"}}\n{"n":${n},"tag":"t${n % 7}","text":"${n % 3 === 0 ? 'third' : 'other'} words"}\n`,
    );
    await this.server.send('PUT', '/control', { settings: { number_of_shards: 2 } });
    await this.server.send('POST', '/control/t/_bulk?refresh=true', lines.join(''));
  }

  /** Removes all and makes the control index anew, where an attack may have had it for an aim. */
  async renew(): Promise<void> {
    await this.removeIndices();
    await this.fill();
  }

  /** Watches while `attack` goes on. @returns what was seen, and what is wrong, one line each */
  async watch(attack: () => Promise<void>): Promise<[Observation, string[]]> {
    const problems: string[] = [];
    await this.ask('delays');
    await this.askOther();
    const began = performance.now();
    let resident = 0;
    const sampling = setInterval(() => {
      void this.residentMb().then((mb) => (resident = Math.max(resident, mb)));
    }, 50);
    try {
      await attack();
    } finally {
      clearInterval(sampling);
    }
    if (!this.server.isRunning) {
      return [NOTHING, [`the process ended: ${this.server.log().slice(-1500)}`]];
    }
    const seconds = (performance.now() - began) / 1000;
    const other = await this.askOther();
    const { delays, stretches } = await this.ask<Delays>('delays');
    if (other.failed !== null) problems.push(`GET / failed: ${other.failed}`);
    if (resident > MOST_RESIDENT_MB) {
      problems.push(`${resident} MB were resident`);
      // What the system does not get back would be put down to the next family.
      this.isBroken = true;
    }
    problems.push(...(await this.problemsAfter()));
    const looks = new Looks();
    looks.add(delays);
    const rootMs = Math.round(other.slowest);
    const [p99Ms, maxMs] = [looks.p99Ms(), looks.maxMs()];
    const roots = other.count;
    return [
      { seconds, p99Ms, maxMs, rootMs, roots, residentMb: resident, delays, stretches },
      problems,
    ];
  }

  private async problemsAfter(): Promise<string[]> {
    const problems: string[] = [];
    await this.removeIndices();
    const found = await this.search();
    if (found !== this.control) problems.push(`the control search says ${found.slice(0, 400)}`);
    const { changes } = await this.ask<{ changes: string[] }>('changes');
    if (changes.length > 0) problems.push(`shared objects have new members: ${changes.join()}`);
    const log = /unexpected error[^\n]*|unhandled[^\n]*/i.exec(
      this.server.log().slice(this.read),
    )?.[0];
    this.read = this.server.log().length;
    if (log !== undefined) problems.push(`the log says: ${log.slice(0, 600)}`);
    let mb = 0;
    await until(
      async () => (mb = await this.usedMb()) <= this.restMb + LEFT_MB,
      () => `${mb} MB are in use`,
    ).catch((error: Error) => problems.push(`${error.message}, ${this.restMb} before`));
    if (problems.length > 0) this.isBroken = true;
    return problems;
  }

  private read = 0;

  /** Removes all indices but the one of the control search, and what keeps them from being removed. */
  async removeIndices(): Promise<void> {
    const blocks = {
      'index.blocks.read_only': false,
      'index.blocks.metadata': false,
      'index.blocks.write': false,
      'index.blocks.read': false,
    };
    await this.server.send('PUT', '/_settings?expand_wildcards=open,closed', blocks);
    const { body } = await this.server.send('GET', '/_cluster/state/metadata');
    const { metadata } = body as { metadata: { indices: Record<string, unknown> } };
    const names = Object.keys(metadata.indices).filter((name) => name !== 'control');
    for (let at = 0; at < names.length; at += 100) {
      const list = names.slice(at, at + 100).map(encodeURIComponent);
      await this.server.send('DELETE', `/${list.join()}`);
    }
    await this.server.send('DELETE', '/_template/*');
  }

  private async search(): Promise<string> {
    const { status, body } = await this.server.send('POST', '/control/_search', CONTROL);
    const { hits, facets } = body as Record<string, unknown>;
    return JSON.stringify([status, hits, facets ?? body]);
  }

  /** MB of objects and buffers of the main thread that are still in use. */
  private async usedMb(): Promise<number> {
    const { bytes } = await this.ask<{ bytes: number }>('memory');
    return Math.round(bytes / MB);
  }

  /** Resident memory without mapped files. */
  async residentMb(): Promise<number> {
    const status = await readFile(`/proc/${this.server.pid}/status`, 'utf8').catch(() => '');
    return Math.round(Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
  }

  private ask<T>(question: string): Promise<T> {
    return this.server.ask(question) as Promise<T>;
  }

  private askOther(): Promise<Asked> {
    return new Promise((resolve) => {
      this.other.once('message', resolve);
      this.other.postMessage('');
    });
  }

  /** Ends it, however it is. */
  async end(): Promise<void> {
    await this.other.terminate();
    await this.server.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const NOTHING: Observation = {
  seconds: 0,
  p99Ms: 0,
  maxMs: 0,
  rootMs: 0,
  roots: 0,
  residentMb: 0,
  delays: [],
  stretches: [],
};
