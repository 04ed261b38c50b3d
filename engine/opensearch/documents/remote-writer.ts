// Writes to OpenSearch: documents are parsed against the mapping as ever, what they add to it is a change
// of the cluster state, and what they derive into goes there by bulk. OpenSearch counts versions; a write
// that is bound to one is compared here and bound to the sequence number of what it was compared with.

import { appendAll, atOnce } from '../../common/index';
import {
  alreadyExists,
  assertAliasStays,
  type DocumentWrite,
  type DocumentWrites,
  itemError,
  parseChunk,
  type ParsedChunk,
  unitEnd,
  versionConflict,
  type VersionSubject,
  type WriteResult,
} from '../../documents/index';
import { EngineError, indexMissing } from '../../errors';
import { isJsonObject, type JsonObject, type JsonOutput, writeJson } from '../../json/index';
import { type IndexMetadata, replaceIndex, replicasOf } from '../../metadata/index';
import { deriveDocument } from '../layout/derived-document';
import { documentId } from '../layout/envelope';
import { routingValues } from '../layout/shard-routing';
import { unsupported, UnsupportedError } from '../layout/unsupported';
import type { RemoteClusterState } from '../state/remote-cluster-state';
import { partOf } from '../transport/answers';
import { numberIn } from '../transport/answers';
import type { OpenSearchClient } from '../transport/client';
import { failureIn, reasonOf } from '../transport/failures';
import type { RemoteIndex } from './remote-indices';

/** One bulk at most. */
const CHUNK = { records: 1000, bytes: 5 * 1024 * 1024 };

/** Longest id in OpenSearch, bytes. */
const MAX_ID_BYTES = 512;

/** How long a bulk waits for the copies of shards that it needs. */
const COPIES_TIMEOUT = '5s';

/**
 * Copies of a shard that have to be there before something is written, as by the write consistency of 1.x: a
 * majority of three or more, and one of two.
 */
export function copiesWanted(replicas: number): number {
  const copies = 1 + replicas;
  return copies > 2 ? Math.floor(copies / 2) + 1 : 1;
}

/** The mapping that a chunk was parsed against is no longer the index's mapping. */
class MappingChanged extends Error {}

/** What is known of a document that a write is bound to; null: there is none. */
interface Current {
  readonly version: number;
  readonly sequence: number;
  readonly term: number;
}

/** A write on its way: its place, and its lines of the bulk. */
interface Line {
  readonly place: number;
  readonly write: DocumentWrite;
  readonly text: string;
}

/** Writes documents. */
export class RemoteWriter implements DocumentWrites {
  constructor(
    private readonly client: OpenSearchClient,
    private readonly cluster: RemoteClusterState,
    private readonly index: (metadata: IndexMetadata) => RemoteIndex,
  ) {}

  async write(
    { id, name }: Pick<RemoteIndex, 'id' | 'name'>,
    writes: readonly DocumentWrite[],
  ): Promise<(WriteResult | EngineError)[]> {
    const results: (WriteResult | EngineError)[] = [];
    for (let from = 0; from < writes.length;) {
      const to = unitEnd(writes, from, CHUNK);
      appendAll(results, await this.writeChunk(id, name, writes.slice(from, to)));
      from = to;
    }
    return results;
  }

  async writeOne(
    index: Pick<RemoteIndex, 'id' | 'name'>,
    write: DocumentWrite,
  ): Promise<WriteResult> {
    const [result] = await this.write(index, [write]);
    if (result instanceof EngineError) throw result;
    return result!;
  }

  private async writeChunk(
    id: number,
    name: string,
    writes: readonly DocumentWrite[],
  ): Promise<(WriteResult | EngineError)[]> {
    for (;;) {
      const metadata = this.metadata(id, name);
      const index = this.index(metadata);
      const chunk = atOnce(parseChunk(index, writes, metadata, NO_QUERIES, Infinity));
      try {
        const mapped = chunk.next === metadata ? metadata : await this.addToMapping(chunk);
        return await this.send(index, mapped, chunk);
      } catch (error) {
        if (!(error instanceof MappingChanged)) throw error;
      }
    }
  }

  /** @throws EngineError when the index cannot be written to */
  private metadata(id: number, name: string): IndexMetadata {
    const metadata = this.cluster.state().indices.get(name);
    if (metadata?.id !== id) throw indexMissing(name);
    if (metadata.state === 'close') {
      throw new EngineError('IndexClosedException', `[${name}] closed`);
    }
    return metadata;
  }

  /** @throws MappingChanged */
  private async addToMapping({ base, next }: ParsedChunk): Promise<IndexMetadata> {
    const { mappings, fields } = next;
    const { indices } = await this.cluster.change((state) => {
      const current = state.indices.get(base.name);
      if (current?.id !== base.id) throw indexMissing(base.name);
      if (current.mappings !== base.mappings) throw new MappingChanged();
      return replaceIndex(state, { ...current, mappings, fields });
    });
    return indices.get(base.name)!;
  }

  /** Writes what was parsed, in bulks of which none has a document that a write of it is bound to twice. */
  private async send(
    index: RemoteIndex,
    metadata: IndexMetadata,
    { writes, sources }: ParsedChunk,
  ): Promise<(WriteResult | EngineError)[]> {
    const results = new Array<WriteResult | EngineError>(writes.length);
    const mapping = index.mapping(metadata);
    const definitions = new Map<string, object>();
    const bodies = new Map<number, string>();
    writes.forEach((write, place) => {
      try {
        assertAliasStays(metadata, write.alias);
        const source = sources[place]!;
        if (source instanceof EngineError) throw source;
        assertShortId(write);
        if (write.kind === 'delete') return;
        const mapper = mapping.documentMapper(write.type)!;
        const derived = deriveDocument(
          mapper,
          source,
          write.envelope,
          mapping.similarities,
          index.definitions,
        );
        for (const [path, definition] of derived.definitions) definitions.set(path, definition);
        bodies.set(place, derived.body);
      } catch (error) {
        results[place] = itemError(error);
      }
    });
    await index.define(definitions);
    let from = 0;
    while (from < writes.length) {
      const to = independentEnd(writes, from);
      await this.sendSome(index, writes, from, to, bodies, replicasOf(metadata), results);
      from = to;
    }
    return results;
  }

  /** Writes those of [from, to) that have no result yet. */
  private async sendSome(
    index: RemoteIndex,
    writes: readonly DocumentWrite[],
    from: number,
    to: number,
    bodies: ReadonlyMap<number, string>,
    replicas: number,
    results: (WriteResult | EngineError)[],
  ): Promise<void> {
    const routing = routingValues(index.shards.length);
    const bound = writes.slice(from, to).filter(isBound);
    const current = await this.current(index, bound, routing);
    const lines: Line[] = [];
    for (let place = from; place < to; place++) {
      if (results[place] !== undefined) continue;
      const write = writes[place]!;
      try {
        const head = headOf(write, routing[write.shard]!, currentOf(current, write), index.name);
        const body = bodies.get(place);
        lines.push({ place, write, text: body === undefined ? head : `${head}${body}\n` });
      } catch (error) {
        results[place] = itemError(error);
      }
    }
    if (lines.length === 0) return;
    const text = lines.map((line) => line.text).join('');
    let outcomes = await this.bulk(index, text, replicas);
    if (outcomes.some(isIndexMissing)) {
      // Nothing was written: the index is missing to all of them or to none.
      await index.make();
      outcomes = await this.bulk(index, text, replicas);
    }
    for (const [i, { place, write }] of lines.entries()) {
      results[place] = await this.resultOf(index, write, outcomes[i]!, routing);
    }
  }

  private async bulk(
    index: RemoteIndex,
    lines: string,
    replicas: number,
  ): Promise<readonly JsonObject[]> {
    const { body } = await index.succeed(() =>
      this.client.request('POST', `/${index.writeName}/_bulk`, {
        query: {
          require_alias: 'true',
          wait_for_active_shards: String(copiesWanted(replicas)),
          timeout: COPIES_TIMEOUT,
        },
        lines,
      }),
    );
    const items = body.get('items');
    if (!Array.isArray(items)) throw new TypeError('OpenSearch gives no items of a bulk');
    return items.map((item) => {
      const [outcome] = isJsonObject(item) ? item.values() : [];
      if (!isJsonObject(outcome)) throw new TypeError('OpenSearch gives no outcome of a write');
      return outcome;
    });
  }

  private async resultOf(
    index: RemoteIndex,
    write: DocumentWrite,
    outcome: JsonObject,
    routing: readonly string[],
  ): Promise<WriteResult | EngineError> {
    const status = numberIn(outcome, 'status');
    if (status < 400 || outcome.get('result') === 'not_found') {
      const result = outcome.get('result');
      const fresh = result === 'created' || result === 'deleted';
      const version = numberIn(outcome, '_version');
      return { version, fresh, sequence: numberIn(outcome, '_seq_no') };
    }
    const subject = subjectOf(index.name, write);
    if (status === 409 && write.versionType === 'force') {
      const why = 'versions of OpenSearch do not go down';
      return unsupported('[version_type] [force] with a version below the one that there is', why);
    }
    if (status === 409) {
      const found = await this.current(index, [write], routing);
      const version = currentOf(found, write)?.version ?? NOT_FOUND;
      if (write.create && write.version === undefined) return alreadyExists(subject);
      return versionConflict(subject, version, write.version ?? 0);
    }
    if (status === 404) return indexMissing(index.name);
    const error = partOf(outcome, 'error');
    if (status === 400 && error !== null)
      return new EngineError('MapperParsingException', reasonOf(error));
    return failureIn({ status, body: outcome });
  }

  /** What there is of documents, by their ids in OpenSearch. */
  private async current(
    index: RemoteIndex,
    writes: readonly DocumentWrite[],
    routing: readonly string[],
  ): Promise<ReadonlyMap<string, Current>> {
    const found = new Map<string, Current>();
    if (writes.length === 0) return found;
    const docs = writes.map(({ type, id, shard }) => ({
      _id: documentId(type, id),
      routing: routing[shard],
      _source: false,
    }));
    const { body } = await index.succeed(() =>
      this.client.request('POST', `/${index.remoteName}/_mget`, { body: { docs } }),
    );
    const answers = body.get('docs');
    for (const answer of Array.isArray(answers) ? answers : []) {
      if (!isJsonObject(answer) || answer.get('found') !== true) continue;
      found.set(answer.get('_id') as string, {
        version: numberIn(answer, '_version'),
        sequence: numberIn(answer, '_seq_no'),
        term: numberIn(answer, '_primary_term'),
      });
    }
    return found;
  }
}

/** What the reference prints as the current version of an id that does not exist. */
const NOT_FOUND = -1;

const NO_QUERIES = {
  check: () => new UnsupportedError('stored queries (.percolator) are'),
};

function isIndexMissing(outcome: JsonObject): boolean {
  const error = outcome.get('error');
  return isJsonObject(error) && error.get('type') === 'index_not_found_exception';
}

/** Whether a write depends on the version that there is. */
function isBound({ version, versionType, create }: DocumentWrite): boolean {
  if (versionType === 'internal') return version !== undefined && version !== 0;
  return create;
}

/** Where the writes end that can go in one bulk: before one that is bound to what one of them writes. */
function independentEnd(writes: readonly DocumentWrite[], from: number): number {
  const touched = new Set<string>();
  let to = from;
  for (; to < writes.length; to++) {
    const write = writes[to]!;
    const key = documentId(write.type, write.id);
    if (isBound(write) && touched.has(key)) break;
    touched.add(key);
  }
  return to;
}

function currentOf(
  current: ReadonlyMap<string, Current>,
  { type, id }: DocumentWrite,
): Current | undefined {
  return current.get(documentId(type, id));
}

/** The line that says what is done. @throws EngineError 409; 400 for what cannot be had */
function headOf(
  write: DocumentWrite,
  routing: string,
  current: Current | undefined,
  index: string,
): string {
  const { kind, type, id, create, version, versionType } = write;
  const subject = subjectOf(index, write);
  const target: Record<string, JsonOutput> = { _id: documentId(type, id), routing };
  let action: string = kind;
  switch (versionType) {
    case 'internal':
      if (isBound(write)) {
        if (current?.version !== version) {
          throw versionConflict(subject, current?.version ?? NOT_FOUND, version!);
        }
        if (create) throw alreadyExists(subject);
        Object.assign(target, { if_seq_no: current!.sequence, if_primary_term: current!.term });
      } else if (create) {
        action = 'create';
      }
      break;
    case 'external':
    case 'external_gte':
      if (create && current !== undefined) throw alreadyExists(subject);
      Object.assign(target, { version: version!, version_type: versionType });
      break;
    case 'force':
      if (create && current !== undefined) throw alreadyExists(subject);
      if (version === undefined) throw unsupported('[version_type] [force] without a version');
      // A version that is not lower; where it is, the write is refused there.
      Object.assign(target, { version, version_type: 'external_gte' });
      break;
  }
  return `${writeJson({ [action]: target })}\n`;
}

function subjectOf(index: string, { shard, type, id }: DocumentWrite): VersionSubject {
  return { index, shard, type, id };
}

/** @throws EngineError 400 for an id that OpenSearch does not take */
function assertShortId({ type, id }: DocumentWrite): void {
  if (Buffer.byteLength(documentId(type, id)) <= MAX_ID_BYTES) return;
  throw unsupported(`type and id take more than [${MAX_ID_BYTES - 1}] bytes together, which`);
}
