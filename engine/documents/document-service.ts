// The document APIs over the document log, put together: each operation is a file of its own.

import { Bulk } from './bulk';
import { DeleteDocument } from './delete-document';
import type { DocumentHost } from './document-host';
import { DocumentTargets } from './document-targets';
import type { DocumentWriter } from './document-writer';
import { GetDocument } from './get-document';
import { IndexDocument } from './index-document';
import { StoredDocuments } from './stored-documents';
import { TermVectors } from './term-vectors';
import { UpdateDocument } from './update-document';
import type {
  BulkAction,
  BulkItem,
  DeleteRequest,
  DeleteResult,
  GetRequest,
  GetResult,
  IndexRequest,
  IndexResult,
  TermVectorsControl,
  TermVectorsOutcome,
  TermVectorsRequest,
  TermVectorsResult,
  UpdateRequest,
  UpdateResult,
} from '../api/index';

/** Index, delete, update, get, multi-get and bulk. */
export class DocumentService {
  private readonly indexing: IndexDocument;
  private readonly deletion: DeleteDocument;
  private readonly updating: UpdateDocument;
  private readonly getting: GetDocument;
  private readonly targets: DocumentTargets;
  private readonly stored: StoredDocuments;
  private readonly bulks: Bulk;
  private readonly vectors: TermVectors;

  constructor(host: DocumentHost, writer: DocumentWriter) {
    const targets = new DocumentTargets(host);
    const stored = new StoredDocuments(host);
    const indexing = new IndexDocument(targets, writer, host.now);
    const deletion = new DeleteDocument(targets, writer);
    const updating = new UpdateDocument(host, targets, stored, indexing, writer);
    this.targets = targets;
    this.stored = stored;
    this.indexing = indexing;
    this.deletion = deletion;
    this.updating = updating;
    this.getting = new GetDocument(targets, stored, host.now);
    this.vectors = new TermVectors(host, targets, stored);
    this.bulks = new Bulk(host, targets, writer, { indexing, deletion, updating });
  }

  /** See {@link IndexDocument.run}. */
  index(request: IndexRequest): Promise<IndexResult> {
    return this.indexing.run(request);
  }

  /** See {@link DeleteDocument.run}. */
  delete(request: DeleteRequest): Promise<DeleteResult> {
    return this.deletion.run(request);
  }

  /** See {@link UpdateDocument.run}. */
  update(request: UpdateRequest): Promise<UpdateResult> {
    return this.updating.run(request);
  }

  /** See {@link GetDocument.get}. */
  get(request: GetRequest): Promise<GetResult> {
    return this.getting.get(request);
  }

  /** See {@link GetDocument.multiGet}. */
  multiGet(requests: readonly GetRequest[]): Promise<readonly (GetResult | Error)[]> {
    return this.getting.multiGet(requests);
  }

  /** See {@link Bulk.run}. */
  bulk(actions: readonly BulkAction[], refresh: boolean): Promise<readonly BulkItem[]> {
    return this.bulks.run(actions, refresh);
  }

  /** See {@link Bulk.refreshWritten}. */
  refreshWritten(names: ReadonlySet<string>): Promise<void> {
    return this.bulks.refreshWritten(names);
  }

  /** See {@link StoredDocuments.source}. */
  source(index: string, type: string, id: string, routing: string | undefined): Buffer | undefined {
    const target = this.targets.target(index, type, id, routing, undefined, 'read');
    return this.stored.source(target, type, id);
  }

  /** See {@link TermVectors.one}. */
  termVectors(
    request: TermVectorsRequest,
    control: TermVectorsControl,
  ): Promise<TermVectorsResult> {
    return this.vectors.one(request, control);
  }

  /** See {@link TermVectors.several}. */
  multiTermVectors(
    requests: readonly TermVectorsRequest[],
    control: TermVectorsControl,
  ): Promise<readonly TermVectorsOutcome[]> {
    return this.vectors.several(requests, control);
  }

  /** See {@link GetDocument.liked}. */
  liked(request: Parameters<GetDocument['liked']>[0]): ReturnType<GetDocument['liked']> {
    return this.getting.liked(request);
  }
}
