// The document APIs over the document log.

import { DocumentOperations } from './document-operations';
import type { DocumentHost } from './document-host';
import type { DocumentWriter } from './document-writer';
import { StoredDocuments } from './stored-documents';
import { TermVectors } from './term-vectors';
import type {
  TermVectorsControl,
  TermVectorsOutcome,
  TermVectorsRequest,
  TermVectorsResult,
} from '../api/index';

/** The operations on documents, and term vectors. */
export class DocumentService extends DocumentOperations {
  private readonly stored: StoredDocuments;
  private readonly vectors: TermVectors;

  constructor(host: DocumentHost, writer: DocumentWriter) {
    const stored = new StoredDocuments(host);
    super(host, stored, writer);
    this.stored = stored;
    this.vectors = new TermVectors(host, this.targets, stored);
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
}
