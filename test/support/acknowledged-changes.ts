// Changes of the cluster state with a record, outside of the server, of what was acknowledged: aliases,
// templates, settings of an index and of the cluster, mappings, and indices that come and go.
//
// Each kind is one thing that is read back as one text, so that what was half applied is a text of its own.

import { AcknowledgedState } from './acknowledged-state';
import type { Random } from './random';
import type { ServerProcess } from './server-process';

/** The indices that documents are written to. */
export const INDICES = ['left', 'right'] as const;
const ALIASES = ['live', 'live-2', 'live-3'];
const GROWING = 'growing';
const MAX_FIELDS = 12;

type State = string | null;

interface Change {
  readonly state: State;
  readonly request: readonly [method: string, path: string, body?: object];
}

interface Kind {
  readonly name: string;
  /** A change that leads away from a state. @param n a number that no other change has */
  next(from: State, n: number, random: Random): Change;
  /** What is there. */
  read(server: ServerProcess): Promise<State>;
}

/** The body of an answer with status 200, else null. */
async function ok(server: ServerProcess, path: string): Promise<Record<string, never> | null> {
  const { status, body } = await server.send('GET', path);
  return status === 200 ? (body as Record<string, never>) : null;
}

/** A member of objects in objects. */
function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) => (found as Record<string, unknown> | undefined)?.[name],
    value,
  );
}

/** Several aliases of one array of actions, on one index, with one filter. */
const aliases: Kind = {
  name: 'aliases',
  next(from, n) {
    const [index] = from?.split(' ') ?? [];
    const next = index === INDICES[0] ? INDICES[1] : INDICES[0];
    const actions = ALIASES.flatMap((alias) => [
      ...(index === undefined ? [] : [{ remove: { index, alias } }]),
      { add: { index: next, alias, filter: { term: { n } } } },
    ]);
    return { state: `${next} ${n}`, request: ['POST', '/_aliases', { actions }] };
  },
  async read(server) {
    const body = await ok(server, `/_alias/${ALIASES.join(',')}`);
    if (body === null) return null;
    const found = Object.entries(body).flatMap(([index, entry]) =>
      Object.values(at(entry, 'aliases') as object).map(
        (alias) => `${index} ${String(at(alias, 'filter', 'term', 'n'))}`,
      ),
    );
    return found.length === ALIASES.length && new Set(found).size === 1
      ? found[0]!
      : `half: ${found.join('; ')}`;
  },
};

const template: Kind = {
  name: 'template',
  next(from, n, random) {
    if (from !== null && random.chance(0.3)) {
      return { state: null, request: ['DELETE', '/_template/crash'] };
    }
    const body = { template: 'none-*', order: n, settings: { number_of_shards: (n % 7) + 1 } };
    return { state: `${n} ${(n % 7) + 1}`, request: ['PUT', '/_template/crash', body] };
  },
  async read(server) {
    const found = at(await ok(server, '/_template/crash'), 'crash');
    if (found === undefined) return null;
    const shards = String(at(found, 'settings', 'index.number_of_shards'));
    return `${String(at(found, 'order'))} ${shards}`;
  },
};

const indexSettings: Kind = {
  name: 'settings of an index',
  next(_from, n) {
    const interval = `${50 + (n % 500)}ms`;
    const body = { index: { refresh_interval: interval } };
    return { state: interval, request: ['PUT', `/${INDICES[0]}/_settings`, body] };
  },
  async read(server) {
    const body = await ok(server, `/${INDICES[0]}/_settings`);
    return (at(body, INDICES[0], 'settings', 'index', 'refresh_interval') as string) ?? null;
  },
};

const CLUSTER_SETTING = 'indices.recovery.concurrent_streams';

const clusterSettings: Kind = {
  name: 'settings of the cluster',
  next(_from, n) {
    const body = { persistent: { [CLUSTER_SETTING]: n } };
    return { state: String(n), request: ['PUT', '/_cluster/settings', body] };
  },
  async read(server) {
    const persistent = at(await ok(server, '/_cluster/settings?flat_settings=true'), 'persistent');
    return (at(persistent, CLUSTER_SETTING) as string) ?? null;
  },
};

/** An index that is made with an alias and fields, gets more fields one by one, and is deleted again. */
const growing: Kind = {
  name: 'growing index',
  next(from, n) {
    const field = { [`f${n}`]: { type: 'long' } };
    if (from === null) {
      const body = {
        settings: { number_of_shards: 1 },
        mappings: { doc: { properties: field } },
        aliases: { [`made-${n}`]: {} },
      };
      return { state: `made-${n}: f${n}`, request: ['PUT', `/${GROWING}`, body] };
    }
    if (from.split(' ').length > MAX_FIELDS) {
      return { state: null, request: ['DELETE', `/${GROWING}`] };
    }
    const body = { doc: { properties: field } };
    return { state: `${from} f${n}`, request: ['PUT', `/${GROWING}/_mapping/doc`, body] };
  },
  async read(server) {
    const mapping = at(await ok(server, `/${GROWING}/_mapping`), GROWING, 'mappings', 'doc');
    const alias = at(await ok(server, `/${GROWING}/_alias`), GROWING, 'aliases');
    if (mapping === undefined && alias === undefined) return null;
    const fields = Object.keys(at(mapping, 'properties') ?? {}).sort(
      (a, b) => Number(a.slice(1)) - Number(b.slice(1)),
    );
    return `${Object.keys(alias ?? {}).join()}: ${fields.join(' ')}`;
  },
};

const KINDS: readonly Kind[] = [aliases, template, indexSettings, clusterSettings, growing];

export class AcknowledgedChanges {
  private readonly states = new Map<Kind, AcknowledgedState<State>>();
  private counter = 0;

  constructor(
    private readonly random: Random,
    private readonly onAcknowledged: () => void,
  ) {}

  /** Makes the first change of each kind, and sees that it is read back. */
  async prepare(server: ServerProcess): Promise<void> {
    for (const kind of KINDS) {
      this.states.set(kind, new AcknowledgedState<State>(await kind.read(server)));
      await this.change(server, kind);
    }
    const problems = await this.verify(server);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }

  /** Changes all kinds at once, each by a client of its own, until `stopped` says so. */
  async run(server: ServerProcess, stopped: () => boolean): Promise<void> {
    await Promise.all(
      KINDS.map(async (kind) => {
        try {
          while (!stopped()) await this.change(server, kind);
        } catch (error) {
          // The connection broke: the server is being killed. What was sent stays possible.
          if (error instanceof Refused) throw error;
        }
      }),
    );
  }

  /** Compares the server with the record; returns what is wrong, one line each. */
  async verify(server: ServerProcess): Promise<string[]> {
    const problems: string[] = [];
    for (const [kind, state] of this.states) {
      const problem = state.found(await kind.read(server));
      if (problem !== null) problems.push(`${kind.name}: ${problem}`);
    }
    return problems;
  }

  private async change(server: ServerProcess, kind: Kind): Promise<void> {
    const known = this.states.get(kind)!;
    const { state, request } = kind.next(known.value, ++this.counter, this.random);
    known.sending(state);
    const [method, path, body] = request;
    const answer = await server.send(method, path, body);
    if (answer.status !== 200) {
      throw new Refused(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    known.settle(state);
    this.onAcknowledged();
  }
}

/** Nobody else changes what we change, so that no change may be refused. */
class Refused extends Error {}
