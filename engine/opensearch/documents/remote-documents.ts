// The document APIs over OpenSearch: the operations of the embedded engine, which read and write there.

import {
  Bulk,
  DeleteDocument,
  type DocumentHost,
  DocumentTargets,
  GetDocument,
  IndexDocument,
  UpdateDocument,
} from '../../documents/index';
import type { RemoteReads } from './remote-reads';
import type { RemoteWriter } from './remote-writer';

/** What the operations need of the node. */
type RemoteDocumentHost = Pick<
  DocumentHost,
  'cluster' | 'indexService' | 'autoCreate' | 'scripts' | 'now'
>;

/** Index, delete, update, get, multi-get and bulk. */
export class RemoteDocuments {
  readonly indexing: IndexDocument;
  readonly deletion: DeleteDocument;
  readonly updating: UpdateDocument;
  readonly getting: GetDocument;
  readonly bulks: Bulk;
  private readonly targets: DocumentTargets;

  constructor(
    host: RemoteDocumentHost,
    private readonly reads: RemoteReads,
    writer: RemoteWriter,
  ) {
    const targets = new DocumentTargets(host);
    const indexing = new IndexDocument(targets, writer, host.now);
    const deletion = new DeleteDocument(targets, writer);
    const updating = new UpdateDocument(host, targets, reads, indexing, writer);
    this.targets = targets;
    this.indexing = indexing;
    this.deletion = deletion;
    this.updating = updating;
    this.getting = new GetDocument(targets, reads, host.now);
    this.bulks = new Bulk(host, targets, writer, { indexing, deletion, updating });
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
