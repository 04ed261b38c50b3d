// Documents by id, read from OpenSearch.

import type { DocumentReads, DocumentTarget, StoredDocument } from '../../documents/index';
import { isJsonObject, type JsonObject } from '../../json/index';
import type { IndexMetadata } from '../../metadata/index';
import type { ReadableIndex } from '../../shard/index';
import { documentId, recordOf } from '../layout/envelope';
import { ENVELOPE, SOURCE } from '../layout/names';
import { routingValues } from '../layout/shard-routing';
import { numberIn } from '../transport/answers';
import type { OpenSearchClient } from '../transport/client';
import type { RemoteIndex } from './remote-indices';

/** Reads single documents. */
export class RemoteReads implements DocumentReads {
  constructor(
    private readonly client: OpenSearchClient,
    private readonly index: (metadata: IndexMetadata) => RemoteIndex,
  ) {}

  async load(
    target: DocumentTarget<ReadableIndex>,
    type: string,
    id: string,
    realtime: boolean,
  ): Promise<StoredDocument | undefined> {
    const types = type === '_all' ? target.mapping.types : [type];
    for (const one of types) {
      const found = await this.one(target, documentId(one, id), realtime);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private async one(
    { metadata, shard }: DocumentTarget<ReadableIndex>,
    id: string,
    realtime: boolean,
  ): Promise<StoredDocument | undefined> {
    const index = this.index(metadata);
    const path = `/${index.remoteName}/_doc/${encodeURIComponent(id)}`;
    const query = {
      routing: routingValues(index.shards.length)[shard]!,
      realtime: String(realtime),
    };
    const { body } = await index.succeed(async () => {
      const answer = await this.client.request('GET', path, { query });
      const isMissing = answer.status === 404 && answer.error === null;
      return isMissing ? { ...answer, status: 200 } : answer;
    });
    return body.get('found') === true ? storedDocument(id, body) : undefined;
  }
}

/** A document as a get gives it. */
export function storedDocument(id: string, body: JsonObject): StoredDocument {
  const version = numberIn(body, '_version');
  const source = body.get('_source');
  const [text, envelope] = isJsonObject(source) ? [source.get(SOURCE), source.get(ENVELOPE)] : [];
  if (typeof text !== 'string' || typeof envelope !== 'string') {
    throw new TypeError(`OpenSearch gives no source of [${id}]`);
  }
  const sequence = numberIn(body, '_seq_no');
  return {
    entry: { sequence, version, deleted: false, deletedAt: 0 },
    record: recordOf(id, version, text, envelope),
  };
}
