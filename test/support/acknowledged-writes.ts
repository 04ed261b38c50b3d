// Concurrent writers with a record, outside of the server, of what was acknowledged.
//
// Each writer owns its documents, so that for every document the order of operations is known. After a crash
// a document must be in the state of its last acknowledged operation, or in that of an operation sent after
// it: those may or may not have happened. Beside them run changes of the cluster state
// (acknowledged-changes.ts).

import { AcknowledgedChanges, INDICES } from './acknowledged-changes';
import { AcknowledgedState } from './acknowledged-state';
import type { Random } from './random';
import type { HttpAnswer, ServerProcess } from './server-process';

/** What a document may look like: its `n` member, or null when it is deleted. */
type DocumentState = number | null;

interface History {
  readonly state: AcknowledgedState<DocumentState>;
  version: number;
}

/** How much is written. */
interface Amounts {
  /** Documents that a writer has in each of the two indices. */
  readonly documents: number;
  /** Items of a bulk request, at most; documents that were chosen twice are in it once. */
  readonly items: number;
}

/** Every document has a word of these, by its `n`. */
const WORDS = 7;

const STANDARD: Amounts = { documents: 6, items: 8 };

interface Found {
  readonly found: boolean;
  readonly _version: number;
  readonly _source?: { readonly n: number };
}

export class AcknowledgedWrites {
  private readonly histories = new Map<string, History>();
  private readonly changes: AcknowledgedChanges;
  private counter = 0;
  /** Requests and items of bulk requests so far. */
  acknowledgements = 0;
  private wakeAt = Infinity;
  private wake: () => void = () => undefined;

  constructor(
    private readonly random: Random,
    private readonly amounts = STANDARD,
  ) {
    this.changes = new AcknowledgedChanges(random, () => this.acknowledged());
  }

  /** Creates the indices, the aliases and the like on an empty server. */
  async prepare(server: ServerProcess): Promise<void> {
    for (const index of INDICES) {
      const { status } = await server.send('PUT', `/${index}`, {
        settings: { number_of_shards: 2, refresh_interval: '50ms' },
        mappings: { doc: { properties: { n: { type: 'long' } } } },
      });
      if (status !== 200) throw new Error(`cannot create [${index}]: ${status}`);
    }
    await this.changes.prepare(server);
  }

  /** Runs `writers` concurrent writers and those that change the state until `stopped` says so. */
  async run(server: ServerProcess, writers: number, stopped: () => boolean): Promise<void> {
    const loops = Array.from({ length: writers }, (_, writer) =>
      this.writer(server, writer, stopped),
    );
    await Promise.all([...loops, this.changes.run(server, stopped)]);
  }

  /** Resolves when `count` more operations have been acknowledged. */
  more(count: number): Promise<void> {
    this.wakeAt = this.acknowledgements + count;
    return new Promise((resolve) => (this.wake = resolve));
  }

  /** Compares the server with the record; returns what is wrong, one line each. */
  async verify(server: ServerProcess): Promise<string[]> {
    const problems: string[] = [];
    await server.send('POST', '/_refresh');
    for (const index of INDICES) {
      const live = await this.verifyDocuments(server, index, problems);
      await this.verifySearch(server, index, live, problems);
    }
    problems.push(...(await this.changes.verify(server)));
    return problems;
  }

  /** Every document by its id. Returns the `n` of those that are there. */
  private async verifyDocuments(
    server: ServerProcess,
    index: string,
    problems: string[],
  ): Promise<number[]> {
    const prefix = `/${index}/doc/`;
    const histories = [...this.histories].filter(([path]) => path.startsWith(prefix));
    if (histories.length === 0) return [];
    const ids = histories.map(([path]) => path.slice(prefix.length));
    const { body } = await server.send('POST', `/${index}/doc/_mget`, { ids });
    const { docs } = body as { docs: Found[] };
    const live: number[] = [];
    for (const [i, [path, history]] of histories.entries()) {
      const document = docs[i]!;
      const n = document.found ? document._source!.n : null;
      if (n !== null) live.push(n);
      const problem = history.state.found(n);
      if (problem !== null) problems.push(`${path}: ${problem}`);
      if (document.found && document._version < history.version) {
        problems.push(
          `${path}: version ${document._version} below acknowledged ${history.version}`,
        );
      }
      history.version = document.found ? document._version : 0;
    }
    return live;
  }

  /** The same documents by searching: hits, values of a field, terms. */
  private async verifySearch(
    server: ServerProcess,
    index: string,
    live: readonly number[],
    problems: string[],
  ): Promise<void> {
    const { status, body } = await server.send('POST', `/${index}/doc/_search`, {
      size: live.length + 10,
      sort: [{ n: 'asc' }],
      facets: { words: { terms: { field: 'word', size: WORDS } } },
    });
    if (status !== 200) {
      problems.push(`search of ${index}: ${status} ${JSON.stringify(body)}`);
      return;
    }
    const { hits, facets } = body as {
      hits: { hits: { sort: number[]; _source: { n: number } }[] };
      facets: { words: { terms: { term: string; count: number }[] } };
    };
    const compare = (what: string, expected: readonly unknown[], found: readonly unknown[]) => {
      if (expected.join() === found.join()) return;
      problems.push(`${what} of ${index}: ${found.join()}, by their ids ${expected.join()}`);
    };
    const sorted = [...live].sort((a, b) => a - b);
    compare('hits', sorted, hits.hits.map(({ _source }) => _source.n)); // prettier-ignore
    compare('values', sorted, hits.hits.map(({ sort }) => sort[0])); // prettier-ignore
    const counts = Array.from({ length: WORDS }, (_, word) => `word${word}`)
      .map((word) => ({ word, count: live.filter((n) => wordOf(n) === word).length }))
      .filter(({ count }) => count > 0)
      .map(({ word, count }) => `${word}=${count}`);
    const terms = facets.words.terms.map(({ term, count }) => `${term}=${count}`);
    compare('terms', counts, terms.sort());
  }

  private acknowledged(): void {
    this.acknowledgements++;
    if (this.acknowledgements >= this.wakeAt) this.wake();
  }

  private async writer(
    server: ServerProcess,
    writer: number,
    stopped: () => boolean,
  ): Promise<void> {
    while (!stopped()) {
      try {
        const dice = this.random.next();
        if (dice < 0.2) await this.bulk(server, writer);
        else await this.one(server, this.pathOf(writer), dice);
      } catch {
        // The connection broke: the server is being killed. What was sent stays possible.
        return;
      }
    }
  }

  private pathOf(writer: number): string {
    const index = this.random.pick(INDICES);
    return `/${index}/doc/${writer}-${this.random.below(this.amounts.documents)}`;
  }

  private history(path: string): History {
    let history = this.histories.get(path);
    if (history === undefined) {
      history = { state: new AcknowledgedState<DocumentState>(null), version: 0 };
      this.histories.set(path, history);
    }
    return history;
  }

  private async one(server: ServerProcess, path: string, dice: number): Promise<void> {
    const history = this.history(path);
    if (dice < 0.35) {
      history.state.sending(null);
      this.settle(history, null, await server.send('DELETE', path), [200, 404]);
      return;
    }
    const n = ++this.counter;
    history.state.sending(n);
    if (dice < 0.55) {
      const body = { doc: source(n), doc_as_upsert: true };
      this.settle(history, n, await server.send('POST', `${path}/_update`, body), [200, 201]);
    } else {
      const refresh = this.random.chance(0.05) ? '?refresh=true' : '';
      const answer = await server.send('PUT', `${path}${refresh}`, source(n));
      this.settle(history, n, answer, [200, 201]);
    }
  }

  private settle(history: History, state: DocumentState, answer: HttpAnswer, good: number[]): void {
    if (!good.includes(answer.status)) return;
    history.state.settle(state);
    history.version = state === null ? 0 : (answer.body as { _version: number })._version;
    this.acknowledged();
  }

  private async bulk(server: ServerProcess, writer: number): Promise<void> {
    const { items: length } = this.amounts;
    const paths = [...new Set(Array.from({ length }, () => this.pathOf(writer)))];
    const lines: string[] = [];
    const states = paths.map((path) => {
      const [, _index, _type, _id] = path.split('/');
      const state = this.random.chance(0.25) ? null : ++this.counter;
      this.history(path).state.sending(state);
      if (state === null) lines.push(JSON.stringify({ delete: { _index, _type, _id } }));
      else
        lines.push(
          JSON.stringify({ index: { _index, _type, _id } }),
          JSON.stringify(source(state)),
        );
      return state;
    });
    const { status, body } = await server.send('POST', '/_bulk', `${lines.join('\n')}\n`);
    if (status !== 200) return;
    const { items } = body as { items: Record<string, { status: number; _version: number }>[] };
    for (const [i, item] of items.entries()) {
      const [result] = Object.values(item);
      this.settle(
        this.history(paths[i]!),
        states[i]!,
        { status: result!.status, body: result },
        [200, 201, 404],
      );
    }
  }
}

function wordOf(n: number): string {
  return `word${n % WORDS}`;
}

function source(n: number): object {
  return { n, word: wordOf(n), text: `document number ${n} says ${wordOf(n)} and no more` };
}
