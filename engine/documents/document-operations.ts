// The operations on documents put together, wherever documents are kept: each is a file of its own.

import { Bulk } from './bulk';
import { DeleteDocument } from './delete-document';
import type { DocumentHost } from './document-host';
import type { DocumentReads, DocumentWrites, VisibleTerms } from './document-parts';
import { DocumentTargets } from './document-targets';
import { GetDocument } from './get-document';
import { IndexDocument } from './index-document';
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

/** What the operations need of the node. */
export type OperationsHost = Pick<
  DocumentHost,
  'cluster' | 'indexService' | 'autoCreate' | 'scripts' | 'now' | 'limits'
>;

/** Index, delete, update, get, multi-get, bulk and term vectors. */
export class DocumentOperations {
  protected readonly targets: DocumentTargets;
  private readonly indexing: IndexDocument;
  private readonly deletion: DeleteDocument;
  private readonly updating: UpdateDocument;
  private readonly getting: GetDocument;
  private readonly bulks: Bulk;
  private readonly vectors: TermVectors;

  constructor(
    host: OperationsHost,
    reads: DocumentReads,
    writer: DocumentWrites,
    visible: VisibleTerms,
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
    this.vectors = new TermVectors(host, targets, reads, visible);
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
