// Cluster state in one document of OpenSearch, changed by compare-and-set on its sequence number: any number
// of nodes may stand before one cluster. What a node shows is a state that was written, whole; what others
// wrote it shows when it looks again, which it does all the time, and whenever its own change comes too late.

import { randomUUID } from 'node:crypto';
import { EngineError } from '../../errors';
import { isJsonObject, JsonNumber, type JsonObject } from '../../json/index';
import {
  assertWithinLimits,
  type ClusterLimits,
  type ClusterState,
  decodeState,
  EMPTY_STATE,
  encodeChanges,
  type StateChanges,
} from '../../metadata/index';
import type { OpenSearchClient } from '../transport/client';
import { failureIn } from '../transport/failures';

/** Changes of others that one change is computed anew after. */
const ATTEMPTS = 50;

/** The one document. */
const DOCUMENT = 'state';

/** Which version of the document was read. */
interface Token {
  readonly sequence: number;
  readonly term: number;
}

/** Values by name, as {@link encodeChanges} makes them. */
type Entries = ReadonlyMap<string, string>;

/** Where the state is kept. */
interface StateHost {
  readonly client: OpenSearchClient;
  /** The index that holds nothing else. */
  readonly index: string;
  readonly limits: ClusterLimits;
}

/** Keeps the cluster state in OpenSearch. */
export class RemoteClusterState implements StateChanges {
  private visible: ClusterState = EMPTY_STATE;
  private entries: Entries = new Map();
  /** Null: there is no document yet. */
  private token: Token | null = null;
  /** The name of the change that led to it. */
  private newest: string | null = null;
  /** Changes and looks, one after the other. */
  private queue: Promise<unknown> = Promise.resolve();
  private readonly listeners: ((state: ClusterState) => void)[] = [];

  constructor(private readonly host: StateHost) {}

  state(): ClusterState {
    return this.visible;
  }

  latest(): ClusterState {
    return this.visible;
  }

  onChange(listener: (state: ClusterState) => void): void {
    this.listeners.push(listener);
  }

  /** Reads what there is, and makes the index if there is none. @throws EngineError 503 */
  async load(): Promise<void> {
    const { client, index } = this.host;
    const settings = { number_of_shards: 1, auto_expand_replicas: '0-2' };
    const mappings = { dynamic: false };
    const created = await client.request('PUT', `/${index}`, { body: { settings, mappings } });
    if (created.status >= 400 && created.error !== 'resource_already_exists_exception') {
      throw failureIn(created);
    }
    await this.look();
  }

  /** Sees what others have changed. @throws EngineError 503 */
  look(): Promise<void> {
    return this.inTurn(() => this.read());
  }

  /** A batch to add something to there is none: `also` is not asked. */
  change(compute: (state: ClusterState) => ClusterState): Promise<ClusterState> {
    return this.inTurn(async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const before = this.visible;
        const computed = compute(before);
        if (computed === before) return before;
        assertWithinLimits(before, computed, this.host.limits);
        const after = { ...computed, version: before.version + 1 };
        const entries = changed(this.entries, before, after);
        const name = randomUUID();
        if (await this.write(entries, name)) {
          this.entries = entries;
          this.show(after);
          return after;
        }
        await this.read();
        // A request that was sent again, because its answer was lost, comes too late for itself.
        if (this.newest === name) return this.visible;
      }
      const message = 'the cluster state is changed by others all the time';
      throw new EngineError('ElasticsearchIllegalStateException', message, { status: 503 });
    });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }

  private async read(): Promise<void> {
    const { client, index } = this.host;
    const answer = await client.request('GET', `/${index}/_doc/${DOCUMENT}`);
    if (answer.status === 404 && answer.error === null) return;
    if (answer.status !== 200) throw failureIn(answer);
    const token = tokenOf(answer.body);
    if (token.sequence === this.token?.sequence && token.term === this.token.term) return;
    const source = answer.body.get('_source');
    const values = isJsonObject(source) ? source.get('values') : undefined;
    if (!isJsonObject(source) || !isJsonObject(values)) throw damaged(index);
    const entries = textsOf(values);
    const state = this.decoded(entries);
    const change = source.get('change');
    this.newest = typeof change === 'string' ? change : null;
    this.token = token;
    this.entries = entries;
    this.show(state);
  }

  /** What did not change stays the same object, so that what was made of it is kept. */
  private decoded(entries: Entries): ClusterState {
    const bytes = new Map([...entries].map(([name, text]) => [name, Buffer.from(text)]));
    const state = decodeState(bytes);
    const known = this.visible.indices;
    const indices = new Map(
      [...state.indices].map(([name, index]) => {
        const entry = `index/${index.id}`;
        const isSame = known.has(name) && this.entries.get(entry) === entries.get(entry);
        return [name, isSame ? known.get(name)! : index];
      }),
    );
    return { ...state, indices };
  }

  /** False: somebody else was faster. */
  private async write(entries: Entries, change: string): Promise<boolean> {
    const { client, index } = this.host;
    const { token } = this;
    const query: Record<string, string> =
      token === null
        ? { op_type: 'create' }
        : { if_seq_no: String(token.sequence), if_primary_term: String(token.term) };
    const answer = await client.request('PUT', `/${index}/_doc/${DOCUMENT}`, {
      query: { ...query, refresh: 'false' },
      body: { change, values: entries },
    });
    if (answer.status === 409) return false;
    if (answer.status >= 400) throw failureIn(answer);
    this.token = tokenOf(answer.body);
    return true;
  }

  private show(state: ClusterState): void {
    this.visible = state;
    for (const listener of this.listeners) listener(state);
  }
}

function changed(entries: Entries, before: ClusterState, after: ClusterState): Entries {
  const { put, remove } = encodeChanges(before, after);
  const next = new Map(entries);
  for (const [name, value] of put) next.set(name, value.toString());
  for (const name of remove) next.delete(name);
  return next;
}

function tokenOf(body: JsonObject): Token {
  const sequence = body.get('_seq_no');
  const term = body.get('_primary_term');
  if (!(sequence instanceof JsonNumber) || !(term instanceof JsonNumber)) throw damaged('_seq_no');
  return { sequence: sequence.value, term: term.value };
}

function damaged(what: string): EngineError {
  return new EngineError('CorruptIndexException', `the cluster state cannot be read: ${what}`);
}

function textsOf(values: JsonObject): Entries {
  const entries = new Map<string, string>();
  for (const [name, value] of values) {
    if (typeof value !== 'string') throw damaged(name);
    entries.set(name, value);
  }
  return entries;
}
