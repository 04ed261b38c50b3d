// Getting documents by id, one or several, and what other parts of the engine read of a single document.

import { Slices } from '../common/index';
import { EngineError } from '../errors';
import { documentFields, visibleSource } from './document-fields';
import { subjectOf, type ReadTargets, type DocumentTarget } from './document-targets';
import { itemError } from './item-error';
import type { DocumentReads, StoredDocument } from './document-parts';
import { checkReadVersion } from './versions';
import type { GetRequest, GetResult } from '../api/index';
import { filterSource } from '../json/index';
import type { IndexMapping } from '../mapping/index';
import { assertNotBlocked, type SingleIndexPurpose } from '../metadata/index';
import type { LikedSource } from '../search/index';
import type { ReadableIndex } from '../shard/index';

/** The get operation; see {@link DocumentService} for what each method is for. */
export class GetDocument {
  constructor(
    private readonly targets: ReadTargets,
    private readonly stored: DocumentReads,
    private readonly now: () => number,
  ) {}

  /** @throws EngineError when the index is missing, blocked or damaged, or the version another one */
  async get(request: GetRequest, purpose: SingleIndexPurpose = 'read'): Promise<GetResult> {
    const { index, type, id, routing, parent } = request;
    const target = this.targets.target(index, type, id, routing, parent, purpose);
    assertNotBlocked(target.metadata, 'read');
    const shard = target.indexService.shards[target.shard]!;
    if (request.refresh) await shard.refresh();
    const started = performance.now();
    const found = this.stored.load(target, type, id, request.realtime);
    // Waiting for what is there costs as much as reading it does.
    const stored = found instanceof Promise ? await found : found;
    const result = this.result(target, request, stored);
    shard.reads.addGet(result.found, performance.now() - started);
    return result;
  }

  /** Like many {@link get}s; a missing index or a conflict concerns its own item only. */
  async multiGet(requests: readonly GetRequest[]): Promise<readonly (GetResult | Error)[]> {
    const answers: (GetResult | Error)[] = [];
    const slices = new Slices(1);
    for (const request of requests) {
      if (slices.isOver()) await slices.next();
      try {
        answers.push(await this.get(request, 'multiGet'));
      } catch (error) {
        const known = itemError(error);
        if (failsWholeMultiGet(known)) throw error;
        answers.push(known);
      }
    }
    return answers;
  }

  /**
   * A document that others shall be like, and the mapping of its index.
   * @throws EngineError DocumentMissingException
   */
  async liked(
    request: Pick<GetRequest, 'index' | 'type' | 'id' | 'routing'>,
  ): Promise<{ readonly document: LikedSource; readonly mapping: IndexMapping }> {
    const { index, type, id, routing } = request;
    const target = this.targets.target(index, type, id, routing, undefined, 'read');
    assertNotBlocked(target.metadata, 'read');
    const stored = await this.stored.load(target, type, id, true);
    if (stored === undefined) {
      const message = `[_na][_na] [${type}][${id}]: document missing`;
      throw new EngineError('DocumentMissingException', message);
    }
    return { document: stored.record, mapping: target.mapping };
  }

  private result(
    target: DocumentTarget<ReadableIndex>,
    request: GetRequest,
    stored: StoredDocument | undefined,
  ): GetResult {
    const { id, type } = request;
    const index = target.indexService.name;
    if (stored === undefined) {
      return { index, type, id, found: false, version: -1, source: undefined, fields: undefined };
    }
    const { record } = stored;
    checkReadVersion(
      record.version,
      request.version,
      request.versionType,
      subjectOf(target, request),
    );
    const hidden = target.mapping.sourceFilter(record.type) === false;
    const wantsSource = request.source !== false && !hidden;
    const source = visibleSource(target.mapping, record);
    return {
      index,
      type: record.type,
      id,
      found: true,
      version: record.version,
      source: wantsSource ? filterSource(source, request.source) : undefined,
      fields:
        request.fields === undefined
          ? undefined
          : documentFields(target.mapping, record, request.fields, this.now()),
    };
  }
}

/** mget answers conflicts and missing indices per item; closed indices and bad aliases fail the request. */
function failsWholeMultiGet(error: EngineError): boolean {
  return error.wireName === 'IndexClosedException' || error.message.startsWith('Alias [');
}
