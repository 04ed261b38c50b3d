// Everything that clients do, at a steady rate, for as long as somebody wants: writes of all kinds, searches
// with facets, swaps of an alias, new generations of an index, snapshots. Writers own their documents and
// know what must be there in the end.

import type { Random } from '../random';
import type { ServerProcess } from '../server-process';
import { pause } from '../until';

const WRITERS = 4;
const SEARCHERS = 3;
/** Documents of each writer: the live data does not grow. */
const OWN = 4000;
const GENERATION = 2000;
/** Between two requests of a client, so that the load is steady and not as much as the machine bears. */
const PAUSE_MS = 8;
const SNAPSHOTS_KEPT = 2;

const WORDS =
  'red blue green polo shirt flannel warm cotton linen summer winter sale new old'.split(' ');
const INDEX = {
  settings: { number_of_shards: 2, refresh_interval: '500ms' },
  mappings: {
    t: {
      properties: {
        tag: { type: 'string', index: 'not_analyzed' },
        price: { type: 'double' },
        day: { type: 'date' },
      },
    },
  },
};

/** Clients of one server. */
export class SoakLoad {
  private isOver = false;
  private running: Promise<unknown> = Promise.resolve();
  /** Sources that must be there, by path. */
  private readonly live = new Map<string, string>();
  /** Milliseconds that requests took since somebody took them. */
  private latencies: number[] = [];
  readonly problems: string[] = [];
  requests = 0;
  snapshots = 0;
  swaps = 0;

  constructor(
    private readonly server: ServerProcess,
    private readonly random: Random,
  ) {}

  /** Makes the index and the repository and sets everybody to work. */
  async start(): Promise<void> {
    await this.send('PUT', '/live', INDEX);
    await this.send('PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'r' } });
    await this.generation(0);
    const clients = [
      ...Array.from({ length: WRITERS }, (_, n) => this.repeat(() => this.write(n))),
      ...Array.from({ length: SEARCHERS }, () => this.repeat(() => this.search())),
      this.repeat(() => this.swap(), 100),
      this.repeat(() => this.renew(), 20_000),
      this.repeat(() => this.snapshot(), 15_000),
    ];
    this.running = Promise.all(clients);
  }

  /** Bytes of the sources that must be there. */
  liveBytes(): number {
    let bytes = this.generations.length * GENERATION * 200;
    for (const source of this.live.values()) bytes += source.length;
    return bytes;
  }

  /** Latencies since the last time. */
  take(): number[] {
    const { latencies } = this;
    this.latencies = [];
    return latencies;
  }

  /** Ends the load and compares all documents. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
    await this.send('POST', '/_refresh');
    const { body } = await this.server.send('GET', '/live/_count');
    const { count } = body as { count: number };
    if (count !== this.live.size) this.problems.push(`${count} documents, not ${this.live.size}`);
    for (const [path, source] of this.live) {
      const { body: found } = await this.server.send('GET', `${path}/_source`);
      if (JSON.stringify(found) !== source)
        this.problems.push(`${path} is ${JSON.stringify(found)}`);
    }
  }

  private async repeat(work: () => Promise<void>, pauseMs = PAUSE_MS): Promise<void> {
    try {
      while (!this.isOver) {
        await work();
        const until = performance.now() + pauseMs;
        while (!this.isOver && performance.now() < until) await pause(Math.min(pauseMs, 200));
      }
    } catch (error) {
      this.isOver = true;
      this.problems.push(String(error));
    }
  }

  private async send(
    method: string,
    path: string,
    body?: string | object,
    also?: number,
  ): Promise<unknown> {
    const began = performance.now();
    const answer = await this.server.send(method, path, body);
    this.requests++;
    // Snapshots and new generations take as long as they are large.
    if (!path.startsWith('/_snapshot') && !path.includes('_bulk')) {
      this.latencies.push(performance.now() - began);
    }
    if (answer.status >= 300 && answer.status !== also) {
      this.problems.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }

  private source(): Record<string, unknown> {
    const { random } = this;
    const name = Array.from({ length: random.between(3, 40) }, () => random.pick(WORDS)).join(' ');
    return {
      name,
      tag: [`t${random.below(500)}`, random.pick(WORDS)],
      price: random.below(10_000) / 100,
      day: `2014-0${random.between(1, 9)}-1${random.below(10)}`,
    };
  }

  private async write(writer: number): Promise<void> {
    const path = () => `/live/t/${writer}-${this.random.below(OWN)}`;
    const dice = this.random.next();
    if (dice < 0.4) {
      const [where, source] = [path(), this.source()];
      await this.send('PUT', where, source);
      this.live.set(where, JSON.stringify(source));
    } else if (dice < 0.6) {
      const where = path();
      const before = this.live.get(where);
      const script = {
        script: 'ctx._source.price = price',
        params: { price: this.random.below(100) + 0.5 },
      };
      await this.send('POST', `${where}/_update`, script, 404);
      if (before === undefined) return;
      const source = JSON.parse(before) as Record<string, unknown>;
      this.live.set(where, JSON.stringify({ ...source, price: script.params.price }));
    } else if (dice < 0.75) {
      const where = path();
      await this.send('DELETE', where, undefined, 404);
      this.live.delete(where);
    } else {
      const lines: string[] = [];
      for (let n = 0; n < 20; n++) {
        const [where, source] = [path(), JSON.stringify(this.source())];
        lines.push(`{"index":{"_id":"${where.slice(8)}"}}\n${source}\n`);
        this.live.set(where, source);
      }
      await this.send('POST', '/live/t/_bulk', lines.join(''));
    }
  }

  private async search(): Promise<void> {
    const { random } = this;
    const facets = {
      tags: { terms: { field: 'tag', size: 20 } },
      prices: { statistical: { field: 'price' } },
      days: { date_histogram: { field: 'day', interval: 'month' } },
    };
    const queries = [
      { match: { name: `${random.pick(WORDS)} ${random.pick(WORDS)}` } },
      {
        filtered: {
          filter: { range: { price: { gte: random.below(50), lt: 60 + random.below(40) } } },
        },
      },
      { query_string: { query: `name:${random.pick(WORDS)} AND tag:t${random.below(10)}*` } },
      { match_all: {} },
    ];
    const body = {
      query: random.pick(queries),
      ...(random.chance(0.5) ? { facets } : {}),
      ...(random.chance(0.3) ? { sort: [{ price: 'desc' }] } : {}),
    };
    const index = random.chance(0.8) ? 'live' : 'current';
    const answer = (await this.send('POST', `/${index}/_search`, body)) as {
      _shards: { failed: number; total: number };
    };
    if (answer._shards.failed > 0) this.problems.push(`failed shards: ${JSON.stringify(answer)}`);
  }

  // Generations of an index behind an alias, and a second alias that goes back and forth.

  private readonly generations: number[] = [];
  private next = 1;

  private async generation(number: number): Promise<void> {
    const lines: string[] = [];
    for (let n = 0; n < GENERATION; n++) {
      lines.push(`{"index":{"_id":"${n}"}}\n${JSON.stringify(this.source())}\n`);
    }
    await this.send('PUT', `/g${number}`, INDEX);
    await this.send('POST', `/g${number}/t/_bulk?refresh=true`, lines.join(''));
    await this.send('POST', '/_aliases', {
      actions: [
        ...this.generations.map((old) => ({ remove: { index: `g${old}`, alias: 'current' } })),
        { add: { index: `g${number}`, alias: 'current' } },
      ],
    });
    this.generations.push(number);
  }

  private async renew(): Promise<void> {
    await this.generation(this.next++);
    const old = this.generations.shift();
    if (old !== undefined) await this.send('DELETE', `/g${old}`);
  }

  private async swap(): Promise<void> {
    const number = this.swaps++;
    const filter = { term: { tag: `t${number % 500}` } };
    await this.send('POST', '/_aliases', {
      actions: [
        { remove: { index: 'live', alias: number === 0 ? 'none' : 'flip' } },
        { add: { index: 'live', alias: 'flip', filter } },
      ].slice(number === 0 ? 1 : 0),
    });
    await this.send('GET', '/flip/_count');
  }

  private async snapshot(): Promise<void> {
    const number = this.snapshots++;
    await this.send('PUT', `/_snapshot/r/s${number}?wait_for_completion=true`);
    if (number < SNAPSHOTS_KEPT) return;
    await this.send('DELETE', `/_snapshot/r/s${number - SNAPSHOTS_KEPT}`);
  }
}
