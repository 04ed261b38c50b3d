// Concurrent writers with a record, outside of the server, of what was acknowledged.
//
// Each writer owns its documents, so that for every document the order of operations is known. After a crash
// a document must be in the state of its last acknowledged operation, or in that of an operation sent after
// it: those may or may not have happened.

import type { Random } from './random';
import type { HttpAnswer, ServerProcess } from './server-process';

/** What a document may look like: its `n` member, or null when it is deleted. */
type DocumentState = number | null;

interface History {
  acknowledged: DocumentState;
  version: number;
  /** States that operations sent since may have led to. */
  possible: DocumentState[];
}

const DOCUMENTS_PER_WRITER = 12;
const INDICES = ['left', 'right'] as const;
const ALIAS = 'live';

export class AcknowledgedWrites {
  private readonly histories = new Map<string, History>();
  private counter = 0;
  private aliasTarget: string = INDICES[0];
  private possibleAliasTargets: string[] = [];
  acknowledgements = 0;
  private wakeAt = Infinity;
  private wake: () => void = () => undefined;

  /** @param onAcknowledged called after each acknowledgement, before anything else happens. */
  constructor(
    private readonly random: Random,
    private readonly onAcknowledged: () => void = () => undefined,
  ) {}

  /** Creates the indices and the alias on an empty server. */
  async prepare(server: ServerProcess): Promise<void> {
    for (const index of INDICES) {
      await server.send('PUT', `/${index}`, {
        settings: { number_of_shards: 2, refresh_interval: '50ms' },
        mappings: { doc: { properties: { n: { type: 'long' } } } },
      });
    }
    await server.send('PUT', `/${INDICES[0]}/_alias/${ALIAS}`);
  }

  /** Runs `writers` concurrent writers and one that flips the alias until `stopped` says so. */
  async run(server: ServerProcess, writers: number, stopped: () => boolean): Promise<void> {
    const loops = Array.from({ length: writers }, (_, writer) =>
      this.writer(server, writer, stopped),
    );
    await Promise.all([...loops, this.flipper(server, stopped)]);
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
    let live = 0;
    for (const [path, history] of this.histories) {
      const { status, body } = await server.send('GET', path);
      const document = body as { found: boolean; _version: number; _source?: { n: number } };
      const state = document.found ? document._source!.n : null;
      if (state !== null) live++;
      if (status !== (document.found ? 200 : 404)) problems.push(`${path}: status ${status}`);
      const allowed = [history.acknowledged, ...history.possible];
      if (!allowed.includes(state)) {
        problems.push(`${path}: found ${state}, expected one of ${allowed.join(', ')}`);
      }
      if (document.found && document._version < history.version) {
        problems.push(
          `${path}: version ${document._version} below acknowledged ${history.version}`,
        );
      }
      // What survived is now the state to continue from.
      history.acknowledged = state;
      history.version = document.found ? document._version : 0;
      history.possible = [];
    }
    const { body } = await server.send('GET', `/${INDICES.join(',')}/_search?size=0`);
    const { total } = (body as { hits: { total: number } }).hits;
    if (total !== live) problems.push(`search finds ${total} documents, get finds ${live}`);
    problems.push(...(await this.verifyAlias(server)));
    return problems;
  }

  private async verifyAlias(server: ServerProcess): Promise<string[]> {
    const { status, body } = await server.send('GET', `/_alias/${ALIAS}`);
    const targets = status === 200 ? Object.keys(body as object) : [];
    const allowed = [this.aliasTarget, ...this.possibleAliasTargets];
    const right = targets.length === 1 && allowed.includes(targets[0]!);
    if (targets.length === 1) this.aliasTarget = targets[0]!;
    this.possibleAliasTargets = [];
    return right ? [] : [`alias points to [${targets.join()}], expected one of ${allowed.join()}`];
  }

  private acknowledged(): void {
    this.acknowledgements++;
    this.onAcknowledged();
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
    return `/${index}/doc/${writer}-${this.random.below(DOCUMENTS_PER_WRITER)}`;
  }

  private history(path: string): History {
    let history = this.histories.get(path);
    if (history === undefined) {
      history = { acknowledged: null, version: 0, possible: [] };
      this.histories.set(path, history);
    }
    return history;
  }

  private async one(server: ServerProcess, path: string, dice: number): Promise<void> {
    const history = this.history(path);
    const n = ++this.counter;
    if (dice < 0.35) {
      history.possible.push(null);
      this.settle(history, null, await server.send('DELETE', path), [200, 404]);
    } else if (dice < 0.55) {
      history.possible.push(n);
      const answer = await server.send('POST', `${path}/_update`, {
        doc: { n },
        doc_as_upsert: true,
      });
      this.settle(history, n, answer, [200, 201]);
    } else {
      history.possible.push(n);
      const refresh = this.random.chance(0.05) ? '?refresh=true' : '';
      this.settle(history, n, await server.send('PUT', `${path}${refresh}`, { n }), [200, 201]);
    }
  }

  private settle(history: History, state: DocumentState, answer: HttpAnswer, good: number[]): void {
    if (!good.includes(answer.status)) return;
    history.acknowledged = state;
    history.version = state === null ? 0 : (answer.body as { _version: number })._version;
    history.possible = [];
    this.acknowledged();
  }

  private async bulk(server: ServerProcess, writer: number): Promise<void> {
    const paths = [...new Set(Array.from({ length: 8 }, () => this.pathOf(writer)))];
    const lines: string[] = [];
    const states = paths.map((path) => {
      const [, _index, _type, _id] = path.split('/');
      const state = this.random.chance(0.25) ? null : ++this.counter;
      this.history(path).possible.push(state);
      if (state === null) lines.push(JSON.stringify({ delete: { _index, _type, _id } }));
      else
        lines.push(JSON.stringify({ index: { _index, _type, _id } }), JSON.stringify({ n: state }));
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

  private async flipper(server: ServerProcess, stopped: () => boolean): Promise<void> {
    while (!stopped()) {
      const next = this.aliasTarget === INDICES[0] ? INDICES[1] : INDICES[0];
      this.possibleAliasTargets.push(next);
      try {
        const { status } = await server.send('POST', '/_aliases', {
          actions: [
            { remove: { index: this.aliasTarget, alias: ALIAS } },
            { add: { index: next, alias: ALIAS } },
          ],
        });
        if (status !== 200) continue;
        this.aliasTarget = next;
        this.possibleAliasTargets = [];
        this.acknowledged();
      } catch {
        return;
      }
    }
  }
}
