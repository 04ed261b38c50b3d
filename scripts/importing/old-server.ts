// The metadata of a running server of 0.90-1.7 (or of facetd), in one shape.

import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json/index';
import { HttpError, type Connection } from './connection';
import { PERCOLATOR_TYPE, shardCount, timeFields, type IndexDefinition } from './definition';
import { numberOf, objectAt, textOf, valueAt } from './json-values';
import { listShards, type Slice } from './scan';

/** Where 0.90 keeps percolator queries: a type for each index. */
const OLD_PERCOLATOR_INDEX = '_percolator';

/** What a server has that matches the names asked for. */
export interface Holdings {
  readonly open: readonly string[];
  /** Nothing can be read from these. */
  readonly closed: readonly string[];
}

/** A slice, and where its documents go if that is not where they came from. */
export interface SourceSlice extends Slice {
  readonly target?: { readonly index: string; readonly type: string };
}

/** A server to read from. */
export class OldServer {
  private isExact = true;
  private percolated: JsonObject = new Map();

  private constructor(
    readonly connection: Connection,
    /** As it says, such as 1.7.6. */
    readonly version: string,
  ) {}

  /** @throws Error when it is no server of this kind; UnreachableError, HttpError */
  static async open(connection: Connection): Promise<OldServer> {
    const version = textOf(valueAt(await connection.greet(), 'version', 'number'));
    if (version === null) throw new Error(`${connection.url} does not say its version`);
    if (!/^[01]\./.test(version)) {
      throw new Error(`${connection.url} is version ${version}; 0.90 to 1.7 can be imported from`);
    }
    return new OldServer(connection, version);
  }

  /** Whether times of documents are told as they are indexed, and not by stored fields only. */
  get hasExactTimes(): boolean {
    return this.isExact;
  }

  /** Names of the indices that match a list of patterns with `*`; one with `-` before it leaves out. */
  async list(patterns: string): Promise<Holdings> {
    const names = async (expand: string): Promise<readonly string[]> => [
      ...(await this.connection.json('GET', `/_settings${expand}`)).keys(),
    ];
    const open = await names('');
    const all = await names('?expand_wildcards=open,closed');
    const isOpen = new Set(open);
    const wanted = (name: string): boolean =>
      name !== OLD_PERCOLATOR_INDEX && matches(patterns, name);
    if (isOpen.has(OLD_PERCOLATOR_INDEX)) {
      this.percolated = (await this.describe(OLD_PERCOLATOR_INDEX)).mappings;
    }
    return {
      open: open.filter(wanted).sort(),
      closed: all.filter((name) => !isOpen.has(name) && wanted(name)).sort(),
    };
  }

  /** Everything about an index but its documents. */
  describe(name: string): Promise<IndexDefinition> {
    return describeIndex(this.connection, name);
  }

  /** Templates by name. */
  async templates(): Promise<JsonObject> {
    try {
      return await this.connection.json('GET', '/_template');
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      // Early servers list them in the cluster state only.
      const filters = 'filter_nodes=true&filter_routing_table=true&filter_blocks=true';
      const state = await this.connection.json('GET', `/_cluster/state?${filters}`);
      return objectAt(state, 'metadata', 'templates');
    }
  }

  /**
   * Finds out whether the server gives indexed times (`fielddata_fields`), by the first index that has some.
   */
  async tryTimes(definition: IndexDefinition): Promise<void> {
    const { isTimestamped, hasTtl } = timeFields(definition, true);
    if (!this.isExact || (!isTimestamped && !hasTtl)) return;
    const field = isTimestamped ? '_timestamp' : '_ttl';
    const path = `/${encodeURIComponent(definition.name)}/_search?size=1`;
    try {
      await this.connection.json('POST', path, JSON.stringify({ fielddata_fields: [field] }));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      this.isExact = false;
    }
  }

  /** The slices of an index; what they read together is all of its documents. */
  async slices(definition: IndexDefinition): Promise<readonly SourceSlice[]> {
    const { name: index } = definition;
    const slices = await allSlices(this.connection, definition);
    if (!this.percolated.has(index)) return slices;
    const target = { index, type: PERCOLATOR_TYPE };
    return [...slices, { index: OLD_PERCOLATOR_INDEX, type: index, shard: null, target }];
  }

  /** Makes what was written last visible to scans, where that is allowed. */
  async refresh(indices: readonly string[]): Promise<void> {
    for (const index of indices) {
      await this.connection
        .text('POST', `/${encodeURIComponent(index)}/_refresh`)
        .catch((error: unknown) => {
          if (!(error instanceof HttpError)) throw error;
        });
    }
  }
}

/** Everything about an index of a server but its documents. */
export async function describeIndex(
  connection: Connection,
  name: string,
): Promise<IndexDefinition> {
  const path = `/${encodeURIComponent(name)}`;
  const read = async (what: string): Promise<JsonObject> =>
    objectAt((await connection.find(path + what)) ?? undefined, name);
  const settings = await read('/_settings');
  const mappings = await read('/_mapping');
  return {
    name,
    settings: objectAt(settings, 'settings'),
    // Servers before 1.0 leave the member out.
    mappings: isJsonObject(mappings.get('mappings')) ? objectAt(mappings, 'mappings') : mappings,
    aliases: objectAt(await read('/_aliases'), 'aliases'),
    warmers: objectAt(await read('/_warmer'), 'warmers'),
  };
}

/** The slices that read an index of a server as a whole. */
export async function allSlices(
  connection: Connection,
  definition: IndexDefinition,
): Promise<readonly SourceSlice[]> {
  const { name: index, mappings } = definition;
  const count = shardCount(definition);
  const shards =
    (await listShards(connection, index)) ??
    (count === null ? [null] : Array.from({ length: count }, (_, shard) => shard));
  return [
    ...shards.map((shard) => ({ index, type: null, shard })),
    ...(mappings.has(PERCOLATOR_TYPE) ? [{ index, type: PERCOLATOR_TYPE, shard: null }] : []),
  ];
}

/** How many documents the indices of slices have, percolator queries included. */
export async function countSlices(
  connection: Connection,
  slices: readonly Slice[],
): Promise<number> {
  const paths = slices.map(({ index, type }) =>
    [index, ...(type === null ? [] : [type])].map(encodeURIComponent).join('/'),
  );
  let sum = 0;
  for (const path of new Set(paths)) sum += await countDocuments(connection, path);
  return sum;
}

/** The number of documents at a path of index and type. */
async function countDocuments(connection: Connection, path: string): Promise<number> {
  const answer: JsonValue = await connection.json('GET', `/${path}/_count`);
  return numberOf(objectAt(answer).get('count')) ?? 0;
}

/** Whether a name is meant by a list of patterns with `*`; one with `-` before it leaves out. */
export function matches(patterns: string, name: string): boolean {
  const parts = patterns.split(',').filter((part) => part !== '');
  const isMeant = (part: string): boolean =>
    new RegExp(`^${part.split('*').map(escaped).join('.*')}$`).test(name);
  const without = parts.filter((part) => part.startsWith('-'));
  const including = parts.filter((part) => !part.startsWith('-'));
  return (
    (including.length === 0 || including.some((part) => part === '_all' || isMeant(part))) &&
    !without.some((part) => isMeant(part.slice(1)))
  );
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
