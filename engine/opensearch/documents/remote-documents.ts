// The document APIs over OpenSearch: the operations of the embedded engine, which read and write there.

import {
  DocumentOperations,
  type DocumentWrites,
  type OperationsHost,
  type VisibleTerms,
} from '../../documents/index';
import type { RemoteReads } from './remote-reads';

/** The operations on documents. */
export class RemoteDocuments extends DocumentOperations {
  constructor(
    host: OperationsHost,
    private readonly reads: RemoteReads,
    writer: DocumentWrites,
    visible: VisibleTerms,
  ) {
    super(host, reads, writer, visible);
  }

  /** `_source` of a document as of now, for look-ups; undefined where there is none. @throws EngineError */
  async source(
    index: string,
    type: string,
    id: string,
    routing: string | undefined,
  ): Promise<Buffer | undefined> {
    const target = this.targets.target(index, type, id, routing, undefined, 'read');
    return (await this.reads.load(target, type, id, true))?.record.source;
  }
}
