// Bulk writes at full rate whose ids are numbers without a gap, so that a copy shows whether it misses one.

import { Connection } from './connection';
import { readCorpus, TYPE } from './corpus';
import type { Target } from './target';

const BATCH = 500;
/** Sources that take turns; held in memory, so that reading a file costs nothing meanwhile. */
const SOURCES = 5000;

/** One writer: it waits for each answer before it sends the next request. */
interface Lane {
  readonly name: string;
  /** Documents 1 to this one were acknowledged. */
  acknowledged: number;
}

/** Several writers over one index. */
export class NumberedWrites {
  private stopped = false;
  private running: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly target: Target,
    private readonly index: string,
    private readonly sources: readonly string[],
    private readonly lanes: readonly Lane[],
  ) {}

  /** Starts writing sources of a corpus file. */
  static async start(
    target: Target,
    index: string,
    corpus: string,
    writers: number,
  ): Promise<NumberedWrites> {
    const sources: string[] = [];
    for await (const { source } of readCorpus(corpus)) {
      if (sources.push(source) === SOURCES) break;
    }
    const lanes = Array.from({ length: writers }, (_, i) => ({
      name: `writer${i}`,
      acknowledged: 0,
    }));
    const writes = new NumberedWrites(target, index, sources, lanes);
    writes.running = Promise.all(lanes.map((lane) => writes.write(lane)));
    // Whoever stops it is told.
    writes.running.catch(() => undefined);
    return writes;
  }

  /** Documents that each writer has had acknowledged until now. */
  acknowledged(): readonly number[] {
    return this.lanes.map(({ acknowledged }) => acknowledged);
  }

  /** @throws Error when a write failed */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /**
   * What is wrong with a copy of the index: documents that are missing, or holes in their numbers.
   *
   * @param loaded documents that are in it besides
   * @param atLeast what {@link acknowledged} said before the copy was begun
   */
  async problemsOf(copy: string, loaded: number, atLeast: readonly number[]): Promise<string[]> {
    const problems: string[] = [];
    let written = 0;
    for (const [i, { name }] of this.lanes.entries()) {
      const { n } = (
        await this.ask<{ facets: { n: Statistics } }>(`/${copy}/_search`, {
          size: 0,
          query: { term: { lane: name } },
          facets: { n: { statistical: { field: 'n' } } },
        })
      ).facets;
      written += n.count;
      if (n.count < atLeast[i]!) {
        problems.push(`${name}: ${n.count} documents, ${atLeast[i]} were acknowledged before`);
      }
      if (n.count > 0 && (n.min !== 1 || n.max !== n.count)) {
        problems.push(`${name}: ${n.count} documents with numbers from ${n.min} to ${n.max}`);
      }
    }
    const { count } = await this.ask<{ count: number }>(`/${copy}/_count`, {
      query: { match_all: {} },
    });
    if (count !== loaded + written) {
      problems.push(`${count} documents in all, expected ${loaded} and ${written}`);
    }
    return problems;
  }

  private async write(lane: Lane): Promise<void> {
    const connection = await Connection.open(this.target.url);
    try {
      while (!this.stopped) {
        const lines: string[] = [];
        const first = lane.acknowledged + 1;
        for (let n = first; n < first + BATCH; n++) {
          const source = this.sources[n % this.sources.length]!;
          lines.push(`{"index":{"_id":"${lane.name}-${n}"}}`);
          lines.push(`${source.slice(0, -1)},"lane":"${lane.name}","n":${n}}`);
        }
        const { status, body } = await connection.send({
          method: 'POST',
          path: `/${this.index}/${TYPE}/_bulk`,
          body: `${lines.join('\n')}\n`,
        });
        if (status !== 200 || !body.includes('"errors":false')) {
          throw new Error(`bulk: ${status} ${body.toString('utf8', 0, 500)}`);
        }
        lane.acknowledged += BATCH;
      }
    } finally {
      connection.close();
    }
  }

  private async ask<T>(path: string, body: object): Promise<T> {
    const answer = await this.target.send({ method: 'POST', path, body: JSON.stringify(body) });
    const text = answer.body.toString();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }
}

interface Statistics {
  readonly count: number;
  readonly min: number;
  readonly max: number;
}
