// Where a document is: the index that a name or alias stands for, created when a write needs it, and the
// shard that id, routing and parent lead to. All document APIs begin here.

import { EngineError, indexMissing } from '../errors';
import type { DocumentHost, ReadHost } from './document-host';
import type { VersionSubject } from './versions';
import type { IndexMapping } from '../mapping/index';
import {
  documentRouting,
  isAlias,
  shardOf,
  singleIndex,
  type AliasMetadata,
  type IndexMetadata,
  type SingleIndexPurpose,
} from '../metadata/index';
import type { WritableIndex, ReadableIndex } from '../shard/index';

/** An index that is open, as one request sees it. */
interface OpenIndex<I> {
  readonly indexService: I;
  readonly metadata: IndexMetadata;
  readonly mapping: IndexMapping;
  /** The alias that it was named by, or null. */
  readonly alias: AliasMetadata | null;
}

/** A document's target: index and shard. */
export interface DocumentTarget<I extends ReadableIndex = WritableIndex> {
  readonly indexService: I;
  readonly metadata: IndexMetadata;
  readonly mapping: IndexMapping;
  /** The alias that the index was named by, or null. */
  readonly alias: AliasMetadata | null;
  readonly shard: number;
}

/** Finds the targets of documents in the newest visible state of the cluster. */
export class ReadTargets<I extends ReadableIndex = ReadableIndex> {
  constructor(private readonly host: Pick<ReadHost<I>, 'cluster' | 'indexService'>) {}

  /** Whether an index or alias has this name. */
  isKnown(name: string): boolean {
    const state = this.host.cluster.state();
    return state.indices.has(name) || isAlias(state, name);
  }

  /**
   * The index that a name or alias stands for.
   * @throws EngineError when that is none, several, or one that is closed
   */
  open(name: string, purpose: SingleIndexPurpose): OpenIndex<I> {
    const { index: metadata, alias } = singleIndex(this.host.cluster.state(), name, purpose);
    const indexService = this.host.indexService(metadata);
    if (indexService === null) throw indexMissing(metadata.name);
    return { indexService, metadata, alias, mapping: indexService.mapping(metadata) };
  }

  /**
   * Where the document of a request is, or would be.
   * @throws EngineError as {@link open}; RoutingMissingException where the type needs routing and has none
   */
  target(
    name: string,
    type: string,
    id: string,
    requestRouting: string | undefined,
    parent: string | undefined,
    purpose: SingleIndexPurpose,
  ): DocumentTarget<I> {
    const { indexService, metadata, alias, mapping } = this.open(name, purpose);
    const routing = documentRouting(alias, requestRouting, parent);
    if (routing === null && type !== '_all' && mapping.routingRequired(type)) {
      throw new EngineError(
        'RoutingMissingException',
        `routing is required for [${metadata.name}]/[${type}]/[${id}]`,
      );
    }
    const shard = shardOf(routing ?? id, indexService.shards.length);
    return { indexService, metadata, mapping, alias, shard };
  }
}

/** The same for writes, which create the index that they need. */
export class DocumentTargets extends ReadTargets<WritableIndex> {
  private readonly autoCreate: DocumentHost['autoCreate'];

  constructor(host: Pick<DocumentHost, 'cluster' | 'indexService' | 'autoCreate'>) {
    super(host);
    this.autoCreate = (missing) => host.autoCreate(missing);
  }

  /** Creates an index that does not exist, for a document of `type` if that is known. @throws EngineError */
  async ensureIndex(name: string, type?: string): Promise<void> {
    if (this.isKnown(name)) return;
    const types = type === undefined ? [] : [type];
    const refused = (await this.autoCreate(new Map([[name, types]]))).get(name);
    if (refused !== undefined) throw refused;
  }
}

/** The document of a request, for what is said about its version. */
export function subjectOf(
  target: DocumentTarget<ReadableIndex>,
  { type, id }: { type: string; id: string },
): VersionSubject {
  return { index: target.indexService.name, shard: target.shard, type, id };
}
